// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_rows: y = A x for one small symmetric matrix. A team of threads owns a few outputs and has all that they need,
// so that no partial sum leaves it: no mailbox, no second round.
//
//      0 1 2 3 4 5 6 7
//    0 .                      y[r] = sum over c of A[r, c] x[c]:
//    1 . .                       along   A[r, c], c <= r    row r up to the diagonal: lanes lie along the outputs
//    2 a a a                     down    A[i, r], i > r     column r below it: lanes lie along the column
//    3 a a a a
//    4 . . d d .              Here the team owns rows 2 and 3. Every element off the diagonal is loaded twice, by the
//    5 . . d d . .            team of its row and by the team of its column, and crosses the memory bus once: the
//    6 . . d d . . .          other load finds it in the L2. All teams have as much to do.
//
// Few loads: a team is a warp, and nobody waits at a barrier. Many: a team is a block.
// Single elements are loaded, so that any alignment will do, and all loads of both parts are in flight before the first
// is used. An upper triangle is a lower one, seen from its last element.
#pragma once

#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/operand.hpp"
#include "kernels/symv/symv_args.hpp"

namespace onepass::kernels {

// 1 << log2_lanes outputs of a team; 1 << log2_groups of its threads for each of them.
template <class E, Loads L>
struct SymvRows {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Scalar = typename E::Scalar;
  static constexpr Form F = Form::plain;
  static constexpr bool team_is_warp = L == Loads::few;
  static constexpr int in_flight = symv_rows_in_flight(sizeof(S));
  static constexpr int max_threads = symv_rows_max_threads;
  static constexpr int min_blocks = 1;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const SymvRowsArgs& g) {
    open_first(ex, g);
    const Team team(ex, g);
    const Scalar alpha = alpha_of<Scalar, F>(ex, g);
    if (alpha == Scalar{}) {
      wait_for_previous_launch(ex);
      if (team.owns()) write_y<E, F>(ex, g, {}, team.output(), {}, {});
      return;
    }
    Parts parts(g, team);
    const X* const x = static_cast<const X*>(g.x);
    if (g.prefetch && !g.settled_x) prefetch(ex, g, team, parts, x);
    wait_to_read(ex, g);

    S of_row{}, of_column{};
    const int step = 1 << g.log2_groups;
#pragma unroll 1
    do {
      A in_row[in_flight], in_column[in_flight];
      X x_of_row[in_flight], x_of_column[in_flight];
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        in_row[u] = ex.load_once_predicated(parts.has_row(u * step), element_at(parts.row_at, u * parts.row_step));
        in_column[u] =
            ex.load_once_predicated(parts.has_column(u * step), element_at(parts.column_at, u * parts.column_step));
      }
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        x_of_row[u] = ex.load_cached_predicated(parts.has_row(u * step), x + (parts.c + u * step) * g.incx);
        x_of_column[u] = ex.load_cached_predicated(parts.has_column(u * step), x + (parts.i + u * step) * g.incx);
      }
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        // Zero where nothing was loaded: zero times infinity is not.
        S along = as<S>(in_row[u]), down = conjugate_if(g.hermitian, as<S>(in_column[u]));
        if constexpr (is_complex<S>) along.im = g.hermitian && parts.c + u * step == team.row ? 0 : along.im;
        of_row = multiply_add(of_row, along, conjugate_if(g.conjugate, as<S>(x_of_row[u])));
        of_column = multiply_add(of_column, down, conjugate_if(g.conjugate, as<S>(x_of_column[u])));
      }
      of_row = settled(of_row);
      of_column = settled(of_column);
    } while (parts.advance(g, team, in_flight));

    // Over the lanes of a warp: rows of those whose numbers agree in the lowest bits, columns of neighbours.
