// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_rows_canonical.hpp"

#include <algorithm>
#include <bit>

#include "kernels/args.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/gemv_small.hpp"
#include "plan/occupancy.hpp"
#include "plan/registry.hpp"
#include "problem/canonical_order.hpp"

namespace onepass {
namespace {

const char* why_not(const Problem& p) {
  if (p.order != Order::canonical) return "no canonical order is asked for";
  if (!is_plain(p)) return "a batch, or scalars on the device";
  if (stored(p).transposed) return "the outputs lie across the contiguous dimension of A";
  if (stored(p).cols > canonical::chunk) return "a row is more than a chunk";
  constexpr KernelId kernel{Variant::gemv_n_rows_canonical, Form::plain, Loads::many};
  if (!find_kernel(kernel)->serves(elements_of(p))) return "a row is too much for the registers of a thread";
  return nullptr;
}

Plan shape(const Problem& p, int threads) {
  Plan plan{.problem = p,
            .kernel = {.variant = Variant::gemv_n_rows_canonical, .form = Form::plain, .loads = Loads::many},
            .threads = threads,
            .params = GemvParams{.lanes = threads}};
  GemvParams& g = params<GemvParams>(plan);
  g.tile = threads;
  g.tiles = ceil_div(stored(p).rows, threads);
  g.chunk = stored(p).cols;
  return plan;
}

}  // namespace

const char* why_no_rows_canonical(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = why_not(p); reason != nullptr) return reason;
  if (traits.sm_count < 64) return "a device with few SMs";
  // On an H200 s 13674x16 takes 1.2 us and not 1.8, d 22146x16 2.4 and not 2.9; but s 13674x110 4.0 and not 3.6.
  const std::int64_t least_rows = stored(p).cols <= 64 ? 12000 : 20000;
  return stored(p).rows < least_rows ? "the rows are too few for the device" : nullptr;
}

Plan plan_rows_canonical(const Problem& p, const DeviceTraits& traits) {
  Plan plan = shape(p, 128);
  if (stored(p).cols <= canonical::partial_sums)
    params<GemvParams>(plan).prefetch_blocks = std::min<std::int64_t>(prefetching_blocks(plan, traits), INT32_MAX);
  return plan;
}

std::string why_illegal_rows_canonical(const Plan& plan) {
  const Problem& p = plan.problem;
  if (const char* reason = why_not(p); reason != nullptr) return reason;
  if (plan.threads < 32 || plan.threads > kernels::gemv_max_threads ||
      !std::has_single_bit(static_cast<unsigned>(plan.threads)))
    return "threads must be a power of two from 32 to 256";
  if (params<GemvParams>(plan).lanes != plan.threads) return "a thread has a row";
  if (params<GemvParams>(plan).chunk != stored(p).cols) return "nothing is split here";
  return why_illegal_shares(plan, plan.threads, 0);
}

}  // namespace onepass
