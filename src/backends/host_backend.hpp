// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What backends whose operands live in host memory share: the memory, and operations on rows.
#pragma once

#include <cstdlib>
#include <cstring>

#include "backends/backend.hpp"
#include "backends/host_row_steps.hpp"

namespace onepass {

class HostBackend : public Backend {
 public:
  Alignment alignment() const override { return Alignment::component; }

  Status run(const RowStep& step, Stream) const override { return run_on_host(step); }

  Status allocate(std::size_t bytes, void** data) const override {
    const std::size_t rounded = (bytes + 255) / 256 * 256;
    *data = std::aligned_alloc(256, rounded == 0 ? 256 : rounded);
    if (*data == nullptr)
      return {ONEPASS_STATUS_OUT_OF_MEMORY, "no " + std::to_string(bytes) + " bytes of host memory"};
    return {};
  }
  Status allocate_workspace(std::size_t bytes, void** data) const override {
    Status status = allocate(bytes, data);
    if (status.ok()) std::memset(*data, 0, bytes);
    return status;
  }
  void release(void* data) const override { std::free(data); }
  Status zero(void* data, std::size_t bytes, Stream) const override {
    if (bytes != 0) std::memset(data, 0, bytes);
    return {};
  }
  Status copy_in(void* to, const void* from_host, std::size_t bytes) const override {
    if (bytes != 0) std::memcpy(to, from_host, bytes);
    return {};
  }
  Status copy_out(void* to_host, const void* from, std::size_t bytes) const override {
    return copy_in(to_host, from, bytes);
  }
  Status synchronize(Stream) const override { return {}; }
};

}  // namespace onepass
