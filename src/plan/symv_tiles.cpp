// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_tiles.
#include <algorithm>

#include "kernels/symv_args.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/symv_shape.hpp"
#include "types/elements.hpp"

namespace onepass {
namespace {

const SymvParams& shape_of(const Plan& plan) { return params<SymvParams>(plan); }

std::int64_t warps(const Plan& plan) { return plan.threads / kernels::symv_lanes; }

std::int64_t tile_rows(const Problem& p) { return kernels::symv_lanes * vector_length(p); }

constexpr std::size_t most_shared = std::size_t{227} << 10;         // of a block
constexpr std::size_t most_shared_of_two = std::size_t{113} << 10;  // of each of two on an SM
constexpr std::size_t most_shared_of_four = std::size_t{56} << 10;

// Of a block that multiplies, which is more than one that gathers needs, with `held` sums of columns, and those of a
// segment's rows.
std::size_t shared_bytes(const Plan& plan, std::int64_t held, bool keeps_rows) {
  const ElementsId elements = elements_of(plan.problem);
  const bool twice = elements == ElementsId::d_twice || elements == ElementsId::z_twice;
  const std::int64_t size = size_of_sum(plan.problem);
  return static_cast<std::size_t>(kernels::symv_tiles_room(static_cast<int>(shape_of(plan).strip_rows),
                                                           static_cast<int>(warps(plan)), static_cast<int>(held),
                                                           keeps_rows, static_cast<int>(size),
                                                           static_cast<int>(twice ? size / 2 : size), twice)
                                      .end);
}
std::size_t shared_bytes(const Plan& plan) { return shared_bytes(plan, tiles_held(plan), tiles_keep_rows(plan)); }

// Of a block beside others.
std::size_t most_shared_beside(const Plan& plan) {
  return plan.threads > 128 ? most_shared_of_two : most_shared_of_four;
}

std::size_t workspace_bytes(const Plan& plan) {
  return static_cast<std::size_t>(symv_mailboxes(plan) * size_of_sum(plan.problem));
}

// Rows of triangles that tiles take in one wave of blocks, neither in less nor in several.
constexpr bool is_one_wave(std::int64_t rows) { return rows > 3300 && rows <= 5300; }

}  // namespace

Plan shape_tiles(const Problem& p, int threads, std::int64_t strip_rows, std::int64_t blocks) {
  Plan plan{.problem = p,
            .kernel = {.variant = Variant::symv_tiles, .form = Form::plain, .loads = Loads::many},
            .threads = threads,
            .params = SymvParams{.strip_rows = strip_rows, .strips = ceil_div(p.n, strip_rows)}};
  SymvParams& shape = params<SymvParams>(plan);
  const std::int64_t units = tiles_list(plan).units;
  shape.blocks = std::clamp<std::int64_t>(blocks, 1, units);
  shape.units = ceil_div(units, shape.blocks);
  plan.workspace_bytes = workspace_bytes(plan);
  plan.shared_bytes = shared_bytes(plan);
  return plan;
}

bool has_units_of_tiles(const Plan& plan) { return plan.kernel.variant == Variant::symv_tiles; }

std::int64_t tiles_unit(const Plan& plan) { return warps(plan) * kernels::symv_tile_columns; }

// Whole units, as many as a block has, or as there is room for beside other blocks. A block that has an SM for itself
// had better hold none: on an H200 z n = 4096 takes 44.4 us so and 45.2 with all held, 8192 160 and 165.
std::int64_t tiles_held(const Plan& plan) {
  const std::size_t others = shared_bytes(plan, 0, false), limit = most_shared_beside(plan);
  const std::int64_t unit = tiles_unit(plan), size = unit * size_of_sum(plan.problem);
  const std::int64_t room = others < limit && size > 0 ? static_cast<std::int64_t>(limit - others) / size : 0;
  return unit * std::min(shape_of(plan).units, room);
}

// Where the columns of all units of a block have their places, too.
bool tiles_keep_rows(const Plan& plan) {
  const std::int64_t held = shape_of(plan).units * tiles_unit(plan);
  return tiles_held(plan) == held && shared_bytes(plan, held, true) <= most_shared_beside(plan);
}

std::int64_t tiles_larger(const Plan& plan) {
  return tiles_list(plan).units - (shape_of(plan).units - 1) * shape_of(plan).blocks;
}

// Blocks that gather take places from the next launch: of one wave as few as have a thread for each output.
std::int64_t tiles_gathered(const Plan& plan) {
  const std::int64_t n = plan.problem.n, most = elements_of(plan.problem) == ElementsId::z_twice ? 6000 : 1500;
  return std::min<std::int64_t>(plan.threads, n <= most ? 64 : is_one_wave(n) ? 256 : 128);
}

SymvList tiles_list(const Plan& plan) {
  const Problem& p = plan.problem;
  const std::int64_t all = ceil_div(p.n, tiles_unit(plan)), strips = shape_of(plan).strips,
                     tile_units = shape_of(plan).strip_rows / tiles_unit(plan);
  const bool upper = stored(p).uplo == Uplo::upper;
  const std::int64_t least = upper ? all - (strips - 1) * tile_units : tile_units;
  const std::int64_t most = upper ? (strips - 1) * tile_units + least : all;
  return {.panels = 1,
          .tile_units = tile_units,
          .least_units = strips == 1 ? most : least,
          .most_units = most,
          .units = (strips - 1) * (strips - 2) / 2 * tile_units + (strips - 1) * least + most};
}

const char* why_not_tiles(const Problem& p) {
  if (!is_plain(p)) return "a batch, or scalars on the device";
  if (p.order == Order::canonical) return "its order of sums is another";
  if (!is_accurate(p)) return "the sums have no more digits than usual";
  if (!vectors_fit(p) || p.n % vector_length(p) != 0) return "its columns do not start and end on 16-byte boundaries";
  return nullptr;
}

std::string why_illegal_tiles(const Plan& plan) {
  const std::int64_t rows = shape_of(plan).strip_rows;
  if (const char* reason = why_not_tiles(plan.problem); reason != nullptr) return reason;
  if (!is_power_of_two(plan.threads, kernels::symv_lanes, kernels::symv_tiles_max_threads))
    return "threads must be a power of two from 32 to 512";
  if (rows < 1 || rows > 1024 || rows % tile_rows(plan.problem) != 0 || rows % tiles_unit(plan) != 0)
    return "the strips are not whole tiles and units";
  const SymvParams& shape = shape_of(plan);
  const Plan right = shape_tiles(plan.problem, plan.threads, shape.strip_rows, shape.blocks);
  if (shape_of(right).strips > 65535 || tiles_list(right).units > INT32_MAX / 2) return "the list of units is too long";
  if (right.shared_bytes > most_shared) return "shared_bytes passes the limit";
  if (symv_mailboxes(right) == 0) return "one block alone has no mailboxes";
  if (right.workspace_bytes > symv_workspace_limit(plan.problem)) return "workspace_bytes passes the limit";
  return why_different(plan, right);
}

// us by tiles and by symv on an H200 at n = 1024, 2048, 4096, 8192 and 16384, in a queue: z twice 4.7 and 9.4, 11.5
// and 22.4, 44 and 72, 156 and 243, 592 and 890; d twice 3.3 and 3.8, 5.4 and 9.2, 17.2 and 25.9, 66 and 80, 258 and
// 293; c wider 3.1 and 3.8, 5.6 and 9.2, 17.6 and 25.7, 66 and 78, 277 and 302; w 3.7 and 5.9, 8.1 and 12.9, 32 and 40,
// 126 and 134, 530 and 539.
const char* decline_tiles(const Problem& p, const DeviceTraits& traits) {
  constexpr std::int64_t least_rows = 900;
  if (const char* reason = why_not_tiles(p); reason != nullptr) return reason;
  if (elements_of(p) == ElementsId::s_wider || size_of(p.type_a) < 4) return "its elements are too small for tiles";
  if (traits.sm_count < 64 || traits.shared_bytes_per_sm < (228 << 10)) return "a device with few SMs or little room";
  if (p.n < least_rows) return "symv is faster with as many rows";
  return why_illegal_tiles(plan_tiles(p, traits)).empty() ? nullptr : "its mailboxes do not fit the workspace";
}

// Blocks of a few units of small matrices, so that in a queue those of the next launch are done with theirs when the
// sums of this one have been gathered: d n = 2048 takes 5.4 us with two of them, and 6.8 with one, 3072 10.2 with three
// and 12.3 with one and a half. Then one wave that leaves places for the next launch: n = 4096 takes 17.2 us and alone
// 28.1 with 206 blocks, 16.7 and 32.2 with 150, 18.7 and 28.7 with 248. Of large ones two blocks on each SM or more,
// beside which the next launch starts; where sums take as long as the bytes one, whose warps end together.
Plan plan_tiles(const Problem& p, const DeviceTraits& traits) {
  const bool bound = elements_of(p) == ElementsId::z_twice;
  const std::int64_t sms = traits.sm_count;
  const auto in_units = [&](int threads, std::int64_t strip_rows, std::int64_t units) {
    const Plan one = shape_tiles(p, threads, strip_rows, 1);
    return shape_tiles(p, threads, strip_rows, ceil_div(tiles_list(one).units, units));
  };
  if (p.n <= 1500) return in_units(256, 128, bound ? 2 : 1);
  if (p.n <= (bound ? 3500 : 3000)) return bound ? in_units(128, 128, 4) : in_units(256, 256, 2);
  if (bound) return shape_tiles(p, kernels::symv_tiles_max_threads, 128, sms);
  if (p.n <= 3300) return in_units(256, 256, 3);
  if (is_one_wave(p.n)) return shape_tiles(p, 256, 256, sms * 25 / 16);
  return shape_tiles(p, 256, 256, p.n <= 6000 ? 2 * sms : 4 * sms);
}

}  // namespace onepass
