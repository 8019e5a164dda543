// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The C interface's description of a problem, as the library's own.
#pragma once

#include <cstdint>
#include <limits>

#include "onepass/onepass.h"
#include "problem/problem.hpp"

namespace onepass {

// An enum of the C interface may hold any int; a value that does not fit becomes one that check refuses.
template <class E, class C>
constexpr E narrow_enum(C value) {
  const auto wide = static_cast<std::int64_t>(value);
  return wide < 0 || wide > std::numeric_limits<std::uint8_t>::max()
             ? static_cast<E>(std::numeric_limits<std::uint8_t>::max())
             : static_cast<E>(wide);
}

inline Gemv problem_from_c(const onepassGemvProblem_t& p) {
  return {
      .type_a = narrow_enum<Type>(p.type_a),
      .type_x = narrow_enum<Type>(p.type_x),
      .type_y = narrow_enum<Type>(p.type_y),
      .op = narrow_enum<Op>(p.op),
      .layout = narrow_enum<Layout>(p.layout),
      .m = p.m,
      .n = p.n,
      .lda = p.lda,
      .incx = p.incx,
      .incy = p.incy,
      .batch = p.batch,
      .pointer_array = p.pointer_array != 0,
      .stride_a = p.stride_a,
      .stride_x = p.stride_x,
      .stride_y = p.stride_y,
      .scalars = narrow_enum<Scalars>(p.scalars),
  };
}

}  // namespace onepass
