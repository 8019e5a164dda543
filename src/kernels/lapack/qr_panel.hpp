// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// QR factorisation of a panel that stays on the chip, with one grid barrier a column; with it V and T of its
// reflectors.
//
// A block has whole rows. With x column j below the diagonal, v = (1, scale x), all that column j asks of other blocks
// is
//   w = sum of conj(x_i) a_i over the rows i > j, in every column, and row j of the panel:
//     |x|^2 = w_j, so beta, tau and scale;  y_c = conj(tau) (a_jc + conj(scale) w_c) of  A := A - v y  right of it;
//     (V^H v)_c = conj(a_jc + conj(scale) w_c) left of it, where the vectors before stand: a column of T.
// Column j:
//   1. By rows: v in the place of x, and column j + 1 updated, which is the x of the next column.
//   2. By rows and columns: the columns behind updated, and in the same pass the parts of the next w.
//      -- barrier --
// Columns are scaled by powers of two where squares of their elements might overflow or be lost, which asks for their
// largest elements and one more barrier; R is scaled back at the end.
#pragma once

#include "kernels/lapack/qr_panel_args.hpp"
#include "kernels/lapack/reductions/panel_block.hpp"
#include "kernels/lapack/scale.hpp"

namespace onepass::kernels {

template <class A, int nb>
struct QrPanel {
  using R = RealOf<A>;
  static constexpr int max_threads = qr_threads, min_blocks = 1;
  // Threads in step 2: `groups` of eight columns, and so many rows at once.
  static constexpr int width = 8, groups = nb / width, rows_at_once = qr_threads / groups;
  static constexpr int warps_of_group = rows_at_once / 32;
  // Where numbers of all blocks are summed up: thread t has number t % nb, of every `parts`th block.
  static constexpr int parts = qr_threads / nb, of_lane = nb / 32;
  static constexpr int at_sums = 0, at_t_sums = qr_threads, at_power = 2 * qr_threads, at_t = at_power + nb;

  // A number for each column, in each warp: lane l has those of columns l, l + 32 ...
  struct Columns {
    A value[of_lane];

    template <class Ex>
    ONEPASS_DEVICE A get(Ex ex, int c) const {
      A found = ex.shuffle_from(value[0], c & 31);
#pragma unroll
      for (int q = 1; q < of_lane; ++q) {
        const A other = ex.shuffle_from(value[q], c & 31);
        found = choose(c >= 32 * q, other, found);
      }
      return found;
    }
  };

  template <class Ex>
  struct Panel;
  template <class Ex, bool on_chip>
  struct Row {
    const Panel<Ex>& s;
    int r;

    // Shared memory has all columns of the kernel, with zeros behind those of the panel.
    ONEPASS_DEVICE bool has(int c) const { return on_chip || c < s.g.columns; }
    ONEPASS_DEVICE A get(int c) const {
      if constexpr (on_chip)
        return s.shared.get(s.at_rows + c * s.g.rows_on_chip + r);
      else
        return s.ex.load_fresh(s.a(r, c));
    }
    ONEPASS_DEVICE void put(int c, A value) const {
      if constexpr (on_chip)
        s.shared.put(s.at_rows + c * s.g.rows_on_chip + r, value);
      else
        s.ex.store_fresh(s.a(r, c), value);
    }
  };

  template <class Ex>
  struct Panel {
    Ex ex;
    const QrPanelArgs& g;
    typename Ex::template Shared<A> shared;
    int at_rows, t, lane, warp, block, blocks;
    int first_row, rows;     // of this block
    int group, row_of_pass;  // in step 2
    bool keeps_t;

