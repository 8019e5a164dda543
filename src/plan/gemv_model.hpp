// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How long a launch of GEMV takes, from what it makes the device do: no trial run.
//
//   launch + ramp + combine + sqrt(stream^2 + issue^2 + latency^2)
//
// stream: the bus delivers the matrix. issue: the busiest SM issues its loads, threads and blocks. latency: trips to
// memory, one after the other. combine: sums of several threads and blocks become one.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "plan/choice.hpp"
#include "plan/device_traits.hpp"
#include "plan/gemv_launch.hpp"
#include "plan/plan.hpp"
#include "problem/combinations.hpp"
#include "problem/cost.hpp"

namespace onepass {

// Fitted to launches that were timed. Those of an SM's work are for the clock of the GPU that was measured.
struct GemvPrices {
  double launch = 0, spread = 0, ramp = 0, round = 0, load_of_trip = 0, slot = 0, wave = 0, thread = 0, block = 0,
         run = 0, narrow = 0, cut = 0, combine = 0, poll = 0, cluster = 0, step = 0, group = 0, term = 0, output = 0;
  // By elements; x as head and tail has the price of sums with more digits.
  std::array<double, static_cast<std::size_t>(ElementsId::s_tails)> load = {};

  template <class Self, class Visit>
  static void fields(Self& self, Visit visit) {
    visit("launch", self.launch, "us of anything");
    visit("spread", self.spread, "us of blocks on all SMs, less on fewer");
    visit("ramp", self.ramp, "us of each time that the bytes are twice as many");
    visit("round", self.round, "us of a trip to memory");
    visit("load_of_trip", self.load_of_trip, "us of each load of a thread that it brings");
    visit("slot", self.slot, "us of each that it has room for");
    visit("wave", self.wave, "us of blocks that take the places of others");
    visit("thread", self.thread, "us of 1000 threads of an SM");
    visit("block", self.block, "us of 1000 blocks of an SM");
    visit("run", self.run, "slowdown of the stream by runs of 32 bytes, by their number");
    visit("narrow", self.narrow, "and by its square");
    visit("cut", self.cut, "by sectors that are requested twice");
    visit("combine", self.combine, "us of any partial sums from other blocks");
    visit("poll", self.poll, "us of a trip for them");
    visit("cluster", self.cluster, "us of a step of a cluster's tree");
    visit("step", self.step, "us of a step of a block's");
    visit("group", self.group, "us of mailboxes in two levels");
    visit("term", self.term, "us of a product from shared memory");
    visit("output", self.output, "us of 1000 outputs of an SM");
    visit("load", self.load, "us of 1000 loads of an SM");
  }
  bool operator==(const GemvPrices&) const = default;
};

// One for each kernel, in the order of gemv_kernels.
using ModelPrices = std::array<GemvPrices, std::size(gemv_kernels)>;
constexpr std::size_t place_of(Variant variant) {
  return static_cast<std::size_t>(std::ranges::find(gemv_kernels, variant) - std::begin(gemv_kernels));
}
// Those of the user's table where it has any, else what was fitted on an H200. They live as long as the table.
const ModelPrices& prices_of(const DeviceTraits& traits);

// What all launches of a problem have in common on a device.
struct GemvModel : GemvBasis {
  GemvModel(const Problem& p, const DeviceTraits& device) : GemvBasis(p), traits(device) {}

  static constexpr double fitted_clock = 1.98e9, fitted_bandwidth = h200_bytes_per_second,
                          fitted_sms = 132;  // of prices built in
  const DeviceTraits& traits;
  const ModelPrices& prices = prices_of(traits);
  double bytes = stored_bytes(problem);                                            // of all matrices
  double cycles = traits.clock_hertz > 0 ? fitted_clock / traits.clock_hertz : 1;  // of that GPU for one of this
  double known = traits.ceilings.bytes_per_second;
  double bandwidth = known <= 0 ? fitted_bandwidth / fitted_sms * traits.sm_count : known;
  double stream = 1e6 * bytes / bandwidth;  // us that the bus takes for the bytes
  double doublings = std::log2(1 + stream);
};

// The form in which its kernel is compiled for the problem.
Form form_of(Variant variant, const GemvBasis& b);
// As without a device, with the warps that it holds.
GemvLaunch launch_of(const GemvModel& m, const Choice& choice);

double seconds_of(const GemvModel& model, const GemvLaunch& launch, const GemvPrices& prices);

// By the prices of the device; 0: there is no such launch. The plan is of one of gemv_kernels.
double modelled_seconds(const Plan& plan, const DeviceTraits& traits);

}  // namespace onepass
