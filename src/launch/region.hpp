// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The memory that a launch may touch, as the simulator is told of it: which elements exist, and what they hold.
#pragma once

#include <cstdint>

namespace onepass {

// Of a square matrix: all of it, or a triangle with the diagonal.
enum class Part : std::uint8_t { whole, lower, upper };

// What a region holds when the launch begins, and whether it may change that.
enum class Holds : std::uint8_t { constants, data, nothing };

// Columns of `rows` elements, `ld` elements apart.
struct Region {
  const char* name;
  const void* data;
  std::int64_t rows = 1, columns = 1;
  std::int64_t ld = 0;
  std::int64_t element = 1;  // bytes
  Holds holds = Holds::nothing;
  Part part = Part::whole;
};

}  // namespace onepass
