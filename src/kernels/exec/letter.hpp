// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How a number travels from block to block as its own flag: no part of a letter is all zeros, an empty box is.
//
// The exec header that includes this one has defined ONEPASS_DEVICE.
#pragma once

#include <cstdint>

namespace onepass::exec {

// What a look into a box found.
template <class S>
struct Letter {
  S value;
  bool there;
};

// A part is a float or a double as bits, what one store moves in one piece. The complement of all ones
// is empty: that NaN arrives as another one.
ONEPASS_DEVICE constexpr std::uint32_t encode_part(std::uint32_t part) { return ~part != 0 ? ~part : 1; }
ONEPASS_DEVICE constexpr std::uint64_t encode_part(std::uint64_t part) { return ~part != 0 ? ~part : 1; }
ONEPASS_DEVICE constexpr std::uint32_t decode_part(std::uint32_t stored) { return ~stored; }
ONEPASS_DEVICE constexpr std::uint64_t decode_part(std::uint64_t stored) { return ~stored; }

}  // namespace onepass::exec
