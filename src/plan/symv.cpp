// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/symv.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <optional>

#include "kernels/symv_args.hpp"
#include "plan/gemv.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/symv_small.hpp"
#include "plan/symv_tuned.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

constexpr std::int64_t round_up(std::int64_t v, std::int64_t unit) { return ceil_div(v, unit) * unit; }

std::int64_t size_a(const Problem& p) { return size_of(p.type_a); }

// Strips and panels start on sectors where the columns do, and strips on whole units of any number of warps.
std::int64_t row_unit(const Problem& p) {
  return std::max<std::int64_t>(32 / size_a(p), kernels::symv_max_threads / kernels::symv_lanes);
}

// The most rows of a panel.
std::int64_t most_rows(const Problem& p) {
  const std::int64_t places = kernels::symv_places(static_cast<int>(size_a(p)));
  return (places - (words_fit(p) ? 0 : vector_length(p) - 1)) / row_unit(p) * row_unit(p);
}

std::int64_t warps(const Plan& plan) { return plan.threads / kernels::symv_lanes; }

// The sums of rows of each warp, and those of all columns for a block that has the whole matrix; and the words of a
// step. Room enough to add up what others sent.
std::size_t shared_bytes(const Plan& plan) {
  const int size = static_cast<int>(size_a(plan.problem));
  const auto depth = plan.shallow && is_plain(plan.problem) ? kernels::Loads::few : kernels::Loads::many;
  const std::int64_t sums =
      warps(plan) * symv_list(plan).panels * kernels::symv_places(size) + (symv_boxes(plan) == 0 ? plan.tile : 0);
  const std::int64_t words = std::int64_t{plan.threads} * kernels::symv_step_vectors(size, depth);
  return static_cast<std::size_t>(sums * size_of_sum(plan.problem.type_a) + words * 16);
}

std::size_t workspace_bytes(const Plan& plan) {
  const std::int64_t boxes = symv_boxes(plan) * size_of_sum(plan.problem.type_a);
  if (boxes == 0) return 0;
  const std::int64_t room = std::max<std::int64_t>(static_cast<std::int64_t>(workspace_limit) / boxes, 1);
  return static_cast<std::size_t>(boxes * std::min(plan.problem.batch, room));
}

// Two blocks of an SM share its memory. What a kernel gets without asking is enough for a batch.
constexpr std::size_t shared_limit = std::size_t{112} << 10;
constexpr std::size_t modest_shared = std::size_t{48} << 10;

const char* decline_nothing(const Problem&, const DeviceTraits&) { return nullptr; }

// A block has the whole product: a few large ones are better shared among many blocks. On an H200, s n = 256: 16 of
// them take 5.4 us so and 9.1 in many blocks, 64 of them 6.5 and 17.4. The border of the largest elements was not
// timed.
const char* decline_small(const Problem& p, const DeviceTraits&) {
  constexpr std::int64_t most_of_few = 128;
  const std::int64_t many = size_a(p) > 8 ? 32 : 16;
  if (p.batch == 1) return "a single product";
  if (const char* reason = why_not_small(p); reason != nullptr) return reason;
  if (p.n > most_of_few && p.batch < many) return "the products are few enough for several blocks each";
  return nullptr;
}

// As few rounds as nine warps need, all of them busy in each. At least two where a piece is a whole square (s n = 64,
// 1000 products: 6.0 us with two warps, 7.9 with three), and where the warps are more than the device holds at a time:
// a warp costs more instructions than a piece. The smallest products share blocks, since a device starts blocks one
// after the other, as long as every SM has some.
Plan plan_small(const Problem& p, const DeviceTraits& traits) {
  constexpr std::int64_t shared_warps = 8, products_of_sm = 8;
  const std::int64_t pieces = small_pieces(p), sms = std::max(traits.sm_count, 1);
  const bool whole_squares = kernels::symv_small_pieces(static_cast<int>(size_of_sum(p.type_a))) == 1;
  const std::int64_t rounds = std::max<std::int64_t>(ceil_div(pieces, kernels::symv_small_max_warps),
                                                     whole_squares || p.batch > products_of_sm * sms ? 2 : 1);
  const std::int64_t warps = std::max(ceil_div(pieces, rounds), small_strips(p));
  const std::int64_t room = std::max<std::int64_t>(shared_warps / warps, 1);
  const std::int64_t products = std::clamp<std::int64_t>(p.batch / sms, 1, room);
  return shape_small(p, warps, static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(products))));
}

