// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Several products of one x in one launch: which are joined, and that each gets its own result.
#include "launch/joined.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "backends/sim/launcher.hpp"
#include "backends/sim/memory/memory_map.hpp"
#include "launch/gemv.hpp"
#include "plan/registry.hpp"

namespace onepass::test {
namespace {

constexpr std::int64_t rows = 40, cols = 32;

// Three layers of one x; small whole numbers, so that all sums are exact.
struct Layers {
  using Numbers = std::vector<Bfloat16>;

  std::array<Numbers, 3> a, y;
  Numbers x = Numbers(rows);
  Problem problem{.op = Op::t, .m = rows, .n = cols, .lda = rows};
  float alpha = 2, beta = 1;

  Layers() {
    problem.type_a = problem.type_x = problem.type_y = Type::b;
    problem.alignment_a = 16;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = narrow<Bfloat16>(static_cast<float>(k % 3) - 1);
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::int64_t e = 0; e < rows * cols; ++e)
        a[i].push_back(narrow<Bfloat16>(static_cast<float>((e * (static_cast<std::int64_t>(i) + 3)) % 5) - 2));
      y[i] = Numbers(cols, narrow<Bfloat16>(1.0f + static_cast<float>(i)));
    }
  }
  Operands operands(std::size_t i) {
    return {.alpha = &alpha, .a = a[i].data(), .x = x.data(), .beta = &beta, .y = y[i].data()};
  }
  // Lanes of the second differ from those of the others.
  Plan plan(std::size_t i, Variant variant, Loads loads) const {
    Plan plan = shape_gemv(problem, {Variant::gemv_t, Loads::many, i == 1 ? 64 : 32, i == 1 ? 32 : 8});
    plan.kernel = {.variant = variant, .form = Form::plain, .loads = loads};
    return plan;
  }
  float expected(std::size_t i, std::int64_t c) const {
    float sum = 0;
    for (std::int64_t r = 0; r < rows; ++r)
      sum += widen(a[i][static_cast<std::size_t>(r + c * rows)]) * widen(x[static_cast<std::size_t>(r)]);
    return alpha * sum + beta * (1 + static_cast<float>(i));
  }
};

// Joins three products, as planned by plan_of(), runs them and looks at the results.
template <class PlanOf>
void expect_results(PlanOf plan_of) {
  Layers layers;
  JoinedProducts products(plan_of(layers, 0), layers.operands(0));
  for (std::size_t i = 1; i < layers.a.size(); ++i) {
    ASSERT_TRUE(products.can_take(plan_of(layers, i), layers.operands(i)));
    products.add(plan_of(layers, i), layers.operands(i));
  }
  sim::MemoryMap memory;
  const auto bases = [](const std::array<Layers::Numbers, 3>& of) {
    return std::vector<const void*>{of[0].data(), of[1].data(), of[2].data()};
  };
  memory.add_batch(sim::Role::matrix, {.rows = rows, .cols = cols, .lda = rows, .element = 2}, bases(layers.a));
  memory.add(sim::Role::x, {.rows = rows, .element = 2}, layers.x.data());
  memory.add_batch(sim::Role::y, {.rows = cols, .element = 2}, bases(layers.y));
  const Status status = LaunchOf<Family::gemv>::run_joined<ElementsB>(sim::SimLauncher{&memory}, products);
  ASSERT_TRUE(status.ok()) << status.text;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::int64_t c = 0; c < cols; ++c)
      EXPECT_EQ(widen(layers.y[i][static_cast<std::size_t>(c)]), layers.expected(i, c)) << i << " " << c;
}

TEST(Joined, EachProductHasItsOwnResult) {
  for (const bool once : {false, true})
    for (const bool mixed : {false, true})
      expect_results([&](const Layers& layers, std::size_t i) {
        return layers.plan(i, once != (mixed && i == 2) ? Variant::gemv_t_once : Variant::gemv_t, Loads::many);
      });
  expect_results([&](const Layers& layers, std::size_t i) { return layers.plan(i, Variant::gemv_t_once, Loads::few); });
}

TEST(Joined, EachProductOfTheTensorCoresHasItsOwnResult) {
  for (const Loads loads : {Loads::few, Loads::many})
    for (const int lanes : {16, 64})
      expect_results([&](const Layers& layers, std::size_t i) {
        return shape_gemv(layers.problem, {Variant::gemv_t_tensor, loads, 64, i == 1 ? 32 : lanes});
      });
}

