// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the runs of all routines share: the vectors of a product, the products of a batch, the types.
#pragma once

#include <cstddef>

#include "backends/cpu/element.hpp"
#include "backends/cpu/plan.hpp"
#include "backends/cpu/team.hpp"
#include "problem/problem.hpp"

namespace onepass::cpu {

// Outputs that two threads write lie in different cache lines, if y is contiguous.
inline constexpr std::int64_t output_grain = 16;

// The operand of one product of a batch.
template <class E>
const Component<E>* operand(const Problem& p, const void* base, std::int64_t stride, std::int64_t index) {
  if (p.pointer_array) return static_cast<const Component<E>*>(static_cast<const void* const*>(base)[index]);
  return static_cast<const Component<E>*>(base) + index * stride * components<E>;
}

// That of products with elements of type T.
template <class T>
Sum<T> scalar(const void* pointer) {
  return get<Sum<T>>(static_cast<const Component<Sum<T>>*>(pointer));
}

// y := beta y + sum. A product with 1 + 0i would make NaN of the part beside an infinity.
template <class Y>
void finish(Component<Y>* y, Sum<Y> beta, Sum<Y> sum) {
  if (beta != Sum<Y>{}) sum = (beta == Sum<Y>{1} ? get<Y>(y) : beta * get<Y>(y)) + sum;
  put<Y>(y, sum);
}

template <class T>
void pack(const Component<T>* x, std::int64_t incx, Component<T>* to, Range range) {
  for (std::int64_t i = range.begin; i < range.end; ++i)
    for (int c = 0; c < components<T>; ++c) to[i * components<T> + c] = x[i * incx + c];
}

// Each product of a batch: whole products for each thread, or one after the other for all threads together.
template <class F>
void run_batch(const Plan& plan, const Scratch& scratch, void* workspace, F run_product) {
  std::byte* const memory = static_cast<std::byte*>(workspace);
  const std::int64_t batch = plan.problem.batch;
  if (shares_batch(plan)) {
    fork(plan.threads, [&](Team team) {
      team.each(plan.threads, [&](std::int64_t part) {
        const Range products = share(batch, plan.threads, part, 1);
        for (std::int64_t i = products.begin; i < products.end; ++i)
          run_product(i, Team{}, memory + static_cast<std::size_t>(part) * scratch.team_bytes);
      });
    });
  } else {
    fork(plan.threads, [&](Team team) {
      for (std::int64_t i = 0; i < batch; ++i) {
        if (i > 0) team.wait();
        run_product(i, team, memory);
      }
    });
  }
}

// The types of A and x, and of y.
template <class T, class Y>
struct Types {};

// Calls `f` with the types of a problem.
template <class F>
void by_types(const Problem& p, F f) {
  const bool wide_y = p.type_y != p.type_a;
  switch (p.type_a) {
    case Type::s: return f(Types<float, float>{});
    case Type::d: return f(Types<double, double>{});
    case Type::c: return f(Types<Complex<float>, Complex<float>>{});
    case Type::z: return f(Types<Complex<double>, Complex<double>>{});
    case Type::h: return wide_y ? f(Types<Half, float>{}) : f(Types<Half, Half>{});
    case Type::b: return wide_y ? f(Types<Bfloat16, float>{}) : f(Types<Bfloat16, Bfloat16>{});
    case Type::w: return;  // accurate.cpp
  }
}

}  // namespace onepass::cpu