    ONEPASS_DEVICE A* a(int r, int c) const { return static_cast<A*>(g.a) + first_row + r + c * g.lda; }
    // Row r of the block, in shared memory or in A: f(row) with row.get(column) and row.put(column, value).
    template <class F>
    ONEPASS_DEVICE void at(int r, F f) const {
      if (r < g.rows_on_chip)
        f(Row<Ex, true>{*this, r});
      else
        f(Row<Ex, false>{*this, r});
    }
    ONEPASS_DEVICE A* dots(int j) const { return static_cast<A*>(g.dots) + (j & 1) * blocks * nb; }
    ONEPASS_DEVICE A* row(int j) const { return static_cast<A*>(g.row) + (j & 1) * nb; }
    // f(row, r, k, c) for the rows and columns of a thread in step 2.
    template <class F>
    ONEPASS_DEVICE void each(F f) const {
      for (int r = row_of_pass; r < rows; r += rows_at_once)
        at(r, [&](const auto& row) {
#pragma unroll
          for (int k = 0; k < width; ++k)
            if (group * width + k < g.columns) f(row, r, k, group * width + k);
        });
    }
  };

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const QrPanelArgs& g) {
    const int t = ex.thread(), block = static_cast<int>(ex.block_x()), blocks = static_cast<int>(ex.grid_x());
    const std::int64_t begin = std::int64_t{block} * g.rows_of_block;
    const int first_row = begin < g.m ? static_cast<int>(begin) : g.m;
    const Panel<Ex> s{.ex = ex,
                      .g = g,
                      .shared = ex.template shared<A>(0),
                      .at_rows = qr_panel_elements(nb, g.t != nullptr),
                      .t = t,
                      .lane = t & 31,
                      .warp = t >> 5,
                      .block = block,
                      .blocks = blocks,
                      .first_row = first_row,
                      .rows = g.m - first_row < g.rows_of_block ? g.m - first_row : g.rows_of_block,
                      .group = t / rows_at_once,
                      .row_of_pass = t % rows_at_once,
                      .keeps_t = g.t != nullptr && block == blocks - 1};
    GridBarrier<Ex> grid{ex, g.barrier, g.timed_out};
    const auto meet = [&] {
      if (blocks > 1)
        grid.wait();
      else
        ex.sync();
    };
    load(s);
    meet();
    scale(s);
    const A none[width] = {};
    update(s, -1, none);
    for (int j = 0; j < g.columns; ++j) {
      meet();
      factor_column(s, j);
    }
    ex.sync();
    store(s);
  }

 private:
  // The rows of the block into shared memory, and the largest element of each column.
  template <class Ex>
  static ONEPASS_DEVICE void load(const Panel<Ex>& s) {
    const QrPanelArgs& g = s.g;
    R largest[width] = {};
    for (int r = s.row_of_pass; r < s.rows; r += rows_at_once) {
      A value[width];
#pragma unroll
      for (int k = 0; k < width; ++k) {
        const int c = s.group * width + k;
        value[k] = c < g.columns ? s.ex.load_fresh(s.a(r, c)) : A{};
      }
#pragma unroll
      for (int k = 0; k < width; ++k) {
        largest[k] = larger(largest[k], larger(absolute(real_part(value[k])), absolute(imaginary_part(value[k]))));
        if (r < g.rows_on_chip) Row<Ex, true>{s, r}.put(s.group * width + k, value[k]);
      }
    }
#pragma unroll
    for (int k = 0; k < width; ++k) {
      for (int mask = 16; mask > 0; mask /= 2) largest[k] = larger(largest[k], s.ex.shuffle_xor(largest[k], mask));
      if (s.lane == 0) s.shared.put(at_sums + s.warp * width + k, from_real<A>(largest[k]));
    }
    if (s.keeps_t)
      for (int i = s.t; i < nb * nb; i += qr_threads) s.shared.put(at_t + i, A{});
    s.ex.sync();
    if (s.t < nb) {
      R all = 0;
#pragma unroll
      for (int w = 0; w < warps_of_group; ++w)
        all = larger(all, real_part(s.shared.get(at_sums + (s.t / width * warps_of_group + w) * width + s.t % width)));
      s.ex.store_fresh(static_cast<R*>(g.largest) + s.block * nb + s.t, all);
    }
  }

