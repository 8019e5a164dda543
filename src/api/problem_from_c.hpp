// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The C interface's descriptions of problems, as the library's own.
#pragma once

#include "onepass/onepass.h"
#include "problem/problem.hpp"

namespace onepass {

// What the descriptions of products have in common.
template <class Description>
Problem product_from_c(const Description& p) {
  return {
      .type_a = static_cast<Type>(p.type_a),
      .type_x = static_cast<Type>(p.type_x),
      .type_y = static_cast<Type>(p.type_y),
      .layout = static_cast<Layout>(p.layout),
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

inline Problem problem_from_c(const onepassGemvProblem_t& p) {
  Problem problem = product_from_c(p);
  problem.op = static_cast<Op>(p.op);
  problem.m = p.m;
  return problem;
}

inline Problem problem_from_c(const onepassSymvProblem_t& p) {
  Problem problem = product_from_c(p);
  problem.routine = p.hermitian != 0 ? Routine::hemv : Routine::symv;
  problem.uplo = static_cast<Uplo>(p.uplo);
  problem.m = p.n;
  return problem;
}

}  // namespace onepass
