// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv: y[r] += A[r, c] x[c] and y[c] += A[r, c] x[r], each stored element read once and used for both.
//
//              columns of a unit, one per warp       a strip of rows; 32 lanes along the rows of a panel,
//              w0 w1 w2 w3 w0 w1 w2 w3 ...           each with one to four 16-byte words of a column, and
//             +--+--+--+--+--+--+--+--+--            several columns in flight. The sum of a row runs along the
//    lane 0   |  |  |  |  |  |  |  |  |  -> y[r]     columns of the block and stays in shared memory; the
//    lane 1   |  |  |  |  |  |  |  |  |              sum of a column is finished within a warp.
//     ...     |  |  |  |  |  |  |  |  |
//             +--+--+--+--+--+--+--+--+--            Strips, units and who adds what: blocks/strips.hpp.
//              v  v  v  v     y[c]
//
// A strip has several panels where the boxes for its column sums would not fit the workspace, or where one
// strip is to be the whole matrix of a batch: the columns of a step then go through all panels before they
// are summed over the lanes.
//
// Any alignment: the columns of a warp start at the same offset from a 16-byte boundary, because the number
// of warps is a multiple of the number of offsets. So a lane's words cover the same rows in all columns.
// Words that stick out of the matrix lie in its first and last column, which both touch the diagonal.
#pragma once

#include "kernels/blocks/columns.hpp"
#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/letters.hpp"
#include "kernels/blocks/operand.hpp"
#include "kernels/blocks/panel.hpp"
#include "kernels/blocks/strips.hpp"
#include "kernels/symv_args.hpp"

namespace onepass::kernels {

template <class T, Form F, Stance D>
struct Symv {
  using S = Sum<T>;
  using Panel = kernels::Panel<T>;
  static constexpr int V = vector_length<T>, log2_v = log2_vector_length<T>;
  static constexpr int words = symv_words(sizeof(T), D), places = symv_places(sizeof(T), D);
  using Ranks = kernels::Ranks<T, words>;
  static constexpr int log2_lanes = std::countr_zero(static_cast<unsigned>(symv_lanes));
  static constexpr int columns = symv_columns(sizeof(T), D);  // of a warp in a step
  static constexpr int stages = symv_stages(D);
  static constexpr int stride = Panel::stride;
  static constexpr int max_threads = symv_max_threads;
  static constexpr int min_blocks = D == Stance::few && sizeof(S) < 16 ? 3 : 2;  // on an SM: 80 registers or 128

  template <class X>
  static ONEPASS_DEVICE void run(X ex, const SymvArgs& g) {
    // Behind the pointers of the general form there may be what an earlier launch writes.
    if constexpr (F == Form::general) begin(ex);
    product(ex, g, F == Form::plain ? 0 : static_cast<int>(ex.block_z()));
  }

 private:
  // The operands of one product, and what a thread has of it.
  struct Product {
    const T *a, *x;
    int b;
    int n, lane, warp;
    int offset;  // of A from a 16-byte boundary, in elements

    // Rows of a panel start so far into the first word of a column.
    ONEPASS_DEVICE int shift(const SymvArgs& g, int w) const {
      return (offset + w * static_cast<int>(g.lda & (V - 1))) & (V - 1);
    }
    // Of the lane's first word, from the first row of a panel.
    ONEPASS_DEVICE int slot(const SymvArgs& g) const { return (lane << log2_v) - shift(g, warp); }
    ONEPASS_DEVICE S* boxes(const SymvArgs& g) const { return static_cast<S*>(g.boxes) + b * g.boxes_of_product; }
  };