#pragma unroll
    for (int mask = 1; mask < Ex::warp; mask *= 2) {
      if (mask >> g.log2_lanes != 0) of_row = of_row + ex.shuffle_xor(of_row, mask);
      if (mask >> g.log2_groups == 0) of_column = of_column + ex.shuffle_xor(of_column, mask);
    }
    S total;
    if constexpr (team_is_warp)
      total = of_row + ex.shuffle_each(of_column, (team.thread << g.log2_groups) % Ex::warp);
    else
      total = sum_warps(ex, g, team, of_row, of_column);
    wait_to_write(ex, g);
    if (!team.owns()) return;
    write_y<E, F>(ex, g, {}, team.output(), alpha, total);
  }

 private:
  // A thread of a team: its row and its place among the columns of that row; its column, and its place along it.
  struct Team {
    int thread, n, first, row, group, column, place, outputs;

    template <class Ex>
    ONEPASS_DEVICE Team(Ex ex, const SymvRowsArgs& g)
        : thread(team_is_warp ? ex.thread() % Ex::warp : ex.thread()),
          n(static_cast<int>(g.rows)),
          first(number(ex) << g.log2_lanes),
          row(first + (thread & ((1 << g.log2_lanes) - 1))),
          group(thread >> g.log2_lanes),
          column(first + (thread >> g.log2_groups)),
          place(thread & ((1 << g.log2_groups) - 1)),
          outputs(1 << g.log2_lanes) {}
    template <class Ex>
    static ONEPASS_DEVICE int number(Ex ex) {
      const int block = static_cast<int>(ex.block_x());
      return team_is_warp ? block * (ex.threads() / Ex::warp) + ex.thread() / Ex::warp : block;
    }
    ONEPASS_DEVICE bool owns() const { return thread < outputs && first + thread < n; }
    ONEPASS_DEVICE int output() const { return first + thread; }
  };

  // The elements of a thread: A[row, c], A[row, c + step], ... and A[i, column], A[i + step, column], ...
  struct Parts {
    const A *row_at, *column_at;
    std::int64_t row_step, column_step;  // in bytes
    int c, i, end_of_row, column, n;

    ONEPASS_DEVICE Parts(const SymvRowsArgs& g, const Team& team)
        : row_at(element_of(g, team.row, team.group)),
          column_at(element_of(g, team.first + team.place, team.column)),
          row_step(g.column_bytes << g.log2_groups),
          column_step(std::int64_t{g.row_bytes} << g.log2_groups),
          c(team.group),
          i(team.first + team.place),
          end_of_row(team.row < team.n ? team.row + 1 : 0),
          column(team.column),
          n(team.n) {}
    ONEPASS_DEVICE bool has_row(int ahead) const { return c + ahead < end_of_row; }
    ONEPASS_DEVICE bool has_column(int ahead) const { return i + ahead > column && i + ahead < n; }
    // Whether any thread of the team has more.
    ONEPASS_DEVICE bool advance(const SymvRowsArgs& g, const Team& team, int count) {
      row_at = element_at(row_at, count * row_step);
      column_at = element_at(column_at, count * column_step);
      c += count << g.log2_groups;
      i += count << g.log2_groups;
      return c - team.group < team.first + team.outputs || i - team.place < n;
    }
  };

  static ONEPASS_DEVICE const A* element_at(const A* from, std::int64_t bytes) {
    return reinterpret_cast<const A*>(reinterpret_cast<const char*>(from) + bytes);
  }
  static ONEPASS_DEVICE const A* element_of(const SymvRowsArgs& g, int row, int column) {
    return element_at(static_cast<const A*>(g.a), std::int64_t{row} * g.row_bytes + column * g.column_bytes);
  }

  // For each output the sums of its row in all warps, then those of its column.
  template <class Ex>
  static ONEPASS_DEVICE S sum_warps(Ex ex, const SymvRowsArgs& g, const Team& team, S of_row, S of_column) {
    const int warps = ex.threads() / Ex::warp, lane = ex.thread() % Ex::warp, warp = ex.thread() / Ex::warp;
    const auto rows = ex.template shared<S>(0),
               columns = ex.template shared<S>((warps << g.log2_lanes) * static_cast<int>(sizeof(S)));
    const int log2_width = at_most(g.log2_groups, 5), log2_parts = g.log2_groups - log2_width;
    if (lane < team.outputs) rows.put((warp << g.log2_lanes) + lane, of_row);
    if ((lane & ((1 << log2_width) - 1)) == 0) columns.put(ex.thread() >> log2_width, of_column);
    ex.sync();
    S total{};
    if (!team.owns()) return total;
#pragma unroll 8
    for (int w = 0; w < warps; ++w) total = total + rows.get((w << g.log2_lanes) + team.thread);
#pragma unroll 4
    for (int w = 0; w < 1 << log2_parts; ++w) total = total + columns.get((team.thread << log2_parts) + w);
    return total;
  }

  // Into the L2, before the grid-dependency wait: the first elements, a lane for each sector, and x.
  template <class Ex>
  static ONEPASS_DEVICE void prefetch(Ex ex, const SymvRowsArgs& g, const Team& team, const Parts& parts, const X* x) {
    constexpr int sector = 32 / static_cast<int>(sizeof(A)), sector_of_x = 32 / static_cast<int>(sizeof(X));
    const int step = 1 << g.log2_groups;
    const bool row_leads = (team.row & (team.outputs - 1) & (sector - 1)) == 0, column_leads = parts.i % sector == 0;
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      ex.prefetch_if(row_leads && parts.has_row(u * step), element_at(parts.row_at, u * parts.row_step));
      ex.prefetch_if(column_leads && parts.has_column(u * step), element_at(parts.column_at, u * parts.column_step));
    }
    const int k = ex.thread() * sector_of_x;
    ex.prefetch_if(g.incx == 1 && k < team.n, x + k);
  }
};

}  // namespace onepass::kernels
