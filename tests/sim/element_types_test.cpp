// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels whose A and x have different element types: none of them takes one for the other.
#include <vector>

#include "backends/registry.hpp"
#include "backends/sim/launcher.hpp"
#include "launch/gemv.hpp"
#include "launch/symv.hpp"
#include "plan/gemv.hpp"
#include "problem/elements.hpp"
#include "sim/run_kernel.hpp"
#include "support/family/one_pass.hpp"

namespace onepass::sim {
namespace {

template <class T>
constexpr Type type_of = Type::s;
template <>
constexpr Type type_of<double> = Type::d;
template <>
constexpr Type type_of<Half> = Type::h;
template <>
constexpr Type type_of<Bfloat16> = Type::b;

template <class T>
T element(std::int64_t value) {
  return narrow<T>(static_cast<Sum<T>>(value));
}
std::int64_t value_a(std::int64_t i) { return i % 7 - 3; }
std::int64_t value_x(std::int64_t i) { return i % 5 - 2; }

// Of the symmetric matrix the stored triangle is read, else op(A).
std::int64_t index_of(const Problem& p, std::int64_t i, std::int64_t k) {
  if (!is_triangle(p)) return p.op == Op::n ? i + k * p.lda : k + i * p.lda;
  const bool mirrored = (p.uplo == Uplo::lower) == (i < k);
  return mirrored ? k + i * p.lda : i + k * p.lda;
}

// y = A x of small integers, a, x and y start `offset` elements into their memory.
template <class E>
void expect_product(const Problem& p, std::size_t offset) {
  using A = typename E::A;
  using X = typename E::X;
  using Y = typename E::Y;
  Problem typed = p;
  typed.type_a = type_of<A>;
  typed.type_x = type_of<X>;
  typed.type_y = type_of<Y>;
  typed.stride_a = p.lda * p.n;
  typed.stride_x = length_x(p);
  typed.stride_y = length_y(p);
  Plan plan = sim_backend().plan(typed, 0);
  if (plan.kernel.variant == Variant::gemv_t_tensor)  // of products whose x is like A
    plan = plan_of(best_choice(Variant::gemv_t, typed, h200_traits())->choice, typed, h200_traits());

  const auto count = [&](std::int64_t length) { return offset + static_cast<std::size_t>(length * p.batch); };
  std::vector<A> a(count(typed.stride_a));
  std::vector<X> x(count(typed.stride_x));
  std::vector<Y> y(count(typed.stride_y));
  for (std::size_t i = offset; i < a.size(); ++i) a[i] = element<A>(value_a(static_cast<std::int64_t>(i - offset)));
  for (std::size_t i = offset; i < x.size(); ++i) x[i] = element<X>(value_x(static_cast<std::int64_t>(i - offset)));
  std::vector<double> workspace(plan.workspace_bytes / sizeof(double) + 1);
  const typename E::Sum alpha{1}, beta{};
  const Operands operands{
      .alpha = &alpha, .a = a.data() + offset, .x = x.data() + offset, .beta = &beta, .y = y.data() + offset};

  MemoryMap memory;
  const Part part = !is_triangle(p) ? Part::whole : p.uplo == Uplo::upper ? Part::upper : Part::lower;
  const bool joined = part == Part::whole;
  std::vector<const void*> matrices;
  for (std::int64_t b = 0; b < (joined ? 1 : p.batch); ++b)
    matrices.push_back(a.data() + offset + static_cast<std::size_t>(b * typed.stride_a));
  const std::int64_t cols = joined ? p.n * p.batch : p.n;
  memory.add_batch(Role::matrix, {.rows = p.m, .cols = cols, .lda = p.lda, .element = sizeof(A), .part = part},
                   matrices);
  memory.add(Role::x, vector_pattern(length_x(p) * p.batch, 1, sizeof(X)), operands.x);
  memory.add(Role::y, vector_pattern(length_y(p) * p.batch, 1, sizeof(Y)), operands.y);
  if (plan.workspace_bytes > 0)
    memory.add(Role::workspace, {.rows = static_cast<std::int64_t>(plan.workspace_bytes) / 4, .element = 4},
               workspace.data());
  const SimLauncher launcher{&memory};
  const Workspace space{.data = workspace.data(), .bytes = plan.workspace_bytes};
  const Status status = is_triangle(p) ? launch_plan<E, Family::symv>(launcher, plan, operands, space)
                                       : launch_plan<E, Family::gemv>(launcher, plan, operands, space);
  ASSERT_TRUE(status.ok()) << print(plan) << ": " << status.text;
  EXPECT_EQ(last_counters().matrix_elements_never, 0);
  EXPECT_EQ(last_counters().matrix_elements_again, test::loaded_again(plan));
  for (std::int64_t b = 0; b < p.batch; ++b) {
    for (std::int64_t i = 0; i < length_y(p); ++i) {
      std::int64_t sum = 0;
      for (std::int64_t k = 0; k < length_x(p); ++k)
        sum += value_a(b * typed.stride_a + index_of(p, i, k)) * value_x(b * typed.stride_x + k);
      const auto at = offset + static_cast<std::size_t>(b * typed.stride_y + i);
      ASSERT_EQ(static_cast<double>(widen(y[at])), static_cast<double>(sum)) << print(plan) << ", y[" << i << "]";
    }
  }
}

template <class E>
void expect_products() {
  for (const std::size_t offset : {0, 1}) {
    for (const Op op : {Op::n, Op::t}) {
      for (const std::int64_t m : {5, 64, 301})
        for (const std::int64_t n : {3, 70})
          expect_product<E>({.op = op, .m = m, .n = n, .lda = m + static_cast<std::int64_t>(offset)}, offset);
      expect_product<E>({.op = op, .m = 9, .n = 7, .lda = 9, .batch = 50}, offset);
      expect_product<E>({.op = op, .m = 150, .n = 20, .lda = 150, .batch = 2}, offset);
    }
    expect_product<E>({.op = Op::n, .m = 40, .n = 3000, .lda = 40}, offset);
    expect_product<E>({.op = Op::t, .m = 30000, .n = 4, .lda = 30000}, offset);
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      for (const std::int64_t n : {7, 300})
        for (const std::int64_t batch : {1, 200})
          if (n * batch < 3000)
            expect_product<E>({.routine = Routine::symv, .uplo = uplo, .m = n, .n = n, .lda = n, .batch = batch},
                              offset);
  }
}

TEST(ElementTypes, XWiderThanTheMatrix) {
  expect_products<Elements<Bfloat16, float, float, float>>();
  expect_products<Elements<Half, double, float, float>>();
}

TEST(ElementTypes, XNarrowerThanTheMatrix) {
  expect_products<Elements<float, Half, float, float>>();
  expect_products<Elements<double, float, double, double>>();
}

}  // namespace
}  // namespace onepass::sim