  template <class X>
  static ONEPASS_DEVICE void product(X ex, const SymvArgs& g, int b) {
    Product p{.a = nullptr,
              .x = nullptr,
              .b = b,
              .n = static_cast<int>(g.rows),
              .lane = ex.thread() & (symv_lanes - 1),
              .warp = ex.thread() / symv_lanes,
              .offset = 0};
    if (alpha_of<S, F>(ex, g) == S{}) {
      if constexpr (F == Form::plain) begin(ex);
      const std::int64_t step = ex.grid_x() * ex.threads();
#pragma unroll 1
      for (std::int64_t i = ex.block_x() * ex.threads() + ex.thread(); i < p.n; i += step)
        write_y<T, F>(ex, g, b, i, S{}, S{});
      return;
    }
    p.a = matrix<T, F>(ex, g, b);
    p.x = vector_x<T, F>(ex, g, b);
    p.offset = offset_in_vector(p.a);

    const int block = static_cast<int>(ex.block_x());
    if (block >= g.splits) {
      if constexpr (F == Form::plain) begin(ex);
      return gather(ex, g, p, (block - g.splits) * symv_gathered);
    }
    int left = g.units - block * static_cast<int>(g.chunk), mine = at_most(g.chunk, left);
    Strip strip = Strip::at(g, left);
    if constexpr (F == Form::plain) {
      if (g.prefetch) prefetch(ex, g, p, strip, left - units_behind(g, strip.index) - 1, mine);
      begin(ex);
    }
    while (true) {
      // Units first, first - 1, ... of the strip.
      const int first = left - units_behind(g, strip.index) - 1, count = at_most(mine, first + 1);
      multiply(ex, g, p, strip, first, count);
      ex.sync();
      deliver_rows(ex, g, p, strip, segment(g, block, strip.index));
      left -= count;
      mine -= count;
      if (mine == 0) return;
      ex.sync();
      strip = Strip(g, strip.index - 1);
    }
  }

  // The sums of a lane's rows in a panel: from place (warp panels + panel) places on.
  template <class X>
  static ONEPASS_DEVICE auto sums(X ex) {
    return ex.template shared<S>(0);
  }
  static ONEPASS_DEVICE int place(const SymvArgs& g, int warp, int panel) { return (warp * g.panels + panel) * places; }
  // A block that has the whole matrix keeps the sums of its columns too, behind them.
  static ONEPASS_DEVICE bool alone(const SymvArgs& g) { return g.boxes_of_product == 0; }
  template <class X>
  static ONEPASS_DEVICE auto columns_of_block(X ex, const SymvArgs& g) {
    return ex.template shared<S>(place(g, 1 << g.log2_groups, 0) * static_cast<int>(sizeof(S)));
  }

  static constexpr int words_of_sums = V * static_cast<int>(sizeof(S)) / 16;
  template <class X>
  static ONEPASS_DEVICE void get_sums(X ex, int at, S (&sum)[words][V]) {
    const auto shared = ex.template shared<exec::Word16>(at * static_cast<int>(sizeof(S)));
#pragma unroll
    for (int j = 0; j < words; ++j)
#pragma unroll
      for (int w = 0; w < words_of_sums; ++w) {
        const exec::Word16 word = shared.get(j * symv_lanes * words_of_sums + w);
        std::memcpy(reinterpret_cast<char*>(sum[j]) + 16 * w, &word, 16);
      }
  }
  template <class X>
  static ONEPASS_DEVICE void put_sums(X ex, int at, const S (&sum)[words][V]) {
    const auto shared = ex.template shared<exec::Word16>(at * static_cast<int>(sizeof(S)));
#pragma unroll
    for (int j = 0; j < words; ++j)
#pragma unroll
      for (int w = 0; w < words_of_sums; ++w) {
        exec::Word16 word;
        std::memcpy(&word, reinterpret_cast<const char*>(sum[j]) + 16 * w, 16);
        shared.put(j * symv_lanes * words_of_sums + w, word);
      }
  }

  // A step of a warp: its columns of a few units, in one panel.
  struct Step {
    int left;    // units of the block from its first one on
    int column;  // of warp 0 in that unit
    int panel;
    bool crosses;  // the diagonal, in some warp

    ONEPASS_DEVICE int units() const { return at_most(left, columns); }
  };

  // Along the steps of a block in a strip, with addresses that grow.
  struct Walk {
    const Strip& strip;
    Step step;
    int between;        // columns of a warp
    std::int64_t lda;   // elements between them
    std::int64_t incx;  // likewise in x
    const T *a, *x;     // first row of the strip, and x, in the first column

    ONEPASS_DEVICE Walk(const SymvArgs& g, const Product& p, const Strip& s, int unit, int count)
        : strip(s),
          step{.left = count, .column = s.column(g, unit), .panel = 0, .crosses = false},
          between(g.upper ? 1 << g.log2_groups : -(1 << g.log2_groups)),
          lda(between * g.lda),
          incx(between * g.incx),
          a(p.a + ((step.column + p.warp) * g.lda + s.row0)),
          x(p.x + (step.column + p.warp) * g.incx) {
      seek(g);
    }
    ONEPASS_DEVICE void advance(const SymvArgs& g) {
      ++step.panel;
      seek(g);
    }

