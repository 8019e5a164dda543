// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of every element type, compiled once per instruction set, and the choice among those.
#ifdef ONEPASS_WITH_HIGHWAY
// The kernels keep vectors in arrays, which those of scalable length cannot be in. SSSE3 without SSE4 ended in 2008.
#ifndef ONEPASS_UNWANTED_TARGETS
#define ONEPASS_UNWANTED_TARGETS 0
#endif
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | (ONEPASS_UNWANTED_TARGETS))
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels.cpp"
#include "hwy/foreach_target.h"
#endif

#include "backends/cpu/block.hpp"
#include "backends/cpu/gemv_n.hpp"
#include "backends/cpu/gemv_t.hpp"
#include "backends/cpu/symv.hpp"

ONEPASS_CPU_BEGIN;
namespace onepass::cpu::ONEPASS_CPU_TARGET {

template <class T>
constexpr Kernels<T> all() {
  return {.n = block_n<T>, .t = block_t<T>, .symv = block_symv<T>};
}

const KernelTable& table() {
  static const KernelTable kernels = {
      .instructions = instructions(),
      .s = all<float>(),
      .d = all<double>(),
      .c = all<Complex<float>>(),
      .z = all<Complex<double>>(),
      .h = all<Half>(),
      .b = all<Bfloat16>(),
  };
  return kernels;
}

}  // namespace onepass::cpu::ONEPASS_CPU_TARGET
ONEPASS_CPU_END;

#ifdef ONEPASS_WITH_HIGHWAY
#if HWY_ONCE
namespace onepass::cpu {
HWY_EXPORT(table);
const KernelTable& kernels() {
  static const KernelTable& best = HWY_DYNAMIC_DISPATCH(table)();
  return best;
}
}  // namespace onepass::cpu
#endif
#else
namespace onepass::cpu {
const KernelTable& kernels() { return plain::table(); }
}  // namespace onepass::cpu
#endif
