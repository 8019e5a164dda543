// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of GEMV by their names, their arguments and grids.
#pragma once

#include <bit>
#include <type_traits>

#include "kernels/gemv/gemv_flat.hpp"
#include "kernels/gemv/gemv_joined.hpp"
#include "kernels/gemv/gemv_n.hpp"
#include "kernels/gemv/gemv_n_canonical.hpp"
#include "kernels/gemv/gemv_n_small.hpp"
#include "kernels/gemv/gemv_t.hpp"
#include "kernels/gemv/gemv_t_canonical.hpp"
#include "kernels/gemv/gemv_t_once.hpp"
#include "kernels/gemv/gemv_t_short.hpp"
#include "kernels/gemv/gemv_t_small.hpp"
#include "kernels/gemv/gemv_t_tensor.hpp"
#include "launch/joined.hpp"
#include "launch/launch.hpp"
#include "launch/reach.hpp"
#include "plan/gemv_shape.hpp"

namespace onepass {

// Whether a launch loads what it would prefetch right behind that: A and x are settled, or nothing runs ahead of it. On
// an H200 a prefetch costs 1 to 5 % from 64 MB on where they are settled, and 14 % of small kernels. Behind another
// kernel it costs gemv_n 4 %, gemv_t up to 7 % and gemv_t_small up to a tenth; gemv_n_small 5 % of more than 400
// columns, and gains 3 % of fewer, all of which are prefetched before the first address of a load is known.
inline bool loads_at_once(const Plan& plan, const Operands& o) {
  const Variant v = plan.kernel.variant;
  const bool small = v == Variant::gemv_n_small || v == Variant::gemv_t_small;
  if (o.settled_a && o.settled_x)
    return v == Variant::gemv_n || v == Variant::gemv_t || v == Variant::gemv_t_once || small;
  return o.starts_alone && (v == Variant::gemv_n || v == Variant::gemv_t ||
                            (small && (stored(plan.problem).transposed || stored(plan.problem).cols > 400)));
}

// Of any plan but of gemv_flat.
inline kernels::GemvArgs gemv_args(const Plan& plan, const Operands& o, Workspace workspace) {
  const GemvParams& g = params<GemvParams>(plan);
  kernels::GemvArgs args = product_args(plan.problem, o);
  args.chunk = g.chunk;
  args.log2_lanes = std::countr_zero(static_cast<unsigned>(g.lanes));
  args.log2_groups = std::countr_zero(static_cast<unsigned>(plan.threads / g.lanes));
  args.tile = static_cast<int>(g.tile);
  if (sums_along_columns(plan.kernel.variant))
    args.log2_step = std::countr_zero(static_cast<unsigned>(step_of_columns(plan)));
  if (blocks_of_cluster(plan) > 1)
    args.log2_cluster = std::countr_zero(static_cast<unsigned>(g.splits));
  else
    args.splits = static_cast<int>(g.splits);
  if (const int grouped = log2_grouped(plan); args.splits > 1 && grouped > 0) args.log2_grouped = grouped;
  args.prefetch_vectors = g.prefetch_vectors;
  args.prefetch_blocks = loads_at_once(plan, o) ? 0 : static_cast<int>(g.prefetch_blocks);
  args.mailboxes = args.splits > 1 ? workspace.data : nullptr;
  args.timed_out = workspace.timed_out;
  args.products_per_block = g.products_per_block;
  return args;
}

// Of a plan of gemv_flat.
inline kernels::GemvFlatArgs gemv_flat_args(const Plan& plan, const Operands& o) {
  const Problem& p = plan.problem;
  const FlatParams& shape = params<FlatParams>(plan);
  const Stored s = stored(p);
  const Flat f = flat(p);
  kernels::GemvArgs gemv = product_args(p, o);
  gemv.log2_lanes = std::countr_zero(static_cast<unsigned>(shape.lanes));
  gemv.log2_groups = std::countr_zero(static_cast<unsigned>(plan.threads / shape.lanes));
  gemv.tile = static_cast<int>(shape.outputs);
  gemv.prefetch = shape.prefetch;
  return {
      .gemv = gemv,
      .outputs = f.outputs_of_product * p.batch,
      .elements = s.rows * s.cols * p.batch,
      .outputs_of_product = static_cast<int>(f.outputs_of_product),
      .unit = static_cast<int>(f.unit),
      .terms = static_cast<int>(f.terms),
      .step = f.along ? static_cast<int>(s.rows) : 1,
      .x_offset = static_cast<int>(flat_x_offset(p, shape.outputs)),
      .by_outputs = reciprocal(f.outputs_of_product),
      .by_terms = reciprocal(f.terms),
      .along = f.along,
  };
}

inline Grid gemv_grid(const Plan& plan) {
  if (plan.kernel.variant == Variant::gemv_flat) return {.x = params<FlatParams>(plan).blocks};
  const GemvParams& g = params<GemvParams>(plan);
  if (blocks_of_cluster(plan) > 1) return {.x = g.tiles * g.splits};
  return {.x = g.tiles, .y = g.splits, .z = ceil_div(plan.problem.batch, g.products_per_block)};
}

// Several products: all their blocks, the shared memory of a block, and what they are told.
struct GemvJoinedLaunch {
  std::int64_t blocks = 0;
  std::size_t shared_bytes = 0;
  kernels::GemvJoinedArgs args = {};
};
inline GemvJoinedLaunch gemv_joined_launch(const JoinedProducts& products) {
  GemvJoinedLaunch launch;
  for (std::size_t i = 0; i < products.all().size(); ++i) {
    const Plan plan = products.part(i);
    const kernels::GemvArgs part = gemv_args(plan, products.operands(i), {});
    if (i == 0)
      launch.args.gemv = part;
    else
      launch.args.next[i - 1] = {.a = part.a,
                                 .y = part.y,
                                 .cols = part.cols,
                                 .log2_lanes = part.log2_lanes,
                                 .log2_groups = part.log2_groups,
                                 .log2_step = part.log2_step,
                                 .first_block = static_cast<int>(launch.blocks)};
    launch.blocks += params<GemvParams>(plan).tiles;
    launch.shared_bytes = std::max(launch.shared_bytes, plan.shared_bytes);
  }
  return launch;
}

template <>
struct LaunchOf<Family::gemv> {
  // clustered: the blocks of a cluster share a sum. aligned: see GemvTTensor; of gemv_n_small, rows are packed.
  template <class E, KernelId id, bool early, bool clustered = false, bool aligned = false>
  static constexpr auto kernel() {
    if constexpr (id.variant == Variant::gemv_n)
      return std::type_identity<kernels::GemvN<E, id.form, id.loads, early>>{};
    if constexpr (id.variant == Variant::gemv_t)
      return std::type_identity<kernels::GemvT<E, id.form, id.loads, early>>{};
    if constexpr (id.variant == Variant::gemv_t_once)
      return std::type_identity<kernels::GemvTOnce<E, id.loads, early>>{};
    if constexpr (id.variant == Variant::gemv_t_short)
      return std::type_identity<kernels::GemvTShort<E, id.loads, early>>{};
    if constexpr (id.variant == Variant::gemv_t_tensor)
      return std::type_identity<
          kernels::GemvTTensor<E, kernels::gemv_t_tensor_columns(id.loads), kernels::gemv_t_tensor_in_flight(id.loads),
                               aligned, early, clustered>>{};
    if constexpr (id.variant == Variant::gemv_n_small)
      return small_n < E, id.loads, aligned ? kernels::gemv_n_small_packed_rows : 1, early, clustered > ();
    if constexpr (id.variant == Variant::gemv_t_small) return small_t<E, id.loads, early, clustered>();
    if constexpr (id.variant == Variant::gemv_flat) return std::type_identity<kernels::GemvFlat<E>>{};
    if constexpr (id.variant == Variant::gemv_n_canonical || id.variant == Variant::gemv_n_small_canonical)
      return std::type_identity<
          kernels::GemvNCanonical<E, id.form, id.loads, id.variant == Variant::gemv_n_canonical>>{};
    if constexpr (id.variant == Variant::gemv_t_canonical || id.variant == Variant::gemv_t_small_canonical)
      return std::type_identity<
          kernels::GemvTCanonical<E, id.form, id.loads, id.variant == Variant::gemv_t_small_canonical>>{};
  }
  template <class E, Loads loads, int rows, bool early, bool clustered>
  static constexpr auto small_n() {
    constexpr int in_flight = kernels::gemv_n_small_in_flight(loads, sizeof(typename E::A), rows);
    return std::type_identity<kernels::GemvNSmall<E, in_flight, rows, early, clustered>>{};
  }
  template <class E, Loads loads, bool early, bool clustered>
  static constexpr auto small_t() {
    constexpr bool deep = kernels::gemv_t_small_is_deep(sizeof(typename E::A), sizeof(typename E::Sum));
    return std::type_identity<
        kernels::GemvTSmall<E, kernels::gemv_t_small_in_flight(loads, deep, sizeof(typename E::A)),
                            kernels::gemv_t_small_log2_columns(loads, deep), early, clustered>>{};
  }
  template <class E, KernelId id>
  using Kernel = typename decltype(kernel<E, id, false>())::type;
  template <class E, KernelId id>
  using Early = typename decltype(kernel<E, id, find_kernel(id)->overlap == Overlap::reads>())::type;
  template <class E, KernelId id, bool early>
  requires(may_be_clustered(id, id_of<E>)) using Clustered = typename decltype(kernel<E, id, early, true>())::type;
  template <class E, KernelId id>
  static constexpr bool packs = id.variant == Variant::gemv_n_small && sizeof(typename E::A) == 2;
  template <class E, KernelId id, bool early>
  requires(packs<E, id> ||
           id.variant ==
               Variant::gemv_t_tensor) using Aligned = typename decltype(kernel<E, id, early, false, true>())::type;
  template <KernelId id>
  using Args = std::conditional_t<id.variant == Variant::gemv_flat, kernels::GemvFlatArgs, kernels::GemvArgs>;