   private:
    // To the next panel that has something of the triangle in the columns of all warps, or to later columns.
    ONEPASS_DEVICE void seek(const SymvArgs& g) {
#pragma unroll 1
      while (step.left > 0) {
        const int other = step.column + (step.units() - 1) * between;
        const int low = g.upper ? step.column : other;
        const int high = (g.upper ? other : step.column) + (1 << g.log2_groups) - 1;
#pragma unroll 1
        for (; step.panel < g.panels; ++step.panel) {
          const int from = step.panel * g.panel_rows, to = at_most(from + g.panel_rows, strip.rows);
          step.crosses = g.upper ? low < strip.row0 + to : high >= strip.row0 + from;
          if (from < to && (g.upper ? high >= strip.row0 + from : low < strip.row0 + to)) return;
        }
        step.panel = 0;
        step.left -= columns;
        step.column += columns * between;
        a += columns * lda;
        x += columns * incx;
      }
    }
  };
  static ONEPASS_DEVICE Panel panel_of(const SymvArgs& g, const Product& p, const Strip& strip, int panel) {
    const int from = panel * g.panel_rows;
    return {.row0 = strip.row0 + from, .rows = at_most(strip.rows - from, g.panel_rows), .slot = p.slot(g)};
  }

  // Elements of x, of a lane's rows and of the columns of a step.
  using OfRows = T[words][V];
  using OfColumns = T[columns];
  // Few registers are left to a tall warp, and it seldom changes the panel.
  static constexpr bool rows_ahead = D != Stance::tall;

  // The words of a thread in each stage, behind the sums.
  template <class X>
  static ONEPASS_DEVICE auto words_of_steps(X ex, const SymvArgs& g) {
    const int sums = place(g, 1 << g.log2_groups, 0) + (alone(g) ? g.tile : 0);
    return ex.template shared<exec::Word16>(sums * static_cast<int>(sizeof(S)));
  }
  static ONEPASS_DEVICE int word_place(const SymvArgs& g, const Product& p, int stage, int u, int j) {
    return (((stage << g.log2_groups) + p.warp) * (columns * words) + u * words + j) * symv_lanes + p.lane;
  }

  // Units first, first - 1, ... of a strip: sums of rows into shared memory, sums of columns into their boxes.
  template <class X>
  static ONEPASS_DEVICE void multiply(X ex, const SymvArgs& g, const Product& p, const Strip& strip, int first,
                                      int count) {
    const int lane_place = p.lane << log2_v;
    if (g.panels > 1) {
#pragma unroll 1
      for (int m = 0; m < g.panels; ++m) put_sums(ex, place(g, p.warp, m) + lane_place, {});
    }
    // While one step is used, the next one is on its way. The sums of one panel are in registers.
    Walk next(g, p, strip, first, count);
    Step step{.left = 0, .column = 0, .panel = -1, .crosses = false};
    OfRows x_r = {}, next_x_r = {};
    OfColumns x_c = {}, next_x_c = {};
    S sum[words][V] = {}, t[columns] = {};
    int stage = 0, held = 0;
#pragma unroll 1
    while (true) {
      const bool other_rows = next.step.left > 0 && next.step.panel != step.panel;
      if (next.step.left > 0) {
        fetch(ex, g, p, next, stage, next_x_c);
        if (rows_ahead && other_rows) read_rows(ex, g, p, strip, next.step.panel, next_x_r);
      }
      ex.commit_copies();
      const auto take_next = [&] {
        if (other_rows) {
          if constexpr (rows_ahead) {
            std::memcpy(static_cast<void*>(x_r), next_x_r, sizeof(x_r));
          } else {
            read_rows(ex, g, p, strip, next.step.panel, x_r);
          }
        }
        std::memcpy(static_cast<void*>(x_c), next_x_c, sizeof(x_c));
        step = next.step;
        next.advance(g);
      };
      if constexpr (stages == 1) {
        take_next();
      } else {
        stage ^= 1;
      }
      ex.template wait_for_copies<stages - 1>();
      if (step.left > 0) {
        const Panel panel = panel_of(g, p, strip, step.panel);
        const Columns cols(g, p.warp, step.column, step.units());
        const int at = place(g, p.warp, step.panel) + lane_place;
        if (step.panel != held) {
          put_sums(ex, place(g, p.warp, held) + lane_place, sum);
          get_sums(ex, at, sum);
          held = step.panel;
        }
        if (step.crosses) {
          use_crossing(ex, g, p, panel, cols, x_r, x_c, stage, at, sum, t);
        } else {
          use(ex, g, p, panel, x_r, x_c, stage, sum, t);
        }
        if (next.step.left <= 0 || next.step.column != step.column) {
          hand_on_columns(ex, g, p, strip, cols, t);
#pragma unroll
          for (int u = 0; u < columns; ++u) t[u] = S{};
        }
      }
      if (next.step.left <= 0) break;
      if constexpr (stages > 1) take_next();
    }
    put_sums(ex, place(g, p.warp, held) + lane_place, sum);
  }

