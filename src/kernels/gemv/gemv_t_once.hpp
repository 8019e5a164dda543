// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_t for short columns: the lanes of a group have all vectors of their columns in flight at once. Single products
// only (the plain form), incx = 1, no split.
//
// A launch so small is made of instructions and of latency. So all that does not depend on memory is computed before
// the grid-dependency wait: addresses, masks, one bit for each load. After it come the loads, all of them issued
// together and predicated on their bits, not branched around; then products, sums and stores.
#pragma once

#include "kernels/blocks/bundle.hpp"
#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/operand.hpp"

namespace onepass::kernels {

// Lanes of a group: at least V, and at least four.
// early: the loads of A come before the grid-dependency wait.
template <class E, Loads L, bool early>
struct GemvTOnce {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Factor = typename E::Factor;
  using Scalar = typename E::Scalar;
  static constexpr Form F = Form::plain;
  static constexpr int V = vector_length<A>, log2_v = log2_vector_length<A>;
  static constexpr int bundle = gemv_t_bundle;
  static constexpr int in_flight = gemv_t_in_flight(L);  // vectors of a column that a lane has at most
  static constexpr int max_threads = gemv_max_threads;
  static constexpr int min_blocks = 2;  // with 80 registers a thread, ptxas computes addresses again after the wait
  static constexpr int edges = 2;       // elements loaded one by one, of a lane at most; none where V = 1

  static constexpr int x_bit(int u, int v) { return u * V + v; }
  static constexpr int a_bit(int u, int q) { return in_flight * V + u * bundle + q; }
  static constexpr int edge_bit(int k) { return in_flight * (V + bundle) + k; }
  static_assert(edge_bit(edges - 1) < 32);

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvArgs& g) {
    const int lanes = 1 << g.log2_lanes;
    const int lane = ex.thread() & (lanes - 1), group = ex.thread() >> g.log2_lanes;
    const std::int64_t bundle0 = ex.block_x() << g.log2_groups;
    const Scalar alpha = alpha_of<Scalar, F>(ex, g);
    if (early && g.opens_first) ex.launch_dependents();
    const auto index = [&](int o) { return column_of_output(g, bundle0, o); };
    if (alpha == Scalar{}) {
      wait_for_previous_launch(ex);
      return scale_y<E, F>(ex, g, 0, bundle << g.log2_groups, index);
    }

    // Column 0's first vector and the last column's last one may stick out of the matrix, where memory need not exist.
    // Then the vector is left out, and its elements are loaded one by one.
    const Bundle columns(g, bundle0 + group);
    const Operands<E> operands = operands_of<E, F>(ex, g, 0);
    const std::int64_t step = g.lda << g.log2_step;
    const A* const column0 = operands.a + columns.first * g.lda;
    const A* const last_column = column0 + (columns.count - 1) * step;
    const int rows = static_cast<int>(g.rows), shift = offset_in_vector(column0);
    const int vectors = columns.count == 0 ? 0 : (rows + shift + V - 1) >> log2_v;
    const int last_row = ((vectors - 1) << log2_v) - shift;
    const Span<A> span(g, operands.a);
    const bool cut_head = V > 1 && vectors > 0 && span.cuts_head(column0 - shift);
    const bool cut_tail = V > 1 && vectors > 0 && span.cuts_tail(last_column + last_row);
    const bool one_vector = cut_head && vectors == 1 && columns.count == 1;

    // Vectors lane, lane + lanes, ... of each column of the bundle. Elements `from` to `to` - 1 of a vector belong to
    // the column; `mask` clears the others.
    const A* at[in_flight][bundle];
    const X* x_at[in_flight];
    exec::Vector16 mask[in_flight];
    int from[in_flight], to[in_flight];
    int flags = 0;  // a bit for each load that is wanted
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      const int vector = lane + u * lanes, row = (vector << log2_v) - shift;
      x_at[u] = operands.x + row;
      from[u] = row < 0 ? shift : 0;
      to[u] = at_most(rows - row, V);
      mask[u] = keep<A>({{~0u, ~0u, ~0u, ~0u}}, from[u], to[u]);
#pragma unroll
      for (int v = 0; v < V; ++v) flags |= v >= from[u] && v < to[u] ? 1 << x_bit(u, v) : 0;
#pragma unroll
      for (int q = 0; q < bundle; ++q) {
        at[u][q] = column0 + row + q * step;
        const bool wanted = q < columns.count && vector < vectors && !(q == 0 && vector == 0 && cut_head) &&
                            !(q == columns.count - 1 && vector == vectors - 1 && cut_tail);
        flags |= wanted ? 1 << a_bit(u, q) : 0;
      }
    }
    const A* edge_at[edges];
    const X* x_of_edge_at[edges];
#pragma unroll
    for (int k = 0; k < edges; ++k) {
      const int e = lane + k * lanes, r = e < V ? e - shift : last_row + e - V;
      const bool is_edge = r >= 0 && r < rows && e < 2 * V && (e < V ? cut_head : cut_tail && !one_vector);
      flags |= is_edge ? 1 << edge_bit(k) : 0;
      edge_at[k] = (e < V ? column0 : last_column) + r;
      x_of_edge_at[k] = operands.x + r;
    }
    const auto has = [&](int bit) { return (flags >> bit & 1) != 0; };
    if (prefetches(ex, g)) {
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        const bool wanted = lane % 2 == 0 && u < g.prefetch_vectors;  // two vectors share a sector
        ex.prefetch_if(wanted && group == 0 && has(x_bit(u, 0)), x_at[u]);
#pragma unroll
        for (int q = 0; q < bundle; ++q) ex.prefetch_if(wanted && has(a_bit(u, q)), at[u][q]);
      }
    }

    // Where this thread's sum goes. Sums over a group: within a warp by shuffles, among its warps through shared
    // memory, where the part of warp w for output o = q groups + group stands at w outputs + o.
    const bool in_warp = g.log2_lanes <= 5;
    const int log2_width = in_warp ? g.log2_lanes : 5, log2_warps = g.log2_lanes - log2_width;
    const int log2_outputs = g.log2_groups + gemv_t_log2_bundle;
    const int mine = column_of_lane(lane & ((1 << log2_width) - 1), log2_width);
    const std::int64_t output = in_warp                            ? (mine < 0 ? -1 : columns.column(g, mine))
                                : ex.thread() >> log2_outputs == 0 ? index(ex.thread())
                                                                   : -1;

    // Made here once: else ptxas computes the bits again behind the wait, each where it is used.
    flags = ex.materialize(flags);
    if constexpr (!early && V > 1)
      wait_for_previous_launch(ex, flags, at, x_at, edge_at, x_of_edge_at, output, mask);
    else if constexpr (!early)
      wait_for_previous_launch(ex, flags, at, x_at, output);
    exec::Vector16 vector[in_flight][bundle];
    A edge[edges] = {};
    X xs[in_flight][V], x_of_edge[edges] = {};
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
#pragma unroll
      for (int q = 0; q < bundle; ++q)
        vector[u][q] = ex.load_vector_or_garbage(has(a_bit(u, q)), at[u][q], from[u], to[u]);
    }
    if constexpr (early) {
      if (!g.settled_x) ex.grid_dependency_wait();  // see WaitForPreviousLaunch on this branch
      if (!g.opens_first) ex.launch_dependents();
    }
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
#pragma unroll
      for (int v = 0; v < V; ++v) xs[u][v] = ex.load_cached_predicated(has(x_bit(u, v)), x_at[u] + v);
    }
