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
#include "kernels/lapack/rank_2k.hpp"
#include "kernels/lapack/tridiagonal.hpp"
#include "kernels/lapack/tridiagonal_next_column.hpp"
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
  // Of the next panel, if the update has begun it: x of column 0, parts of its norm, and sums of R x.
  bool begun = false;
  std::vector<A> x = {}, sums = {};
  std::vector<R> norms = {};

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
  // `diagonals` elements of d are found, and those of e and tau that are beside them; what they hold before.
  sim::GridMemory memory(std::int64_t diagonals, const std::uint32_t* barrier, Holds results = Holds::nothing) const {
    sim::GridMemory memory;
    memory.add_matrix({.rows = n,
                       .cols = n,
                       .lda = std::abs(col_step),
                       .element = sizeof(A),
                       .part = row_step > 0 ? Part::lower : Part::upper},
                      corner());
    const std::int64_t beside = std::min(diagonals, n - 1);
    memory.add("d", {.rows = diagonals, .element = sizeof(R)}, lowest(d, diagonals), results);
    if (beside > 0) {
      memory.add("e", {.rows = beside, .element = sizeof(R)}, lowest(e, beside), results);
      memory.add("tau", {.rows = beside, .element = sizeof(A)}, lowest(tau, beside), results);
    }
    if (unit != nullptr) {
      memory.add("unit", {.rows = 1, .element = sizeof(A)}, unit, Holds::nothing);
      memory.add("unit_value", {.rows = 1, .element = sizeof(R)}, unit_value, Holds::constants);
    }
    if (scale != nullptr) memory.add("scale", {.rows = 2, .element = sizeof(R)}, scale, Holds::constants);
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
  memory.add("exchange", {.rows = 4 * Kernel::rows, .element = sizeof(A)}, exchange.data(), Holds::nothing);
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

// A -= V W^H + W V^H behind a panel, by the kernels that begin the next one, of so many columns, with it.
template <class T>
Status update_and_begin(Rest<T>& rest, const kernels::TridiagonalPanelArgs& panel, std::vector<typename Rest<T>::A>& w,
                        int next_columns, int blocks) {
  using A = typename OnDevice<T>::type;
  using R = lapack::Real<T>;
  using Update = kernels::Rank2k<A, false, true, true>;
  using Column = kernels::TridiagonalNextColumn<A>;
  const int m = panel.m - panel.columns, columns = panel.columns;
  const bool lower = rest.row_step > 0;
  const auto size = [](std::int64_t elements) { return static_cast<std::size_t>(elements); };
  const kernels::PanelTiles tiles(m - next_columns, kernels::TridiagonalPanel<A>::slabs,
                                  kernels::TridiagonalPanel<A>::Shape::row_parts, blocks);
  const kernels::Rank2kTiles update_tiles(m, Update::shape, lower);
  rest.begun = true;
  rest.x.assign(size(2 * std::int64_t{tiles.x_pitch(next_columns)}), A{});
  rest.norms.assign(size(blocks), R{});
  rest.sums.assign(size(std::int64_t{std::max(tiles.slots(), update_tiles.slots())} * tiles.pitch()), A{});
  // In the order of memory: what is left of A, and rows of V and W beside it.
  T* const c = lower ? &rest.at(columns, columns) : &rest.at(panel.m - 1, panel.m - 1);
  const std::int64_t lda = std::abs(rest.col_step), ldw = std::abs(panel.w_col_step);
  const T* const v = lower ? &rest.at(columns, 0) : c + m * lda;
  const A* const w_rest = w.data() + (lower ? columns : 0);
  const auto described = [&] {
    sim::GridMemory memory;
    memory.add_matrix(
        {.rows = m, .cols = m, .lda = lda, .element = sizeof(A), .part = lower ? Part::lower : Part::upper}, c);
    memory.add("V", {.rows = m, .cols = columns, .lda = lda, .element = sizeof(A)}, v, Holds::constants);
    memory.add("W", {.rows = m, .cols = columns, .lda = ldw, .element = sizeof(A)}, w_rest, Holds::constants);
    return memory;
  };
  const auto add = [](sim::GridMemory& memory, const char* name, auto& numbers, Holds holds) {
    memory.add(name, {.rows = static_cast<std::int64_t>(numbers.size()), .element = sizeof(numbers[0])}, numbers.data(),
               holds);
    return numbers.data();
  };

  sim::GridMemory of_column = described();
  R* const d = rest.d + columns * rest.row_step;
  of_column.add("d", {.rows = 1, .element = sizeof(R)}, d, Holds::nothing);
  if (rest.scale != nullptr) of_column.add("scale", {.rows = 2, .element = sizeof(R)}, rest.scale, Holds::constants);
  const kernels::TridiagonalNextColumnArgs column = {.a = &rest.at(columns, columns),
                                                     .row_step = rest.row_step,
                                                     .col_step = rest.col_step,
                                                     .v = &rest.at(columns, 0),
                                                     .w = static_cast<const A*>(panel.w) + columns * rest.row_step,
                                                     .w_col_step = panel.w_col_step,
                                                     .m = m,
                                                     .terms = columns,
                                                     .d = d,
                                                     .scale = rest.scale,
                                                     .x = add(of_column, "x", rest.x, Holds::nothing),
                                                     .x_end = tiles.x_pitch(next_columns),
                                                     .norms = add(of_column, "norms", rest.norms, Holds::nothing)};
  if (Status status =
          sim::SimLauncher{&of_column}.run<Column>({.x = blocks}, Column::max_threads, Column::shared_bytes, column);
      !status.ok())
    return status;

  sim::GridMemory memory = described();
  kernels::Rank2kArgs args = {
      .v = v, .ldv = lda, .w = w_rest, .ldw = ldw, .c = c, .ldc = lda, .m = m, .n = m, .k = columns, .lower = lower};
  args.x = add(memory, "x", rest.x, Holds::constants);
  args.sums = add(memory, "sums", rest.sums, Holds::nothing);
  args.pitch = tiles.pitch();
  args.skipped = next_columns;
  Status status = sim::SimLauncher{&memory}.run<Update>({.x = Update::tiles(args).count()}, Update::max_threads,
                                                        Update::shared_bytes, args);
  for (std::int64_t j = columns; j < panel.m; ++j)
    for (std::int64_t i = j; i < panel.m; ++i) EXPECT_EQ(memory.loads(&rest.at(i, j)), 1) << i << ", " << j;
  return status;
}

// Reduces a panel, and the rest by A -= V W^H + W V^H; if the next panel's number of columns is given, it is begun
// then.
template <class T>
Status reduce_panel(Rest<T>& rest, int columns, int blocks, int next_columns = 0) {
  using A = typename OnDevice<T>::type;
  using R = lapack::Real<T>;
  using Kernel = kernels::TridiagonalPanel<A>;
  const std::int64_t m = rest.n;
  const kernels::PanelTiles tiles(static_cast<int>(m) - columns, Kernel::slabs, Kernel::Shape::row_parts, blocks);
  std::uint32_t barrier = 0;
  const auto size = [](std::int64_t elements) { return static_cast<std::size_t>(elements); };
  std::vector<A> w(size(m * columns)), dots(2 * 2 * kernels::panel_columns);
  std::vector<R> squares(size(blocks));
  const bool begun = rest.begun;
  rest.begun = false;
  if (!begun) {
    rest.x.assign(size(2 * std::int64_t{tiles.x_pitch(columns)}), A{});
    rest.sums.assign(size(std::int64_t{tiles.slots()} * tiles.pitch()), A{});
    rest.norms.assign(size(blocks), R{});
  }
  // In the second launch of a panel all of it may hold what the first has left.
  const auto described = [&](Holds exchanged, Holds others) {
    sim::GridMemory memory = rest.memory(columns, &barrier, exchanged);
    const auto add = [&](const char* name, auto& numbers, Holds holds) {
      memory.add(name, {.rows = static_cast<std::int64_t>(numbers.size()), .element = sizeof(numbers[0])},
                 numbers.data(), holds);
    };
    add("W", w, others);
    add("x", rest.x, exchanged);
    add("norms", rest.norms, exchanged);
    add("sums of tiles", rest.sums, exchanged);
    add("dot products", dots, others);
    add("squares", squares, others);
    return memory;
  };
  A* const w_first = rest.row_step > 0 ? w.data() : w.data() + m * columns - 1;
  kernels::TridiagonalPanelArgs args{rest.operands(&barrier)};
  args.m = static_cast<int>(m);
  args.columns = columns;
  args.w = w_first;
  args.w_col_step = rest.row_step * m;
  args.x = rest.x.data();
  args.norms = rest.norms.data();
  args.sums = rest.sums.data();
  args.dots = dots.data();
  args.squares = squares.data();
  // Column 0 of a panel that the update has begun takes a launch of its own.
  const int before = begun ? 1 : 0;
  sim::GridMemory memory = described(begun ? Holds::data : Holds::nothing, Holds::nothing);
  Status status;
  if (begun) {
    using First = kernels::TridiagonalPanel<A, kernels::PanelPart::first_column>;
    using Others = kernels::TridiagonalPanel<A, kernels::PanelPart::others>;
    status = sim::SimLauncher{&memory}.run<First>({.x = blocks}, First::max_threads, First::shared_bytes, args);
    EXPECT_EQ(sim::last_counters().grid_barriers, 0);
    for (std::int64_t j = columns; j < m; ++j)
      for (std::int64_t i = j; i < m; ++i) EXPECT_EQ(memory.loads(&rest.at(i, j)), 0) << i << ", " << j;
    memory = described(Holds::data, Holds::data);
    if (status.ok())
      status = sim::SimLauncher{&memory}.run<Others>({.x = blocks}, Others::max_threads, Others::shared_bytes, args);
  } else {
    status = sim::SimLauncher{&memory}.run<Kernel>({.x = blocks}, Kernel::max_threads, Kernel::shared_bytes, args);
  }
  EXPECT_EQ(sim::last_counters().grid_barriers, 2 * (columns - before));

  // Behind the first barrier of each column every element of the rest is loaded once, and nowhere else.
  for (std::int64_t j = columns; j < m; ++j)
    for (std::int64_t i = j; i < m; ++i)
      for (int interval = 0; interval <= 2 * (columns - before); ++interval)
        EXPECT_EQ(memory.loads(&rest.at(i, j), size(interval)), interval % 2)
            << "element " << i << ", " << j << " behind barrier " << interval;

  rest.unit = &rest.at(columns, columns - 1);
  rest.unit_value = rest.e + (columns - 1) * rest.row_step;
  if constexpr (sizeof(R) == 8)
    if (status.ok() && next_columns > 0) {
      status = update_and_begin(rest, args, w, next_columns, blocks);
      rest.advance(columns);
      return status;
    }
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
  rest.advance(columns);
  return status;
}

}  // namespace onepass::test
