// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of packed products of every type, compiled once per instruction set, and where they are used.
#ifdef ONEPASS_WITH_HIGHWAY
#ifndef ONEPASS_UNWANTED_TARGETS
#define ONEPASS_UNWANTED_TARGETS 0
#endif
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | (ONEPASS_UNWANTED_TARGETS))
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lapack/cpu/packed.cpp"
#include "hwy/foreach_target.h"
#endif

#include "lapack/cpu/packed.hpp"
#include "lapack/cpu/packed_kernels.hpp"

ONEPASS_CPU_BEGIN;
namespace onepass::lapack::ONEPASS_CPU_TARGET {

template <class T>
PackedKernels<T> of_type() {
  return {.lanes = lanes<Component<T>>, .pack = pack_tiles<T>, .multiply = multiply_packed<T>};
}

const PackedKernelTable* packed_table() {
  static const PackedKernelTable table = {
      .s = of_type<float>(), .d = of_type<double>(), .c = of_type<Complex<float>>(), .z = of_type<Complex<double>>()};
  return &table;
}

}  // namespace onepass::lapack::ONEPASS_CPU_TARGET
ONEPASS_CPU_END;

#ifdef ONEPASS_WITH_HIGHWAY
#if HWY_ONCE
namespace onepass::lapack {
HWY_EXPORT(packed_table);
const PackedKernelTable* packed_kernels() {
  static const PackedKernelTable* const best = HWY_DYNAMIC_DISPATCH(packed_table)();
  return best;
}
}  // namespace onepass::lapack
#endif
#else
namespace onepass::lapack {
const PackedKernelTable* packed_kernels() { return plain::packed_table(); }
}  // namespace onepass::lapack
#endif
