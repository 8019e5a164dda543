// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv: y[r] += A[r, c] x[c] and y[c] += A[r, c] x[r]: each stored element is loaded once and used twice.
//
//              columns of a unit, one per warp       A strip of rows. The 32 lanes of a warp lie along the rows of a
//              w0 w1 w2 w3 w0 w1 w2 w3 ...           panel, each with one to four 16-byte vectors of a column, and
//             +--+--+--+--+--+--+--+--+--            several columns are in flight. The sum of a row runs along the
//    lane 0   |  |  |  |  |  |  |  |  |  -> y[r]     columns of the block: in registers, then over the warps in
//    lane 1   |  |  |  |  |  |  |  |  |              shared memory. The sum of a column over the strip is finished
//     ...     |  |  |  |  |  |  |  |  |              within a warp, by shuffles.
//             +--+--+--+--+--+--+--+--+--
//              v  v  v  v     y[c]                   Strips, units and blocks: blocks/strips.hpp.
//
// Every output gets sums from several strips and blocks. They travel through mailboxes in the workspace, whose
// all-zeros bit pattern is the sentinel "empty": the first `splits` blocks of the grid multiply and publish(), the
// blocks behind them poll, reset and add, in an order that the shape alone determines, and write y. A block that has
// the whole matrix needs no mailboxes.
//
// A strip has several panels where the mailboxes of its column sums would not fit the workspace, or where one strip is
// the whole matrix of a batch: the columns of a step then go through all panels before they are summed over the lanes.
//
// Any alignment: the columns of a warp start at the same offset from a boundary of an aligned run of elements, because
// the number of warps is a multiple of the number of offsets. So a lane's vectors cover the same rows in all columns.
// Vectors that stick out of the matrix lie in its first and last column, on the diagonal or a few rows above it.
#pragma once

#include <type_traits>

#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/gather.hpp"
#include "kernels/blocks/operand.hpp"
#include "kernels/blocks/strips.hpp"
#include "kernels/blocks/triangle_step.hpp"
#include "kernels/blocks/walk.hpp"
#include "kernels/symv_args.hpp"

namespace onepass::kernels {

template <class E, Form F>
struct Symv {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Steps = TriangleStep<E>;
  using Product = TriangleProduct<E>;
  static constexpr int V = vector_length<A>, log2_v = log2_vector_length<A>;
  static constexpr int vectors = Steps::vectors, columns = Steps::columns;
  static constexpr int max_threads = symv_max_threads;
  static constexpr int min_blocks = 512 / max_threads;  // on an SM: 128 registers
  // Sums with more digits need all of them.
  static constexpr bool can_keep = F == Form::plain && sizeof(S) == sizeof(A) && !std::is_same_v<S, DoubleDouble>;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const SymvArgs& g) {
    // With pointers to operands or scalars, nothing may be loaded or prefetched before the grid-dependency wait.
    if constexpr (F == Form::general) wait_for_previous_launch(ex);
    if constexpr (F == Form::plain) open_first(ex, g);
    product(ex, g, F == Form::plain ? 0 : static_cast<int>(ex.block_z()));
  }

