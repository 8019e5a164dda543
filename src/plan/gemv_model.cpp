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

// Fitted to 69,000 timings of `onepass tune` on an H200 (d c z b, 24 x 24 shapes from 16 to a million, cold; b T in a
// kernel that has gone since): of the launches that were timed at a shape, the one that the model likes best is on
// average 3 % (T, without b) and 4 % (N) slower than the fastest. Microseconds, if not said otherwise.
struct Constants {
  double launch;       // of anything
  double round;        // one trip of a thread's loads
  double half_round;   // if their elements have two bytes,
  double half_flight;  // and for each vector in flight, whose elements are many instructions
  double vector;       // 1000 vectors of an SM
  double half_vector;  // and more, if their elements have two bytes
  double thread;       // 1000 threads of an SM
  double run;          // slowdown of the stream by runs of 32 bytes
  double cut;          // slowdown by sectors that are requested twice
  double uneven;       // slowdown by what the busiest SM has more than the others
  double combine;      // any partial sums from other blocks
  double poll_round;   // eight of them per thread
  double partial_sum;  // one per thread
};
constexpr Constants gemv_n{.launch = 0.663,
                           .round = 0.812,
                           .half_round = 0.812,
                           .half_flight = 0,
                           .vector = 0.0015,
                           .half_vector = 0.0033,
                           .thread = 1.493,
                           .run = 1.03,
                           .cut = 0.267,
                           .uneven = 0,
                           .combine = 0.379,
                           .poll_round = 0.182,
                           .partial_sum = 0.0922};
constexpr Constants gemv_t{.launch = 1.013,
                           .round = 0.601,
                           .half_round = 0.237,
                           .half_flight = 0.337,
                           .vector = 0.0005,
                           .half_vector = 0.0128,
                           .thread = 2.391,
                           .run = 1.023,
                           .cut = 0,
                           .uneven = 0.596,
                           .combine = 0.726,
                           .poll_round = 0.145,
                           .partial_sum = 0.096};

double ceil(double a, double b) { return std::ceil(a / b); }

// The fit in other devices: what an SM does by itself takes as many cycles, a trip to memory as many microseconds.
double cycle_scale(const DeviceTraits& traits) {
  constexpr double fitted = 1.98e9;  // the clock of the H200
  return traits.clock_hertz > 0 ? fitted / traits.clock_hertz : 1;
}

double bandwidth_of(const DeviceTraits& traits) {
  constexpr double fitted_share = 4.65e12 / 132;  // of an SM of the H200
  return traits.ceilings.bytes_per_second > 0 ? traits.ceilings.bytes_per_second : fitted_share * traits.sm_count;
}

// Microseconds in which the memory delivers the matrix, in runs of so many bytes.
double stream_of(const Problem& p, const DeviceTraits& traits, const Constants& k, double run) {
  return 1e6 * cost(p).matrix_bytes / bandwidth_of(traits) * (1 + k.run * 32 / run);
}

// In which an SM issues loads of so many vectors in so many threads.
double issue_of(const Problem& p, const DeviceTraits& traits, const Constants& k, double vectors, double threads) {
  const double vector = k.vector + (size_of(p.type_a) == 2 ? k.half_vector : 0);
  return (vectors * vector + threads * k.thread) * cycle_scale(traits) * 1e-3;
}

// In which so many loads of a thread arrive.
double round_of(const Problem& p, const Constants& k, double flight) {
  return size_of(p.type_a) == 2 ? k.half_round + k.half_flight * flight : k.round;
}

// The largest of them rules.
double together(double stream, double issue, double latency) {
  const auto power = [](double time) { return time * std::sqrt(time); };
  const double core = std::cbrt(power(stream) + power(issue) + power(latency));
  return core * core;
}

}  // namespace

// launch + combine + (stream^(3/2) + issue^(3/2) + latency^(3/2))^(2/3)
double modelled_seconds(const Plan& plan, const DeviceTraits& traits) {
  const Problem& p = plan.problem;
  const GemvParams& g = params<GemvParams>(plan);
  const bool transposed = sums_along_columns(plan.kernel.variant);
  const Constants& k = transposed ? gemv_t : gemv_n;
  const double sms = traits.sm_count, threads = plan.threads, lanes = g.lanes;
  const double blocks = static_cast<double>(g.tiles * g.splits * p.batch), per_sm = blocks / sms;
  const double resident = resident_blocks(plan, traits);

  const auto vectors = static_cast<double>(vectors_of_thread(plan));
  const Loads loads = plan.kernel.loads;
  const double flight = transposed ? kernels::gemv_t_in_flight(loads) : kernels::gemv_n_in_flight(loads);
  const double rounds = ceil(vectors, flight);
  const double slots = vectors * threads * (transposed ? kernels::gemv_t_bundle : 1);

  // What a round leaves of a column comes from memory by itself; a column that it takes whole lies by its neighbours.
  const bool whole = column_in_one_go(plan) || (transposed && rounds == 1 && g.splits == 1);
  const double run = whole ? 512 : 16 * lanes;
  const double busiest = per_sm > 1 ? std::ceil(per_sm) / per_sm - 1 : 0;
  const double stream =
      stream_of(p, traits, k, run) * (1 + k.cut * (requested_sectors(plan) - 1)) * (1 + k.uneven * busiest);
  const double issue = std::ceil(per_sm) * issue_of(p, traits, k, slots, threads);
  const double latency = ceil(blocks, sms * resident) * rounds * round_of(p, k, flight);

  double combine = 0;
  if (g.splits > 1) {
    const double received = static_cast<double>(g.splits - 1);
    const double sums = static_cast<double>(outputs(plan)), teams = std::max(1.0, threads / sums);
    combine = k.combine + k.poll_round * ceil(received, 8 * teams) + k.partial_sum * received * sums / threads;
  }
  return 1e-6 * (k.launch + combine + together(stream, issue, latency));
}

// One block of an SM has its share of the vectors, in one round.
double least_modelled_seconds(const Problem& p, const DeviceTraits& traits) {
  constexpr double longest_run = 16.0 * kernels::gemv_max_threads, fewest_threads = 32;
  const bool transposed = stored(p).transposed;
  const Constants& k = transposed ? gemv_t : gemv_n;
  const int flight = transposed ? kernels::gemv_t_in_flight(Loads::few) : kernels::gemv_n_in_flight(Loads::few);
  const double vectors = cost(p).matrix_bytes / 16 / traits.sm_count;
  return 1e-6 * (k.launch + together(stream_of(p, traits, k, longest_run),
                                     issue_of(p, traits, k, vectors, fewest_threads), round_of(p, k, flight)));
}

}  // namespace onepass
