// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A mailbox: a slot of the workspace for one partial sum, whose data is its own flag. The all-zeros bit pattern is the
// sentinel "empty"; no part of a stored number is all zeros.
//
// The exec header that includes this one has defined ONEPASS_DEVICE.
#pragma once

#include <cstdint>
#include <type_traits>

#include "numbers/double_length.hpp"

namespace onepass::exec {

// How often a thread polls for missing partial sums before it gives up: on an H200 a poll takes 160 to 620 ns, so that
// is one to five seconds. Then the sum is NaN, and the launch ends.
inline constexpr int most_polls = 1 << 23;

// What poll() found; `value` counts only if it has arrived.
template <class S>
struct Polled {
  S value;
  bool arrived;
};

// Of four neighbouring mailboxes, all or none of which count.
template <class S>
struct PolledFour {
  S value[4];
  bool arrived;
};

// The parts of a number: two of a complex one, and two of each that has a rest or a tail.
template <class S>
inline constexpr int part_count = (is_complex<S> ? 2 : 1) *
                                  (is_twice<RealOf<S>> || std::is_same_v<S, DoubleDouble> ? 2 : 1);
template <class S>
using Part = std::conditional_t<sizeof(S) / part_count<S> == 4, std::uint32_t, std::uint64_t>;

// A part is a float or a double as bits, which one store moves in one piece. It is stored as its complement, so that
// zero, the likeliest sum, is not the sentinel. The one pattern whose complement is zero, a NaN, arrives as another
// NaN.
ONEPASS_DEVICE constexpr std::uint32_t encode_part(std::uint32_t part) { return ~part != 0 ? ~part : 1; }
ONEPASS_DEVICE constexpr std::uint64_t encode_part(std::uint64_t part) { return ~part != 0 ? ~part : 1; }
ONEPASS_DEVICE constexpr std::uint32_t decode_part(std::uint32_t stored) { return ~stored; }
ONEPASS_DEVICE constexpr std::uint64_t decode_part(std::uint64_t stored) { return ~stored; }

}  // namespace onepass::exec
