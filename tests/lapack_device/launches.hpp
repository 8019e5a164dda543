// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Tridiagonalisation by launches of the device's kernels on the simulator, with the memory of each described exactly.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <vector>

#include "backends/sim/grid_memory.hpp"
#include "backends/sim/launcher.hpp"
#include "kernels/lapack/tridiagonal.hpp"
#include "kernels/lapack/tridiagonal_one_block.hpp"
#include "kernels/lapack/tridiagonal_panel.hpp"
#include "lapack/element.hpp"
#include "lapack/problem.hpp"
#include "on_device.hpp"

namespace onepass::test {

// The matrix that is left, and its part of the results; U is turned around by negative steps.
template <class T>
struct Rest {
  using A = typename OnDevice<T>::type;
  using R = lapack::Real<T>;

  T* a;
  R *d, *e;
  T* tau;
  std::int64_t row_step, col_step, n;
  T* unit = nullptr;
  const R* unit_value = nullptr;
  const R* scale = nullptr;

  Rest(const LapackProblem& p, const LapackOperands& o)
      : a(static_cast<T*>(o.a)),
        d(static_cast<R*>(o.d)),
        e(static_cast<R*>(o.e)),
        tau(static_cast<T*>(o.tau)),
        row_step(p.uplo == Uplo::lower ? 1 : -1),
        col_step(row_step * p.lda),
        n(p.n) {
    if (p.uplo == Uplo::lower) return;
    a += (n - 1) * (p.lda + 1);
    d += n - 1;
    e += n - 2;
    tau += n - 2;
  }
  T& at(std::int64_t i, std::int64_t j) const { return a[i * row_step + j * col_step]; }
  void advance(std::int64_t columns) {
    a += columns * (row_step + col_step);
    d += columns * row_step;
    e += columns * row_step;
    tau += columns * row_step;
    n -= columns;
  }
  // The first in memory of `count` elements.
  template <class E>
  E* lowest(E* first, std::int64_t count) const {
    return row_step > 0 ? first : first - (count - 1);
  }
  T* corner() const { return row_step > 0 ? a : &at(n - 1, n - 1); }

