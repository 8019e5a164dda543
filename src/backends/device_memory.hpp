// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The memory of a device, and what is asked of the streams and graphs whose launches use it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "onepass/types.h"
#include "problem/status.hpp"

namespace onepass {

using Stream = onepassStream_t;

class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;

  // The device of the calling thread; a handle belongs to one.
  virtual int current_device() const { return 0; }
  // A number that no other stream of the program ever has; where streams have no meaning, the same for all.
  virtual std::uint64_t stream_id(Stream) const { return 0; }
  // Whether one handle means another stream in each thread.
  virtual bool is_per_thread(Stream) const { return false; }
  // The number of the graph that the stream is being captured into; 0 if it is not.
  virtual std::uint64_t capture_id(Stream) const { return 0; }
  // Calls gone(data) once no graph that has launches of this capture exists any more: from any thread, and it must not
  // call the backend.
  virtual Status at_end_of_graph(Stream, void (*)(void*), void*) const { return {}; }
  // A word of zero that host and kernels see; null where kernels do not wait for each other.
  virtual Status allocate_flag(std::uint32_t** flag) const {
    *flag = nullptr;
    return {};
  }
  virtual void release_flag(std::uint32_t*) const {}

  // A workspace of zeros, now and for every stream.
  virtual Status allocate_workspace(std::size_t bytes, void** data) const = 0;

  virtual void release(void* data) const = 0;
  virtual Status zero(void* data, std::size_t bytes, Stream stream) const = 0;
};

}  // namespace onepass
