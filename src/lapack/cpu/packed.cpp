// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of packed products of every type, compiled for AVX-512 and for the least instruction set of the machine,
// and where they are used.
#ifdef ONEPASS_WITH_HIGHWAY
// The kernels keep vectors in arrays, which those of scalable length cannot be in.
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_SSE4 | HWY_AVX2)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lapack/cpu/packed.cpp"
#include "hwy/foreach_target.h"
#endif

#include <cstdlib>
#include <string_view>

#include "lapack/cpu/packed.hpp"
#include "lapack/cpu/packed_kernels.hpp"

ONEPASS_CPU_BEGIN;
namespace onepass::lapack::ONEPASS_CPU_TARGET {

template <class T>
PackedKernels<T> of_type() {
  return {.lanes = lanes<Component<T>>, .pack = pack_tiles<T>, .multiply = multiply_packed<T>};
}

const PackedKernelTable& packed_table() {
  static const PackedKernelTable table = {
      .s = of_type<float>(), .d = of_type<double>(), .c = of_type<Complex<float>>(), .z = of_type<Complex<double>>()};
  return table;
}

}  // namespace onepass::lapack::ONEPASS_CPU_TARGET
ONEPASS_CPU_END;

#if !defined(ONEPASS_WITH_HIGHWAY) || HWY_ONCE
namespace onepass::lapack {

#ifdef ONEPASS_WITH_HIGHWAY
HWY_EXPORT(packed_table);
const PackedKernelTable& packed_kernels() {
  static const PackedKernelTable& best = HWY_DYNAMIC_DISPATCH(packed_table)();
  return best;
}
#else
const PackedKernelTable& packed_kernels() { return plain::packed_table(); }
#endif

bool multiplies_by_packed_kernels() {
  static const bool does = [] {
    const char* const asked = std::getenv("ONEPASS_LAPACK_PRODUCTS");
    const std::string_view wish = asked == nullptr ? "" : asked;
    if (wish == "own" || wish == "blas") return wish == "own";
    return packed_kernels().d.lanes * sizeof(double) >= 64;
  }();
  return does;
}

}  // namespace onepass::lapack
#endif
