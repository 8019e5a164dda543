// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs SYMV and HEMV: threads share the columns of the triangle, each with a y of its own.
#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "backends/cpu/block.hpp"
#include "backends/cpu/plan.hpp"
#include "backends/cpu/product.hpp"
#include "backends/cpu/run.hpp"

namespace onepass::cpu {
namespace {

// What all products of a call share. T: of A and x; Y: of y. Increments are in components.
template <class T, class Y>
struct Call {
  const Plan& plan;
  const Operands& operands;
  Scratch scratch;
  Stored stored;
  Sum<T> alpha, beta;
  std::int64_t incx, incy;

  std::int64_t n() const { return plan.problem.n; }
};

// One product's operands, at their first element, and the memory of its team.
template <class T, class Y>
struct Product {
  const Component<T>* a = nullptr;
  const Component<T>* x = nullptr;
  Component<Y>* y = nullptr;
  std::byte* memory = nullptr;
};

template <class T, class Y>
Component<Sum<T>>* sum_of(const Call<T, Y>& call, const Product<T, Y>& product, std::int64_t index) {
  std::byte* const sums = product.memory + call.scratch.x_bytes;
  return reinterpret_cast<Component<Sum<T>>*>(sums + static_cast<std::size_t>(index) * call.scratch.sum_bytes);
}

// The rows of y that the columns of a part add to.
Range rows_of(const Plan& plan, std::int64_t part) {
  const Range columns = columns_of(plan, part);
  if (stored(plan.problem).uplo == Uplo::upper) return {.begin = 0, .end = columns.end};
  return {.begin = columns.begin, .end = plan.problem.n};
}

// y := beta y, contiguous.
template <class S>
void scale(Component<S>* y, std::int64_t n, S beta) {
  if (beta == S{1}) return;
  if (beta == S{}) return void(std::fill(y, y + n * components<S>, 0));
  for (std::int64_t i = 0; i < n; ++i) put<S>(y + i * components<S>, beta * get<S>(y + i * components<S>));
}

// The share of one thread in alpha A x. The first starts all of its y, the others the rows that they add to.
template <class T, class Y>
void multiply(const Call<T, Y>& call, const Product<T, Y>& product, const Component<T>* x, std::int64_t part) {
  constexpr int P = components<T>;
  const Range columns = columns_of(call.plan, part);
  const Range rows = part == 0 ? Range{.begin = 0, .end = call.n()} : rows_of(call.plan, part);
  const std::int64_t own = call.scratch.direct_y ? part - 1 : part;
  Component<Sum<T>>* y = nullptr;
  if constexpr (std::is_same_v<Y, Sum<T>>) {
    if (own < 0) {
      y = product.y;
      scale<Y>(y, call.n(), call.beta);
    }
  }
  if (own >= 0) {
    y = sum_of(call, product, own);
    std::fill(y + rows.begin * P, y + rows.end * P, 0);
  }
  kernels_of<T>(kernels()).symv({
      .order = call.n(),
      .begin = columns.begin,
      .end = columns.end,
      .a = product.a,
      .lda = call.plan.problem.lda * P,
      .x = x,
      .y = y,
      .alpha = call.alpha,
      .uplo = call.stored.uplo,
      .conjugate = call.stored.conjugate,
      .hermitian = row(call.plan.problem).hermitian,
  });
}

// y := y + the sums of the other parts, or y := beta y + all sums; in the order of the parts.
template <class T, class Y>
void combine(const Call<T, Y>& call, const Product<T, Y>& product, Range range) {
  using R = Component<Sum<T>>;
  constexpr int P = components<Sum<T>>;
  const auto add_up = [&](R* to) {
    for (std::int64_t part = 1; part < host(call.plan).splits; ++part) {
      const R* from = sum_of(call, product, call.scratch.direct_y ? part - 1 : part);
      const Range rows = rows_of(call.plan, part);
      const std::int64_t end = std::min(range.end, rows.end) * P;
      for (std::int64_t i = std::max(range.begin, rows.begin) * P; i < end; ++i) to[i] += from[i];
    }
  };
  if constexpr (std::is_same_v<Y, Sum<T>>) {
    if (call.scratch.direct_y) return add_up(product.y);
  }
  R* const sum = sum_of(call, product, 0);
  add_up(sum);
  for (std::int64_t i = range.begin; i < range.end; ++i)
    finish<Y>(product.y + i * call.incy, call.beta, get<Sum<T>>(sum + i * P));
}

// Output by output, without scratch memory: for vectors that fill more of it than there is.
template <class T, class Y>
void loop(const Call<T, Y>& call, const Product<T, Y>& product) {
  using S = Sum<T>;
  constexpr int P = components<T>;
  const std::int64_t n = call.n(), lda = call.plan.problem.lda * P;
  const bool lower = call.stored.uplo == Uplo::lower, hermitian = row(call.plan.problem).hermitian;
  for (std::int64_t i = 0; i < n; ++i) {
    S sum{};
    for (std::int64_t k = 0; k < n; ++k) {
      const bool mirrored = lower ? i < k : i > k;
      S v = get<T>(product.a + (mirrored ? k * P + i * lda : i * P + k * lda));
      if constexpr (is_complex<T>)
        if (hermitian && i == k) v.im = 0;
      v = conjugate_if(call.stored.conjugate != (hermitian && mirrored), v);
      sum = multiply_add(sum, v, get<T>(product.x + k * call.incx));
    }
    finish<Y>(product.y + i * call.incy, call.beta, call.alpha * sum);
  }
}

template <class T, class Y>
void run_product(const Call<T, Y>& call, std::int64_t index, Team team, std::byte* memory) {
  const Problem& p = call.plan.problem;
  const std::int64_t parts = host(call.plan).splits;
  Product<T, Y> product = {.memory = memory};
  product.y = const_cast<Component<Y>*>(operand<Y>(p, call.operands.y, p.stride_y, index)) +
              first_element(p.n, p.incy) * components<Y>;
  if (call.alpha == Sum<T>{}) {
    team.each(parts, [&](std::int64_t part) {
      const Range range = share(p.n, parts, part, output_grain);
      for (std::int64_t i = range.begin; i < range.end; ++i) finish<Y>(product.y + i * call.incy, call.beta, Sum<Y>{});
    });
    return;
  }
  product.a = operand<T>(p, call.operands.a, p.stride_a, index);
  product.x = operand<T>(p, call.operands.x, p.stride_x, index) + first_element(p.n, p.incx) * components<T>;
  if (call.plan.kernel.variant == Variant::cpu_loops) return loop(call, product);

  const Component<T>* x = product.x;
  if (call.scratch.packs_x) {
    auto* const packed = reinterpret_cast<Component<T>*>(memory);
    team.each(parts,
              [&](std::int64_t part) { pack<T>(product.x, call.incx, packed, share(p.n, parts, part, output_grain)); });
    team.wait();
    x = packed;
  }
  team.each(parts, [&](std::int64_t part) { multiply(call, product, x, part); });
  if (call.scratch.sums == 0) return;
  team.wait();
  team.each(parts, [&](std::int64_t part) { combine(call, product, share(p.n, parts, part, output_grain)); });
}

// One product by one thread without scratch memory. The shares of the long way cost 80 ns, a sixth of an order of 64.
template <class T>
void run_whole(const Problem& p, const Operands& operands, Sum<T> alpha, Sum<T> beta) {
  constexpr int P = components<T>;
  const Stored a = stored(p);
  auto* const y = static_cast<Component<Sum<T>>*>(operands.y);
  scale<Sum<T>>(y, p.n, beta);
  kernels_of<T>(kernels()).symv({
      .order = p.n,
      .begin = 0,
      .end = p.n,
      .a = static_cast<const Component<T>*>(operands.a),
      .lda = p.lda * P,
      .x = static_cast<const Component<T>*>(operands.x),
      .y = y,
      .alpha = alpha,
      .uplo = a.uplo,
      .conjugate = a.conjugate,
      .hermitian = row(p).hermitian,
  });
}

template <class T, class Y>
void run(const Plan& plan, const Operands& operands, void* workspace) {
  using S = Sum<T>;
  const Problem& p = plan.problem;
  const S alpha = scalar<T>(operands.alpha), beta = scalar<T>(operands.beta);
  if constexpr (std::is_same_v<Y, S>) {
    if (plan.threads == 1 && plan.kernel.variant == Variant::cpu_symv && p.incx == 1 && p.incy == 1 && p.batch == 1 &&
        !p.pointer_array && alpha != S{})
      return run_whole<T>(p, operands, alpha, beta);
  }
  const Call<T, Y> call = {
      .plan = plan,
      .operands = operands,
      .scratch = scratch(plan),
      .stored = stored(p),
      .alpha = alpha,
      .beta = beta,
      .incx = p.incx * components<T>,
      .incy = p.incy * components<Y>,
  };
  run_batch(plan, call.scratch, workspace,
            [&](std::int64_t index, Team team, std::byte* memory) { run_product(call, index, team, memory); });
}

}  // namespace

bool run_symv_at_once(const Problem& p, const Operands& operands) {
  if (p.incx != 1 || p.incy != 1) return false;
  bool done = false;
  by_types(p, [&]<class T, class Y>(Types<T, Y>) {
    if constexpr (std::is_same_v<Y, Sum<T>>) {
      const auto alpha = scalar<T>(operands.alpha);
      done = alpha != Sum<T>{};
      if (done) run_whole<T>(p, operands, alpha, scalar<T>(operands.beta));
    }
  });
  return done;
}

void run_symv(const Plan& plan, const Operands& operands, void* workspace) {
  by_types(plan.problem, [&]<class T, class Y>(Types<T, Y>) { run<T, Y>(plan, operands, workspace); });
}

}  // namespace onepass::cpu