#pragma unroll
    for (int k = 0; k < edges; ++k) {
      if constexpr (V == 1) break;
      edge[k] = ex.load_once_predicated(has(edge_bit(k)), edge_at[k]);
      x_of_edge[k] = ex.load_cached_predicated(has(edge_bit(k)), x_of_edge_at[k]);
    }

    S sum[bundle] = {};
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      Factor x_r[V];
#pragma unroll
      for (int v = 0; v < V; ++v) x_r[v] = conjugate_if(g.conjugate, as<Factor>(xs[u][v]));
#pragma unroll
      for (int q = 0; q < bundle; ++q) {
#pragma unroll
        for (int w = 0; w < 4; ++w)
          if constexpr (V > 1) vector[u][q].word[w] &= mask[u].word[w];
        A element[V];
        unpack(vector[u][q], element);
        S more = sum[q];
#pragma unroll
        for (int v = 0; v < V; ++v) more = multiply_add(more, as<Factor>(element[v]), x_r[v]);
        sum[q] = has(a_bit(u, q)) ? more : sum[q];  // what was not loaded is garbage
      }
    }
    if constexpr (V > 1) {
      S last{};
#pragma unroll
      for (int k = 0; k < edges; ++k) {
        const S value = product_of<S>(as<Factor>(edge[k]), conjugate_if(g.conjugate, as<Factor>(x_of_edge[k])));
        const bool head = lane + k * lanes < V;
        sum[0] = sum[0] + (head ? value : S{});
        last = last + (head ? S{} : value);
      }
#pragma unroll
      for (int q = 0; q < bundle; ++q) sum[q] = sum[q] + (q == columns.count - 1 ? last : S{});
    }

    S total = sum_bundle<S>(ex, log2_width, sum);
    if (!in_warp) {
      const auto shared = ex.template shared<S>(0);
      if (mine >= 0) shared.put((lane >> log2_width << log2_outputs) + (mine << g.log2_groups) + group, total);
      ex.sync();
      if (output < 0) return;
      total = S{};
#pragma unroll 4
      for (int w = 0; w < 1 << log2_warps; ++w) total = total + shared.get((w << log2_outputs) + ex.thread());
    }
    if (early && g.settled_x) ex.grid_dependency_wait();
    if (output >= 0) write_y<E, F>(ex, g, operands.target, output, alpha, total);
  }
};

}  // namespace onepass::kernels