  // Starts a step: its words on their way to shared memory, and x of its columns to registers.
  template <class X>
  static ONEPASS_DEVICE void fetch(X ex, const SymvArgs& g, const Product& p, const Walk& walk, int stage,
                                   OfColumns& x_c) {
    const Step& step = walk.step;
    const Columns cols(g, p.warp, step.column, step.units());
    const Panel panel = panel_of(g, p, walk.strip, step.panel);
    if (step.crosses) {
      const Ranks ranks(g, panel);
      copy(ex, g, p, walk, cols, stage, [&](int c, int j) {
        const bool wanted = ranks.wanted(c, j) & !ranks.sticks_out(c, j);
        return Wanted{wanted, ranks.from(c, j), ranks.to(c, j)};
      });
    } else {
      copy(ex, g, p, walk, cols, stage, [&](int, int j) {
        return Wanted{panel.to(j) > 0, panel.from(j), panel.to(j)};
      });
    }
    const T* x = walk.x;
#pragma unroll
    for (int u = 0; u < columns; ++u) {
      x_c[u] = ex.read_cached_if(cols.have(u), x);
      x += walk.incx;
    }
  }

  // Of a word, whether it is copied, and which elements are meant.
  struct Wanted {
    bool word;
    int from, to;
  };
  template <class X, class Choice>
  static ONEPASS_DEVICE void copy(X ex, const SymvArgs& g, const Product& p, const Walk& walk, const Columns& cols,
                                  int stage, Choice choice) {
    const auto to = words_of_steps(ex, g);
    const T* next = walk.a + (walk.step.panel * g.panel_rows + p.slot(g));
#pragma unroll
    for (int u = 0; u < columns; ++u) {
#pragma unroll
      for (int j = 0; j < words; ++j) {
        const Wanted wanted = choice(cols.at(u), j);
        ex.copy_word_if(cols.have(u) & wanted.word, to, word_place(g, p, stage, u, j), next + j * stride, wanted.from,
                        wanted.to);
      }
      next += walk.lda;
    }
  }

  // x of a lane's rows, zero where it has none.
  template <class X>
  static ONEPASS_DEVICE void read_rows(X ex, const SymvArgs& g, const Product& p, const Strip& strip, int index,
                                       OfRows& x_r) {
    const Panel panel = panel_of(g, p, strip, index);
    const T* x = p.x + (panel.row0 + panel.slot) * g.incx;
#pragma unroll
    for (int j = 0; j < words; ++j)
#pragma unroll
      for (int v = 0; v < V; ++v)
        x_r[j][v] = ex.read_cached_if(v >= panel.from(j) && v < panel.to(j), x + (j * stride + v) * g.incx);
  }

  static ONEPASS_DEVICE S x_of_row(const SymvArgs& g, T x) {
    return conjugate_if(g.conjugate != g.hermitian, static_cast<S>(widen(x)));
  }
  static ONEPASS_DEVICE S x_of_column(const SymvArgs& g, T x) {
    return conjugate_if(g.conjugate, static_cast<S>(widen(x)));
  }

