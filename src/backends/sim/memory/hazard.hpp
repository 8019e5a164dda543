// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a kernel must not do. Each hazard ends its launch with a text.
#pragma once

#include <cstdint>
#include <string>

namespace onepass::sim {

enum class HazardKind : std::uint8_t {
  out_of_bounds,
  misaligned,
  unwritten_shared,
  shared_race,
  shared_out_of_bounds,
  barrier_divergence,
  shuffle_absent_lanes,
  useless_load,
  access_before_wait,
  partial_sum_lost,
  mailbox_race,
  mailbox_left_full,
  waits_for_later_block,
  deadlock,
  output_written_twice,
  output_read,
  global_race,
  unwritten_global,
  bad_grid_barrier,
  bad_launch,
  exception,
};

constexpr const char* name(HazardKind kind) {
  switch (kind) {
    case HazardKind::out_of_bounds: return "out of bounds";
    case HazardKind::misaligned: return "misaligned access";
    case HazardKind::unwritten_shared: return "read of unwritten shared memory";
    case HazardKind::shared_race: return "shared-memory race";
    case HazardKind::shared_out_of_bounds: return "shared memory out of bounds";
    case HazardKind::barrier_divergence: return "barrier divergence";
    case HazardKind::shuffle_absent_lanes: return "shuffle with absent lanes";
    case HazardKind::useless_load: return "useless load";
    case HazardKind::access_before_wait: return "access before the grid-dependency wait";
    case HazardKind::partial_sum_lost: return "partial sum lost";
    case HazardKind::mailbox_race: return "mailbox race";
    case HazardKind::mailbox_left_full: return "mailbox left full";
    case HazardKind::waits_for_later_block: return "wait for a later block";
    case HazardKind::deadlock: return "deadlock";
    case HazardKind::output_written_twice: return "output written twice";
    case HazardKind::output_read: return "read of an output";
    case HazardKind::global_race: return "global-memory race";
    case HazardKind::unwritten_global: return "read of unwritten global memory";
    case HazardKind::bad_grid_barrier: return "bad grid barrier";
    case HazardKind::bad_launch: return "bad launch";
    case HazardKind::exception: return "exception";
  }
  return "";
}

// Thrown by the parts of the simulator, which know the address; the simulator adds kernel, block and thread.
struct Hazard {
  HazardKind kind;
  std::string detail;
};

}  // namespace onepass::sim