  kernels::TridiagonalOperands operands(std::uint32_t* barrier) const {
    return {.a = a,
            .row_step = row_step,
            .col_step = col_step,
            .d = d,
            .e = e,
            .tau = tau,
            .vector_step = row_step,
            .unit = unit,
            .unit_value = unit_value,
            .scale = scale,
            .barrier = barrier};
  }
  // `diagonals` elements of d are found, and those of e and tau that are beside them.
  sim::GridMemory memory(std::int64_t diagonals, const std::uint32_t* barrier) const {
    sim::GridMemory memory;
    memory.add_matrix({.rows = n,
                       .cols = n,
                       .lda = std::abs(col_step),
                       .element = sizeof(A),
                       .part = row_step > 0 ? sim::Part::lower : sim::Part::upper},
                      corner());
    const std::int64_t beside = std::min(diagonals, n - 1);
    memory.add("d", {.rows = diagonals, .element = sizeof(R)}, lowest(d, diagonals), sim::Holds::nothing);
    if (beside > 0) {
      memory.add("e", {.rows = beside, .element = sizeof(R)}, lowest(e, beside), sim::Holds::nothing);
      memory.add("tau", {.rows = beside, .element = sizeof(A)}, lowest(tau, beside), sim::Holds::nothing);
    }
    if (unit != nullptr) {
      memory.add("unit", {.rows = 1, .element = sizeof(A)}, unit, sim::Holds::nothing);
      memory.add("unit_value", {.rows = 1, .element = sizeof(R)}, unit_value, sim::Holds::constants);
    }
    if (scale != nullptr) memory.add("scale", {.rows = 2, .element = sizeof(R)}, scale, sim::Holds::constants);
    memory.add_barrier(barrier);
    return memory;
  }
};

// Reduces `steps` columns on the chip; n - 1 of them are all.
template <class T, int columns_in_registers>
Status reduce_on_chip(Rest<T>& rest, int steps, int blocks) {
  using A = typename OnDevice<T>::type;
  using Kernel = kernels::Tridiagonal<A, 1, columns_in_registers>;
  const int n = static_cast<int>(rest.n), diagonals = steps == n - 1 ? n : steps;
  const int columns = (n + blocks - 1) / blocks;  // of a block
  std::uint32_t barrier = 0;
  std::vector<A> exchange(4 * Kernel::rows);
  kernels::TridiagonalArgs args{rest.operands(&barrier)};
  args.n = n;
  args.steps = steps;
  args.lines = columns;
  args.exchange = exchange.data();
  sim::GridMemory memory = rest.memory(diagonals, &barrier);
  memory.add("exchange", {.rows = 4 * Kernel::rows, .element = sizeof(A)}, exchange.data(), sim::Holds::nothing);
  const std::size_t shared_bytes =
      kernels::tridiagonal_shared_bytes(Kernel::rows, columns, columns_in_registers, sizeof(A), sizeof(RealOf<A>));
  Status status = sim::SimLauncher{&memory}.run<Kernel>({.x = blocks}, Kernel::max_threads, shared_bytes, args);
  EXPECT_EQ(sim::last_counters().grid_barriers, steps);

  // The matrix is loaded before the first barrier alone: each triangle once, and column 0 by every block for its
  // Householder vector.
  for (std::int64_t j = 1; j < n; ++j)
    for (std::int64_t i = j; i < n; ++i) {
      EXPECT_EQ(memory.loads(&rest.at(i, j), 0), i == j ? 1 : 2) << i << ", " << j;
      EXPECT_EQ(memory.loads(&rest.at(i, j)), i == j ? 1 : 2) << i << ", " << j;
    }
  for (std::int64_t i = 0; i < n; ++i) {
    EXPECT_EQ(memory.loads(&rest.at(i, 0)), memory.loads(&rest.at(i, 0), 0)) << i;
    if (i > 1) {
      EXPECT_EQ(memory.loads(&rest.at(i, 0)), 2 + blocks) << i;
    }
  }
  rest.unit = nullptr;
  rest.advance(diagonals);
  return status;
}

// Reduces all of a small matrix by one block.
template <class T>
Status reduce_by_one_block(Rest<T>& rest) {
  using A = typename OnDevice<T>::type;
  using Kernel = kernels::TridiagonalOneBlock<A, kernels::one_block_rows_of_lane(sizeof(A))>;
  const int n = static_cast<int>(rest.n);
  std::uint32_t barrier = 0;
  kernels::TridiagonalArgs args{rest.operands(&barrier)};
  args.n = n;
  args.steps = n - 1;
  sim::GridMemory memory = rest.memory(n, &barrier);
  Status status = sim::SimLauncher{&memory}.run<Kernel>({.x = 1}, Kernel::max_threads, Kernel::shared_bytes, args);
  EXPECT_EQ(sim::last_counters().grid_barriers, 0);
  rest.unit = nullptr;
  rest.advance(n);
  return status;
}

// Reduces a panel, and the rest by A -= V W^H + W V^H.
template <class T>
Status reduce_panel(Rest<T>& rest, int columns, int blocks) {
  using A = typename OnDevice<T>::type;
  using R = lapack::Real<T>;
  using Kernel = kernels::TridiagonalPanel<A>;
  const std::int64_t m = rest.n;
  const kernels::PanelTiles tiles(static_cast<int>(m) - columns, Kernel::slabs, Kernel::Shape::row_parts, blocks);
  std::uint32_t barrier = 0;
  sim::GridMemory memory = rest.memory(columns, &barrier);
  const auto add = [&](const char* name, auto& numbers) {
    memory.add(name, {.rows = static_cast<std::int64_t>(numbers.size()), .element = sizeof(numbers[0])}, numbers.data(),
               sim::Holds::nothing);
    return numbers.data();
  };
  const auto size = [](std::int64_t elements) { return static_cast<std::size_t>(elements); };
  std::vector<A> w(size(m * columns)), x(size(2 * std::int64_t{tiles.x_pitch(columns)})),
      dots(2 * 2 * kernels::panel_columns);
  std::vector<A> sums(size(std::int64_t{tiles.slots()} * tiles.pitch()));
  std::vector<R> norms(size(blocks)), squares(size(blocks));
  A* const w_corner = add("W", w);
  A* const w_first = rest.row_step > 0 ? w_corner : w_corner + m * columns - 1;
  kernels::TridiagonalPanelArgs args{rest.operands(&barrier)};
  args.m = static_cast<int>(m);
  args.columns = columns;
  args.w = w_first;
  args.w_col_step = rest.row_step * m;
  args.x = add("x", x);
  args.norms = add("norms", norms);
  args.sums = add("sums of tiles", sums);
  args.dots = add("dot products", dots);
  args.squares = add("squares", squares);
  Status status = sim::SimLauncher{&memory}.run<Kernel>({.x = blocks}, Kernel::max_threads, Kernel::shared_bytes, args);
  EXPECT_EQ(sim::last_counters().grid_barriers, 2 * columns);

  // Behind the first barrier of each column every element of the rest is loaded once, and nowhere else.
  for (std::int64_t j = columns; j < m; ++j)
    for (std::int64_t i = j; i < m; ++i)
      for (int interval = 0; interval <= 2 * columns; ++interval)
        EXPECT_EQ(memory.loads(&rest.at(i, j), size(interval)), interval % 2)
            << "element " << i << ", " << j << " behind barrier " << interval;

  const auto w_at = [&](std::int64_t i, std::int64_t c) {
    return reinterpret_cast<const T&>(w_first[i * args.row_step + c * args.w_col_step]);
  };
  for (std::int64_t j = columns; j < m; ++j)
    for (std::int64_t i = j; i < m; ++i) {
      T sum = rest.at(i, j);
      for (std::int64_t c = 0; c < columns; ++c)
        sum -= rest.at(i, c) * lapack::conjugate(w_at(j, c)) + w_at(i, c) * lapack::conjugate(rest.at(j, c));
      rest.at(i, j) = i == j ? T(lapack::real(sum)) : sum;
    }
  rest.unit = &rest.at(columns, columns - 1);
  rest.unit_value = rest.e + (columns - 1) * rest.row_step;
  rest.advance(columns);
  return status;
}

}  // namespace onepass::test
