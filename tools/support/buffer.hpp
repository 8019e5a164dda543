// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A piece of a backend's memory with an owner.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "backends/backend.hpp"
#include "support/failure.hpp"

namespace onepass::tools {

class Buffer {
 public:
  Buffer() = default;
  Buffer(const Backend& backend, std::size_t bytes) : backend_(&backend), bytes_(bytes) {
    require(backend.allocate(bytes, &data_));
  }
  Buffer(const Backend& backend, const std::vector<std::byte>& host) : Buffer(backend, host.size()) { write(host); }
  ~Buffer() {
    if (data_ != nullptr) backend_->release(data_);
  }
  Buffer(Buffer&& other) noexcept
      : backend_(other.backend_), data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(backend_, other.backend_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  std::byte* data() const { return static_cast<std::byte*>(data_); }
  void write(const std::vector<std::byte>& host) { require(backend_->copy_in(data_, host.data(), host.size())); }
  std::vector<std::byte> read() const {
    std::vector<std::byte> host(bytes_);
    require(backend_->copy_out(host.data(), data_, bytes_));
    return host;
  }

 private:
  const Backend* backend_ = nullptr;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace onepass::tools