 private:
  template <class Ex>
  static ONEPASS_DEVICE void product(Ex ex, const SymvArgs& g, int b) {
    Product p{.a = nullptr,
              .x = {},
              .target = {},
              .n = static_cast<int>(g.rows),
              .lane = ex.thread() & (symv_lanes - 1),
              .warp = ex.thread() / symv_lanes,
              .offset = 0};
    if (alpha_of<typename E::Scalar, F>(ex, g) == typename E::Scalar{}) {
      if constexpr (F == Form::plain) wait_for_previous_launch(ex);
      p.target = target_of<F>(ex, g, b);
      return scale_all<E, F>(ex, g, p.target);
    }
    const Operands<E> operands = operands_of<E, F>(ex, g, b);
    p.a = operands.a;
    p.x = operands.x;
    p.target = operands.target;
    p.offset = static_cast<int>(reinterpret_cast<std::uintptr_t>(p.a) / sizeof(A)) & g.align_mask;

    const int block = static_cast<int>(ex.block_x());
    if (block >= g.splits) {
      if constexpr (F == Form::plain) wait_for_previous_launch(ex);
      return gather_strips<E, F>(ex, g, p.target, p.mailboxes(g), block - g.splits);
    }
    int left = g.units - block * static_cast<int>(g.chunk), mine = at_most(g.chunk, left);
    Strip strip = Strip::at(g, left);
    if constexpr (F == Form::plain) {
      if (g.prefetch && !g.settled_x) prefetch(ex, g, p, strip, left - units_behind(g, strip.index) - 1, mine);
      wait_to_read(ex, g);
    }
    Kept kept{.left = left, .strip = strip.index};
    while (true) {
      // Units first, first - 1, ... of the strip.
      const int first = left - units_behind(g, strip.index) - 1, count = at_most(mine, first + 1);
      const int low = lowest_column(g, strip, first, count);
      multiply(ex, g, p, strip, first, count, low - kept.columns);
      ex.sync();
      left -= count;
      mine -= count;
      const bool keeps = can_keep && holds_columns(g) && mine > 0 && kept.segments < symv_kept;
      if (!keeps) {
        if constexpr (F == Form::plain) wait_to_write(ex, g);
        if constexpr (can_keep) publish_kept(ex, g, p, block, kept);
        if (holds_columns(g) && !Steps::alone(g))
          publish_columns(ex, g, p.mailboxes(g), strip, low, count << g.log2_groups, Steps::columns_of_block(ex, g),
                          kept.columns);
      }
      finish_rows(ex, g, p, strip, [&](int row, S total) {
        if (keeps) {
          rows_of_block(ex, g, kept.segments).put(row + g.above, total);
        } else if (Steps::alone(g)) {
          total = total + Steps::columns_of_block(ex, g).get(strip.row0 + row - low);
          write_y<E, F>(ex, g, p.target, strip.row0 + row, alpha_of<typename E::Scalar, F>(ex, g), total);
        } else {
          ex.publish(p.mailboxes(g) + row_mailbox(g, segment(g, block, strip.index), row), total);
        }
      });
      if (mine == 0) return;
      ex.sync();
      strip = Strip(g, strip.index - 1);
      if (keeps) {
        ++kept.segments;
        kept.columns += count << g.log2_groups;
      } else {
        kept = {.left = left, .strip = strip.index};
      }
    }
  }

  // Sums that wait for the previous launch to be complete: of so many whole segments, from unit left - 1 of a strip on,
  // and of their columns.
  struct Kept {
    int left, strip, segments = 0, columns = 0;
  };
  // Sums of the rows of such a segment, behind those of columns.
  template <class Ex>
  static ONEPASS_DEVICE auto rows_of_block(Ex ex, const SymvArgs& g, int segment) {
    const int rows = symv_kept_rows(g.tile, g.above), sums = Steps::place(g, 1 << g.log2_groups, 0) + g.held;
    return ex.template shared<S>((sums + (segment - symv_kept) * rows) * static_cast<int>(sizeof(S)));
  }
  // The first one of the columns of units first, first - 1, ...
  static ONEPASS_DEVICE int lowest_column(const SymvArgs& g, const Strip& strip, int first, int count) {
    return strip.column(g, g.upper ? first : first - count + 1);
  }
  template <class Ex>
  static ONEPASS_DEVICE void publish_kept(Ex ex, const SymvArgs& g, const Product& p, int block, const Kept& kept) {
    int left = kept.left, from = 0;
#pragma unroll 1
    for (int k = 0; k < kept.segments; ++k) {
      const Strip strip(g, kept.strip - k);
      const int count = left - units_behind(g, strip.index), columns_of_it = count << g.log2_groups;
      publish_columns(ex, g, p.mailboxes(g), strip, lowest_column(g, strip, count - 1, count), columns_of_it,
                      Steps::columns_of_block(ex, g), from);
#pragma unroll 1
      for (int row = ex.thread() - g.above; row < g.tile; row += ex.threads())
        if (strip.row0 + row >= 0 && strip.row0 + row < p.n)
          ex.publish(p.mailboxes(g) + row_mailbox(g, segment(g, block, strip.index), row),
                     rows_of_block(ex, g, k).get(row + g.above));
      left -= count;
      from += columns_of_it;
    }
  }

