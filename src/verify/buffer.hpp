// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Memory of a backend with guards on both sides, filled from the host and read back whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/backend.hpp"

namespace onepass::verify {

class Buffer {
 public:
  // `content` lies `offset` bytes past a multiple of 256; guards of poison lie around it.
  Buffer(const Backend& backend, std::span<const std::byte> content, std::size_t offset = 0);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void* data() const { return static_cast<std::byte*>(base_) + front_; }
  std::vector<std::byte> content() const;
  void write(std::span<const std::byte> content) const;  // as long as at the beginning
  bool guards_intact() const;

 private:
  bool is_guard(void* from, std::size_t bytes) const;

  const Backend& backend_;
  void* base_ = nullptr;
  std::size_t front_ = 0, size_ = 0, total_ = 0;
};

// As one memcmp: the library compares vectors of std::byte byte by byte.
bool equal_bytes(std::span<const std::byte> a, std::span<const std::byte> b);

}  // namespace onepass::verify