// The columns of a warp start alike.
int fewest_threads(const Problem& p) { return static_cast<int>(classes_to_keep_apart(p)) * kernels::symv_lanes; }

// Columns of a warp in a step.
std::int64_t columns(const Problem& p) {
  return kernels::symv_columns(static_cast<int>(size_a(p)), kernels::Loads::many);
}

double bytes_of_matrix(const Problem& p) { return cost(p).matrix_bytes / static_cast<double>(p.batch); }

// A block takes the whole matrix, as one strip, and sends no letters. It has as many threads as the device can
// hold for it, but no warp without columns.
Plan one_block(const Problem& p, std::int64_t threads_of_device) {
  const auto share = static_cast<std::uint64_t>(std::max<std::int64_t>(threads_of_device / p.batch, 1));
  const std::int64_t useful = ceil_power_of_two(ceil_div(p.n, columns(p))) * kernels::symv_lanes;
  // More threads than fit at a time are 5 to 18 % faster with floats on an H200, and no better with others.
  const std::uint64_t threads = size_a(p) == 4 ? std::bit_ceil(share) : std::bit_floor(share);
  const std::int64_t wished =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(threads), kernels::symv_lanes, kernels::symv_max_threads);
  const std::int64_t panels = ceil_div(p.n, most_rows(p));
  Plan plan = shape_symv(p, std::max(static_cast<int>(std::min(wished, useful)), fewest_threads(p)), panels, 1);
  while (plan.shared_bytes > modest_shared && plan.threads > fewest_threads(p))
    plan = shape_symv(p, plan.threads / 2, panels, 1);
  return plan;
}

// Strips of one panel, as long as the boxes for the sums of their columns fit the workspace. A matrix for which
// the boxes never fit gets the plan that asks for too much.
Plan many_blocks(const Problem& p, std::int64_t slots) {
  constexpr double least_share = 8e3;  // bytes of a block: a few words of each thread
  const std::int64_t shares = std::max<std::int64_t>(static_cast<std::int64_t>(bytes_of_matrix(p) / least_share), 1);
  Plan plan;
  for (const std::int64_t fewer : {1, 2, 4, 8, 16}) {
    for (int threads = kernels::symv_max_threads; threads >= fewest_threads(p); threads /= 2) {
      const std::int64_t blocks = ceil_div(slots * (kernels::symv_max_threads / threads), fewer);
      for (std::int64_t panels = 1;; ++panels) {
        plan = shape_symv(p, threads, panels, std::min(blocks, shares));
        if (plan.shared_bytes > shared_limit) break;
        if (plan.workspace_bytes <= workspace_limit) return plan;
        if (plan.tiles == 1) break;
      }
    }
  }
  return plan;
}

// A small matrix: a column or two of each warp at a time, and few instructions. Measured on an H200: as long as all
// blocks run at a time with elements of four bytes and less (n up to about 900); with larger ones as long as a warp has
// one column. The smallest matrices are best in the smallest blocks.
std::optional<Plan> few_columns(const Problem& p, std::int64_t slots) {
  const bool smallest = p.n <= 96;
  const int threads = smallest ? std::max(kernels::symv_max_threads / 2, fewest_threads(p)) : kernels::symv_max_threads;
  const std::int64_t units = shape_symv(p, threads, 1, INT32_MAX).splits, size = size_a(p);
  if (size > 4 ? units > (size > 8 ? 100 : 160) : p.n > 1024) return {};
  const int at_once = smallest ? 1 : kernels::symv_columns(static_cast<int>(size), kernels::Loads::few);
  Plan plan = shape_symv(p, threads, 1, ceil_div(units, at_once));
  // Strips of whole steps have more units in all.
  if (plan.chunk > at_once) plan = shape_symv(p, threads, 1, ceil_div(symv_list(plan).units, at_once));
  return plan.splits <= slots ? std::optional(plan) : std::nullopt;
}