TEST(Joined, BlocksOfTheTensorCoresAreOfOneKernel) {
  Layers layers;
  const Plan plan = shape_gemv(layers.problem, {Variant::gemv_t_tensor, Loads::few, 64, 16});
  const JoinedProducts one(plan, layers.operands(0));
  const auto taken = [&](const Plan& other) { return one.can_take(other, layers.operands(1)); };
  EXPECT_TRUE(taken(plan));
  EXPECT_FALSE(taken(shape_gemv(layers.problem, {Variant::gemv_t_tensor, Loads::many, 64, 16})));
  EXPECT_FALSE(taken(shape_gemv(layers.problem, {Variant::gemv_t_tensor, Loads::few, 32, 8})));
  EXPECT_TRUE(taken(shape_gemv(layers.problem, {Variant::gemv_t_tensor, Loads::few, 64, 32})));
  EXPECT_FALSE(taken(layers.plan(1, Variant::gemv_t, Loads::many)));
}

// Queries, keys and values, gates: whatever the model likes best of each alone.
TEST(Joined, TheLayersOfANetworkArePlannedAlike) {
  for (const auto& [width, outputs] : {std::pair{4096, 1024},
                                       {8192, 1024},
                                       {2048, 512},
                                       {5120, 1024},
                                       {3584, 512},
                                       {896, 128},
                                       {1536, 256},
                                       {4096, 11008},
                                       {4096, 14336}})
    for (const char* type : {"b", "h"}) {
      Problem p{.op = Op::t, .m = width, .n = width, .lda = width, .alignment_a = 256};
      set_types(p, type);
      const Plan square = plan_on_device(p, h200_traits(), BackendId::cuda);
      p.n = outputs;
      const Plan other = plan_on_device(p, h200_traits(), BackendId::cuda);
      EXPECT_EQ(square.kernel.variant, Variant::gemv_t_tensor) << print(square);
      EXPECT_EQ(square.kernel, other.kernel) << print(square) << "\n" << print(other);
      EXPECT_EQ(square.threads, other.threads) << print(square) << "\n" << print(other);
      EXPECT_EQ(params<GemvParams>(other).splits, 1) << print(other);
    }
}

TEST(Joined, OnlyWhatNeedsNoOthersResult) {
  Layers layers;
  const Plan first = layers.plan(0, Variant::gemv_t, Loads::many);
  const JoinedProducts one(first, layers.operands(0));
  const auto taken = [&](const auto& change) {
    Plan plan = first;
    Operands operands = layers.operands(1);
    change(plan.problem, operands);
    return one.can_take(plan, operands);
  };
  EXPECT_TRUE(taken([](Problem&, Operands&) {}));
  EXPECT_TRUE(taken([](Problem& p, Operands&) { p.n = 8; }));
  EXPECT_FALSE(taken([](Problem& p, Operands&) { p.m = rows - 1; }));
  EXPECT_FALSE(taken([](Problem& p, Operands&) { p.lda = rows + 8; }));
  EXPECT_FALSE(taken([](Problem& p, Operands&) { p.scalars = Scalars::device; }));
  EXPECT_FALSE(taken([&](Problem&, Operands& o) { o.x = layers.y[0].data(); }));
  EXPECT_FALSE(taken([&](Problem&, Operands& o) { o.y = layers.y[0].data(); }));
  EXPECT_FALSE(taken([&](Problem&, Operands& o) { o.y = layers.a[0].data() + 100; }));
  EXPECT_FALSE(taken([&](Problem&, Operands& o) { o.y = layers.x.data(); }));
  EXPECT_FALSE(taken([&](Problem&, Operands& o) { o.a = layers.y[0].data() - 8; }));
  const float other = 3;
  EXPECT_FALSE(taken([&](Problem&, Operands& o) { o.alpha = &other; }));
  EXPECT_FALSE(taken([&](Problem&, Operands& o) { o.beta = &other; }));

  Plan split = first, other_kernel = first;
  params<GemvParams>(split).splits = 2;
  other_kernel.kernel.variant = Variant::gemv_t_small;
  for (const Plan& plan : {split, other_kernel}) {
    EXPECT_FALSE(one.can_take(plan, layers.operands(1)));
    EXPECT_TRUE(JoinedProducts(plan, layers.operands(0)).all().empty());
  }
  EXPECT_FALSE(JoinedProducts().can_take(first, layers.operands(0)));
}

}  // namespace
}  // namespace onepass::test