  // Units first, first - 1, ... of a strip: sums of rows into shared memory, and so those of columns, from column `low`
  // on, if there is room for them, else into their mailboxes. `low`: less by as many sums as stand in front of them.
  template <class Ex>
  static ONEPASS_DEVICE void multiply(Ex ex, const SymvArgs& g, const Product& p, const Strip& strip, int first,
                                      int count, int low) {
    const int lane_place = p.lane << log2_v;
    if (g.panels > 1) {
#pragma unroll 1
      for (int m = 0; m < g.panels; ++m) Steps::put_sums(ex, Steps::place(g, p.warp, m) + lane_place, {});
    }
    typename Steps::Walk walk(g, p, strip, first, count);
    typename Steps::OfRows x_r = {};
    S sum[vectors][V] = {}, t[columns] = {};  // of one panel's rows, and of the columns so far
    int held = 0, panel_of_x = -1;
#pragma unroll 1
    while (walk.step.left > 0) {
      const auto step = walk.step;
      const auto panel = p.panel(g, strip, step.panel);
      const Columns cols(g, p.warp, step.column, step.units());
      typename Steps::OfColumns x_c;
      Steps::fetch(ex, g, p, walk, panel, cols, x_c);
      if (step.panel != panel_of_x) {
        Steps::load_rows(ex, g, p, panel, x_r);
        panel_of_x = step.panel;
      }
      const int at = Steps::place(g, p.warp, step.panel) + lane_place;
      if (step.panel != held) {
        Steps::put_sums(ex, Steps::place(g, p.warp, held) + lane_place, sum);
        Steps::get_sums(ex, at, sum);
        held = step.panel;
      }
      walk.advance(g);
      ex.wait_for_copies();
      if (step.crosses) {
        Steps::use_crossing(ex, g, p, panel, cols, x_r, x_c, at, sum, t);
      } else {
        Steps::use(ex, g, p, panel, x_r, x_c, sum, t);
      }
      Steps::settle(g, step.left, sum, t);
      if (walk.step.left <= 0 || walk.step.column != step.column) {
        finish_columns(ex, g, p, strip, cols, low, t);
#pragma unroll
        for (int u = 0; u < columns; ++u) t[u] = S{};
      }
    }
    Steps::put_sums(ex, Steps::place(g, p.warp, held) + lane_place, sum);
  }

  // Sums of columns wait in shared memory until the previous launch is complete, whose mailboxes they need, if this
  // one may start before that; else they are published at once. So do those of the rows of a strip that the block
  // leaves for the next one: else it would begin that one when the previous launch has ended, and the launch behind
  // would wait for both. On an H200 s n = 3001 takes 6.0 us in a queue, and took 7.5 so.
  static ONEPASS_DEVICE bool holds_columns(const SymvArgs& g) {
    return g.held > 0 && ((F == Form::plain && g.settled_x) || Steps::alone(g));
  }

