// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_model.hpp"

#include <algorithm>
#include <cmath>

#include "plan/gemv_shape.hpp"
#include "plan/tuning_table.hpp"

namespace onepass {
namespace {

constexpr GemvPrices fitted(GemvPrices prices, const decltype(GemvPrices::load)& load) {
  prices.load = load;
  return prices;
}
// 164,000 launches of 7,000 random problems on an H200, each timed alone; those near the fastest of their problem count
// most. docs/tuning.md says how well they do on problems that no price has seen. Of each of gemv_kernels, in the order
// of the members: as `onepass tune --model` writes them.
constexpr ModelPrices built_in = {
    fitted(
        {1.55, 0.00408, 1.49, 0.879, 0.0574, 0.0101, 0.237, 1.69, 0.56, 0, 0, 0, 0, 0, 0, 0.00132, 0, 0.00347, 0.467},
        {0.147, 0.149, 0.181, 0.382, 0.55, 0.521}),
    fitted({1.13, 0.254, 0.464, 0.439, 0.0177, 0, 0, 1.19, 1.78, 0.29, 0, 0.276, 0.273, 0, 0.0275, 0.0796, 0, 0, 0},
           {0.000223, 0.0237, 0.0518, 0.104, 0.0276, 0.0264, 0, 0.0532, 0.179, 0, 0, 0.144, 0.534}),
    fitted({1.09, 0.268, 0.275, 0.185, 0.0439, 0.0205, 0.774, 1.89, 23.8, 0.15, 0.324, 0.147, 0.694, 0.177, 0, 0.0577,
            0.368, 0, 0.515},
           {2.99e-05, 0.0504, 0.04, 0.0631, 0.0434, 0.0622, 0.167, 0.0476, 0.172, 0.268, 0.268, 0.122, 0.205}),
    fitted({1.19, 0.102, 0.377, 0.585, 0, 0, 0, 0.819, 0.319, 0.156, 0, 0, 0.278, 0, 0.0563, 0.0544, 0, 0, 0.862},
           {3.25e-05, 0.0062, 0.0331, 0.129, 0, 0, 0, 0.0412, 0.173, 0, 0, 0.136, 0.456}),
    fitted({1.74, 0.473, 0.138, 0.00144, 0.0493, 0.00985, 0.369, 0.882, 19.3, 0.0138, 0, 0, 0, 0, 0, 0, 0, 0, 0.123},
           {0.032, 0.0437, 0.0678, 0.000502, 0.14, 0.122}),
    fitted({1.37, 0.165, 0.396, 0.273, 0.0393, 0.114, 0.128, 1.02, 61.7, 0.00246, 0.0176, 0, 0.537, 0, 0.0396, 0.0721,
            0, 0, 0.047},
           {0, 0, 0, 0, 0.000428, 0.00349}),
    fitted({1.18, 0.294, 0.241, 0.00162, 0, 0.476, 0.0016, 1.27, 0.263, 0.00582, 0.0396, 0.00705, 0, 0, 0, 0.0716, 0, 0,
            0.00678},
           {0.112, 0.148, 0.21, 0.000536, 0.277, 0.302, 0.18, 0.262, 0.476, 0, 0, 0.517}),
    fitted({1.36, 0.142, 0.39, 0.371, 0.0668, 0.119, 0.457, 2.95, 2.95, 0.171, 0.0972, 0.926, 0.747, 0.235, 0, 0.042,
            0.457, 0, 0.316},
           {3.57e-05, 0.00407, 0.00597, 0.000124, 0.118, 0.139, 0.155, 0.102, 0.175, 0.298, 0.325, 0.175, 0.299}),
};

// Those of x as head and tail were not timed.
ElementsId without_tails(ElementsId id) {
  using enum ElementsId;
  constexpr ElementsId of_tails[] = {s_wider, d_twice, c_wider, z_twice};
  return id < s_tails ? id : of_tails[static_cast<int>(id) - static_cast<int>(s_tails)];
}

// The number is not negative; std::ceil is a call where nothing is known of the processor.
double ceil(double v) {
  const auto whole = static_cast<double>(static_cast<std::int64_t>(v));
  return whole + (whole < v ? 1 : 0);
}

double number(std::int64_t v) { return static_cast<double>(v); }

}  // namespace

Form form_of(Variant variant, const GemvBasis& b) {
  return b.plain && variant != Variant::gemv_flat ? Form::plain : Form::general;
}

const ModelPrices& prices_of(const DeviceTraits& traits) {
  const TuningTables* const tables = traits.tuning;
  return tables != nullptr && tables->user && tables->user->prices ? *tables->user->prices : built_in;
}

GemvLaunch launch_of(const GemvModel& m, const Choice& c) {
  GemvLaunch launch = launch_of(static_cast<const GemvBasis&>(m), c);
  launch.warps = resident_warps({c.variant, form_of(c.variant, m), c.loads}, m.elements, m.traits);
  return launch;
}

double seconds_of(const GemvModel& m, const GemvLaunch& l, const GemvPrices& k) {
  // Blocks of a cluster need places that lie together. On an H200 clusters of eight find eight of eleven, and one that
  // waits for the end of another may double the time. Of 7,000 problems three lose more than a tenth without these.
  constexpr double places_of_clusters = 8.0 / 11;
  const bool splits = l.splits > 1, clustered = splits && may_be_clustered(l.choice.variant);
  const double resident =
                   resident_blocks(l.warps, l.choice.threads, static_cast<std::size_t>(l.shared_bytes), m.traits),
               blocks = number(l.blocks);
  if (clustered && blocks > places_of_clusters * m.traits.sm_count * resident) return 0;

  const double of_sm = blocks / m.traits.sm_count, of_busiest = ceil(of_sm), waves = ceil(of_sm / resident);
  const double slow = 32 / l.run;
  const double stream = m.stream * (1 + k.run * slow + k.narrow * slow * slow) * (1 + k.cut * (l.sectors - 1));
  const double threads = l.choice.threads, outputs = number(std::max(l.outputs, l.tile));
  const double load = k.load[static_cast<std::size_t>(without_tails(m.elements))];
  const double issue = 1e-3 * m.cycles * of_busiest *
                       (l.vectors * threads * l.columns * load + threads * k.thread + outputs * k.output + k.block);
  const double trip = k.round + k.load_of_trip * std::min<double>(l.flight, l.vectors) + k.slot * l.flight;
  const double latency = waves * (ceil(l.vectors / l.flight) * trip + k.wave + k.term * l.products);

  double combine = k.step * l.steps + (splits ? k.combine : 0);
  if (clustered) combine += k.cluster * log2_of(l.splits);
  if (splits && !clustered) {
    // Mailboxes in one level or in two: the trips to the L2 for what a thread receives.
    const std::int64_t teams = std::max<std::int64_t>(l.choice.threads / l.outputs, 1);
    const auto receive = [&](std::int64_t parts) { combine += k.poll * number(ceil_div(parts, 2 * teams)); };
    const int grouped = log2_grouped(l.splits, l.choice.threads, l.outputs);
    receive((grouped > 0 ? std::int64_t{1} << grouped : l.splits) - 1);
    if (grouped > 0) {
      combine += k.group;
      receive(ceil_shift(l.splits, grouped) - 1);
    }
  }
  const double start = k.launch + k.spread * std::min(of_sm, 1.0) + k.ramp * m.doublings;
  return 1e-6 * (start + combine + std::sqrt(stream * stream + issue * issue + latency * latency));
}

double modelled_seconds(const Plan& plan, const DeviceTraits& traits) {
  const GemvModel model(plan.problem, traits);
  const GemvLaunch launch = launch_of(model, choice_of(plan));
  return launch.none == nullptr ? seconds_of(model, launch, model.prices[place_of(plan.kernel.variant)]) : 0;
}

}  // namespace onepass
