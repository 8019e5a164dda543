// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_model.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/args.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/occupancy.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

// Fitted to 28,000 timings on an H200 (five types, 9 x 9 shapes from 16 to a million, cold, all threads,
// lanes and splits): the launch that the model likes best is on average 4 to 5 % (gemv_n) and 2 to 4 %
// (gemv_t) slower than the best of them. The cost of letters and of uneven loads was corrected by the 5,100
// cells N and T of the mesh. Microseconds, if not said otherwise.
struct Constants {
  double launch;        // of anything
  double round;         // one trip of a thread's loads
  double wave;          // start and end of a block
  double word;          // 1000 words of an SM
  double half_word;     // and more, if their elements have two bytes
  double thread;        // 1000 threads of an SM
  double few_bytes;     // 1000 bytes of an SM, where not every SM has a block
  double run;           // slowdown of the stream by runs of 32 bytes
  double cut;           // slowdown by sectors that are requested twice
  double combine;       // any letters
  double letter_round;  // eight of them per thread, the rounds of the time of the fit
  double letter;        // a letter per thread
};
constexpr Constants gemv_n{.launch = 0.4506,
                           .round = 0.6439,
                           .wave = 0.7169,
                           .word = 0.0475,
                           .half_word = 0.0218,
                           .thread = 0.8065,
                           .few_bytes = 0.01109,
                           .run = 0.9829,
                           .cut = 0.0607,
                           .combine = 0.2885,
                           .letter_round = 0.75,
                           .letter = 0.0286};
constexpr Constants gemv_t{.launch = 1.0928,
                           .round = 0.6271,
                           .wave = 0.0732,
                           .word = 0.1671,
                           .half_word = 0.1974,
                           .thread = 1.1058,
                           .few_bytes = 0.00948,
                           .run = 0.1906,
                           .cut = 0,
                           .combine = 0.4338,
                           .letter_round = 0.8,
                           .letter = 0.0008};

double ceil(double a, double b) { return std::ceil(a / b); }

// The fit in other devices: what an SM does by itself takes as many cycles, a trip to memory as many microseconds, and
// an SM can draw as many times its share of the bandwidth.
double cycle_scale(const DeviceTraits& traits) {
  constexpr double fitted = 1.98e9;  // the clock of the H200
  return traits.clock_hertz > 0 ? fitted / traits.clock_hertz : 1;
}

constexpr double fitted_share = 4.65e12 / 132;  // bytes per second of an SM of the H200

double bandwidth_of(const DeviceTraits& traits) {
  return traits.ceilings.bytes_per_second > 0 ? traits.ceilings.bytes_per_second : fitted_share * traits.sm_count;
}

// Slowdown of gemv_n without a split by the number of threads on an SM, which is not a whole number of blocks:
// seen at the cells of the mesh over 8 MB, against a model without it.
double unevenness(const Plan& plan, double bytes, double threads_per_sm) {
  if (plan.variant != Variant::gemv_n || plan.splits > 1 || bytes < 8e6) return 1;
  if (threads_per_sm < 350) return 1.1;
  if (threads_per_sm < 640) return 1.28;
  if (threads_per_sm < 770) return 1.1;
  if (threads_per_sm < 1150) return 1.3;
  return 1.05;
}

bool column_in_one_go(const Plan& plan) { return words_of_column(plan.problem) <= plan.lanes; }

}  // namespace

double modelled_sectors(const Plan& plan) {
  const Problem& p = plan.problem;
  const std::int64_t size = size_of(p.type_a);
  if ((p.alignment_a >= 32 && p.lda * size % 32 == 0) || column_in_one_go(plan)) return 1;
  // A run of words starts in the middle of a sector, every other one or all of them; some of its first and
  // last word is wanted by a neighbour too.
  const double run = 16.0 * plan.lanes, cut = p.lda * size % 32 == 0 ? 32 : 16;
  if (plan.variant == Variant::gemv_n) return (run + cut) / static_cast<double>(plan.tile * size);
  const double column = static_cast<double>(stored(p).rows * size),
               shared = words_fit(p) ? 0 : static_cast<double>(16 - size);
  return (run + cut) / run * (1 + shared / column);
}

// launch + combine + sqrt(stream^2 + issue^2 + latency^2 + uneven^2)
double modelled_seconds(const Plan& plan, const DeviceTraits& traits) {
  const Problem& p = plan.problem;
  const bool transposed = plan.variant == Variant::gemv_t;
  const Constants& k = transposed ? gemv_t : gemv_n;
  const double sms = traits.sm_count, threads = plan.threads, lanes = plan.lanes, groups = threads / lanes;
  const double blocks = static_cast<double>(plan.tiles * plan.splits * p.batch);
  const double resident = resident_blocks(plan, traits), cycles = cycle_scale(traits);

  const double words = ceil(static_cast<double>(plan.chunk), transposed ? lanes : groups);
  const kernels::Depth depth = plan.shallow ? kernels::Depth::shallow : kernels::Depth::deep;
  const double rounds = ceil(words, transposed ? kernels::gemv_t_in_flight(depth) : kernels::gemv_n_in_flight(depth));
  const double slots = words * threads * (transposed ? kernels::gemv_t_bundle : 1);

  const double bytes = cost(p).matrix_bytes;
  const double run = column_in_one_go(plan) ? 512 : 16 * lanes;
  const double bandwidth = bandwidth_of(traits), share_scale = fitted_share * sms / bandwidth;
  const double stream = 1e6 * bytes / bandwidth * (1 + k.run * 32 / run) * (1 + k.cut * (modelled_sectors(plan) - 1));
  const double word = k.word + (size_of(p.type_a) == 2 ? k.half_word : 0);
  const double issue = ceil(blocks, sms) * (slots * word + threads * k.thread) * cycles * 1e-3;
  const double latency = ceil(blocks, sms * resident) * (k.wave * cycles + rounds * k.round);
  const double uneven = bytes / std::min(blocks, sms) * k.few_bytes * share_scale * 1e-3;

  double combine = 0;
  if (plan.splits > 1) {
    const double letters = static_cast<double>(plan.splits - 1);
    const double sums = static_cast<double>(outputs(plan)), teams = std::max(1.0, threads / sums);
    combine = k.combine + k.letter_round * ceil(letters, 8 * teams) + k.letter * letters * sums / threads;
  }
  const double core = std::sqrt(stream * stream + issue * issue + latency * latency + uneven * uneven);
  return 1e-6 * (k.launch + combine + core * unevenness(plan, bytes, blocks * threads / sms));
}

}  // namespace onepass