// Strips of several panels, in the time of whose steps a block is done first. On an H200, if a few panels leave one
// step of columns to a block, that is best: six panels at most, and four of double numbers. Else a step is a trip to
// memory whatever its columns; their sums cost about half as much, once for all panels, and so does each panel at the
// end. The largest elements have few columns to sum up, and long panels to change.
std::optional<Plan> high_strips(const Problem& p, std::int64_t slots) {
  constexpr std::int64_t most_panels = 6, most_of_many_steps = 4;
  const std::int64_t size = size_a(p), most_of_one_step = size > 8 ? 1 : size > 4 ? 4 : most_panels;
  const double of_columns = size > 8 ? 0.3 : 0.6, of_panel = size > 8 ? 1.5 : 0.5;
  std::optional<Plan> best;
  double least = 0;
  for (std::int64_t panels = 1; panels <= most_panels; ++panels) {
    const std::int64_t units = shape_symv(p, kernels::symv_max_threads, panels, INT32_MAX).splits;
    const std::int64_t blocks = std::min(slots, ceil_div(units, columns(p)));
    const Plan plan = shape_symv(p, kernels::symv_max_threads, panels, blocks);
    if (plan.workspace_bytes > workspace_limit || plan.shared_bytes > shared_limit) continue;
    // Strips of whole steps may be a few blocks too many, which then wait for the others.
    const std::int64_t steps = ceil_div(plan.chunk, columns(p)) * ceil_div(plan.splits, slots);
    if (steps == 1 && panels <= most_of_one_step) return plan;
    const auto high = static_cast<double>(panels);
    const double time = static_cast<double>(steps) * (high + of_columns) + high * of_panel;
    if (panels > most_of_many_steps || (best && time > least)) continue;
    best = plan;
    least = time;
  }
  return best;
}

Plan plan_for(const Problem& p, const DeviceTraits& traits) {
  if (const std::optional<Plan> plan = tuned_symv(p, traits)) return *plan;
  const std::int64_t slots = 2 * std::int64_t{traits.sm_count};
  if (p.batch >= slots || p.n <= kernels::symv_lanes) {
    const Plan plan = one_block(p, slots * kernels::symv_max_threads);
    if (plan.shared_bytes <= modest_shared) return plan;
  }
  if (p.batch == 1 && fewest_threads(p) <= kernels::symv_max_threads) {
    if (const std::optional<Plan> plan = few_columns(p, slots)) return *plan;
    if (const std::optional<Plan> plan = high_strips(p, slots)) return *plan;
  }
  return many_blocks(p, std::max<std::int64_t>(slots / p.batch, 1));
}

constexpr std::array variants = {
    VariantEntry{.variant = Variant::symv_small, .decline = decline_small, .plan = plan_small},
    VariantEntry{.variant = Variant::symv, .decline = decline_nothing, .plan = plan_for},
};

}  // namespace

SymvList symv_list(const Plan& plan) {
  const Problem& p = plan.problem;
  const std::int64_t all = ceil_div(p.n, warps(plan)), strips = plan.tiles, tile_units = plan.tile / warps(plan);
  // Strips of whole chunks, if those are short, or of whole steps, where whole ones fit a tile.
  const std::int64_t wished = std::min(plan.chunk, columns(p));
  const std::int64_t chunk = wished > 0 && tile_units % wished == 0 ? wished : 1;
  const bool upper = stored(p).uplo == Uplo::upper;
  const std::int64_t least = upper ? round_up(all - (strips - 1) * tile_units, chunk) : tile_units;
  const std::int64_t most = upper ? (strips - 1) * tile_units + least : round_up(all, chunk);
  return {.panels = ceil_div(plan.tile, most_rows(p)),
          .tile_units = tile_units,
          .least_units = strips == 1 ? most : least,
          .most_units = most,
          .units = (strips - 1) * (strips - 2) / 2 * tile_units + (strips - 1) * least + most};
}

std::int64_t symv_boxes(const Plan& plan) {
  if (plan.tiles == 1 && plan.splits == 1) return 0;
  const std::int64_t segments = plan.splits + plan.tiles - 1;
  return (plan.tiles * (plan.tiles + 1) / 2 + segments) * plan.tile;
}

std::int64_t symv_products(const Plan& plan) {
  const std::int64_t boxes = symv_boxes(plan) * size_of_sum(plan.problem.type_a);
  const std::int64_t room = boxes == 0 ? plan.problem.batch : static_cast<std::int64_t>(plan.workspace_bytes) / boxes;
  return std::min<std::int64_t>(room, 65535);
}

