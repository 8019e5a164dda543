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
constexpr std::int64_t middling = 6144, large = 12288;  // orders up to the first, from the second on

struct Launch {
  int threads = usual_threads;
  std::int64_t fewest_panels = 0, most_panels = 0;
  double blocks_of_sm = 2;    // at most
  bool beside_gather = true;  // those that gather among them
  double of_columns = 0;      // time of a step without its panels, in theirs
};

// What was best of each type in a queue on an H200, if it takes no more than 3 % longer alone. Share of the floor in a
// queue and us alone, with usual steps and so:
//   s  3001 0.76 14.0, 0.88 13.7    4096 0.89 15.3, 1.07 15.6    5001 0.81 22.3, 0.94 22.8
//      8192 0.98 38.9, 1.04 37.4   16384 0.97     , 0.99
//   d  4096 0.90     , 1.05         5001 0.86 33.6, 1.00 32.5   10007 0.91  103, 0.99  107
//     16384 0.967 246, 0.974 247
//   c  4096 0.86 22.8, 1.04 22.7    5001 0.81 35.3, 0.97 34.2   10007 0.90  104, 0.98  108
//     16384 0.96  247, 0.97  250
//   z  2500 0.84 20.8, 1.02 21.2    4096 0.96 38.5, 1.03 39.0    8192 0.96  127, 0.98  127
//     10007 0.93  194, 0.945 191   16384 0.94  496, 0.95  488
// Where columns start between lines, 16 warps have runs of whole lines that 8 have not, and odd ones of d and c gain
// most: they take 4 % longer alone, where 210 and 227 blocks are no even number of rounds.
// Smaller ones gain as much in a queue, and lose alone: d 2500 1.07 for 0.83, in 14.9 us for 12.6, 3001 1.02 for 0.80,
// in 22.2 for 17.3. So do s 10007, 0.87 for 0.84 in 66.3 us for 58.6, z 3001, 0.89 for 0.81 in 31.8 for 27.6, d
// 8192, 1.01 for 0.96, in 66.3 us for 64.2, and z 5001, 1.01 for 0.93, in 64.8 for 55.8.
std::optional<Launch> launch_of(const Problem& p) {
  const bool by_lines = p.lda * size_of(p.type_a) % 128 == 0;
  const std::int64_t n = p.n;
  constexpr double of_half_the_device = 1, of_the_device = 2;
  switch (p.type_a) {
    case Type::s:
      if (n < 2900) return std::nullopt;
      if (n <= middling)
        return Launch{.fewest_panels = 2,
                      .most_panels = 5,
                      .blocks_of_sm = of_half_the_device,
                      .beside_gather = false,
                      .of_columns = 2.5};
      if (!by_lines) return std::nullopt;
      if (n >= large) return Launch{.fewest_panels = 4, .most_panels = 4, .beside_gather = false};
      return Launch{.fewest_panels = 4, .most_panels = 6, .of_columns = 2.5};
    case Type::d:
    case Type::c:
      if (n < 3900) return std::nullopt;
      if (n <= middling) {
        if (p.type_a == Type::d && n >= 4900 && !by_lines)
          return Launch{.threads = most_threads,
                        .fewest_panels = 5,
                        .most_panels = 5,
                        .blocks_of_sm = of_half_the_device,
                        .beside_gather = false};
        return Launch{.fewest_panels = 2, .most_panels = 4};
      }
      if (!by_lines)
        return Launch{.threads = most_threads,
                      .fewest_panels = p.type_a == Type::d ? 4 : 3,
                      .most_panels = p.type_a == Type::d ? 4 : 5,
                      .beside_gather = false,
                      .of_columns = 1.1};
      if (n >= large) return Launch{.fewest_panels = 4, .most_panels = 4, .beside_gather = false};
      return std::nullopt;
    case Type::z:
      if (n < 2300) return std::nullopt;
      if (n < (by_lines ? 3300 : 2800))
        return Launch{.fewest_panels = 2, .most_panels = 2, .blocks_of_sm = of_half_the_device, .beside_gather = false};
      if (n <= middling) return by_lines ? std::optional(Launch{.fewest_panels = 2, .most_panels = 2}) : std::nullopt;
      if (by_lines && n < large) return Launch{.fewest_panels = 2, .most_panels = 2, .beside_gather = false};
      return Launch{.threads = most_threads,
                    .fewest_panels = 3,
                    .most_panels = 3,
                    .blocks_of_sm = by_lines ? of_half_the_device : of_the_device,
                    .beside_gather = false};
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
    const std::int64_t gathering = launch->beside_gather ? symv_gathering_blocks(shape(panels, most)) : 0;
    Plan plan = shape(panels, most - gathering);
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
