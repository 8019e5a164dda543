// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Several products of one x in one launch: which are joined, and that each gets its own result.
#include "launch/joined.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "backends/sim/launcher.hpp"
#include "backends/sim/memory_map.hpp"
#include "launch/gemv.hpp"

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
  JoinedProducts joined() {
    JoinedProducts all(problem, operands(0));
    for (std::size_t i = 1; i < a.size(); ++i) {
      EXPECT_TRUE(all.can_take(problem, operands(i)));
      all.add(problem, operands(i));
    }
    return all;
  }
  float expected(std::size_t i, std::int64_t c) const {
    float sum = 0;
    for (std::int64_t r = 0; r < rows; ++r)
      sum += widen(a[i][static_cast<std::size_t>(r + c * rows)]) * widen(x[static_cast<std::size_t>(r)]);
    return alpha * sum + beta * (1 + static_cast<float>(i));
  }
};

TEST(Joined, EachProductHasItsOwnResult) {
  for (const bool once : {false, true})
    for (const Loads loads : {Loads::few, Loads::many}) {
      Layers layers;
      const JoinedProducts products = layers.joined();
      EXPECT_EQ(products.problem().n, 3 * cols);
      Plan plan = shape_t(products.problem(), 64, 8, 1);
      plan.kernel.loads = loads;
      if (once) plan.kernel.variant = Variant::gemv_t_once;
      ASSERT_TRUE(can_be_joined(plan, products));
      sim::MemoryMap memory;
      const auto bases = [](const std::array<Layers::Numbers, 3>& of) {
        return std::vector<const void*>{of[0].data(), of[1].data(), of[2].data()};
      };
      memory.add_batch(sim::Role::matrix, {.rows = rows, .cols = cols, .lda = rows, .element = 2}, bases(layers.a));
      memory.add(sim::Role::x, {.rows = rows, .element = 2}, layers.x.data());
      memory.add_batch(sim::Role::y, {.rows = cols, .element = 2}, bases(layers.y));
      const Status status = LaunchOf<Family::gemv>::run_joined<ElementsB>(sim::SimLauncher{&memory}, plan, products);
      ASSERT_TRUE(status.ok()) << status.text;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::int64_t c = 0; c < cols; ++c)
          EXPECT_EQ(widen(layers.y[i][static_cast<std::size_t>(c)]), layers.expected(i, c)) << i << " " << c;
    }
}

TEST(Joined, OnlyWhatNeedsNoOthersResult) {
  Layers layers;
  const JoinedProducts one(layers.problem, layers.operands(0));
  const auto taken = [&](const auto& change) {
    Problem problem = layers.problem;
    Operands operands = layers.operands(1);
    change(problem, operands);
    return one.can_take(problem, operands);
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

  Problem along = layers.problem;
  along.op = Op::n;
  EXPECT_TRUE(JoinedProducts(along, layers.operands(0)).all().empty());
  EXPECT_FALSE(JoinedProducts().can_take(layers.problem, layers.operands(0)));
}

// A part that ends within a block.
TEST(Joined, PartsAreWholeNumbersOfBlocks) {
  Layers layers;
  JoinedProducts products(layers.problem, layers.operands(0));
  Problem odd = layers.problem;
  odd.n = 30;
  products.add(odd, layers.operands(1));
  EXPECT_FALSE(can_be_joined(shape_t(products.problem(), 64, 8, 1), products));
}

}  // namespace
}  // namespace onepass::test
