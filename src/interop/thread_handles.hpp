// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A handle of Onepass for each thread on each device, as the drop-in libraries of CUDA have them.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

#include "backends/cuda/current_device.hpp"

namespace onepass {

// Handles that a thread left behind serve the next one. They are never destroyed: a graph may use their workspaces.
template <class Handle>
class ThreadHandles {
 public:
  ThreadHandles() {
    const std::lock_guard lock(idle_mutex_);
    if (idle_.empty()) return;
    handles_ = idle_.back();
    idle_.pop_back();
  }
  ThreadHandles(const ThreadHandles&) = delete;
  ThreadHandles& operator=(const ThreadHandles&) = delete;
  ~ThreadHandles() {
    const std::lock_guard lock(idle_mutex_);
    idle_.push_back(handles_);
  }
  // That on a device; null until it is made.
  Handle& on(int device) { return handles_[static_cast<std::size_t>(device)]; }

 private:
  using Handles = std::array<Handle, cuda::most_devices>;
  inline static std::mutex idle_mutex_;
  inline static std::vector<Handles> idle_;
  Handles handles_{};
};

template <class Handle>
struct Here {
  Handle handle = nullptr;
  int device = 0;
};

// This thread's handle on the current device, or null where Onepass has no GPU to work with. `make(&handle)` makes one.
template <class Handle, class Make>
Here<Handle> handle_here(Make make) {
  thread_local ThreadHandles<Handle> mine;
  int device = 0;
  if (cuda::current_device(&device) != cudaSuccess || device >= cuda::most_devices) return {};
  Handle& handle = mine.on(device);
  if (handle == nullptr && !make(&handle)) return {};
  return {.handle = handle, .device = device};
}

}  // namespace onepass
