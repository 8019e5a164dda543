// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A workspace on the device, piece by piece: the same code counts its bytes and hands them out.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onepass::lapack {

inline constexpr std::int64_t workspace_alignment = 256;  // of each piece

// Without memory the bytes are counted.
class Arena {
 public:
  explicit Arena(void* data) : data_(static_cast<std::byte*>(data)) {}
  void* take(std::int64_t count, std::int64_t size) {
    std::byte* const piece = data_ == nullptr ? nullptr : data_ + bytes_;
    bytes_ +=
        static_cast<std::size_t>((count * size + workspace_alignment - 1) / workspace_alignment * workspace_alignment);
    return piece;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* data_;
  std::size_t bytes_ = 0;
};

}  // namespace onepass::lapack