Plan shape_symv(const Problem& p, int threads, std::int64_t panels, std::int64_t blocks) {
  Plan plan{.problem = p, .variant = Variant::symv, .threads = threads, .lanes = kernels::symv_lanes};
  // Strips of equal height, and so are their panels.
  const std::int64_t most = most_rows(p), height = ceil_div(p.n, ceil_div(p.n, panels * most));
  panels = ceil_div(height, most);
  plan.tile = round_up(ceil_div(height, panels), row_unit(p));
  // Strips of whole steps, if they need no more panels for it.
  const std::int64_t step = threads / kernels::symv_lanes * columns(p), higher = round_up(plan.tile, step);
  if (higher <= most) plan.tile = higher;
  plan.tile *= panels;
  const auto cut = [&](std::int64_t tile) {
    plan.tile = tile;
    plan.tiles = ceil_div(p.n, tile);
    plan.chunk = 0;
    return ceil_div(symv_list(plan).units, blocks);
  };
  blocks = std::max<std::int64_t>(blocks, 1);
  std::int64_t chunk = cut(plan.tile);
  // Where a block has one step, or a few columns of it, it had better not have units of two strips: a fifth of the rows
  // may be left for that.
  const bool few = chunk > 1 && chunk <= kernels::symv_columns(static_cast<int>(size_a(p)), kernels::Loads::few);
  const std::int64_t share = few ? threads / kernels::symv_lanes * chunk : step;
  const std::int64_t unit = std::max<std::int64_t>(std::lcm(share, panels * row_unit(p)), 1);
  const std::int64_t lower = plan.tile / unit * unit;
  const bool alike = plan.tiles > 1 && ceil_div(lower, most) == panels && 5 * lower >= 4 * plan.tile;
  if (alike && chunk <= columns(p)) chunk = cut(lower);
  plan.chunk = chunk;
  if (chunk > columns(p)) {
    plan.chunk = columns(p);  // the list in whole steps
    plan.chunk = round_up(ceil_div(symv_list(plan).units, blocks), columns(p));
  }
  plan.splits = ceil_div(symv_list(plan).units, plan.chunk);
  plan.combine = symv_boxes(plan) > 0 ? Combine::letters : Combine::none;
  plan.shallow = plan.chunk <= kernels::symv_columns(static_cast<int>(size_a(p)), kernels::Loads::few);
  plan.prefetch = is_plain(p);
  plan.workspace_bytes = workspace_bytes(plan);
  plan.shared_bytes = shared_bytes(plan);
  return plan;
}

std::string why_illegal_symv(const Plan& plan) {
  const Problem& p = plan.problem;
  if (plan.variant == Variant::symv_small) return why_illegal_small(plan);
  if (plan.variant != Variant::symv) return "no such variant for this routine";
  if (plan.threads < kernels::symv_lanes || plan.threads > kernels::symv_max_threads ||
      !std::has_single_bit(static_cast<unsigned>(plan.threads)))
    return "threads must be a power of two from 32 to 256";
  if (plan.lanes != kernels::symv_lanes) return "lanes must be 32";
  if (warps(plan) % classes_to_keep_apart(p) != 0) return "threads leave too few warps for this lda";
  if (plan.prefetch && !is_plain(p)) return "only single products with scalars on the host are asked for early";
  if (plan.tile < 1 || plan.tile > INT32_MAX || plan.tile % (ceil_div(plan.tile, most_rows(p)) * row_unit(p)) != 0)
    return "the tile does not fit its panels";
  if (plan.tiles < 1 || plan.tiles != ceil_div(p.n, plan.tile)) return "the tiles do not cover the outputs";
  if (plan.tiles > 65535 || symv_list(plan).units > INT32_MAX / 2) return "the list of units is too long";
  if (plan.chunk < 1 || plan.chunk > INT32_MAX || plan.splits < 1 ||
      plan.splits != ceil_div(symv_list(plan).units, plan.chunk))
    return "the splits do not cover the list";
  if ((plan.combine == Combine::none) != (symv_boxes(plan) == 0)) return "the combination does not fit the splits";
  if (plan.shared_bytes != shared_bytes(plan)) return "shared_bytes is wrong";
  if (plan.shared_bytes > shared_limit) return "shared_bytes passes the limit";
  if (plan.workspace_bytes != workspace_bytes(plan)) return "workspace_bytes is wrong";
  if (plan.workspace_bytes > workspace_limit) return "workspace_bytes passes the limit";
  return "";
}

std::span<const VariantEntry> symv_variants() { return variants; }

Plan plan_symv(const Problem& p, const DeviceTraits& traits, BackendId backend) {
  return plan_of_first(variants, p, traits, backend);
}

}  // namespace onepass
