// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The C interface's descriptions of problems, as the library's own.
#pragma once

#include "onepass/onepass.h"
#include "problem/problem.hpp"

namespace onepass {

inline Problem problem_from_c(const onepassGemvProblem_t& p) {
  return {
      .type_a = static_cast<Type>(p.type_a),
      .type_x = static_cast<Type>(p.type_x),
      .type_y = static_cast<Type>(p.type_y),
      .op = static_cast<Op>(p.op),
      .layout = static_cast<Layout>(p.layout),
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
      .scalars = static_cast<Scalars>(p.scalars),
      .accumulate = static_cast<Accumulate>(p.accumulate),
      .order = static_cast<Order>(p.order),
      .alignment_a = p.alignment_a,
  };
}

inline Problem problem_from_c(const onepassSymvProblem_t& p) {
  return {
      .routine = p.hermitian != 0 ? Routine::hemv : Routine::symv,
      .type_a = static_cast<Type>(p.type_a),
      .type_x = static_cast<Type>(p.type_x),
      .type_y = static_cast<Type>(p.type_y),
      .uplo = static_cast<Uplo>(p.uplo),
      .layout = static_cast<Layout>(p.layout),
      .m = p.n,
      .n = p.n,
      .lda = p.lda,
      .incx = p.incx,
      .incy = p.incy,
      .batch = p.batch,
      .pointer_array = p.pointer_array != 0,
      .stride_a = p.stride_a,
      .stride_x = p.stride_x,
      .stride_y = p.stride_y,
      .scalars = static_cast<Scalars>(p.scalars),
      .accumulate = static_cast<Accumulate>(p.accumulate),
      .order = static_cast<Order>(p.order),
      .alignment_a = p.alignment_a,
  };
}

}  // namespace onepass
