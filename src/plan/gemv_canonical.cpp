// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_canonical.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/args.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/occupancy.hpp"
#include "problem/canonical_order.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

constexpr std::int64_t most_in_grid = 65535;  // blocks along its second and third dimension

bool is_n(const Problem& p) { return !stored(p).transposed; }
int columns_at_once(const Problem& p) {
  return kernels::canonical_t_columns(stored(p).rows, static_cast<std::size_t>(size_of(p.type_a)));
}
// Columns of one chunk, in a kernel's path of their own.
bool has_short_columns(const Problem& p) { return !is_n(p) && columns_at_once(p) > kernels::gemv_t_bundle; }
int lanes_of_short(const Problem& p) { return stored(p).rows <= 16 ? 16 : 32; }

// Nodes of the tree of which a thread or warp has some: units of eight columns, or chunks.
std::int64_t nodes_of_sum(const Problem& p) {
  const std::int64_t chunks = ceil_div(length_x(p), canonical::chunk);
  return is_n(p) ? chunks << (2 + kernels::canonical_log2_terms(stored(p).cols)) : chunks;
}
// Threads or warps of a block that share a sum.
std::int64_t sharing(const Problem& p, int threads, int lanes) {
  return is_n(p) ? threads / lanes : std::max(lanes / 32, 1);
}

std::string why_not(const Problem& p, int threads, int lanes, std::int64_t nodes) {
  const auto is_power = [](std::int64_t v) { return v > 0 && std::has_single_bit(static_cast<std::uint64_t>(v)); };
  if (!is_power(threads) || threads < 32 || threads > kernels::gemv_max_threads)
    return "threads must be a power of two from 32 to 256";
  if (!is_power(lanes) || lanes > threads) return "lanes must be a power of two and at most the threads";
  if (!is_power(nodes) || nodes > kernels::canonical_most_units) return "the chunk must be a power of two up to 16";
  if (has_short_columns(p) && (lanes != lanes_of_short(p) || nodes != 1)) return "the lanes do not fit short columns";
  if (!has_short_columns(p) && !is_n(p) && lanes < 32) return "a warp is needed for a column";
  return "";
}

// launch + combine + (stream^(3/2) + issue^(3/2) + latency^(3/2))^(2/3), as gemv_model.cpp has it; microseconds.
double modelled(const Plan& plan, const DeviceTraits& traits) {
  const Problem& p = plan.problem;
  const GemvParams& g = params<GemvParams>(plan);
  const double sms = traits.sm_count, threads = plan.threads;
  const double blocks = static_cast<double>(g.tiles * g.splits * p.batch), per_sm = blocks / sms;
  const double resident = resident_blocks(plan, traits);
  const double size = static_cast<double>(size_of(p.type_a));
  const double bandwidth = traits.ceilings.bytes_per_second > 0 ? traits.ceilings.bytes_per_second : 35e9 * sms;
  const bool n = is_n(p), vectors = n && vectors_fit(p) && stored(p).rows % vector_length(p) == 0;
  double rounds = static_cast<double>(g.chunk), loads = 8, run = 16.0 * g.lanes;
  if (n) {
    if (!vectors) loads *= static_cast<double>(vector_length(p));
  } else if (has_short_columns(p)) {
    loads = columns_at_once(p);
    run = 512;
  } else {
    const double terms = std::min(8.0, std::ceil(static_cast<double>(stored(p).rows) / 32));
    loads = 4 * terms;
    rounds *= std::ceil(terms * size / 32);
    run = 32 * size;
  }
  const double instructions = loads * static_cast<double>(g.chunk) * threads;
  const double stream = 1e6 * cost(p).matrix_bytes / bandwidth * (1 + 1.03 * 32 / run);
  const double issue = std::ceil(per_sm) * (instructions * 0.0008 + threads * 1.5) * 1e-3;
  const double latency = std::ceil(blocks / (sms * resident)) * rounds * 0.8;
  double combine = 0;
  if (g.splits > 1) {
    const double received = static_cast<double>(g.splits - 1), sums = static_cast<double>(g.tile);
    combine = 0.5 + 0.18 * std::ceil(received / (8 * std::max(1.0, threads / sums))) + 0.1 * received * sums / threads;
  }
  const auto power = [](double time) { return time * std::sqrt(time); };
  const double core = std::cbrt(power(stream) + power(issue) + power(latency));
  return 0.8 + combine + core * core;
}

}  // namespace

