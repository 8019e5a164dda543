// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How many columns are read at once, and the order in which a block's columns are visited.
#if defined(ONEPASS_CPU_STREAMS) == defined(HWY_TARGET_TOGGLE)
#ifdef ONEPASS_CPU_STREAMS
#undef ONEPASS_CPU_STREAMS
#else
#define ONEPASS_CPU_STREAMS
#endif

#include "backends/cpu/block.hpp"
#include "backends/cpu/target.hpp"

ONEPASS_CPU_BEGIN;
namespace onepass::cpu::ONEPASS_CPU_TARGET {

// Columns a multiple of 8 KiB apart share their sets of the first cache.
template <class T>
int streams(std::int64_t lda) {
  return lda * static_cast<std::int64_t>(sizeof(Component<T>)) % 8192 == 0 ? 3 : 6;
}

// All columns, C at a time and q = columns / C apart; the last columns % C beside each other.
template <class Pass, int C, class B>
void sweep(const B& b, std::int64_t columns) {
  const std::int64_t q = columns / C;
  for (std::int64_t k = 0; k < q; ++k) Pass::template run<C>(b, k, q);
  std::int64_t k = q * C;
  if constexpr (C > 3) {
    for (; columns - k >= 3; k += 3) Pass::template run<3>(b, k, 1);
  }
  if (columns - k == 2)
    Pass::template run<2>(b, k, 1);
  else if (columns - k == 1)
    Pass::template run<1>(b, k, 1);
}

}  // namespace onepass::cpu::ONEPASS_CPU_TARGET
ONEPASS_CPU_END;

#endif