  // sum[r] += A[r, c] x[c] and t[c] += A[r, c] x[r] over the rows of a panel.
  // The sums of a Hermitian matrix's columns are those of conj(A[r, c]) x[r], conjugated.
  template <class X>
  static ONEPASS_DEVICE void use(X ex, const SymvArgs& g, const Product& p, const Panel& panel, const OfRows& x_r,
                                 const OfColumns& x_c, int stage, S (&sum)[words][V], S (&t)[columns]) {
    const auto from = words_of_steps(ex, g);
    exec::Word16 word[columns][words];
#pragma unroll
    for (int u = 0; u < columns; ++u)
#pragma unroll
      for (int j = 0; j < words; ++j) word[u][j] = from.get(word_place(g, p, stage, u, j));
    // What a word holds of other rows must not reach the sum of its column.
    if (V > 1 && (panel.slot < 0 || panel.to(words - 1) < V)) {
#pragma unroll
      for (int u = 0; u < columns; ++u)
#pragma unroll
        for (int j = 0; j < words; ++j) word[u][j] = keep<T>(word[u][j], panel.from(j), panel.to(j));
    }
#pragma unroll
    for (int j = 0; j < words; ++j)
#pragma unroll
      for (int u = 0; u < columns; ++u) {
        const S x = x_of_column(g, x_c[u]);
        T element[V];
        unpack(word[u][j], element);
#pragma unroll
        for (int v = 0; v < V; ++v) {
          const S a = static_cast<S>(widen(element[v]));
          sum[j][v] = multiply_add(sum[j][v], a, x);
          t[u] = multiply_add(t[u], a, x_of_row(g, x_r[j][v]));
        }
      }
  }

  // Likewise where the columns cross the diagonal.
  template <class X>
  static ONEPASS_DEVICE void use_crossing(X ex, const SymvArgs& g, const Product& p, const Panel& panel,
                                          const Columns& cols, const OfRows& x_r, const OfColumns& x_c, int stage,
                                          int at, S (&sum)[words][V], S (&t)[columns]) {
    const auto from = words_of_steps(ex, g);
    const Ranks ranks(g, panel);
    unsigned cut = 0;  // a bit for each word that sticks out of the matrix
#pragma unroll
    for (int j = 0; j < words; ++j) {
#pragma unroll
      for (int u = 0; u < columns; ++u) {
        const int c = cols.at(u);
        const bool out = ranks.sticks_out(c, j);
        const int level = cols.have(u) & !out ? ranks.level(c, j) : Ranks::none;
        cut |= static_cast<unsigned>(out & cols.have(u)) << (u * words + j);
        const S x = x_of_column(g, x_c[u]);
        T element[V];
        unpack(from.get(word_place(g, p, stage, u, j)), element);
#pragma unroll
        for (int v = 0; v < V; ++v) {
          S a = static_cast<S>(widen(element[v]));
          if constexpr (is_complex<S>) a.im = g.hermitian && ranks.rank[j][v] == level ? 0 : a.im;
          // What was not read is zero, but zero times infinity is not.
          sum[j][v] = choose(ranks.rank[j][v] >= level, multiply_add(sum[j][v], a, x), sum[j][v]);
          t[u] = choose(ranks.rank[j][v] > level, multiply_add(t[u], a, x_of_row(g, x_r[j][v])), t[u]);
        }
      }
    }
    if (V > 1 && cut != 0) {
      put_sums(ex, at, sum);
      add_cut_words(ex, g, p, panel, ranks, cols, at, cut, t);
      get_sums(ex, at, sum);
    }
  }

  // The words that stick out of the matrix, element by element.
  template <class X>
  static ONEPASS_DEVICE void add_cut_words(X ex, const SymvArgs& g, const Product& p, const Panel& panel,
                                           const Ranks& ranks, const Columns& cols, int at, unsigned cut,
                                           S (&t)[columns]) {
#pragma unroll 1
    for (int i = 0; i < columns * words; ++i) {
      if ((cut >> i & 1u) == 0) continue;
      const int u = i / words, j = i % words, c = cols.at(u);
      const S x_c = x_of_column(g, ex.read_cached(p.x + c * g.incx));
      S of_column{};
#pragma unroll 1
      for (int v = 0; v < V; ++v) {
        const int r = ranks.row(j) + v, sum = at + j * stride + v;
        if (v < panel.from(j) || v >= panel.to(j) || (g.upper ? r > c : r < c)) continue;
        S a = static_cast<S>(widen(ex.read_once_if(true, p.a + (r + c * g.lda))));
        if constexpr (is_complex<S>) a.im = g.hermitian && r == c ? 0 : a.im;
        const S x_r = x_of_row(g, ex.read_cached(p.x + r * g.incx));
        sums(ex).put(sum, multiply_add(sums(ex).get(sum), a, x_c));
        if (r != c) of_column = multiply_add(of_column, a, x_r);
      }
#pragma unroll
      for (int k = 0; k < columns; ++k) t[k] = t[k] + (k == u ? of_column : S{});
    }
  }

