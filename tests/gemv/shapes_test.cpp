// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Every legal plan computes, not only the one that would be chosen: random threads, lanes and splits.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "backends/registry.hpp"
#include "plan/choice.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/registry.hpp"
#include "support/compare.hpp"
#include "support/family/on_backend.hpp"
#include "support/family/one_pass.hpp"
#include "verify/random.hpp"

namespace onepass::test {
namespace {

class Shapes : public OnBackend {};

std::vector<const Backend*> devices() {
  std::vector<const Backend*> list;
  for (const Backend* b : available_backends())
    if (b->id() == BackendId::sim || b->id() == BackendId::cuda) list.push_back(b);
  return list;
}
INSTANTIATE_TEST_SUITE_P(On, Shapes, testing::ValuesIn(devices()), backend_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Shapes);

// Of any type, a third of the sizes below `few` and the others below `many`.
Problem any_problem(Random& random, int few, int many) {
  constexpr const char* types[] = {"s", "d", "c", "z", "h", "b", "hhs"};
  const auto size = [&] { return 1 + random.below(random.below(3) == 0 ? few : many); };
  Problem p{.op = random.below(2) == 0 ? Op::n : Op::c, .m = size(), .n = size()};
  set_types(p, types[random.below(7)]);
  return p;
}
Variant of_op(const Problem& p) { return stored(p).transposed ? Variant::gemv_t : Variant::gemv_n; }
// With A off its boundary in half of the cases.
Case any_case(Random& random, const Problem& p) {
  Case c{.name = describe(p), .problem = p, .alpha = 2.0, .beta = random.below(2) == 0 ? 0.0 : 1.0};
  c.offset_a = static_cast<int>(random.below(2) == 0 ? 0 : random.below(9));
  return c;
}
// `settled`: how many of A and x may be loaded before the grid-dependency wait.
testing::AssertionResult computes(const Backend& backend, const Case& c, const Plan& plan, int settled = 0) {
  return agrees_with_reference(
             backend, c,
             {.settled_a = settled > 0, .settled_x = settled > 1, .plan = [&](const Problem&) { return plan; }})
         << describe(plan.problem) << " settled " << settled << "\n"
         << print(plan);
}

TEST_P(Shapes, ComputeWhateverTheirNumbers) {
  Random random(11);
  const int wanted = GetParam()->id() == BackendId::cuda ? 3000 : 300;
  for (int i = 0, ran = 0; ran < wanted && i < 100 * wanted; ++i) {
    Problem p = any_problem(random, 12, 150);
    p.lda = p.m + (random.below(2) == 0 ? 0 : random.below(9));
    if (random.below(4) == 0) p.incx = random.below(2) == 0 ? -1 : 2;
    Case c = any_case(random, p);
    c.offset_x = static_cast<int>(random.below(3));
    const int threads = 32 << random.below(4), lanes = 1 << random.below(9);
    const std::int64_t splits = 1 + random.below(5);
    if (lanes > threads) continue;
    if (random.below(4) != 0)
      p.alignment_a = alignment_of(p, reinterpret_cast<const void*>(256 + c.offset_a * size_of(p.type_a)));
    Plan plan = shape_gemv(p, {of_op(p), Loads::many, threads, lanes, splits});
    plan.kernel.loads = random.below(2) == 0 ? Loads::few : Loads::many;
    GemvParams& g = params<GemvParams>(plan);
    g.prefetch_blocks = random.below(2) == 0 ? 0 : random.below(2 * g.tiles * g.splits);
    if (Plan once = plan; stored(p).transposed && random.below(2) == 0) {
      once.kernel.variant = Variant::gemv_t_once;
      if (why_illegal_on_device(once).empty()) plan = once;
    }
    plan.backend = backend().id();
    if (!why_illegal_on_device(plan).empty()) continue;
    ++ran;
    ASSERT_TRUE(computes(backend(), c, plan, static_cast<int>(random.below(3))));
  }
}

// Sums that are split so often that their parts are added up in groups.
TEST_P(Shapes, OfManySplitsAreAddedUpInGroups) {
  Random random(16);
  const int wanted = GetParam()->id() == BackendId::cuda ? 2000 : 150;
  for (int i = 0, ran = 0; ran < wanted && i < 100 * wanted; ++i) {
    Problem p = any_problem(random, 12, 60);
    (stored(p).transposed ? p.m : p.n) = 200 + random.below(1500);
    p.lda = p.m + (random.below(2) == 0 ? 0 : random.below(9));
    const Case c = any_case(random, p);
    const int threads = 32 << random.below(2), lanes = 1 << random.below(5);
    const std::int64_t splits = 12 + random.below(120);
    p.alignment_a = alignment_of(p, reinterpret_cast<const void*>(256 + c.offset_a * size_of(p.type_a)));
    Plan plan = shape_gemv(p, {of_op(p), Loads::many, threads, lanes, splits});
    plan.kernel.loads = random.below(2) == 0 ? Loads::few : Loads::many;
    plan.backend = backend().id();
    if (log2_grouped(plan) == 0 || !why_illegal_on_device(plan).empty()) continue;
    ++ran;
    ASSERT_TRUE(computes(backend(), c, plan, static_cast<int>(random.below(3))));
  }
}

// Launches of the kernels for small matrices, likewise.
TEST_P(Shapes, OfSmallMatricesComputeWhateverTheirNumbers) {
  Random random(15);
  const int wanted = GetParam()->id() == BackendId::cuda ? 3000 : 300;
  for (int i = 0, ran = 0; ran < wanted && i < 100 * wanted; ++i) {
    Problem p = any_problem(random, 12, 150);
    p.lda = p.m + (random.below(2) == 0 ? 0 : random.below(9));
    if (random.below(4) == 0) p.incx = random.below(2) == 0 ? -1 : 2;
    Case c = any_case(random, p);
    c.offset_x = static_cast<int>(random.below(3));
    const int threads = 32 << random.below(5), lanes = 1 << random.below(10);
    if (lanes > threads) continue;
    if (random.below(4) != 0)
      p.alignment_a = alignment_of(p, reinterpret_cast<const void*>(256 + c.offset_a * size_of(p.type_a)));
    Plan plan = shape_gemv(p, {stored(p).transposed ? Variant::gemv_t_small : Variant::gemv_n_small,
                               random.below(2) == 0 ? Loads::few : Loads::many, threads, lanes});
    GemvParams& g = params<GemvParams>(plan);
    g.prefetch_blocks = random.below(2) == 0 ? 0 : random.below(2 * g.tiles);
    plan.backend = backend().id();
    if (!why_illegal_on_device(plan).empty()) continue;
    ++ran;
    ASSERT_TRUE(computes(backend(), c, plan, static_cast<int>(random.below(3))));
  }
}

// Blocks that serve several products one after the other, at strides and behind pointers.
TEST_P(Shapes, OfBatchesComputeWithSeveralProductsOfABlock) {
  Random random(14);
  const int wanted = GetParam()->id() == BackendId::cuda ? 2000 : 150;
  for (int i = 0, ran = 0; ran < wanted && i < 100 * wanted; ++i) {
    Problem p = any_problem(random, 12, 70);
    p.lda = p.m + (random.below(2) == 0 ? 0 : random.below(9));
    p.batch = 1 + random.below(9);
    p.pointer_array = random.below(2) == 0;
    if (!p.pointer_array) {
      p.stride_a = p.lda * p.n + random.below(3);
      p.stride_x = length_x(p) + random.below(3);
      p.stride_y = length_y(p) + random.below(3);
    }
    const Case c = any_case(random, p);
    const int threads = 32 << random.below(4), lanes = 1 << random.below(7);
    if (lanes > threads) continue;
    Plan plan = shape_gemv(p, {of_op(p), Loads::many, threads, lanes, 1 + random.below(3)});
    params<GemvParams>(plan).products_per_block = 1 + random.below(p.batch);
    plan.backend = backend().id();
    if (!why_illegal_on_device(plan).empty()) continue;
    ++ran;
    ASSERT_TRUE(computes(backend(), c, plan));
  }
}

// Many vectors for each lane, of columns that start anywhere.
TEST_P(Shapes, OfLongColumnsOfHalvesCompute) {
  Random random(13);
  const int wanted = GetParam()->id() == BackendId::cuda ? 1000 : 60;
  for (int i = 0, ran = 0; ran < wanted && i < 100 * wanted; ++i) {
    Problem p{.op = Op::t, .m = 100 + random.below(2000), .n = 20 + random.below(200)};
    set_types(p, random.below(2) == 0 ? "h" : "b");
    p.lda = p.m + random.below(9);
    if (random.below(8) == 0) p.incx = 2;
    Case c{.name = describe(p), .problem = p, .alpha = 2.0, .beta = 0.0};
    c.offset_a = static_cast<int>(random.below(9));
    c.offset_x = static_cast<int>(random.below(3));
    const int threads = 32 << random.below(2), lanes = 4 << random.below(4);
    if (lanes > threads) continue;
    Plan plan = shape_gemv(p, {Variant::gemv_t, Loads::many, threads, lanes, 1 + random.below(3)});
    plan.backend = backend().id();
    ASSERT_EQ(why_illegal_on_device(plan), "");
    ++ran;
    ASSERT_TRUE(computes(backend(), c, plan));
  }
}

// Launches of the kernels for short columns and on tensor cores, likewise.
TEST_P(Shapes, OfWarpsWithWholeColumnsComputeWhateverTheirNumbers) {
  Random random(17);
  const int wanted = GetParam()->id() == BackendId::cuda ? 3000 : 100;
  for (int i = 0, ran = 0; ran < wanted && i < 100 * wanted; ++i) {
    Problem p = any_problem(random, 12, 200);
    p.lda = p.m + (random.below(2) == 0 ? 0 : random.below(9));
    if (random.below(4) == 0) p.incx = random.below(2) == 0 ? -1 : 2;
    if (random.below(4) == 0) p.incy = random.below(2) == 0 ? -1 : 3;
    Case c = any_case(random, p);
    c.offset_x = static_cast<int>(random.below(3));
    if (random.below(4) != 0)
      p.alignment_a = alignment_of(p, reinterpret_cast<const void*>(256 + c.offset_a * size_of(p.type_a)));
    const bool tensor = random.below(2) == 0;
    const int threads = tensor ? 32 << random.below(4) : 256;
    std::optional<Plan> plan =
        legal_plan_of({.variant = tensor ? Variant::gemv_t_tensor : Variant::gemv_t_short,
                       .loads = random.below(2) == 0 ? Loads::few : Loads::many,
                       .threads = threads,
                       .lanes = tensor ? threads / 32 * (8 << random.below(3)) : 1,
                       .share = tensor ? std::int64_t{1} << random.below(4) : 1 + random.below(4)},
                      p, h200_traits());
    if (!plan) continue;
    plan->backend = backend().id();
    ++ran;
    ASSERT_TRUE(computes(backend(), c, *plan, static_cast<int>(random.below(3))));
  }
}

TEST_P(Shapes, OfFlatArraysComputeWhateverTheirNumbers) {
  Random random(12);
  const int wanted = GetParam()->id() == BackendId::cuda ? 3000 : 100;
  for (int i = 0, ran = 0; ran < wanted && i < 100 * wanted; ++i) {
    Problem p = any_problem(random, 5, 70);
    p.lda = p.m;
    p.batch = 2 + random.below(40);
    if (random.below(4) == 0) p.incx = random.below(2) == 0 ? -1 : 2;
    p.stride_a = p.m * p.n;
    p.stride_x = length_x(p) * std::abs(p.incx) + random.below(3);
    p.stride_y = length_y(p) + random.below(3);
    Case c = any_case(random, p);
    c.offset_x = static_cast<int>(random.below(3));
    if (why_not_flat(p) != nullptr) continue;
    const int threads = 32 << random.below(4), lanes = 1 << random.below(6);
    Plan plan = shape_gemv(
        p, {Variant::gemv_flat, Loads::many, threads, lanes, 1 + random.below(random.below(2) == 0 ? 500 : 20'000)});
    plan.backend = backend().id();
    if (!why_illegal_on_device(plan).empty()) continue;
    ++ran;
    ASSERT_TRUE(computes(backend(), c, plan));
  }
}

// Then its first vector is its last one, and both ends of the array are inside of it.
TEST_P(Shapes, OfAFlatArrayWithinAVectorReadItOnce) {
  for (const char* types : {"s", "h"})
    for (const int offset : {0, 1, 2}) {
      Problem p{.m = 1, .n = 1, .lda = 1, .batch = 2, .stride_a = 1, .stride_x = 1, .stride_y = 1};
      set_types(p, types);
      Plan plan = shape_gemv(p, {Variant::gemv_flat, Loads::many, 32, 1, 16});
      plan.backend = backend().id();
      ASSERT_EQ(why_illegal_on_device(plan), "");
      EXPECT_TRUE(computes(backend(), {.name = describe(p), .problem = p, .offset_a = offset}, plan));
#ifdef ONEPASS_WITH_SIM
      if (backend().id() == BackendId::sim) expect_one_pass(p);
#endif
    }
}

}  // namespace
}  // namespace onepass::test
