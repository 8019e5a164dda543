// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What must hold of every GEMV plan on every device: a legal launch that covers the problem once.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/gemv/args.hpp"
#include "plan/device_traits.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/problems.hpp"
#include "plan/registry.hpp"
#include "problem/check.hpp"
#include "problem/elements.hpp"
#include "support/thorough.hpp"
#include "verify/random.hpp"

namespace onepass {
namespace {

using test::Device;

const GemvParams& gemv(const Plan& plan) { return params<GemvParams>(plan); }

bool power_of_two(std::int64_t v) { return v > 0 && (v & (v - 1)) == 0; }

// What tiles and splits of a variant divide among them.
struct Work {
  std::int64_t outputs;  // a bundle of gemv_t counts as a whole
  std::int64_t room;     // outputs that a tile can have at most
  std::int64_t sums;     // of a tile, for each of which a split has a mailbox
  std::int64_t terms;    // of a sum, in the unit of chunks
};

Work work(const Plan& plan) {
  const Problem& p = plan.problem;
  const Stored s = stored(p);
  const std::int64_t v = 16 / size_of(p.type_a), groups = plan.threads / gemv(plan).lanes;
  // Behind pointers of which nothing is known, the kernels cope with what does not fit.
  const bool fit = (p.alignment_a >= 16 || (p.pointer_array && p.alignment_a == 0)) && p.lda % v == 0;
  if (plan.kernel.variant == Variant::gemv_n_small) {
    // Two-byte elements in packs of four, where the matrix has no others and nothing is split.
    const bool packed =
        groups == 1 && size_of(p.type_a) == 2 && p.alignment_a >= 8 && p.lda % 4 == 0 && s.rows % 4 == 0;
    const std::int64_t room = gemv(plan).lanes * (packed ? 4 : 1);
    return {s.rows, room, room, s.cols};
  }
  if (plan.kernel.variant == Variant::gemv_t_small) {
    const std::int64_t room =
        groups * kernels::gemv_t_small_columns(plan.kernel.loads,
                                               kernels::gemv_t_small_is_deep(static_cast<int>(size_of(p.type_a)),
                                                                             static_cast<int>(size_of_sum(p))));
    return {s.cols, room, room, s.rows};
  }
  if (plan.kernel.variant == Variant::gemv_t_short) {
    const std::int64_t run = kernels::gemv_t_short_columns(plan.kernel.loads) *
                             std::max<std::int64_t>(alignment_classes(p), 32 / gemv(plan).lanes);
    return {ceil_div(s.cols, run) * run, INT32_MAX, 0, ceil_div(s.rows + (fit ? 0 : v - 1), v)};
  }
  if (plan.kernel.variant == Variant::gemv_t_tensor) {
    const std::int64_t room = groups * kernels::gemv_t_tensor_columns(plan.kernel.loads),
                       run = room * alignment_classes(p);
    return {ceil_div(s.cols, run) * run, room, room, ceil_div(s.rows + (fit ? 0 : v - 1), v)};
  }
  if (plan.kernel.variant == Variant::gemv_n)
    return {s.rows, gemv(plan).lanes * v - (fit ? 0 : v - 1), gemv(plan).lanes * v, s.cols};
  const std::int64_t run = kernels::gemv_t_bundle * std::max(groups, alignment_classes(p));
  return {ceil_div(s.cols, run) * run, groups * kernels::gemv_t_bundle, groups * kernels::gemv_t_bundle,
          ceil_div(s.rows + (fit ? 0 : v - 1), v)};
}

// Likewise for gemv_flat, which takes a batch as one array.
const char* flaw_of_flat(const Plan& plan) {
  const Problem& p = plan.problem;
  const Stored s = stored(p);
  const FlatParams& shape = params<FlatParams>(plan);
  const bool across = s.transposed;
  if (p.batch < 2 || p.pointer_array || p.scalars == Scalars::device) return "not a strided batch";
  if (p.lda != s.rows || p.stride_a != s.rows * s.cols) return "the matrices have gaps";
  if (!power_of_two(shape.lanes) || shape.lanes > 32) return "illegal lanes";
  if (!across && shape.outputs % s.rows != 0) return "a matrix in two blocks";
  if (shape.blocks < 1 || shape.blocks > 0x7fffffff) return "more blocks than a grid has";
  const std::int64_t outputs = (across ? s.cols : s.rows) * p.batch;
  if (shape.blocks * shape.outputs < outputs || (shape.blocks - 1) * shape.outputs >= outputs)
    return "blocks that do not fit";
  const std::int64_t bytes = shape.outputs * (across ? s.rows : s.cols) * size_of(p.type_a);
  if (bytes > plan.threads * kernels::gemv_flat_vectors * 16) return "more vectors than the threads bring";
  if (static_cast<std::int64_t>(plan.shared_bytes) < bytes) return "a block that does not fit the shared memory";
  return plan.workspace_bytes == 0 ? nullptr : "a split";
}

// The first thing that is wrong with a plan, or null.
const char* flaw(const Plan& plan, const Problem& p) {
  if (plan.problem != p) return "it is for another problem";
  if (plan.backend != BackendId::sim) return "it is for another backend";
  const bool transposed = stored(p).transposed;
  const Variant variant = plan.kernel.variant;
  const bool n = variant == Variant::gemv_n || variant == Variant::gemv_n_small;
  if (variant != Variant::gemv_flat && n == transposed) return "the variant does not fit the problem";
  if (find_kernel(plan.kernel) == nullptr) return "nobody compiled its kernel";

  if (plan.threads < 32 || plan.threads > 1024 || plan.threads % 32 != 0) return "illegal number of threads";
  if (plan.shared_bytes > 48 * 1024) return "more shared memory than a block has";
  if (variant == Variant::gemv_flat) return flaw_of_flat(plan);

  const GemvParams& g = gemv(plan);
  if (!power_of_two(g.lanes) || g.lanes > plan.threads) return "illegal lanes";
  if (g.tiles < 1 || g.tiles > 0x7fffffff) return "more tiles than a grid has";
  if (g.splits < 1 || g.splits > 65535) return "more splits than a grid has";
  if (g.products_per_block < 1 || ceil_div(p.batch, g.products_per_block) > 65535)
    return "more products than a grid has";
  const Work w = work(plan);
  if (g.tile < 1 || g.tile > w.room) return "a tile with more outputs than its lanes reach";
  if (g.tiles * g.tile < w.outputs) return "outputs without a tile";
  if ((g.tiles - 1) * g.tile >= w.outputs) return "a tile without outputs";
  if (g.chunk < 1 || g.splits * g.chunk < w.terms) return "terms without a split";
  if ((g.splits - 1) * g.chunk >= w.terms) return "a split without terms";
  if (variant == Variant::gemv_n) {
    const std::int64_t columns = std::min(stored(p).cols, alignment_classes(p));
    if (plan.threads / g.lanes % alignment_classes(p) != 0 && plan.threads / g.lanes < columns)
      return "columns of a group that start at different offsets";
  }

  if (variant == Variant::gemv_t_once && (g.splits > 1 || p.incx != 1 || p.batch > 1 || p.pointer_array))
    return "one round for what takes several";
  const bool small =
      variant == Variant::gemv_n_small || variant == Variant::gemv_t_small || variant == Variant::gemv_t_tensor;
  if (small && !is_plain(p)) return "a batch";
  if (small && (!power_of_two(g.splits) || g.splits > 8)) return "an illegal cluster";
  const int grouped = log2_grouped(plan);
  if (grouped > 0 && (std::int64_t{1} << grouped) >= g.splits) return "a group of all splits";
  const std::int64_t mailboxes = small ? 0 : g.tiles * p.batch * (g.splits - 1) * w.sums;
  if (g.splits > 1 && w.sums > plan.threads) return "more sums to publish than threads";
  if (plan.workspace_bytes != static_cast<std::size_t>(mailboxes * size_of_sum(p)))
    return "the workspace does not fit the mailboxes";
  if (plan.workspace_bytes > workspace_limit) return "more workspace than a handle has";
  return nullptr;
}

void expect_sound(const Problem& p, const Device& device) {
  const Plan plan = plan_on_device(p, device.traits, BackendId::sim);
  const char* wrong = flaw(plan, p);
  ASSERT_EQ(why_illegal_on_device(plan), "") << describe(p) << "\n" << print(plan);
  ASSERT_EQ(wrong, nullptr) << device.name << ": " << wrong << "\n" << describe(p) << "\n" << print(plan);
}

class GemvPlan : public testing::TestWithParam<Device> {};

INSTANTIATE_TEST_SUITE_P(On, GemvPlan, testing::ValuesIn(test::devices()),
                         [](const auto& info) { return info.param.name; });

constexpr Layout layouts[] = {Layout::column, Layout::row};
constexpr Op ops[] = {Op::n, Op::t, Op::c};

// How many of the many cases there is time for; prime, so that they are of all kinds.
constexpr int one_of = test::thorough ? 1 : test::sanitized ? 17 : 7;

TEST_P(GemvPlan, IsSoundOverTheMesh) {
  int turn = 0;
  for (const std::int64_t m : test::mesh())
    for (const std::int64_t n : test::mesh())
      for (const char* types : all_type_names)
        for (const Layout layout : layouts)
          for (const Op op : ops)
            for (const std::int64_t batch : {1, 3, 70'000}) {
              if (turn++ % one_of != 0) continue;
              ASSERT_NO_FATAL_FAILURE(
                  expect_sound(test::batched(test::problem(types, op, layout, m, n), batch), GetParam()));
            }
}

TEST_P(GemvPlan, IsSoundOverEverySmallShape) {
  int turn = 0;
  for (std::int64_t m = 1; m <= 80; ++m)
    for (std::int64_t n = 1; n <= 80; ++n)
      for (const char* types : {"s", "z", "b"})
        for (const Op op : {Op::n, Op::t})
          for (const std::int64_t padding : {0, 1, 2}) {
            if (turn++ % one_of != 0) continue;
            ASSERT_NO_FATAL_FAILURE(expect_sound(test::problem(types, op, Layout::column, m, n, padding), GetParam()));
          }
}

TEST_P(GemvPlan, IsSoundOverRandomProblems) {
  verify::Random random(42);
  for (int i = 0; i < 100'000 / one_of; ++i) {
    const auto size = [&](int bits) { return std::int64_t{1} + random.below(std::int64_t{1} << random.below(bits)); };
    // One after the other: the order of arguments is the compiler's.
    const char* const types = all_type_names[random.below(std::ssize(all_type_names))];
    const Op op = ops[random.below(3)];
    const Layout layout = layouts[random.below(2)];
    const std::int64_t m = size(34), n = size(26);
    Problem p = test::problem(types, op, layout, m, n, random.below(3) == 0 ? size(20) : 0);
    if (random.below(2) == 0) p = test::batched(p, size(18));
    p.pointer_array = random.below(3) == 0;
    p.incx = random.below(7) - 3, p.incy = random.below(7) - 3;
    p.alignment_a = random.below(2) == 0 ? 0 : size_of(p.type_a) << random.below(4);
    if (!check(p).ok()) continue;
    ASSERT_NO_FATAL_FAILURE(expect_sound(p, GetParam()));
  }
}

// More outputs than a grid has tiles of a few.
TEST_P(GemvPlan, FitsAGrid) {
  for (const char* types : {"z", "d", "b"})
    for (const Layout layout : layouts)
      for (const std::int64_t m : {5'772'202'677, 17'000'000'000})
        for (const std::int64_t padding : {0, 1})
          ASSERT_NO_FATAL_FAILURE(
              expect_sound(test::batched(test::problem(types, Op::n, layout, m, 962, padding), 10), GetParam()));
}

TEST_P(GemvPlan, IsTheSameEachTime) {
  const Problem p = test::problem("d", Op::t, Layout::column, 12'345, 67);
  EXPECT_EQ(plan_on_device(p, GetParam().traits, BackendId::cuda),
            plan_on_device(p, GetParam().traits, BackendId::cuda));
}

std::int64_t splits(const Problem& p, const DeviceTraits& traits) {
  return gemv(plan_on_device(p, traits, BackendId::sim)).splits;
}

TEST_P(GemvPlan, OfALongSumWithFewOutputsIsSplit) {
  EXPECT_GT(splits(test::problem("s", Op::n, Layout::column, 32, 1'000'000), GetParam().traits), 1);
  EXPECT_GT(splits(test::problem("s", Op::t, Layout::column, 1'000'000, 8), GetParam().traits), 1);
}

TEST_P(GemvPlan, OfManyOutputsIsNotSplit) {
  EXPECT_EQ(splits(test::problem("s", Op::n, Layout::column, 1'000'000, 512), GetParam().traits), 1);
  EXPECT_EQ(splits(test::problem("s", Op::t, Layout::column, 512, 1'000'000), GetParam().traits), 1);
}

TEST(OneRound, IsForColumnsThatTheLanesHold) {
  const auto takes = [](const char* types, std::int64_t rows, int lanes, Loads loads, std::int64_t alignment) {
    Problem p = test::problem(types, Op::t, Layout::column, rows, 100);
    p.alignment_a = alignment;
    return why_illegal_on_device(shape_gemv(p, {Variant::gemv_t_once, loads, 128, lanes})).empty();
  };
  EXPECT_TRUE(takes("s", 128, 32, Loads::few, 32));   // a vector each
  EXPECT_FALSE(takes("s", 132, 32, Loads::few, 32));  // one vector more than lanes
  EXPECT_TRUE(takes("s", 256, 32, Loads::many, 32));  // two each
  EXPECT_FALSE(takes("s", 260, 32, Loads::many, 32));
  EXPECT_TRUE(takes("s", 125, 32, Loads::few, 4));  // 125 rows touch 32 vectors wherever they start, 126 may touch 33
  EXPECT_FALSE(takes("s", 126, 32, Loads::few, 4));
  EXPECT_TRUE(takes("b", 30, 8, Loads::few, 2));  // lanes enough for the elements of a vector
  EXPECT_FALSE(takes("b", 20, 4, Loads::few, 2));
}

TEST(OneRound, IsForPlainProductsWithoutASplit) {
  const auto takes_one_round = [](const Problem& p, std::int64_t splits = 1) {
    Plan plan = shape_gemv(p, {Variant::gemv_t, Loads::many, 128, 128, splits});
    plan.kernel.variant = Variant::gemv_t_once;
    return why_illegal_on_device(plan).empty();
  };
  const Problem p = test::problem("d", Op::t, Layout::column, 200, 100);
  EXPECT_TRUE(takes_one_round(p));
  EXPECT_FALSE(takes_one_round(p, 2));
  EXPECT_FALSE(takes_one_round(test::batched(p, 3)));
  EXPECT_FALSE(takes_one_round(test::problem("d", Op::n, Layout::column, 200, 100)));
  Problem strided = p;
  strided.incx = 2;
  EXPECT_FALSE(takes_one_round(strided));
}

TEST(SmallMatrices, WithPlansThatAreEditedAreRefused) {
  for (const Op op : {Op::n, Op::t}) {
    const Problem p = test::problem("d", op, Layout::column, 300, 200);
    const Plan plan = [&] {
      Plan shaped = shape_gemv(p, {op == Op::n ? Variant::gemv_n_small : Variant::gemv_t_small, Loads::few, 256, 32});
      shaped.backend = BackendId::sim;
      return shaped;
    }();
    ASSERT_EQ(why_illegal_on_device(plan), "");
    void (*const changes[])(Plan&) = {
        [](Plan& q) { q.threads = 96; },
        [](Plan& q) { q.threads = 1024; },
        [](Plan& q) { q.shared_bytes += 8; },
        [](Plan& q) { q.workspace_bytes = 8; },
        [](Plan& q) { q.problem.scalars = Scalars::device; },
        [](Plan& q) { q.problem.accumulate = Accumulate::twice, q.problem.tails = Tails::x; },
        [](Plan& q) { q.problem.batch = 2; },
        [](Plan& q) { q.problem.op = q.problem.op == Op::n ? Op::t : Op::n; },
        [](Plan& q) { q.kernel.form = Form::general; },
        [](Plan& q) { params<GemvParams>(q).lanes = 24; },
        [](Plan& q) { params<GemvParams>(q).lanes = 512; },
        [](Plan& q) { params<GemvParams>(q).tile *= 4; },
        [](Plan& q) { params<GemvParams>(q).tile = 0; },
        [](Plan& q) { params<GemvParams>(q).tiles -= 1; },
        [](Plan& q) { params<GemvParams>(q).splits = 2; },
        [](Plan& q) { params<GemvParams>(q).chunk -= 1; },
        [](Plan& q) { params<GemvParams>(q).products_per_block = 2; },
        [](Plan& q) { params<GemvParams>(q).prefetch_blocks = -1; },
        [](Plan& q) { params<GemvParams>(q).prefetch_vectors = 1; },
        [](Plan& q) { q.params = FlatParams{}; },
    };
    int number = 0;
    for (const auto change : changes) {
      Plan edited = plan;
      change(edited);
      EXPECT_NE(why_illegal_on_device(edited), "") << number << ": " << print(edited);
      ++number;
    }
  }
}

TEST(AlignmentClasses, CountTheOffsetsAtWhichColumnsStart) {
  const auto classes = [](const char* types, std::int64_t lda) {
    Problem p{.m = 1, .n = 1, .lda = lda};
    EXPECT_TRUE(set_types(p, types));
    return alignment_classes(p);
  };
  EXPECT_EQ(classes("s", 8), 1);
  EXPECT_EQ(classes("s", 6), 2);
  EXPECT_EQ(classes("s", 7), 4);
  EXPECT_EQ(classes("d", 7), 2);
  EXPECT_EQ(classes("z", 7), 1);
  EXPECT_EQ(classes("h", 1), 8);
  EXPECT_EQ(classes("h", 12), 2);
}

}  // namespace
}  // namespace onepass
