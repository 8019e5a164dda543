// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_launch.hpp"

#include <numeric>

#include "kernels/gemv/args.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

double number(std::int64_t v) { return static_cast<double>(v); }

constexpr int log2_split_unit = 3;  // of gemv_t, in vectors of a column
constexpr std::int64_t most_shared_bytes_of_flat = 48 << 10;

// How often the banks of shared memory take turns for a warp that reads a term of each of its sums.
double turns_of_banks(const GemvBasis& b, std::int64_t lanes) {
  constexpr std::int64_t banks = 32, bytes_of_bank = 4;
  const std::int64_t apart = b.rows * b.size;  // from a column to the next
  if (apart % bytes_of_bank != 0) return 1;
  const std::int64_t columns = b.transposed ? 32 / lanes : lanes;
  const std::int64_t together = std::max<std::int64_t>(32 / columns * b.size / bytes_of_bank, 1);
  const std::int64_t common = std::gcd(apart / bytes_of_bank, banks), places = banks / common;
  const std::int64_t met = columns > places ? places * std::min(together, common) : std::min(columns * together, banks);
  return number(columns * together) / number(met);
}

// Whole sums of about so many bytes of the matrices, at least one unit and no more than fit.
void share_flat(GemvLaunch& l, const GemvBasis& b, std::int64_t bytes) {
  const Problem& p = b.problem;
  const Flat f = flat(p);
  const int lanes = l.choice.lanes, threads = l.choice.threads;
  const std::int64_t vectors = kernels::gemv_flat_vectors * threads;
  // The elements of a block, behind them its products' x.
  const auto shared_bytes = [&](std::int64_t units) {
    const std::int64_t products = f.along ? units : ceil_div(units - 1, f.outputs_of_product) + 1;
    return 16 * vectors_of_run(p, units * f.unit) + products * f.terms * b.size_of_sum;
  };
  std::int64_t units = std::min({bytes / (f.unit * b.size), ((vectors - 1) * b.vector + 1) / f.unit,
                                 gemv_flat_most / 2 / f.outputs_of_unit, gemv_flat_most / 2 / f.terms});
  for (units = std::max<std::int64_t>(units, 1); units > 1 && shared_bytes(units) > most_shared_bytes_of_flat;)
    units /= 2;
  l.tile = units * f.outputs_of_unit;
  l.shared_bytes = shared_bytes(units);
  l.blocks = ceil_div(f.outputs_of_product * p.batch, l.tile);
  l.vectors = stored_bytes(p) / 16 / number(l.blocks) / threads;
  l.products = number(ceil_div(l.tile * lanes, threads) * ceil_div(f.terms, lanes)) * turns_of_banks(b, lanes);
  if (vectors_of_run(p, units * f.unit) > vectors || l.shared_bytes > most_shared_bytes_of_flat)
    l.none = "a unit is too large for a block";
}

// Through mailboxes, as many as the workspace holds.
void share_by_splits(GemvLaunch& l, std::int64_t splits) {
  const int log2_unit = l.choice.variant == Variant::gemv_n ? 0 : log2_split_unit;
  if (l.choice.variant == Variant::gemv_t_once && splits != 1) l.none = "its sums are split";
  splits = std::min(splits, l.most_splits);
  const std::int64_t least = splits == 1 ? l.terms : ceil_div(l.terms, splits);
  l.chunk = ceil_shift(least, log2_unit) << log2_unit;
  l.splits = splits == 1 ? 1 : ceil_div(l.terms, l.chunk);
}

// The sums of each tile by a cluster of as many blocks as have terms. In front of a block's sums lie the parts of the
// others.
void share_by_cluster(GemvLaunch& l, const GemvBasis& b, std::int64_t cluster) {
  const Variant variant = l.choice.variant;
  if (cluster > 1 << kernels::gemv_log2_most_cluster || (cluster & (cluster - 1)) != 0)
    l.none = "a cluster must be a power of two of blocks, up to 8";
  else if (cluster > 1 && !may_be_clustered({variant, Form::plain, l.choice.loads}, b.elements))
    l.none = "no cluster sums these types";
  else if (cluster > 1 && ((variant == Variant::gemv_n_small && l.log2_sharing < 1) ||
                           (variant == Variant::gemv_t_small && l.log2_sharing < 6)))
    l.none = "lanes that a cluster cannot have";
  if (l.none != nullptr) return;
  l.splits = cluster;
  l.chunk = ceil_shift(l.terms, log2_of(cluster));
  if ((cluster - 1) * l.chunk >= l.terms) l.none = "a block of the cluster has no terms";
}

}  // namespace