const char* decline_canonical(const Problem& p, Variant variant) {
  if (is_canonical(variant) != (p.order == Order::canonical))
    return p.order == Order::canonical ? "its order of sums is another" : "no canonical order is asked for";
  return nullptr;
}

Plan shape_canonical(const Problem& p, int threads, int lanes, std::int64_t nodes) {
  const bool n = is_n(p);
  GemvParams g{.lanes = lanes, .chunk = nodes};
  g.tile = n ? lanes * vector_length(p) : threads / lanes * columns_at_once(p);
  g.tiles = ceil_div(n ? stored(p).rows : stored(p).cols, g.tile);
  g.splits = has_short_columns(p) ? 1 : ceil_div(nodes_of_sum(p), nodes * sharing(p, threads, lanes));
  g.products_per_block = std::max<std::int64_t>(ceil_div(p.batch, most_in_grid), 1);
  Plan plan{.problem = p,
            .kernel = {.variant = n ? Variant::gemv_n_canonical : Variant::gemv_t_canonical,
                       .form = is_plain(p) ? Form::plain : Form::general},
            .threads = threads,
            .params = g};
  // The sums of warps or of larger groups; behind them a place for each thread.
  const std::int64_t parts = n ? std::max<std::int64_t>(threads / std::max(lanes, 32), 1) * g.tile
                               : threads / 32 * kernels::gemv_t_bundle;
  plan.shared_bytes = static_cast<std::size_t>((parts + threads) * size_of(p.type_a));
  std::int64_t bytes = 0;
  plan.workspace_bytes = __builtin_mul_overflow(g.tiles * p.batch * g.tile * size_of(p.type_a), g.splits - 1, &bytes)
                             ? SIZE_MAX
                             : static_cast<std::size_t>(bytes);
  return plan;
}

std::string why_illegal_canonical(const Plan& plan) {
  const Problem& p = plan.problem;
  const GemvParams& g = params<GemvParams>(plan);
  if (decline_canonical(p, plan.kernel.variant) != nullptr ||
      (plan.kernel.variant == Variant::gemv_n_canonical) != is_n(p))
    return "the variant sums in another order, or along the other dimension";
  if (std::string why = why_not(p, plan.threads, g.lanes, g.chunk); !why.empty()) return why;
  Plan right = shape_canonical(p, plan.threads, g.lanes, g.chunk);
  right.backend = plan.backend;
  if (plan.kernel.form == Form::general) right.kernel.form = Form::general;
  if (g.products_per_block >= params<GemvParams>(right).products_per_block && g.products_per_block <= p.batch)
    params<GemvParams>(right).products_per_block = g.products_per_block;
  if (plan != right) return "tiles, splits and memory do not follow from threads, lanes and chunk";
  if (g.tiles > INT32_MAX) return "the tiles are too many";
  if (g.splits > kernels::canonical_most_splits) return "the splits are too many";
  if (g.splits > 1 && g.tile > plan.threads) return "a split has more outputs than threads";
  if (plan.workspace_bytes > workspace_limit) return "workspace_bytes passes the limit";
  return "";
}

Plan plan_canonical(const Problem& p, const DeviceTraits& traits) {
  Plan chosen;
  double least = 0;
  const auto consider = [&](int threads, int lanes, std::int64_t nodes) {
    if (!why_not(p, threads, lanes, nodes).empty()) return;
    // Twice as many nodes as there are serve nobody.
    if (nodes > 1 && nodes * sharing(p, threads, lanes) >= 2 * nodes_of_sum(p)) return;
    const Plan plan = shape_canonical(p, threads, lanes, nodes);
    if (least > 0 && !why_illegal_canonical(plan).empty()) return;
    const double time = modelled(plan, traits);
    if (least > 0 && !(time < least)) return;
    chosen = plan;
    least = why_illegal_canonical(plan).empty() ? time : 1e300;
  };
  for (const int threads : {256, 128, 64, 32}) {
    if (threads < 128 && p.batch == 1) break;
    for (int lanes = threads; lanes >= 1; lanes /= 2) {
      if (is_n(p) && lanes > 2 && lanes * vector_length(p) >= 2 * stored(p).rows) continue;
      for (std::int64_t nodes = 1; nodes <= kernels::canonical_most_units; nodes *= 2) consider(threads, lanes, nodes);
    }
  }
  return chosen;
}

}  // namespace onepass
