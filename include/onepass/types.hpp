// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Enums and element types of the C++ interfaces; onepass.hpp and lapack.hpp include this.
#ifndef ONEPASS_TYPES_HPP
#define ONEPASS_TYPES_HPP

#include <complex>

#include "onepass/double_double.hpp"
#include "onepass/types.h"

namespace onepass {
inline namespace api {

enum class Op { N = ONEPASS_OP_N, T = ONEPASS_OP_T, C = ONEPASS_OP_C };
enum class Uplo { lower = ONEPASS_FILL_MODE_LOWER, upper = ONEPASS_FILL_MODE_UPPER };
enum class Layout { column = ONEPASS_COLUMN_MAJOR, row = ONEPASS_ROW_MAJOR };
// In which order products are summed: canonical, with the same bits everywhere (onepassOrder_t).
enum class Order { standard = ONEPASS_ORDER_DEFAULT, canonical = ONEPASS_ORDER_CANONICAL };

namespace detail {

// The value of an element type in the C interface, and the type that its sums have.
template <class T>
struct TypeOf;
template <>
struct TypeOf<float> {
  static constexpr onepassType_t value = ONEPASS_TYPE_S;
  using sum = float;
};
template <>
struct TypeOf<double> {
  static constexpr onepassType_t value = ONEPASS_TYPE_D;
  using sum = double;
};
template <>
struct TypeOf<std::complex<float>> {
  static constexpr onepassType_t value = ONEPASS_TYPE_C;
  using sum = std::complex<float>;
};
template <>
struct TypeOf<std::complex<double>> {
  static constexpr onepassType_t value = ONEPASS_TYPE_Z;
  using sum = std::complex<double>;
};
template <>
struct TypeOf<onepassHalf_t> {
  static constexpr onepassType_t value = ONEPASS_TYPE_H;
  using sum = float;
};
template <>
struct TypeOf<onepassBfloat16_t> {
  static constexpr onepassType_t value = ONEPASS_TYPE_B;
  using sum = float;
};
template <>
struct TypeOf<DoubleDouble> {
  static constexpr onepassType_t value = ONEPASS_TYPE_W;
  using sum = DoubleDouble;
};
template <>
struct TypeOf<onepassDoubleDouble_t> : TypeOf<DoubleDouble> {};
#ifdef __CUDA_FP16_TYPES_EXIST__  // cuda_fp16.h was included before
template <>
struct TypeOf<__half> : TypeOf<onepassHalf_t> {};
#endif
#ifdef __CUDA_BF16_TYPES_EXIST__  // cuda_bf16.h was included before
template <>
struct TypeOf<__nv_bfloat16> : TypeOf<onepassBfloat16_t> {};
#endif

}  // namespace detail
}  // namespace api
}  // namespace onepass

#endif  // ONEPASS_TYPES_HPP
