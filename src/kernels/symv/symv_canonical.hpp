// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_canonical: triangles in the canonical order (numbers/canonical_order.hpp), so that y has the bits that gemv has
// with the full matrix.
//
//                 chunk 0    chunk 1          A tile is a chunk of rows by a chunk of columns: 256 x 256. Row i of it
//     chunk 0   | diagonal |                  adds to output i the sum of the chunk of its columns, and column k to
//     chunk 1   | tile     | diagonal |       output k that of its rows. A warp has eight columns p, p + 32, ... of a
//     chunk 2   | tile     | tile     | ...   tile, one partial sum of every row: lane l has rows l, l + 32, ...,
//                                             partial sum l of each column, which shuffles fold. `parts` blocks share a
//                                             tile by its partial sums.
//
// Further blocks have 32 rows each of the tiles on the diagonal, where a partial sum goes on from a row to a column:
// these elements are loaded twice, the second time from the L2.
//
// The last blocks gather: slot c parts + part of the mailboxes has the sums of chunk c, or a node of its tree, and the
// sum over all slots is a tree.
#pragma once

#include <type_traits>

#include "kernels/blocks/canonical.hpp"
#include "kernels/symv/symv_args.hpp"

namespace onepass::kernels {

template <class E, Form F>
struct SymvCanonical {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  static constexpr int depth = canonical::depth, lanes = canonical::partial_sums;
  // Columns whose elements a lane has in flight, 32 registers.
  static constexpr int in_flight = 16 / static_cast<int>(sizeof(A));
  static constexpr int max_threads = symv_canonical_threads;
  static constexpr int min_blocks = sizeof(A) > 8 ? 1 : 2;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const SymvCanonicalArgs& g) {
    if constexpr (F == Form::plain) open_first(ex, g);
    each_product<F>(ex, g, [&](std::int64_t b) { product(ex, g, b); });
  }

 private:
  template <class Ex>
  static ONEPASS_DEVICE void product(Ex ex, const SymvCanonicalArgs& g, std::int64_t b) {
    const S alpha = alpha_of<S, F>(ex, g);
    const Operands<E> operands =
        alpha == S{} ? Operands<E>{.target = target_of<F>(ex, g, b)} : operands_of<E, F>(ex, g, b);
    S* const mailboxes = static_cast<S*>(g.mailboxes) + b * g.mailboxes_per_product;
    wait_to_read_canonical<F>(ex, g);
    const std::int64_t diagonal = std::int64_t{g.chunks} * (canonical::chunk / lanes), block = ex.block_x();
    if (block >= g.working) {
      wait_to_write_canonical<F>(ex, g);
      return gather(ex, g, operands.target, alpha, mailboxes, block - g.working);
    }
    if (alpha == S{}) return;
    if (block < diagonal)
      slab(ex, g, operands, mailboxes, block);
    else
      tile(ex, g, operands, mailboxes, block - diagonal);
  }

  // Where the sum of slot `slot` for output i stands.
  static ONEPASS_DEVICE std::int64_t place(const SymvCanonicalArgs& g, std::int64_t slot, std::int64_t i) {
    return slot * g.rows + i;
  }

