// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_rows_canonical: one small triangle in the canonical order (numbers/canonical_order.hpp). A block owns eight
// outputs and has all that they need, so that no partial sum leaves it: no mailbox, no second round. Elements off the
// diagonal are loaded twice, the second time from the L2, as in symv_rows.hpp.
//
//       chunk 0   chunk 1   chunk 2        Output i of a lower triangle has its terms of earlier chunks along row i, of
//     |         |         |                later ones down column i, and of its own chunk some of each: the former go
//     | r r r r | r\      |                through shared memory to the threads of the latter. Of an upper triangle the
//     |         | c       |                other way round. 256 threads, a slot, have a chunk of all eight outputs:
//     |         | c       | \              along the rows eight neighbours for the outputs, each with a partial sum;
//     |         | c       |                down the columns a warp for each output, whose lanes are its partial sums.
//
// All loads of a round of chunks are in flight before the first is used. Single elements are loaded, so that any
// alignment will do.
#pragma once

#include "kernels/blocks/canonical.hpp"
#include "kernels/symv/symv_args.hpp"

namespace onepass::kernels {

template <class E>
struct SymvRowsCanonical {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  static constexpr Form F = Form::plain;
  static constexpr int depth = canonical::depth, lanes = canonical::partial_sums, outputs = symv_rows_canonical_outputs;
  static constexpr int at_once = sizeof(A) > 8 ? 1 : 2;  // chunks of a slot
  static constexpr int pitch = symv_rows_canonical_pitch, row_pitch = symv_rows_canonical_row_pitch;
  static constexpr int max_threads = symv_rows_canonical_threads;
  static constexpr int min_blocks = 1;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const SymvCanonicalArgs& g) {
    const int n = static_cast<int>(g.rows), first = static_cast<int>(ex.block_x()) * outputs;
    const S alpha = alpha_of<S, F>(ex, g);
    open_first(ex, g);
    wait_to_read(ex, g);
    if (alpha == S{}) {
      wait_to_write(ex, g);
      if (const int i = first + ex.thread(); ex.thread() < outputs && i < n)
        write_canonical<E, F>(ex, g, {}, i, {}, {});
      return;
    }
    const int own = first / canonical::chunk, slots = ex.threads() / canonical::chunk;
    const int slot = ex.thread() / canonical::chunk, in_slot = ex.thread() % canonical::chunk;
    const Place along{.i = first + in_slot % outputs, .p = in_slot / outputs},
        down{.i = first + in_slot / lanes, .p = in_slot % lanes};

    // The elements of the own chunk in the rows of the outputs; the partial sums of other chunks; the chunks' sums.
    const auto of_rows = ex.template shared<A>(0);
    const auto partial = ex.template shared<S>(outputs * row_pitch * static_cast<int>(sizeof(A)));
    const auto sums =
        ex.template shared<S>((outputs * row_pitch + g.chunks * outputs * pitch) * static_cast<int>(sizeof(A)));
    Terms own_terms;
#pragma unroll 1
    for (int c0 = slot; c0 < g.chunks; c0 += at_once * slots) {
      Terms terms[at_once];
      A mirror[depth] = {};
#pragma unroll
      for (int q = 0; q < at_once; ++q) {
        const int c = c0 + q * slots;
        const bool in_row = c != own && (c < own) != g.upper;
        const Place& place = in_row ? along : down;
        load(ex, g, in_row, place, c, terms[q].element);
        const int k0 = c * canonical::chunk + place.p, left = place.i < n ? n - k0 : 0;
        const X* const x = static_cast<const X*>(g.x) + k0 * g.incx;
#pragma unroll
        for (int t = 0; t < depth; ++t)
          terms[q].x[t] = ex.load_cached_predicated(t * lanes < left, x + t * (g.incx * lanes));
      }
      const bool owns = has_own(c0, own, slots);
      if (owns) load(ex, g, true, along, own, mirror);
#pragma unroll
      for (int q = 0; q < at_once; ++q) {
        const int c = c0 + q * slots;
        const bool in_row = (c < own) != g.upper;
        if (c >= g.chunks) continue;
        if (c == own) {
          own_terms = terms[q];
          continue;
        }
        S sum{};
#pragma unroll
        for (int t = 0; t < depth; ++t)
          sum = canonical::add_product(
              sum, conjugate_if(in_row ? g.conjugate_rows : g.conjugate_columns, terms[q].element[t]), terms[q].x[t]);
        const Place& place = in_row ? along : down;
        partial.put((c * outputs + place.i - first) * pitch + place.p, sum);
      }
      if (owns) {
#pragma unroll
        for (int t = 0; t < depth; ++t) {
          const int k = along.p + t * lanes;
          if constexpr (is_complex<A>) {
            if (g.hermitian && own * canonical::chunk + k == along.i) mirror[t].im = 0;
          }
          of_rows.put((along.i - first) * row_pitch + k, mirror[t]);
        }
      }
    }
    ex.sync();
    // A warp for each output and chunk.
#pragma unroll 1
    for (int c = slot; c < g.chunks; c += slots) {
      S sum{};
      if (c == own) {
#pragma unroll
        for (int t = 0; t < depth; ++t) {
          const int k = own * canonical::chunk + down.p + t * lanes;
          const bool in_row = g.upper ? k >= down.i : k <= down.i;
          A element = conjugate_if(g.conjugate_columns, own_terms.element[t]);
          if (in_row)
            element = conjugate_if(g.conjugate_rows, of_rows.get((down.i - first) * row_pitch + down.p + t * lanes));
          sum = canonical::add_product(sum, element, own_terms.x[t]);
        }
      } else {
        sum = partial.get((c * outputs + down.i - first) * pitch + down.p);
      }
#pragma unroll
      for (int mask = lanes / 2; mask > 0; mask /= 2) sum = sum + ex.shuffle_xor(sum, mask);
      if (down.p == 0) sums.put(c * outputs + down.i - first, sum);
    }
    ex.sync();
    wait_to_write(ex, g);
    if (const int o = ex.thread(); o < outputs && first + o < n) {
      canonical::Tree<S, 4> tree;
#pragma unroll 1
      for (int c = 0; c < g.chunks; c += 8)
        tree.push(tree_of<S>(at_most(g.chunks - c, 8), [&](int k) { return sums.get((c + k) * outputs + o); }),
                  static_cast<std::uint32_t>(c / 8));
      write_canonical<E, F>(ex, g, {}, first + o, alpha, tree.sum(static_cast<std::uint32_t>((g.chunks + 7) / 8)));
    }
  }