  // Which kernels can have several products.
  template <class E, KernelId id>
  static constexpr bool joins =
      sizeof(typename E::A) == 2 && std::is_same_v<typename E::Sum, typename E::Scalar>&& id.form == Form::plain &&
      (id.variant == Variant::gemv_t || id.variant == Variant::gemv_t_once || id.variant == Variant::gemv_t_tensor);
  template <class E, KernelId id>
  static constexpr auto joined_kernel() {
    if constexpr (id.variant == Variant::gemv_t_tensor)
      return std::type_identity<Aligned<E, id, false>>{};
    else
      return std::type_identity<Kernel<E, id>>{};
  }
  template <class E, KernelId id>
  using Joined = kernels::GemvJoined<typename decltype(joined_kernel<E, id>())::type>;

  template <class E, class Launcher>
  static Status run_joined(const Launcher& launcher, const JoinedProducts& products) {
    const GemvJoinedLaunch launch = gemv_joined_launch(products);
    const Plan part = products.part(0);
    Status status{ONEPASS_STATUS_INVALID_PLAN, "no kernel can have these products"};
    for_each_kernel<Family::gemv, id_of<E>>([&]<KernelId id>() {
      if constexpr (joins<E, id>)
        if (part.kernel == id)
          status = launcher.template run<Joined<E, id>>({.x = launch.blocks}, part.threads, launch.shared_bytes,
                                                        launch.args);
    });
    return status;
  }

