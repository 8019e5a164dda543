// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A backend with streams, captures and devices that a test makes up, which counts what it is asked for.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "backends/host_backend.hpp"

namespace onepass::test {

class CountingBackend final : public HostBackend {
 public:
  BackendId id() const override { return BackendId::reference; }
  std::string why_unavailable() const override { return ""; }
  const DeviceTraits& traits() const override { return traits_; }
  Plan plan(const Problem& problem, int) const override {
    return {.problem = problem, .backend = id(), .workspace_bytes = plan_bytes};
  }
  std::string why_illegal(const Plan&) const override { return ""; }
  Status launch(const Plan&, const Operands&, Workspace, Stream) const override {
    ++launches;
    return {};
  }

  int current_device() const override { return device; }
  // The address stands for the stream, unless a test says that it is another one by now.
  std::uint64_t stream_id(Stream stream) const override {
    EXPECT_EQ(capture_id(stream), 0u) << "CUDA would end the capture";
    const auto given = stream_ids.find(stream);
    return given != stream_ids.end() ? given->second : reinterpret_cast<std::uintptr_t>(stream);
  }
  bool is_per_thread(Stream stream) const override { return stream == per_thread; }
  std::uint64_t capture_id(Stream stream) const override {
    const auto capture = captures.find(stream);
    return capture == captures.end() ? 0 : capture->second;
  }
  Status at_end_of_graph(Stream stream, void (*gone)(void*), void* data) const override {
    if (graphs_refuse) return {ONEPASS_STATUS_EXECUTION_FAILED, "no graph takes it"};
    graphs[capture_id(stream)].emplace_back(gone, data);
    return {};
  }
  // What the driver does once a graph and all that was made of it are destroyed.
  void destroy_graph(std::uint64_t capture) const {
    for (const auto& [gone, data] : graphs[capture]) gone(data);
    graphs.erase(capture);
  }

  Status allocate_flag(std::uint32_t** word) const override {
    flag = 0;
    *word = &flag;
    ++flags;
    return {};
  }
  void release_flag(std::uint32_t*) const override { --flags; }

  Status allocate_workspace(std::size_t bytes, void** data) const override {
    if (out_of_memory) return {ONEPASS_STATUS_OUT_OF_MEMORY, "no memory is left"};
    // Nobody looks into a large one: its pages need not be there.
    Status status =
        bytes > (std::size_t{32} << 20) ? allocate(bytes, data) : HostBackend::allocate_workspace(bytes, data);
    if (status.ok()) live.insert(*data);
    most_live = std::max(most_live, live.size());
    ++allocations;
    return status;
  }
  void release(void* data) const override {
    EXPECT_EQ(live.erase(data), 1u) << "memory was released twice";
    HostBackend::release(data);
  }
  Status zero(void* data, std::size_t bytes, Stream stream) const override {
    zeroed.emplace_back(data, stream);
    return HostBackend::zero(data, bytes, stream);
  }

  // What the test sets.
  int device = 0;
  std::size_t plan_bytes = 0;
  bool out_of_memory = false, graphs_refuse = false;
  Stream per_thread = reinterpret_cast<Stream>(std::uintptr_t{2});
  std::map<Stream, std::uint64_t> stream_ids, captures;

  // What it finds.
  mutable std::uint32_t flag = 0;
  mutable int flags = 0, allocations = 0, launches = 0;
  mutable std::set<void*> live;
  mutable std::size_t most_live = 0;
  mutable std::vector<std::pair<void*, Stream>> zeroed;
  mutable std::map<std::uint64_t, std::vector<std::pair<void (*)(void*), void*>>> graphs;

 private:
  DeviceTraits traits_;
};

inline Stream stream(std::uintptr_t number) { return reinterpret_cast<Stream>(0x1000 * number); }

}  // namespace onepass::test
