// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace onepass::tools {
namespace {

constexpr double seconds_to_start = 1;  // a device, its constants, the pool

// Seen on an H200, with all peers and without. A point of a mesh is the capture of its graphs; one of the small
// selections is its samples; a batch of pointers has its arrays to make and to copy.
double seconds_per_point_on_cuda(const Workload& work) {
  switch (work.selection) {
    case Selection::random:
    case Selection::mesh: return work.peers ? 0.0143 : 0.006;
    case Selection::sweep: return work.peers ? 0.006 : 0.0026;
    case Selection::batched: return work.peers ? 0.03 : 0.015;
    default: return 0.11;
  }
}

}  // namespace

double expected_seconds(const Workload& work, BackendId backend) {
  const double asked = work.seconds_per_point;
  // A host spends the time of a point on samples, and a third of it on waking threads and filling memory. On a GPU a
  // sample ends at half its time, and the floor's share is not used.
  const double per_point = backend == BackendId::cuda
                               ? seconds_per_point_on_cuda(work) + asked / 2
                               : 1.3 * (asked > 0 ? asked : default_effort(work.selection, backend).seconds_per_point);
  return seconds_to_start + static_cast<double>(work.points) * per_point;
}

double affordable_effort(std::span<const double> expected, double left) {
  const double all = std::accumulate(expected.begin(), expected.end(), 0.0);
  return all > 0 ? std::clamp(left / all, 0.0, 1.0) : 1.0;
}

Effort scaled(const Effort& effort, double share) {
  Effort less = effort;
  less.seconds_per_point *= share;
  less.replay_seconds *= std::max(share, 0.2);
  less.rounds = std::max(3, static_cast<int>(std::lround(effort.rounds * std::min(1.0, 2 * share))));
  return less;
}

}  // namespace onepass::tools