  template <class E, KernelId id, class Launcher>
  static Status run(const Launcher& launcher, const Plan& plan, const Operands& operands, Workspace workspace) {
    const auto launch = [&](const Args<id>& args) {
      const auto run = [&]<class K>(std::type_identity<K>) {
        return launcher.template run<K>(gemv_grid(plan), plan.threads, plan.shared_bytes, args,
                                        {.cluster = blocks_of_cluster(plan)});
      };
      if constexpr (may_be_clustered(id, id_of<E>)) {
        if (blocks_of_cluster(plan) > 1 && operands.settled_a) return run(std::type_identity<Clustered<E, id, true>>{});
        if (blocks_of_cluster(plan) > 1) return run(std::type_identity<Clustered<E, id, false>>{});
      }
      if constexpr (requires { typename Aligned<E, id, false>; }) {
        const std::int64_t groups = plan.threads / params<GemvParams>(plan).lanes;
        const bool aligned =
            packs<E, id> ? rows_of_small_lane(plan.problem, groups) > 1 : is_all_aligned(plan, operands.x);
        if (aligned && operands.settled_a) return run(std::type_identity<Aligned<E, id, true>>{});
        if (aligned) return run(std::type_identity<Aligned<E, id, false>>{});
      }
      if (operands.settled_a) return run(std::type_identity<Early<E, id>>{});
      return run(std::type_identity<Kernel<E, id>>{});
    };
    if constexpr (id.variant == Variant::gemv_flat)
      return launch(gemv_flat_args(plan, operands));
    else
      return launch(gemv_args(plan, operands, workspace));
  }
};

}  // namespace onepass
