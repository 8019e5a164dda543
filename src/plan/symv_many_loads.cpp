// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/symv_many_loads.hpp"

#include <algorithm>
#include <cstdint>

#include "plan/gemv_shape.hpp"
#include "plan/registry.hpp"
#include "plan/symv_shape.hpp"

namespace onepass {
namespace {

constexpr int usual_threads = 256, most_threads = 512;

struct Launch {
  int threads = usual_threads;
  std::int64_t fewest_panels = 0, most_panels = 0;
  double blocks_of_sm = 2;  // at most
  double of_columns = 0;    // time of a step without its panels, in theirs
};

// What was best of each type in a queue on an H200, if it takes no more than 3 % longer alone, of the orders that
// symv_squares leaves. Share of the floor in a queue and us alone, with usual steps and so:
//   s 16384 0.97     , 0.99
//   d 16384 0.967 246, 0.974 247
//   c 16384 0.96  247, 0.97  250
//   z  8192 0.96  127, 0.98  127    10007 0.93  194, 0.945 191   16384 0.94  496, 0.95  488
// Where columns start between lines, 16 warps have runs of whole lines that 8 have not. s between lines takes longer
// so.
std::optional<Launch> launch_of(const Problem& p) {
  constexpr double of_half_the_device = 1;
  constexpr std::int64_t large = 12288;
  const bool by_lines = p.lda * size_of(p.type_a) % 128 == 0;
  switch (p.type_a) {
    case Type::s:
      if (!by_lines) return std::nullopt;
      return Launch{.fewest_panels = 4, .most_panels = 4};
    case Type::d:
    case Type::c:
      if (by_lines) return Launch{.fewest_panels = 4, .most_panels = 4};
      return Launch{.threads = most_threads,
                    .fewest_panels = p.type_a == Type::d ? 4 : 3,
                    .most_panels = p.type_a == Type::d ? 4 : 5,
                    .of_columns = 1.1};
    case Type::z:
      if (by_lines && p.n < large) return Launch{.fewest_panels = 2, .most_panels = 2};
      if (by_lines)
        return Launch{
            .threads = most_threads, .fewest_panels = 3, .most_panels = 3, .blocks_of_sm = of_half_the_device};
      return Launch{.threads = most_threads, .fewest_panels = 3, .most_panels = 3};
    default: return std::nullopt;
  }
}

// Blocks of an SM share its memory, of which CUDA keeps 1 KiB for each.
bool fits(const Plan& plan, const DeviceTraits& traits) {
  const std::size_t blocks = static_cast<std::size_t>(most_threads / plan.threads);
  return blocks * (plan.shared_bytes + 1024) <= static_cast<std::size_t>(std::max(traits.shared_bytes_per_sm, 0));
}

}  // namespace

std::optional<Plan> with_many_loads(const Problem& p, const DeviceTraits& traits) {
  constexpr std::int64_t least_steps = 2;  // of a block
  const KernelRow* const kernel = find_kernel({Variant::symv, Form::plain, Loads::many});
  if (!is_plain(p) || !kernel->serves(elements_of(p))) return std::nullopt;
  const std::optional<Launch> launch = launch_of(p);
  if (!launch) return std::nullopt;
  const auto most = static_cast<std::int64_t>(launch->blocks_of_sm * traits.sm_count);
  const std::int64_t columns = symv_columns(p, Loads::many);
  const auto shape = [&](std::int64_t panels, std::int64_t blocks) {
    return shape_symv(p, launch->threads, panels, blocks, Loads::many);
  };
  std::optional<Plan> best;
  double least = 0;
  for (std::int64_t panels = launch->fewest_panels; panels <= launch->most_panels; ++panels) {
    Plan plan = shape(panels, most);
    if (params<SymvParams>(plan).units < least_steps * columns)
      plan = shape(panels, ceil_div(symv_list(plan).units, least_steps * columns));
    if (!why_illegal_symv(plan).empty() || !fits(plan, traits)) continue;
    const auto steps = static_cast<double>(ceil_div(params<SymvParams>(plan).units, columns));
    const double time = steps * (static_cast<double>(panels) + launch->of_columns);
    if (best && time >= least) continue;
    best = plan;
    least = time;
  }
  return best;
}

}  // namespace onepass
