// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The stacks of a warp's fibres in one mapping.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace onepass::sim {

class Stacks {
 public:
  Stacks();  // throws std::bad_alloc
  std::span<std::byte> operator[](int lane) const;

 private:
  struct Unmap {
    void operator()(std::byte* mapping) const;
  };
  std::unique_ptr<std::byte, Unmap> mapping_;
};

}  // namespace onepass::sim
