// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The workspaces of a handle. Launches that may run at the same time never share one: each stream has its own, and so
// has each graph that is captured from a stream, since graphs of one stream may be replayed at once on several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "backends/device_memory.hpp"
#include "device/timeout_flag.hpp"
#include "launch/launcher.hpp"
#include "plan/plan.hpp"

namespace onepass {

class Workspaces {
 public:
  // What a stream of products gets when it is first used: enough for every single GEMV, and for triangles of up to
  // about 18000 rows.
  static constexpr std::size_t starting_bytes = first_workspace;
  // Streams that keep theirs. Beyond that, the one that was used longest ago gives its workspace back.
  static constexpr std::size_t most_streams = 16;

  Workspaces() = default;
  Workspaces(const Workspaces&) = delete;
  Workspaces& operator=(const Workspaces&) = delete;
  ~Workspaces();

  // `starting`: what a stream gets when it is first used; 0 for nothing before a launch needs it.
  Status open(const DeviceMemory* memory, std::size_t starting = starting_bytes);

  // Makes `stream` the one of the calls that follow, with a workspace of the starting size at least.
  Status use(Stream stream);

  // Lets the current stream have `bytes`, so that no later call has to allocate them.
  Status reserve(std::size_t bytes);

  // The workspace of a launch on the current stream. Allocates if the launch is the first of a captured graph, or needs
  // more than the stream has had.
  Status get(std::size_t bytes, Workspace* workspace);

  // A failure once if an earlier launch gave up waiting; the workspaces are cleared before they are used again.
  Status report_timeout();
  const std::shared_ptr<TimeoutFlag>& flag() const { return flag_; }

 private:
  // Launches of one place are ordered.
  struct Place {
    std::uint64_t stream = 0, capture = 0;
    bool operator==(const Place&) const = default;
  };
  struct Entry {
    Place place;
    void* data = nullptr;
    std::size_t bytes = 0;
    std::uint64_t used = 0;  // the count of uses when it was last used
    bool dirty = false;      // to be cleared before its next use
  };

  Place place();
  Entry* find(Place place);
  Status grow(Place place, std::size_t bytes, Entry** entry);
  void make_room();

  const DeviceMemory* memory_ = nullptr;
  std::size_t starting_ = 0;
  std::shared_ptr<TimeoutFlag> flag_;
  Stream stream_ = nullptr;
  std::optional<std::uint64_t> stream_id_;  // of stream_, as far as it is known
  std::uint64_t uses_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace onepass
