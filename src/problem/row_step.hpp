// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What stands between two products: an operation on rows of n contiguous elements.
#pragma once

#include <cmath>
#include <cstdint>

#include "numbers/scalar.hpp"
#include "problem/problem.hpp"
#include "problem/status.hpp"

namespace onepass {

enum class RowOperation : std::uint8_t { rms_norm, swiglu, rotary };

// rms_norm: `other` is the weight of a column, perhaps null. swiglu: x is the gate, `other` is up. rotary: `other` is
// the cosine of a column, `sines` its sine.
struct RowStep {
  RowOperation operation = RowOperation::rms_norm;
  Type type = Type::s;
  std::int64_t rows = 0, n = 0;
  const void* x = nullptr;
  std::int64_t ld_x = 0;
  const void* other = nullptr;
  std::int64_t ld_other = 0;  // 0: the same for every row
  const void* sines = nullptr;
  double epsilon = 0;
  void* y = nullptr;
  std::int64_t ld_y = 0;
};

// Its first bad argument.
Status check(const RowStep& step);

// use.template operator()<T>() with the type of a step's elements.
template <class Use>
Status by_row_type(Type type, Use use) {
  switch (type) {
    case Type::d: return use.template operator()<double>();
    case Type::h: return use.template operator()<Half>();
    case Type::b: return use.template operator()<Bfloat16>();
    default: return use.template operator()<float>();
  }
}

template <class R>
ONEPASS_HOST_DEVICE R swiglu(R gate, R up) {
  return gate / (R{1} + std::exp(-gate)) * up;
}
// Elements i and i + n / 2 of a row, rotated.
template <class R>
struct RotaryPair {
  R first, second;
};
template <class R>
ONEPASS_HOST_DEVICE RotaryPair<R> rotated(RotaryPair<R> x, RotaryPair<R> cosine, RotaryPair<R> sine) {
  return {x.first * cosine.first - x.second * sine.first, x.second * cosine.second + x.first * sine.second};
}
// What each element of a row is multiplied by.
template <class R>
ONEPASS_HOST_DEVICE R rms_factor(R sum_of_squares, std::int64_t n, double epsilon) {
  return R{1} / std::sqrt(sum_of_squares / static_cast<R>(n) + static_cast<R>(epsilon));
}

}  // namespace onepass
