// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Whether there is time for every case: not under a sanitizer, nor without optimisation.
#pragma once

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

}  // namespace onepass::test
