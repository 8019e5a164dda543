// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a simulated launch counted, and how the next one of this thread is to run.
#pragma once

#include <cstdint>

namespace onepass::sim {

struct Counters {
  // Four of these count instructions of warps. A launch that did not count them (SimOptions) has this in their place.
  static constexpr std::int64_t not_counted = -1;

  std::int64_t matrix_sectors_requested = 0;  // 32-byte sectors, distinct within each warp-level load
  std::int64_t matrix_sectors_needed = 0;     // distinct sectors that hold an element of A
  std::int64_t matrix_elements_needed = 0;
  std::int64_t matrix_elements_again = 0;     // read more often than once per product
  std::int64_t matrix_elements_never = 0;     // read less often
  std::int64_t matrix_elements_unneeded = 0;  // padding read; a hazard, counted where the launch keeps going
  std::int64_t outputs_never = 0;             // elements of y that nobody wrote
  std::int64_t shared_accesses = 0;           // warp-level, of shared memory
  std::int64_t bank_conflicts = 0;            // extra wavefronts of warp-level shared-memory accesses
  std::int64_t barriers = 0;                  // of a block
  std::int64_t grid_barriers = 0;             // of all blocks together
  std::int64_t shuffles = 0;                  // of a warp
  std::int64_t partial_sums = 0;              // published
  std::int64_t workspace_bytes_read = 0;      // each partial sum once, however often its mailbox was polled
  std::int64_t workspace_bytes_written = 0;   // partial sums, and mailboxes reset
  std::int64_t atomic_adds = 0;               // of a thread
  std::int64_t prefetches = 0;                // of a thread
  std::int64_t load_instructions = 0;         // warp-level loads from global memory, but for mailboxes
  std::int64_t blocks = 0;
  std::int64_t hazards = 0;

  bool operator==(const Counters&) const = default;
};

enum class BlockOrder : std::uint8_t { ascending, descending, shuffled };

struct SimOptions {
  BlockOrder block_order = BlockOrder::ascending;
  std::uint64_t seed = 0;        // of BlockOrder::shuffled
  bool reverse_threads = false;  // the last warp and the last lane run first
  bool keep_going = false;       // a bad access reads zeros or writes nothing; the first one is still reported
  // Whether accesses are put together into the instructions of warps, a sixth of the time of a launch: without, there
  // are no Counters::matrix_sectors_requested, load_instructions, shared_accesses and bank_conflicts.
  bool count_instructions = false;

  bool operator==(const SimOptions&) const = default;
};

// Both belong to the calling thread: its last launch, and its launches to come.
const Counters& last_counters();
SimOptions& options();

// Options for the length of a scope.
class WithOptions {
 public:
  explicit WithOptions(const SimOptions& o) : before_(options()) { options() = o; }
  ~WithOptions() { options() = before_; }
  WithOptions(const WithOptions&) = delete;
  WithOptions& operator=(const WithOptions&) = delete;

 private:
  SimOptions before_;
};

}  // namespace onepass::sim
