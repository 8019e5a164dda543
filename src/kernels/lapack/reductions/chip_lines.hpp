// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Columns or rows of a matrix that stay on the chip while it is reduced: "lines".
//
//        lines, dealt to blocks               A block owns line block, block + blocks, ...; of each its threads hold
//        0   1   2   3   0   1   2            elements t, t + 256, ... in registers (the first `CT` lines) or in shared
//      +---+---+---+---+---+---+---           memory (the others). Lines are columns of A, or columns of A^H: rows.
//   t  | a | a | a | a | a | a | a
//      | . | . | . | . | . | . | .            One pass brings them up to date and multiplies them:
//  t+  | a | a | a | a | a | a | a              a_l -= f conj(f_l) + g conj(g_l)
//  256 | . | . | . | . | . | . | .              p_l = a_l^H x
//      +---+---+---+---+---+---+---
#pragma once

#include "kernels/lapack/reductions/chip_shared.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

template <class A, int RT, int CT, class Ex>
struct ChipLines {
  static constexpr int warps = chip_threads / 32, rows = chip_threads * RT;
  static constexpr int together = CT == 8 ? 8 : 4;  // lines that are multiplied at a time
  static_assert(CT % 2 == 0 && (CT <= together || CT % together <= 2));

  Ex ex;
  typename Ex::template Shared<A> shared;
  int block, blocks;
  int most;      // lines of a block
  int count;     // of this one
  int at_parts;  // in shared memory: partial products of each warp, an element of each line, then lines
  A a[RT][CT > 0 ? CT : 1];

  ONEPASS_DEVICE ChipLines(Ex e, const typename Ex::template Shared<A>& s, int n, int lines, int at)
      : ex(e),
        shared(s),
        block(static_cast<int>(e.block_x())),
        blocks(static_cast<int>(e.grid_x())),
        most(lines),
        count(n > block ? (n - block + blocks - 1) / blocks : 0),
        at_parts(at),
        a{} {}

  ONEPASS_DEVICE int line(int l) const { return block + l * blocks; }

  // `element(i, line)`: what element i of a line is at first.
  template <class Element>
  ONEPASS_DEVICE void load(Element element) {
    const int t = ex.thread();
    for (int l = CT; l < count; ++l)
      for (int r = 0; r < RT; ++r) shared.put(at(l, t + r * chip_threads), element(t + r * chip_threads, line(l)));
#pragma unroll
    for (int c = 0; c < CT; ++c)
#pragma unroll
      for (int r = 0; r < RT; ++r) a[r][c] = c < count ? element(t + r * chip_threads, line(c)) : A{};
  }

  // `take(value, i, line)` for each element of this thread.
  template <class Take>
  ONEPASS_DEVICE void for_each(Take take) const {
    const int t = ex.thread();
#pragma unroll
    for (int r = 0; r < RT; ++r) {
      const int i = t + r * chip_threads;
#pragma unroll
      for (int c = 0; c < CT; ++c)
        if (c < count) take(a[r][c], i, line(c));
      for (int l = CT; l < count; ++l) take(shared.get(at(l, i)), i, line(l));
    }
  }

  // The pass. f, g and x are vectors in shared memory, of `rows` elements, of which only those from `first` on are not
  // zero; `f_of(l)` and `g_of(l)` the conjugate numbers of line l. Remembers the updated element `pick` of each line.
  // What it leaves, product() and picked(), is there behind a barrier of the block.
  template <class F, class G>
  ONEPASS_DEVICE void multiply(int first, int pick, int f, int g, int x, F f_of, G g_of) {
    const int r0 = first / chip_threads;
    if constexpr (CT >= together) registers<0, together>(r0, pick, f, g, x, f_of, g_of);
    if constexpr (CT > together) registers<together, CT - together>(r0, pick, f, g, x, f_of, g_of);
    for (int l0 = CT; l0 < count; l0 += together) {
      Group<together> group(*this, l0, f_of, g_of);
      for (int r = r0; r < RT; ++r) {
        const int i = ex.thread() + r * chip_threads;
        const A fi = shared.get(f + i), gi = shared.get(g + i), xi = shared.get(x + i);
#pragma unroll
        for (int c = 0; c < together; ++c) {
          if (l0 + c < count) {
            const A value = group.updated(shared.get(at(l0 + c, i)), c, fi, gi, xi);
            shared.put(at(l0 + c, i), value);
            if (i == pick) shared.put(at_picked() + l0 + c, value);
          }
        }
      }
      finish(group.sum, l0);
    }
  }

  ONEPASS_DEVICE A product(int l) const {
    A total{};
#pragma unroll
    for (int w = 0; w < warps; ++w) total = total + shared.get(at_parts + w * most + l);
    return total;
  }
  ONEPASS_DEVICE A picked(int l) const { return shared.get(at_picked() + l); }

 private:
  ONEPASS_DEVICE int at_picked() const { return at_parts + warps * most; }
  ONEPASS_DEVICE int at(int l, int i) const { return at_parts + (warps + 1) * most + (l - CT) * rows + i; }

  // N lines from number l0 on.
  template <int N>
  struct Group {
    A sum[N], fl[N], gl[N];
    template <class F, class G>
    ONEPASS_DEVICE Group(const ChipLines& lines, int l0, F f_of, G g_of) {
#pragma unroll
      for (int c = 0; c < N; ++c) {
        const bool live = l0 + c < lines.count;
        sum[c] = A{};
        fl[c] = live ? f_of(l0 + c) : A{};
        gl[c] = live ? g_of(l0 + c) : A{};
      }
    }
    ONEPASS_DEVICE A updated(A value, int c, A fi, A gi, A xi) {
      value = subtract_product(subtract_product(value, fi, fl[c]), gi, gl[c]);
      sum[c] = multiply_add(sum[c], conjugate(value), xi);
      return value;
    }
  };

  template <int l0, int N, class F, class G>
  ONEPASS_DEVICE void registers(int r0, int pick, int f, int g, int x, F f_of, G g_of) {
    Group<N> group(*this, l0, f_of, g_of);
#pragma unroll
    for (int r = 0; r < RT; ++r) {
      if (r >= r0) {
        const int i = ex.thread() + r * chip_threads;
        const A fi = shared.get(f + i), gi = shared.get(g + i), xi = shared.get(x + i);
#pragma unroll
        for (int c = 0; c < N; ++c) {
          a[r][l0 + c] = group.updated(a[r][l0 + c], c, fi, gi, xi);
          if (i == pick) shared.put(at_picked() + l0 + c, a[r][l0 + c]);
        }
      }
    }
    finish(group.sum, l0);
  }

  template <int N>
  ONEPASS_DEVICE void finish(A (&sum)[N], int l0) {
    const A total = transposed_sum<N>(ex, sum);
    constexpr int width = 32 / N;
    const int lane = ex.thread() & 31, l = l0 + lane / width;  // the last of several groups may be short
    if (lane % width == 0 && l < count) shared.put(at_parts + (ex.thread() >> 5) * most + l, total);
  }
};

}  // namespace onepass::kernels