  // The sums of columns over the rows of a strip.
  template <class Ex>
  static ONEPASS_DEVICE void finish_columns(Ex ex, const SymvArgs& g, const Product& p, const Strip& strip,
                                            const Columns& cols, int low, S (&t)[columns]) {
    const S sum = conjugate_if(g.hermitian, sum_columns<S, columns>(ex, p.lane, t));
    const int u = column_of<columns>(p.lane);
    const bool owns = owns_column<columns>(p.lane) && cols.have(u);
    if (holds_columns(g)) {
      if (owns) Steps::columns_of_block(ex, g).put(cols.at(u) - low, sum);
    } else {
      if constexpr (F == Form::plain) wait_to_write(ex, g);
      if (owns) ex.publish(p.mailboxes(g) + column_mailbox(g, strip.index, cols.at(u)), sum);
    }
  }

  // The sums of a strip's rows over the warps, to finish(row, total).
  template <class Ex, class Finish>
  static ONEPASS_DEVICE void finish_rows(Ex ex, const SymvArgs& g, const Product& p, const Strip& strip,
                                         Finish finish) {
    int m = 0, end_of_m = g.panel_rows;  // the panel of `row`, and of some warps' next places the one behind it
#pragma unroll 1
    for (int row = ex.thread() - g.above; row < g.tile; row += ex.threads()) {
      for (; row >= end_of_m; end_of_m += g.panel_rows) ++m;
      const int output = strip.row0 + row;
      if (output < 0 || output >= p.n) continue;
      S total{};
      if (g.above == 0 || (g.panel_rows == Steps::places && row >= 0 && row + g.above < g.tile)) {
        const int at = row - (end_of_m - g.panel_rows);
#pragma unroll 4
        for (int w = 0; w < 1 << g.log2_groups; ++w)
          total = total + Steps::sums(ex).get(Steps::place(g, w, m) + at + p.shift(g, w));
      } else {
#pragma unroll 4
        for (int w = 0; w < 1 << g.log2_groups; ++w) {
          const int place = row + p.shift(g, w), next = place >= end_of_m ? 1 : 0;
          const int first_of_panel = end_of_m - (next == 0 ? g.panel_rows : 0);
          const bool has = static_cast<bool>((place >= 0) & (place < g.tile));
          const S sum = Steps::sums(ex).get(has ? Steps::place(g, w, m + next) + place - first_of_panel : 0);
          total = choose(has, total + sum, total);
        }
      }
      finish(row, total);
    }
  }

  // Into the L2, before the grid-dependency wait: the first vectors of the block, and what it needs of x if its
  // elements are contiguous. Two vectors share a sector: every other lane prefetches.
  template <class Ex>
  static ONEPASS_DEVICE void prefetch(Ex ex, const SymvArgs& g, const Product& p, const Strip& strip, int unit,
                                      int count) {
    count = at_most(count, unit + 1);
    const Columns cols(g, p.warp, strip.column(g, unit), at_most(count, symv_prefetched / vectors));
    const auto panel = p.panel(g, strip, 0);
    const RowOffsets<A> offsets(g, panel);
    const A* next = p.a + (cols.at(cols.begin) * g.lda + offsets.first_row);
#pragma unroll 1
    for (int u = cols.begin; u < cols.end; ++u) {
      const int c = cols.at(u);
#pragma unroll
      for (int j = 0; j < vectors; ++j) {
        const bool wanted = (p.lane & 1) == 0 && offsets.wanted(c, j);
        ex.prefetch_if(wanted && !offsets.sticks_out(c, j), next + j * Panel<A>::stride);
      }
      next += cols.step * g.lda;
    }
    constexpr int sector = 32 / static_cast<int>(sizeof(X));
    const int one = strip.column(g, unit), other = strip.column(g, unit - count + 1);
    const int low = !g.upper ? other : one > 0 ? one : 0, high = (g.upper ? other : one) + (1 << g.log2_groups);
    const int c = low + ex.thread() * sector, r = ex.thread() * sector;
    ex.prefetch_if(g.incx == 1 && c < high && c < p.n, p.x + c);
    ex.prefetch_if(g.incx == 1 && r < panel.rows, p.x + (panel.row0 + r));
  }
};

}  // namespace onepass::kernels