  // Chunks at the distances 1, 2, ... from each other, around a circle: every pair once.
  template <class Ex>
  static ONEPASS_DEVICE void tile(Ex ex, const SymvCanonicalArgs& g, const Operands<E>& operands, S* mailboxes,
                                  std::int64_t block) {
    const int part = static_cast<int>(block & ((1 << g.log2_parts) - 1));
    const auto pair = static_cast<int>(block >> g.log2_parts);
    const int one = pair % g.chunks, two = (one + 1 + pair / g.chunks) % g.chunks;
    const bool rows_are_one = (one > two) != g.upper;
    const int row_chunk = rows_are_one ? one : two, column_chunk = rows_are_one ? two : one;
    const int lane = ex.thread() & 31, warp = ex.thread() >> 5, warps = ex.threads() >> 5;
    const std::int64_t row = std::int64_t{row_chunk} * canonical::chunk + lane;
    const std::int64_t column0 = std::int64_t{column_chunk} * canonical::chunk;
    const int rows = row < g.rows ? at_most((g.rows - row + lanes - 1) / lanes, depth) : 0;
    X x_row[depth];
#pragma unroll
    for (int t = 0; t < depth; ++t)
      x_row[t] = ex.load_cached_predicated(t < rows, operands.x + (row + t * lanes) * g.incx);

    const auto shared = ex.template shared<S>(0);
    const int leaves = lanes >> g.log2_parts;
    // Sums of columns wait in shared memory until the previous launch is complete, whose mailboxes they need, if this
    // one may start before that; else they are published at once.
    const bool holds = F == Form::plain && g.settled_x;
    const auto held = ex.template shared<S>(leaves * canonical::chunk * static_cast<int>(sizeof(S)));
    S* const of_columns = mailboxes + place(g, std::int64_t{row_chunk} << g.log2_parts, 0);
#pragma unroll 1
    for (int leaf = warp; leaf < leaves; leaf += warps) {
      const int p = reversed(part * leaves + leaf);
      const std::int64_t column = column0 + p;
      const int columns = column < g.cols ? at_most((g.cols - column + lanes - 1) / lanes, depth) : 0;
      S of_row[depth] = {}, of_column[depth] = {};
#pragma unroll
      for (int c0 = 0; c0 < depth; c0 += in_flight) {
        A element[in_flight][depth];
        X x_column[in_flight];
#pragma unroll
        for (int c = 0; c < in_flight; ++c) {
          const A* const at = operands.a + (row + (column + (c0 + c) * lanes) * g.lda);
#pragma unroll
          for (int t = 0; t < depth; ++t)
            element[c][t] = ex.load_once_predicated(c0 + c < columns && t < rows, at + t * lanes);
          x_column[c] = ex.load_cached_predicated(c0 + c < columns, operands.x + (column + (c0 + c) * lanes) * g.incx);
        }
#pragma unroll
        for (int c = 0; c < in_flight; ++c) {
#pragma unroll
          for (int t = 0; t < depth; ++t) {
            of_row[t] = canonical::add_product(of_row[t], conjugate_if(g.conjugate_rows, element[c][t]), x_column[c]);
            of_column[c0 + c] =
                canonical::add_product(of_column[c0 + c], conjugate_if(g.conjugate_columns, element[c][t]), x_row[t]);
          }
        }
      }
#pragma unroll
      for (int t = 0; t < depth; ++t) shared.put(leaf * canonical::chunk + t * lanes + lane, of_row[t]);
      // Four lanes end with the sum of the same column.
      const S sum = tree_of_lanes(ex, of_column, lanes);
      const int c = lane >> 2;
      if ((lane & 3) == 0 && c < columns) {
        if (holds)
          held.put(leaf * depth + c, sum);
        else
          ex.publish(of_columns + (column + c * lanes), sum);
      }
    }
    ex.sync();
    wait_to_write_canonical<F>(ex, g);
    if (holds) {
#pragma unroll 1
      for (int i = ex.thread(); i < leaves * depth; i += ex.threads()) {
        const std::int64_t column = column0 + reversed(part * leaves + i / depth) + i % depth * lanes;
        if (column < g.cols) ex.publish(of_columns + column, held.get(i));
      }
    }
#pragma unroll 1
    for (int r = ex.thread(); r < canonical::chunk; r += ex.threads()) {
      canonical::Tree<S, 3> tree;
#pragma unroll 1
      for (int first = 0; first < leaves; first += 8)
        tree.push(tree_of<S>(8, [&](int i) { return shared.get((first + i) * canonical::chunk + r); }),
                  static_cast<std::uint32_t>(first / 8));
      const std::int64_t i = std::int64_t{row_chunk} * canonical::chunk + r;
      if (i < g.rows)
        ex.publish(mailboxes + place(g, (std::int64_t{column_chunk} << g.log2_parts) + part, i),
                   tree.sum(static_cast<std::uint32_t>(leaves / 8)));
    }
  }