 private:
  // The output and partial sum of a thread.
  struct Place {
    int i, p;
  };
  // The terms of a partial sum.
  struct Terms {
    A element[depth];
    X x[depth];
  };
  static ONEPASS_DEVICE bool has_own(int c0, int own, int slots) {
    bool has = false;
#pragma unroll
    for (int q = 0; q < at_once; ++q) has = has || c0 + q * slots == own;
    return has;
  }

  // The elements of chunk c that stand in row i, or in column i.
  template <class Ex>
  static ONEPASS_DEVICE void load(Ex ex, const SymvCanonicalArgs& g, bool in_row, const Place& place, int c,
                                  A (&element)[depth]) {
    const int n = static_cast<int>(g.rows), k0 = c * canonical::chunk + place.p, diagonal = place.i - k0;
    const std::int64_t step = in_row ? g.lda * lanes : lanes;
    const A* const at = static_cast<const A*>(g.a) + (in_row ? place.i + k0 * g.lda : k0 + place.i * g.lda);
    const int left = place.i < n ? n - k0 : 0;
    const int from = in_row != g.upper ? 0 : diagonal + (in_row ? 0 : 1);
    const int to = in_row == g.upper ? left : at_most(diagonal + (in_row ? 1 : 0), left);
#pragma unroll
    for (int t = 0; t < depth; ++t)
      element[t] = ex.load_once_predicated(t * lanes >= from && t * lanes < to, at + t * step);
  }
};

}  // namespace onepass::kernels
