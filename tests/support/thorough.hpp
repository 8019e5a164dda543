// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Whether there is time for every case: not under a sanitizer, nor without optimisation; and which cases a run of the
// tests takes of those that are many.
#pragma once

#include <cstdint>

namespace onepass::test {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
inline constexpr bool thorough = false;
#else
inline constexpr bool thorough = true;
#endif

// Tests of hundreds of launches on the simulator take one case in `share`. Which ones depends on the day, so that the
// runs of following days take all of them. ONEPASS_LONG_TESTS=1 takes all at once (`make test-all`), ONEPASS_TEST_DAY=N
// those of day N since 1970.
bool takes_turn(std::int64_t turn, std::int64_t share);

}  // namespace onepass::test
