// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv: strips.
#include "plan/symv_shape.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/symv_args.hpp"
#include "plan/gemv_shape.hpp"
#include "types/elements.hpp"

namespace onepass {
namespace {

constexpr std::int64_t round_up(std::int64_t v, std::int64_t unit) { return ceil_div(v, unit) * unit; }

std::int64_t size_a(const Problem& p) { return size_of(p.type_a); }

// Elements of a line of memory.
std::int64_t line(const Problem& p) { return 128 / size_a(p); }

// Sums in the type of the elements, for which launches were timed one by one.
bool is_usual(const Problem& p) {
  const Type type = p.type_a;
  return p.batch == 1 && !is_accurate(p) && (type == Type::s || type == Type::d || type == Type::c || type == Type::z);
}

// Large triangles are cut along lines where columns start on 16 bytes between them. A load that ends within a line
// costs another one: on an H200 strips of 3 KB of each column are read at 0.91 of the floor where they end on 16 bytes,
// and at 0.94, 0.95 and 0.97 on 32, 64 and 128 (d n = 10007). In a queue z n = 10007 has 0.90 of the floor so and 0.85
// in strips of whole rows, 5001 0.86 and 0.84, 3001 0.82 and 0.82, 2500 0.81 and 0.85; d n = 10006 0.92 and 0.87, 7004
// 0.90 and 0.90, 4002 0.86 and 0.88. Odd columns of eight bytes would need warps with columns 16 apart, one half behind
// the other: d n = 10007 has 0.88 so and 0.89 along 64 bytes. Those of s gain nothing.
bool by_lines(const Problem& p) {
  const std::int64_t least_rows = p.type_a == Type::z ? 4000 : 7000;
  return is_usual(p) && p.type_a != Type::s && vectors_fit(p) && p.n > least_rows && p.lda % line(p) != 0;
}
bool is_skewed(const Problem& p) { return !vectors_fit(p) || by_lines(p); }

// Strips and panels start on sectors where the columns do, or on lines, and strips on whole units of any number of
// warps.
std::int64_t row_unit(const Problem& p, int threads) {
  const std::int64_t run = by_lines(p) ? line(p) : 32 / size_a(p);
  return std::max<std::int64_t>(run, std::max(threads, kernels::symv_max_threads) / kernels::symv_lanes);
}

const SymvParams& symv(const Plan& plan) { return params<SymvParams>(plan); }

std::int64_t warps(const Plan& plan) { return plan.threads / kernels::symv_lanes; }

// The sums of rows of each warp, `held` sums of columns and rows, and the vectors of a step. Room enough to add up what
// others published.
std::size_t shared_bytes(const Plan& plan, std::int64_t held) {
  const int size = static_cast<int>(size_a(plan.problem));
  const std::int64_t sums = warps(plan) * symv_list(plan).panels * kernels::symv_places(size) + held;
  const std::int64_t words =
      std::int64_t{plan.threads} * kernels::symv_step_vectors(size, plan.problem.type_a == Type::w);
  return static_cast<std::size_t>(sums * size_of_sum(plan.problem) + words * 16);
}
std::size_t shared_bytes(const Plan& plan) { return shared_bytes(plan, symv_held(plan)); }

std::size_t workspace_bytes(const Plan& plan) {
  const std::int64_t mailboxes = symv_mailboxes(plan) * size_of_sum(plan.problem);
  if (mailboxes == 0) return 0;
  const std::int64_t room = std::max<std::int64_t>(static_cast<std::int64_t>(workspace_limit) / mailboxes, 1);
  return static_cast<std::size_t>(mailboxes * std::min(plan.problem.batch, room));
}

}  // namespace

std::int64_t symv_columns(const Problem& p) {
  return kernels::symv_columns(static_cast<int>(size_a(p)), p.type_a == Type::w);
}

// The most rows of a panel.
std::int64_t symv_panel_rows(const Problem& p) { return kernels::symv_places(static_cast<int>(size_a(p))); }

// As long as columns of a warp start alike in them, runs of whole sectors, or of whole lines.
std::int64_t symv_run(const Problem& p, int threads) {
  const std::int64_t between = threads / kernels::symv_lanes * p.lda, v = vector_length(p);
  return is_skewed(p) ? std::clamp(between & -between, v, std::min(row_unit(p, threads), std::max(v, line(p)))) : v;
}

std::int64_t symv_above(const Problem& p, int threads) { return is_skewed(p) ? symv_run(p, threads) - 1 : 0; }

std::int64_t symv_lead(const Problem& p, int threads) {
  return stored(p).uplo == Uplo::upper ? round_up(symv_above(p, threads), threads / kernels::symv_lanes) : 0;
}

// A triangle that passes through the L2 once pushes out the partial sums, which are read again. On an H200, whose L2
// has 60 MB, in a queue s n = 8192 has 0.945 of the floor so and 0.91 otherwise, 10007 0.86 and 0.84, c n = 8192 0.93
// and 0.91, 10007 0.89 and 0.87, alone 0.02 to 0.03 more; nothing changes up to n = 4001 of s and 3001 of c.
bool symv_streams(const Plan& plan) {
  const Problem& p = plan.problem;
  constexpr double least_bytes = 120e6;
  const auto n = static_cast<double>(p.n);
  return p.batch == 1 && n * n / 2 * static_cast<double>(size_a(p)) > least_bytes;
}

// In a queue these blocks stand in the way of the next launch, while their sums are on their way; alone, each output
// had better have many threads. On an H200 d n = 3008 takes 11.0 us in a queue with 32 outputs and 9.7 with 128, and
// behind the wait 13.5 with 32 and 13.8 with 64.
std::int64_t symv_gathered(const Plan& plan) {
  if (has_units_of_tiles(plan)) return tiles_gathered(plan);
  const Problem& p = plan.problem;
  const auto outputs = [&]() -> std::int64_t {
    if (p.n < 2049) return 32;
    if (!is_usual(p)) return p.n < 2800 ? 64 : 128;
    if (p.n > 6144) return p.type_a == Type::s ? 256 : p.lda % line(p) == 0 ? 64 : 128;
    if (p.type_a == Type::s && p.n > 3600 && p.lda % line(p) != 0) return 256;
    return p.n < 2300 ? 64 : p.n < 4500 ? 128 : 256;
  };
  return std::min<std::int64_t>(plan.threads, outputs());
}

std::int64_t symv_gathering_blocks(const Plan& plan) {
  const std::int64_t of_two = (symv(plan).strips - 1) * symv_above(plan.problem, plan.threads);
  return ceil_div(plan.problem.n, symv_gathered(plan)) + ceil_div(of_two, kernels::symv_gathered_of_two);
}

std::int64_t symv_held(const Plan& plan) {
  constexpr std::size_t limit = std::size_t{96} << 10;  // what an SM has of any device
  const std::int64_t columns_of_it = round_up(symv(plan).units * warps(plan), 4);
  if (symv_mailboxes(plan) == 0) return columns_of_it;
  const int rows = kernels::symv_kept_rows(static_cast<int>(symv(plan).strip_rows),
                                           static_cast<int>(symv_above(plan.problem, plan.threads)));
  const std::int64_t held = columns_of_it + std::int64_t{kernels::symv_kept} * rows;
  return shared_bytes(plan, held) <= limit ? held : 0;
}

SymvList symv_list(const Plan& plan) {
  const Problem& p = plan.problem;
  const std::int64_t all = ceil_div(p.n + symv_lead(p, plan.threads), warps(plan)), strips = symv(plan).strips,
                     tile_units = symv(plan).strip_rows / warps(plan);
  // Strips of whole chunks, if those are short, or of whole steps, where whole ones fit a tile.
  const std::int64_t wished = std::min(symv(plan).units, symv_columns(p));
  const std::int64_t chunk = wished > 0 && tile_units % wished == 0 ? wished : 1;
  const bool upper = stored(p).uplo == Uplo::upper;
  const std::int64_t least = upper ? round_up(all - (strips - 1) * tile_units, chunk) : tile_units;
  const std::int64_t most = upper ? (strips - 1) * tile_units + least : round_up(all, chunk);
  return {.panels = ceil_div(symv(plan).strip_rows, symv_panel_rows(p)),
          .tile_units = tile_units,
          .least_units = strips == 1 ? most : least,
          .most_units = most,
          .units = (strips - 1) * (strips - 2) / 2 * tile_units + (strips - 1) * least + most};
}

std::int64_t symv_mailboxes(const Plan& plan) {
  if (symv(plan).strips == 1 && symv(plan).blocks == 1) return 0;
  const Problem& p = plan.problem;
  const std::int64_t strips = symv(plan).strips, segments = symv(plan).blocks + strips - 1;
  return strips * (strips + 1) / 2 * symv(plan).strip_rows + strips * symv_lead(p, plan.threads) +
         segments * (symv(plan).strip_rows + symv_above(p, plan.threads));
}

std::int64_t symv_products(const Plan& plan) {
  const std::int64_t mailboxes = symv_mailboxes(plan) * size_of_sum(plan.problem);
  const std::int64_t room =
      mailboxes == 0 ? plan.problem.batch : static_cast<std::int64_t>(plan.workspace_bytes) / mailboxes;
  return std::min<std::int64_t>(room, 65535);
}

Plan shape_symv(const Problem& p, int threads, std::int64_t panels, std::int64_t blocks) {
  Plan plan{.problem = p,
            .kernel = {Variant::symv, is_plain(p) ? Form::plain : Form::general, Loads::few},
            .threads = threads,
            .params = SymvParams{}};
  SymvParams& shape = params<SymvParams>(plan);
  // Strips of equal height, and so are their panels.
  const std::int64_t most = symv_panel_rows(p), rows = p.n + symv_above(p, threads),
                     height = ceil_div(rows, ceil_div(rows, panels * most));
  panels = ceil_div(height, most);
  std::int64_t panel_rows = round_up(ceil_div(height, panels), row_unit(p, threads));
  // Strips of whole steps, if they need no more panels for it.
  const std::int64_t columns = symv_columns(p), step = threads / kernels::symv_lanes * columns,
                     higher = round_up(panel_rows, step);
  if (higher <= most) panel_rows = higher;
  const auto cut = [&](std::int64_t strip_rows) {
    shape = {.strip_rows = strip_rows, .strips = ceil_div(rows, strip_rows)};
    return ceil_div(symv_list(plan).units, blocks);
  };
  blocks = std::max<std::int64_t>(blocks, 1);
  std::int64_t units = cut(panel_rows * panels);
  // Where a block has one step, it had better not have units of two strips: a fifth of the rows may be left for that.
  const std::int64_t unit = std::max<std::int64_t>(std::lcm(step, panels * row_unit(p, threads)), 1);
  const std::int64_t lower = shape.strip_rows / unit * unit;
  const bool alike = shape.strips > 1 && ceil_div(lower, most) == panels && 5 * lower >= 4 * shape.strip_rows;
  if (alike && units <= columns) units = cut(lower);
  shape.units = units;
  if (units > columns) {
    shape.units = columns;  // the list in whole steps
    shape.units = round_up(ceil_div(symv_list(plan).units, blocks), columns);
  }
  shape.blocks = ceil_div(symv_list(plan).units, shape.units);
  shape.prefetch = is_plain(p);
  plan.workspace_bytes = workspace_bytes(plan);
  plan.shared_bytes = shared_bytes(plan);
  return plan;
}

std::string why_illegal_symv(const Plan& plan) {
  const Problem& p = plan.problem;
  const SymvParams& shape = symv(plan);
  if (!is_power_of_two(plan.threads, kernels::symv_lanes, kernels::symv_max_threads))
    return "threads must be a power of two from 32 to 256";
  if (warps(plan) % classes_to_keep_apart(p) != 0) return "threads leave too few warps for this lda";
  if (plan.kernel.form == Form::plain && !is_plain(p)) return "the plain form is for single products";
  if (shape.prefetch && !is_plain(p)) return "only single products with scalars on the host are prefetched";
  if (shape.strip_rows < 1 || shape.strip_rows > INT32_MAX ||
      shape.strip_rows % (ceil_div(shape.strip_rows, symv_panel_rows(p)) * row_unit(p, plan.threads)) != 0)
    return "the strips do not fit their panels";
  if (shape.strips < 1 || shape.strips != ceil_div(p.n + symv_above(p, plan.threads), shape.strip_rows))
    return "the strips do not cover the outputs";
  if (shape.strips > 65535 || symv_list(plan).units > INT32_MAX / 2) return "the list of units is too long";
  if (shape.units < 1 || shape.units > INT32_MAX || shape.blocks < 1 ||
      shape.blocks != ceil_div(symv_list(plan).units, shape.units))
    return "the blocks do not cover the list";
  if (plan.shared_bytes != shared_bytes(plan)) return "shared_bytes is wrong";
  if (plan.shared_bytes > symv_shared_limit) return "shared_bytes passes the limit";
  if (plan.workspace_bytes != workspace_bytes(plan)) return "workspace_bytes is wrong";
  if (plan.workspace_bytes > symv_workspace_limit(p)) return "workspace_bytes passes the limit";
  return "";
}

}  // namespace onepass