  // f of number t % nb of blocks t / nb, t / nb + parts ...: on an H200 all of them are on their way at once.
  template <class Ex, class T, class F>
  static ONEPASS_DEVICE void each_block(const Panel<Ex>& s, const T* numbers, F f) {
    constexpr int batch = 17;
#pragma unroll 1
    for (int first = s.t / nb; first < s.blocks; first += batch * parts) {
      T number[batch];
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        const int b = first + q * parts;
        number[q] = s.ex.load_fresh_if(b < s.blocks, numbers + (b < s.blocks ? b : first) * nb + s.t % nb);
      }
#pragma unroll
      for (int q = 0; q < batch; ++q) f(number[q]);
    }
  }

  // By the powers of two of the columns, which each block finds.
  template <class Ex>
  static ONEPASS_DEVICE void scale(const Panel<Ex>& s) {
    R largest = 0;
    each_block(s, static_cast<const R*>(s.g.largest), [&](R number) { largest = larger(largest, number); });
    s.shared.put(at_sums + s.t, from_real<A>(largest));
    s.ex.sync();
    if (s.t < nb) {
      for (int p = 1; p < parts; ++p) largest = larger(largest, real_part(s.shared.get(at_sums + p * nb + s.t)));
      const R power = needs_scaling(largest) ? s.ex.power_of_two_near_reciprocal(largest) : R{1};
      s.shared.put(at_power + s.t, from_real<A>(power));
    }
    s.ex.sync();
    A power[width];
    bool scales = false;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      power[k] = s.shared.get(at_power + s.group * width + k);
      scales = scales || real_part(power[k]) != R{1};
    }
    if (scales) s.each([&](const auto& row, int, int k, int c) { row.put(c, power[k] * row.get(c)); });
    s.ex.sync();
  }

  // Column j, whose products all blocks have published.
  template <class Ex>
  static ONEPASS_DEVICE void factor_column(const Panel<Ex>& s, int j) {
    const QrPanelArgs& g = s.g;
    Columns top, w, y, products;  // top: row j
#pragma unroll
    for (int q = 0; q < of_lane; ++q)
      top.value[q] = s.lane + 32 * q < g.columns ? s.ex.load_fresh(s.row(j) + s.lane + 32 * q) : A{};
    A part{};
    each_block(s, static_cast<const A*>(s.dots(j)), [&](A number) { part = part + number; });
    s.shared.put(at_sums + s.t, part);
    s.ex.sync();
#pragma unroll
    for (int q = 0; q < of_lane; ++q) {
      A sum{};
#pragma unroll
      for (int p = 0; p < parts; ++p) sum = sum + s.shared.get(at_sums + p * nb + s.lane + 32 * q);
      w.value[q] = sum;
    }
    const Reflector<A> h = reflector_of_column(s.ex, top.get(s.ex, j), real_part(w.get(s.ex, j)));
#pragma unroll
    for (int q = 0; q < of_lane; ++q) {
      products.value[q] = multiply_add(top.value[q], conjugate(h.scale), w.value[q]);  // v^H a, of every column
      y.value[q] = conjugate(h.tau) * products.value[q];
    }
    if (s.block == 0 && s.t == 0) s.ex.store(static_cast<A*>(g.tau) + j, h.tau);
    const bool has_next = j + 1 < g.columns;
    const A next_y = y.get(s.ex, has_next ? j + 1 : j);
    A own_y[width];
#pragma unroll
    for (int k = 0; k < width; ++k) {
      const A of_column = y.get(s.ex, s.group * width + k);
      own_y[k] = choose(s.group * width + k > j + 1, of_column, A{});
    }

    // Step 1.
    for (int r = s.t; r < s.rows; r += qr_threads) {
      const int i = s.first_row + r;
      if (i < j) continue;
      s.at(r, [&](const auto& row) {
        const A v = i == j ? from_real<A>(R{1}) : row.get(j) * h.scale;
        row.put(j, i == j ? from_real<A>(h.beta) : v);
        if (has_next) row.put(j + 1, subtract_product(row.get(j + 1), v, next_y));
      });
    }
    if (s.keeps_t) add_to_t(s, j, products);
    s.ex.sync();
    if (s.keeps_t && s.t <= j) {
      // T(0:j, j) = -tau T(0:j, 0:j) (V^H v)
      A sum{};
#pragma unroll
      for (int p = 0; p < parts; ++p) sum = sum + s.shared.get(at_t_sums + p * nb + s.t);
      s.shared.put(at_t + j * nb + s.t, s.t == j ? h.tau : subtract_product(A{}, h.tau, sum));
    }
    if (has_next) update(s, j, own_y);
  }

  // Parts of T(0:j, 0:j) (V^H v); thread t has row t % nb and every `parts`th column.
  template <class Ex>
  static ONEPASS_DEVICE void add_to_t(const Panel<Ex>& s, int j, const Columns& products) {
    A sum{};
    for (int k = s.t / nb; k < j; k += parts)
      sum = multiply_add(sum, s.shared.get(at_t + k * nb + s.t % nb), conjugate(products.get(s.ex, k)));
    s.shared.put(at_t_sums + s.t, sum);
  }

  // Step 2: A := A - v y behind column j + 1, where y is not zero, and the products of that column, whose row is
  // published with them.
  template <class Ex>
  static ONEPASS_DEVICE void update(const Panel<Ex>& s, int j, const A (&y)[width]) {
    const int next = j + 1, first = s.group * width;
    // Of a thread's columns all are behind the next one, or some; if all are before it, T alone has a use for them.
    const bool all = j >= 0 && first > next, some = j >= 0 && first + width - 1 > next;
    const bool idle = s.g.t == nullptr && first + width <= next;
    A w[width] = {};
    for (int r = idle ? s.rows : s.row_of_pass; r < s.rows; r += rows_at_once) {
      const int i = s.first_row + r;
      s.at(r, [&](const auto& row) {
        const A x = i > next ? row.get(next) : A{};
        A value[width];
#pragma unroll
        for (int k = 0; k < width; ++k) value[k] = row.has(first + k) ? row.get(first + k) : A{};
        if (some && i >= j) {
          const A v = i == j ? from_real<A>(R{1}) : row.get(j);
#pragma unroll
          for (int k = 0; k < width; ++k) value[k] = subtract_product(value[k], v, y[k]);
          if (all) {
#pragma unroll
            for (int k = 0; k < width; ++k)
              if (row.has(first + k)) row.put(first + k, value[k]);
          } else {
#pragma unroll
            for (int k = 0; k < width; ++k)
              if (first + k > next && row.has(first + k)) row.put(first + k, value[k]);
          }
        }
#pragma unroll
        for (int k = 0; k < width; ++k) w[k] = multiply_add(w[k], conjugate(x), value[k]);
        if (i == next) {
#pragma unroll
          for (int k = 0; k < width; ++k)
            if (first + k < s.g.columns) s.ex.store_fresh(s.row(next) + first + k, value[k]);
        }
      });
    }
    const A total = transposed_sum<width>(s.ex, w);
    if (s.lane % 4 == 0) s.shared.put(at_sums + s.warp * width + s.lane / 4, total);
    s.ex.sync();
    if (s.t >= nb) return;
    A sum{};
#pragma unroll
    for (int p = 0; p < warps_of_group; ++p)
      sum = sum + s.shared.get(at_sums + (s.t / width * warps_of_group + p) * width + s.t % width);
    s.ex.store_fresh(s.dots(next) + s.block * nb + s.t, sum);
  }

  // R, scaled back, and the vectors into A; V and T.
  template <class Ex>
  static ONEPASS_DEVICE void store(const Panel<Ex>& s) {
    const QrPanelArgs& g = s.g;
    A* const v = static_cast<A*>(g.v);
    s.each([&](const auto& row, int r, int, int c) {
      const int i = s.first_row + r;
      A value = row.get(c);
      if (v != nullptr) s.ex.store(v + i + c * g.ldv, i < c ? A{} : i == c ? from_real<A>(R{1}) : value);
      if (i <= c) {
        const R power = real_part(s.shared.get(at_power + c));
        value = from_real<A>(s.ex.power_of_two_near_reciprocal(power)) * value;
      }
      if (r < g.rows_on_chip || i <= c) s.ex.store_fresh(s.a(r, c), value);
    });
    if (v != nullptr && s.block == 0)
      for (int e = s.t; e < g.zeros_above * g.columns; e += qr_threads)
        s.ex.store(v - g.zeros_above + e % g.zeros_above + e / g.zeros_above * g.ldv, A{});
    if (s.keeps_t)
      for (int e = s.t; e < nb * nb; e += qr_threads)
        if (e % nb < g.columns && e / nb < g.columns)
          s.ex.store(static_cast<A*>(g.t) + e % nb + e / nb * g.ldt, s.shared.get(at_t + e));
  }
};

}  // namespace onepass::kernels