void set_blocks(GemvLaunch& l, const GemvBasis& b, const Choice& choice) {
  l = {};
  l.choice = choice;
  const Loads loads = choice.loads;
  const int log2_threads = log2_of(choice.threads), size = static_cast<int>(b.size);
  int log2_lanes = log2_of(choice.lanes);
  const std::int64_t threads = choice.threads, lanes = choice.lanes, whole_rows = unit_of_rows(b.size, b.fit);
  const auto groups = [&] { return std::int64_t{1} << (log2_threads - log2_lanes); };
  // Whole columns, so many of each group at a time.
  const auto sum_columns = [&](std::int64_t columns, std::int64_t terms) {
    l.columns = static_cast<int>(columns);
    l.outputs = l.tile = groups() * columns;
    l.terms = terms;
    l.log2_sharing = l.steps = log2_lanes;
  };
  // Rows of whole sectors, where columns start alike.
  const auto sum_rows = [&](std::int64_t outputs, std::int64_t most, std::int64_t unit) {
    const GemvTiles of = share_rows(b.rows, most, unit);
    l.outputs = outputs;
    l.tile = of.tile;
    l.tiles = of.tiles;
    l.terms = b.cols;
    l.log2_sharing = l.steps = log2_threads - log2_lanes;
  };
  // Splits for which there is workspace, of units of terms; a thread publishes each output.
  const auto limit_splits = [&](int log2_unit) {
    if (l.outputs > threads) return;
    const std::int64_t bytes_of_split = l.tiles * b.problem.batch * l.outputs * b.size_of_sum;
    l.most_splits = std::min({ceil_shift(l.terms, log2_unit),
                              static_cast<std::int64_t>(workspace_limit) / bytes_of_split + 1, gemv_most_in_grid});
  };
  switch (choice.variant) {
    case Variant::gemv_n:
      if (groups() % b.keep_apart != 0) l.none = "lanes leave too few groups for this lda";
      sum_rows(lanes * b.vector, rows_in_lanes(b.vector, b.fit, lanes), whole_rows);
      limit_splits(0);
      l.sums = threads * (b.vector + 1);  // of each thread; behind them room to add them up
      l.flight = kernels::gemv_n_in_flight(loads);
      if (b.vectors > lanes) {
        l.run_of_round = number(16 * lanes);
        if (!b.on_sectors) l.sectors = (l.run_of_round + 16) / number(l.tile * b.size);
      }
      break;
    case Variant::gemv_n_small: {
      const int of_lane = rows_of_small_lane(b.problem, groups());
      sum_rows(lanes * of_lane, lanes * of_lane, std::max<std::int64_t>(whole_rows, of_lane));
      // Those of every group for every row of the tile and a place more; behind them, where an output has several
      // warps, one for each warp.
      if (groups() > 1) l.sums = groups() * (lanes + 1) + (groups() > 32 ? threads / 32 : 0);
      l.flight = kernels::gemv_n_small_in_flight(loads, size, of_lane);
      if (of_lane > 1) l.columns = 2;  // a pack costs as much as two elements
      if (l.tiles == 1) break;
      l.run_of_round = number(l.tile * b.size);
      if (!b.on_sectors || l.tile * b.size % 32 != 0)
        l.sectors = (l.run_of_round + number(32 - b.size)) / l.run_of_round;
      break;
    }
    case Variant::gemv_t_small: {
      const bool deep = kernels::gemv_t_small_is_deep(size, static_cast<int>(b.size_of_sum));
      sum_columns(kernels::gemv_t_small_columns(loads, deep), b.rows);
      if (lanes < l.columns) l.none = "too few lanes for the columns of a group";
      l.tiles = ceil_shift(b.cols, log2_of(l.tile));
      if (lanes > 32) l.sums = lanes / 32 * l.outputs;  // of each warp
      l.flight = kernels::gemv_t_small_in_flight(loads, deep, size);
      l.run_of_round = std::min(number(lanes * b.size), l.whole_run);
      break;
    }
    case Variant::gemv_t_short: {
      const std::int64_t columns = kernels::gemv_t_short_columns(loads), held = kernels::gemv_t_short_vectors(loads);
      l.choice.threads = kernels::gemv_max_threads;
      // Fewer lanes with several vectors each would ask for every sector twice: h T 17x73705 4.2 us on an H200 with one
      // lane, and 3.6 by cuBLAS.
      l.choice.lanes = static_cast<int>(
          std::max(ceil_power_of_two(ceil_div(b.vectors, held)), loads == Loads::many ? columns : std::int64_t{1}));
      log2_lanes = log2_of(l.choice.lanes);
      if (l.choice.lanes > 32) l.none = "the columns are too long for a warp";
      sum_columns(columns, b.vectors);
      l.flight = static_cast<int>(held * columns);
      l.columns = 1;
      break;
    }
    case Variant::gemv_t_tensor:
      sum_columns(kernels::gemv_t_tensor_columns(loads), b.vectors);
      if (groups() > 4) l.none = "a warp must have one, two or four groups of lanes";
      // Each block has columns that start alike.
      l.tiles = b.classes * ceil_shift(ceil_shift(b.cols, log2_of(b.classes)), log2_of(l.tile));
      l.steps = log2_threads - 5;
      l.sums = threads / 32 * l.outputs;  // of each warp
      l.flight = kernels::gemv_t_tensor_in_flight(loads);
      if (b.vectors > lanes) l.run_of_round = number(16 * 32 * lanes / threads);
      break;
    case Variant::gemv_flat:
      if (lanes > 32) l.none = "lanes must be a power of two and at most a warp";
      l.flight = kernels::gemv_flat_vectors;
      l.steps = log2_lanes;
      break;
    default: {  // gemv_t, gemv_t_once
      sum_columns(kernels::gemv_t_bundle, b.vectors);
      // Bundles whose columns lie a step apart are whole.
      const int log2_run = log2_of(std::max(groups(), b.classes)) + kernels::gemv_t_log2_bundle;
      l.tiles = ceil_shift(ceil_shift(b.cols, log2_run) << log2_run, log2_of(l.outputs));
      limit_splits(log2_split_unit);
      l.sums =
          threads / std::min<std::int64_t>(lanes, 32) * kernels::gemv_t_bundle + threads;  // of each warp, likewise
      l.flight = kernels::gemv_t_in_flight(loads);
      if (choice.variant == Variant::gemv_t_once && lanes < std::max<std::int64_t>(b.vector, kernels::gemv_t_bundle))
        l.none = "too few lanes for its edges";
      if (choice.variant == Variant::gemv_t_once && b.vectors > l.flight * lanes)
        l.none = "a thread has more vectors of a column than loads in flight";
      if (b.vectors <= lanes) break;
      l.run_of_round = number(16 * lanes);
      if (!b.on_sectors)
        l.sectors = (l.run_of_round + 16) / l.run_of_round *
                    (1 + (b.fit ? 0.0 : number(16 - b.size)) / number(b.rows * b.size));
    }
  }
}

