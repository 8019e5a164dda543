// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_flat: a batch of tiny matrices without gaps between them, read as one flat array.
//
//   | A0     | A1     | A2     | A3     |      A block takes a run of whole matrices, or of whole columns where
//   +--------+--------+--------+--------+-     a column is an output. Its threads copy the run to shared memory
//   |vector|vector|vector|vector|vector| ..    in 16-byte vectors, wherever matrices begin and end, and compute
//                                              from there: `lanes` threads to an output, four outputs at a time.
//   shared memory -> sums of outputs
//
// A block for each matrix would cost more than its bytes do: an H200 starts about 800 blocks in a microsecond.
#pragma once

#include "kernels/blocks/bundle.hpp"
#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/operand.hpp"

namespace onepass::kernels {

template <class E>
struct GemvFlat {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  static constexpr int V = vector_length<A>, log2_v = log2_vector_length<A>;
  static constexpr int bundle = gemv_t_bundle;
  static constexpr int max_threads = gemv_max_threads;
  static constexpr int min_blocks = sizeof(S) < 16 ? 4 : 3;  // on an SM: 64 registers a thread, or 80

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvFlatArgs& f) {
    const GemvArgs& g = f.gemv;
    const int t = ex.thread(), threads = ex.threads();
    const Run run(f, ex.block_x() * g.tile);
    const S alpha = alpha_of<S, Form::general>(ex, g);
    if (alpha == S{}) {
      wait_for_previous_launch(ex);
#pragma unroll 1
      for (int o = t; o < run.count; o += threads) run.write(ex, f, o, S{}, S{});
      return;
    }

    // The vectors that hold the run. The first and last of the whole array may stick out of it: their elements are
    // loaded one by one.
    const A* const a = static_cast<const A*>(g.a);
    const A* const start = a + run.first_element;
    const int shift = offset_in_vector(start), end = shift + run.elements, vectors = (end + V - 1) >> log2_v;
    const A* const vector0 = start - shift;
    const bool cut_head = vector0<a, cut_tail = vector0 + (vectors << log2_v)> a + f.elements;
    const auto whole = [&](int w) { return w < vectors && !(cut_head && w == 0) && !(cut_tail && w == vectors - 1); };
    if (g.prefetch && (t & 1) == 0) {
#pragma unroll 1
      for (int w = t; w < vectors; w += threads) ex.prefetch_if(whole(w), vector0 + (w << log2_v));
    }
    wait_for_previous_launch(ex);

    exec::Vector16 vector[gemv_flat_vectors];
#pragma unroll
    for (int u = 0; u < gemv_flat_vectors; ++u) {
      const int w = t + u * threads, to = end - (w << log2_v);
      vector[u] = ex.load_vector_if(whole(w), vector0 + (w << log2_v), w == 0 ? shift : 0, to < V ? to : V);
    }
    const auto x = ex.template shared<S>(f.x_offset);
    const X* const x_all = static_cast<const X*>(g.x);
    const int xs = run.products * f.terms;
#pragma unroll 1
    for (int i = t; i < xs; i += threads) {
      const int b = divide(i, f.by_terms);
      const X* const from = x_all + (run.product + b) * g.stride_x + (i - b * f.terms) * g.incx;
      x.put(i, conjugate_if(g.conjugate, static_cast<S>(widen(ex.load_cached(from)))));
    }
    const auto elements = ex.template shared<A>(0);
    if constexpr (V > 1) {
      const int tail = ((vectors - 1) << log2_v) + t;
      if (cut_head && t < V && t >= shift && t < end) elements.put(t, ex.load_once_if(true, vector0 + t));
      if (cut_tail && t < V && tail >= shift && tail < end && !(cut_head && vectors == 1))
        elements.put(tail, ex.load_once_if(true, vector0 + tail));
    }
    const auto shared = ex.template shared<exec::Vector16>(0);
#pragma unroll
    for (int u = 0; u < gemv_flat_vectors; ++u)
      if (whole(t + u * threads)) shared.put(t + u * threads, vector[u]);
    ex.sync();

    const int lanes = 1 << g.log2_lanes, groups = threads >> g.log2_lanes;
    const int lane = t & (lanes - 1), group = t >> g.log2_lanes;
#pragma unroll 1
    for (int o = group; o - group < run.count; o += bundle * groups) {
      // sum[q] = sum over k of A[output o + q groups, term k] x[k]
      S sum[bundle] = {};
      int at[bundle], x_at[bundle];
#pragma unroll
      for (int q = 0; q < bundle; ++q) {
        const Place place = run.place(f, o + q * groups < run.count ? o + q * groups : 0);
        at[q] = shift + place.element + lane * f.step;
        x_at[q] = place.product * f.terms;
      }
#pragma unroll 2
      for (int k = lane; k < f.terms; k += lanes) {
#pragma unroll
        for (int q = 0; q < bundle; ++q) {
          sum[q] = settled(multiply_add(sum[q], static_cast<S>(widen(elements.get(at[q]))), x.get(x_at[q] + k)));
          at[q] += f.step << g.log2_lanes;
        }
      }
      const S total = sum_bundle<S>(ex, g.log2_lanes, sum);
      const int q = column_of_lane(lane, g.log2_lanes);
      if (g.log2_lanes >= gemv_t_log2_bundle) {
        if (q >= 0 && o + q * groups < run.count) run.write(ex, f, o + q * groups, alpha, total);
      } else if (lane == 0) {
#pragma unroll
        for (int i = 0; i < bundle; ++i)
          if (o + i * groups < run.count) run.write(ex, f, o + i * groups, alpha, sum[i]);
      }
    }
  }

 private:
  // value / d by the reciprocal of d, for the small numbers within a run.
  static ONEPASS_DEVICE int divide(int value, std::uint32_t reciprocal) {
    if (reciprocal == 0) return value;
    return static_cast<int>((static_cast<std::uint64_t>(static_cast<std::uint32_t>(value)) * reciprocal) >> 32);
  }

  struct Place {
    int product, element;  // both counted from the run's first
  };

  // Outputs first to first + count - 1 of all products, and the matrices and elements that belong to them.
  struct Run {
    std::int64_t product;  // of the first output, and its place in there
    int output;
    std::int64_t first_element;
    int count, products, elements;

    ONEPASS_DEVICE Run(const GemvFlatArgs& f, std::int64_t first) {
      const GemvArgs& g = f.gemv;
      count = at_most(f.outputs - first, g.tile);
      product = first / f.outputs_of_product;
      output = static_cast<int>(first - product * f.outputs_of_product);
      products = divide(output + count - 1, f.by_outputs) + 1;
      first_element = (f.along ? product : first) * f.unit;
      elements = (f.along ? products : count) * f.unit;
    }
    ONEPASS_DEVICE Place place(const GemvFlatArgs& f, int o) const {
      const int b = divide(output + o, f.by_outputs);
      return {b, f.along ? b * f.unit + (output + o - b * f.outputs_of_product) : o * f.unit};
    }
    template <class Ex>
    ONEPASS_DEVICE void write(Ex ex, const GemvFlatArgs& f, int o, S alpha, S sum) const {
      const int b = divide(output + o, f.by_outputs);
      write_y<E, Form::general>(ex, f.gemv, {.b = product + b}, output + o - b * f.outputs_of_product, alpha, sum);
    }
  };
};

}  // namespace onepass::kernels
