// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The workspace of a plan, dealt out in pieces: the same code counts its bytes and hands them out.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lapack/element.hpp"

namespace onepass::lapack {

class Scratch {
 public:
  explicit Scratch(void* memory = nullptr) : memory_(static_cast<std::byte*>(memory)) {}

  // Null while bytes are counted only.
  template <class T>
  T* take(std::int64_t elements) {
    std::byte* const piece = memory_ == nullptr ? nullptr : memory_ + bytes_;
    bytes_ += (static_cast<std::size_t>(elements) * sizeof(T) + 63) / 64 * 64;
    return reinterpret_cast<T*>(piece);
  }
  // Its columns begin on 64 bytes, and not a multiple of 4 KiB apart: those would share the sets of a first cache.
  template <class T>
  Matrix<T> take_matrix(std::int64_t rows, std::int64_t columns) {
    constexpr std::int64_t line = 64 / sizeof(T);
    std::int64_t lines = (rows + line - 1) / line;
    if (lines % 16 == 0) ++lines;
    return {take<T>(lines * line * columns), lines * line};
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* memory_;
  std::size_t bytes_ = 0;
};

}  // namespace onepass::lapack