  // 32 rows of a tile on the diagonal. Terms k of row i that are stored in its row and those that are stored in its
  // column belong to the same partial sums, which wait in shared memory for the second kind.
  template <class Ex>
  static ONEPASS_DEVICE void slab(Ex ex, const SymvCanonicalArgs& g, const Operands<E>& operands, S* mailboxes,
                                  std::int64_t block) {
    constexpr int step = lanes + 1;                                       // past the banks
    constexpr int at_once = sizeof(A) == 4 ? 4 : sizeof(A) == 8 ? 2 : 1;  // partial sums whose elements are in flight
    const auto shared = ex.template shared<S>(0);
    const std::int64_t chunk = block / (canonical::chunk / lanes), k0 = chunk * canonical::chunk, i0 = block * lanes;
    if (i0 >= g.rows) return;
    const int lane = ex.thread() & 31, warp = ex.thread() >> 5, warps = ex.threads() >> 5;
    // Terms in rows: lane l has row i0 + l, and the partial sums of its warp. Terms in columns: lane p has partial sum
    // p of the rows of its warp.
    const auto add = [&](auto in_row, bool first) {
#pragma unroll 1
      for (int other = warp; other < lanes; other += at_once * warps) {
        A element[at_once][depth];
        X x[at_once][depth];
        const auto p = [&](int q) { return in_row ? other + q * warps : lane; };
        const auto r = [&](int q) { return in_row ? lane : other + q * warps; };
#pragma unroll
        for (int q = 0; q < at_once; ++q) {
          const std::int64_t i = i0 + r(q);
#pragma unroll
          for (int t = 0; t < depth; ++t) {
            const std::int64_t k = k0 + p(q) + t * lanes;
            const bool wanted = i < g.rows && k < g.rows && (g.upper ? k >= i : k <= i) == in_row;
            element[q][t] = ex.load_once_predicated(wanted, operands.a + (in_row ? i + k * g.lda : k + i * g.lda));
            x[q][t] = ex.load_cached_predicated(wanted, operands.x + k * g.incx);
            if constexpr (is_complex<A>) {
              if (g.hermitian && i == k) element[q][t].im = 0;
            }
          }
        }
#pragma unroll
        for (int q = 0; q < at_once; ++q) {
          const int place = p(q) * step + r(q);
          S sum = first ? S{} : shared.get(place);
#pragma unroll
          for (int t = 0; t < depth; ++t)
            sum = canonical::add_product(
                sum, conjugate_if(in_row ? g.conjugate_rows : g.conjugate_columns, element[q][t]), x[q][t]);
          shared.put(place, sum);
        }
      }
    };
    // Terms come in order: of a lower triangle first those in the row.
    if (g.upper)
      add(std::false_type{}, true);
    else
      add(std::true_type{}, true);
    ex.sync();
    if (g.upper)
      add(std::true_type{}, false);
    else
      add(std::false_type{}, false);
    ex.sync();
    wait_to_write_canonical<F>(ex, g);
#pragma unroll 1
    for (int r = warp; r < lanes; r += warps) {
      S sum = shared.get(lane * step + r);
#pragma unroll
      for (int mask = 16; mask > 0; mask /= 2) sum = sum + ex.shuffle_xor(sum, mask);
      if (lane == 0 && i0 + r < g.rows) ex.publish(mailboxes + place(g, chunk << g.log2_parts, i0 + r), sum);
    }
  }

  // y of 32 outputs, from all slots.
  template <class Ex>
  static ONEPASS_DEVICE void gather(Ex ex, const SymvCanonicalArgs& g, const Target& target, S alpha, S* mailboxes,
                                    std::int64_t block) {
    constexpr int log2_outputs = 5;
    const int team = ex.thread() >> log2_outputs;
    const std::int64_t i = block * lanes + (ex.thread() & (lanes - 1));
    if (alpha == S{}) {
      if (team == 0 && i < g.rows) write_canonical<E, F>(ex, g, target, i, alpha, {});
      return;
    }
    // What is stored in its row comes in parts, what is stored in its column and the diagonal at once.
    const auto own = static_cast<int>(i / canonical::chunk);
    const S sum = tree_of_mailboxes<S>(
        ex, ex.template shared<S>(0), log2_outputs, g.chunks << g.log2_parts, g.timed_out,
        [&](int slot) {
          const int chunk = slot >> g.log2_parts;
          const bool has_parts = g.upper ? chunk > own : chunk < own;
          return i < g.rows && (has_parts || (slot & ((1 << g.log2_parts) - 1)) == 0);
        },
        [&](int slot) { return mailboxes + place(g, slot, i); }, [](int) { return S{}; });
    if (team == 0 && i < g.rows) write_canonical<E, F>(ex, g, target, i, alpha, sum);
  }
  static ONEPASS_DEVICE int reversed(int value) {
    return (value & 1) << 4 | (value & 2) << 2 | (value & 4) | (value & 8) >> 2 | (value & 16) >> 4;
  }
};

}  // namespace onepass::kernels