  // The sums of columns over the rows of a strip, into their boxes or those of the block.
  template <class X>
  static ONEPASS_DEVICE void hand_on_columns(X ex, const SymvArgs& g, const Product& p, const Strip& strip,
                                             const Columns& cols, S (&t)[columns]) {
    const S sum = conjugate_if(g.hermitian, sum_columns<S, columns>(ex, p.lane, t));
    const int u = column_of<columns>(p.lane);
    if (!hands_on<columns>(p.lane) || !cols.have(u)) return;
    if (alone(g)) {
      columns_of_block(ex, g).put(cols.at(u), sum);
    } else {
      ex.send(p.boxes(g) + column_box(g, strip.index, cols.at(u)), sum);
    }
  }

  // The sums of a strip's rows over the warps, into the boxes of this segment of the list, or to y.
  template <class X>
  static ONEPASS_DEVICE void deliver_rows(X ex, const SymvArgs& g, const Product& p, const Strip& strip, int segment) {
    int m = 0, r = ex.thread();
#pragma unroll 1
    for (int row = ex.thread(); row < strip.rows; row += ex.threads(), r += ex.threads()) {
      for (; r >= g.panel_rows; r -= g.panel_rows) ++m;
      S total{};
#pragma unroll 4
      for (int w = 0; w < 1 << g.log2_groups; ++w) total = total + sums(ex).get(place(g, w, m) + r + p.shift(g, w));
      if (alone(g)) {
        total = total + columns_of_block(ex, g).get(row);
        write_y<T, F>(ex, g, p.b, row, alpha_of<S, F>(ex, g), total);
      } else {
        ex.send(p.boxes(g) + row_box(g, segment, row), total);
      }
    }
  }

  // From letters to y, for outputs `first` and following, a lane each. The warps share the letters of an output;
  // the order in which they are added depends on the shape alone.
  template <class X>
  static ONEPASS_DEVICE void gather(X ex, const SymvArgs& g, const Product& p, int first) {
    const int i = first + p.lane;
    S total{};
    if (i < p.n) {
      const int from_top = i / g.tile;
      const Strip strip(g, g.upper ? g.strips - 1 - from_top : from_top);
      const int last = g.units - units_behind(g, strip.index) - 1, chunk = static_cast<int>(g.chunk);
      const int first_block = (last + 1 - strip.units) / chunk, blocks = last / chunk - first_block + 1;
      const int of_columns = g.strips - strip.index, from = segment(g, first_block, strip.index);
      total = add_letters(ex, p.boxes(g), p.warp, of_columns + blocks, 1 << g.log2_groups, [&](int k) {
        return k < of_columns ? column_box(g, strip.index + k, i) : row_box(g, from + k - of_columns, i - strip.row0);
      });
    }
    total = sum_teams(ex, ex.template shared<S>(0), log2_lanes, total);
    if (p.warp == 0 && i < p.n) write_y<T, F>(ex, g, p.b, i, alpha_of<S, F>(ex, g), total);
  }

  // The first words of the block, and what it needs of x if its elements follow each other.
  template <class X>
  static ONEPASS_DEVICE void prefetch(X ex, const SymvArgs& g, const Product& p, const Strip& strip, int unit,
                                      int count) {
    count = at_most(count, unit + 1);
    const Columns cols(g, p.warp, strip.column(g, unit), at_most(count, symv_prefetched / words));
    const Panel panel = panel_of(g, p, strip, 0);
    const Ranks ranks(g, panel);
    const T* next = p.a + (cols.at(cols.begin) * g.lda + ranks.first_row);
#pragma unroll 1
    for (int u = cols.begin; u < cols.end; ++u) {
      const int c = cols.at(u);
#pragma unroll
      for (int j = 0; j < words; ++j) {
        const bool wanted = (p.lane & 1) == 0 && ranks.wanted(c, j);
        ex.prefetch_if(wanted && !ranks.sticks_out(c, j), next + j * stride);
      }
      next += cols.step * g.lda;
    }
    constexpr int sector = 32 / static_cast<int>(sizeof(T));
    const int one = strip.column(g, unit), other = strip.column(g, unit - count + 1);
    const int low = g.upper ? one : other, high = (g.upper ? other : one) + (1 << g.log2_groups);
    const int c = low + ex.thread() * sector, r = ex.thread() * sector;
    ex.prefetch_if(g.incx == 1 && c < high && c < p.n, p.x + c);
    ex.prefetch_if(g.incx == 1 && r < panel.rows, p.x + (panel.row0 + r));
  }
};

}  // namespace onepass::kernels
