// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the pointers of a call must be multiples of.
#pragma once

#include <cstdint>
#include <string>

#include "problem/problem.hpp"
#include "problem/status.hpp"

namespace onepass {

// What the pointers of a backend must be multiples of: complex numbers of the whole element on a
// device, of one component on a host.
enum class Alignment { element, component };

constexpr std::int64_t multiple_of(Type t, Alignment alignment) {
  return size_of(t) / (alignment == Alignment::component && is_pair_type(t) ? 2 : 1);
}

inline bool is_multiple(const void* pointer, std::int64_t bytes) {
  return reinterpret_cast<std::uintptr_t>(pointer) % static_cast<std::uintptr_t>(bytes) == 0;
}

// The failure of a pointer that is none.
inline Status misaligned(const char* argument, const void* pointer, std::int64_t bytes) {
  const auto past = reinterpret_cast<std::uintptr_t>(pointer) % static_cast<std::uintptr_t>(bytes);
  return {ONEPASS_STATUS_INVALID_ALIGNMENT, std::string(argument) + " must be a multiple of " + std::to_string(bytes) +
                                                " bytes, and is " + std::to_string(past) + " past one"};
}

}  // namespace onepass
