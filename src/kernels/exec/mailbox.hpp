// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How a number travels from block to block as its own flag: no part of a letter is all zeros, an empty mailbox is.
//
// The exec header that includes this one has defined ONEPASS_DEVICE.
#pragma once

#include <cstdint>
#include <type_traits>

#include "problem/scalar.hpp"

namespace onepass::exec {

// What a look into a mailbox found.
template <class S>
struct Polled {
  S value;
  bool arrived;
};

// The parts of a number: two of a complex one.
template <class S>
inline constexpr int part_count = is_complex<S> ? 2 : 1;
template <class S>
using Part = std::conditional_t<sizeof(S) / part_count<S> == 4, std::uint32_t, std::uint64_t>;

// A part is a float or a double as bits, what one store moves in one piece. The complement of all ones
// is empty: that NaN arrives as another one.
ONEPASS_DEVICE constexpr std::uint32_t encode_part(std::uint32_t part) { return ~part != 0 ? ~part : 1; }
ONEPASS_DEVICE constexpr std::uint64_t encode_part(std::uint64_t part) { return ~part != 0 ? ~part : 1; }
ONEPASS_DEVICE constexpr std::uint32_t decode_part(std::uint32_t stored) { return ~stored; }
ONEPASS_DEVICE constexpr std::uint64_t decode_part(std::uint64_t stored) { return ~stored; }

}  // namespace onepass::exec