void share_sums(GemvLaunch& l, const GemvBasis& b, std::int64_t share) {
  const Variant variant = l.choice.variant;
  l.choice.share = share;
  l.none = share < 1 ? "nobody has a share" : nullptr;
  if (l.none != nullptr) return;
  if (variant == Variant::gemv_flat) return share_flat(l, b, share);
  if (variant == Variant::gemv_t_short) {
    // As many groups side by side as there are classes, or groups of a warp, each with the columns of a visit.
    const int log2_run =
        log2_of(step_of_short(b.classes, l.choice.lanes)) + log2_of(kernels::gemv_t_short_columns(l.choice.loads));
    l.tile = l.outputs * share;
    l.tiles = l.blocks = ceil_div(ceil_shift(b.cols, log2_run) << log2_run, l.tile);
    l.chunk = b.vectors;
    l.vectors = number(l.flight * share);
    return;
  }
  const bool clustered = may_be_clustered(variant);
  if (clustered)
    share_by_cluster(l, b, share);
  else
    share_by_splits(l, share);
  if (l.tiles * (clustered ? l.splits : 1) > INT32_MAX) l.none = "the tiles are too many for a grid";
  if (l.none != nullptr) return;
  l.blocks = l.tiles * l.splits * b.problem.batch;
  const std::int64_t parts = clustered ? (l.splits - 1) * l.outputs : 0;
  l.shared_bytes = (l.sums + parts) * b.size_of_sum + (parts > 0 ? kernels::cluster_word_bytes : 0);
  l.vectors = number(ceil_shift(std::min(l.chunk, l.terms), l.log2_sharing));
  l.run = l.run_of_round;
  if (l.vectors > l.flight || !b.transposed || variant == Variant::gemv_t_tensor) return;
  if (l.splits == 1)
    l.run = l.whole_run;
  else if (variant == Variant::gemv_t_small)
    l.run = std::min(number(l.chunk * b.size), l.whole_run);
}

GemvLaunch launch_of(const GemvBasis& b, const Choice& choice) {
  GemvLaunch launch;
  set_blocks(launch, b, choice);
  if (launch.none == nullptr) share_sums(launch, b, choice.share);
  return launch;
}

Plan plan_of(const GemvBasis& b, const GemvLaunch& l) {
  const Problem& p = b.problem;
  const bool is_flat = l.choice.variant == Variant::gemv_flat;
  Plan plan{.problem = p,
            .kernel = {l.choice.variant, b.plain && !is_flat ? Form::plain : Form::general, l.choice.loads},
            .threads = l.choice.threads,
            .shared_bytes = static_cast<std::size_t>(l.shared_bytes)};
  if (is_flat) {
    plan.params =
        FlatParams{.lanes = l.choice.lanes, .outputs = l.tile, .blocks = l.blocks, .prefetch = prefetch_pays(p)};
    return plan;
  }
  plan.params = GemvParams{.lanes = l.choice.lanes,
                           .tile = l.tile,
                           .tiles = l.tiles,
                           .splits = l.splits,
                           .chunk = l.chunk,
                           .products_per_block = ceil_div(p.batch, gemv_most_in_grid)};
  if (!may_be_clustered(l.choice.variant))
    plan.workspace_bytes = static_cast<std::size_t>((l.splits - 1) * l.tiles * p.batch * l.outputs * b.size_of_sum);
  return plan;
}

}  // namespace onepass
