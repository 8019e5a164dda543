// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A product of matrices, or several of one shape, as a value.
#pragma once

#include <cstdint>

#include "problem/problem.hpp"

namespace onepass::lapack {

struct ProductOperand {
  Op op = Op::n;
  const void* data = nullptr;
  std::int64_t ld = 1;
  std::int64_t stride = 0;  // elements from a matrix of a batch to the next
};

// C := alpha op(A) op(B) + beta C, C of m x n and k terms. C is not read if beta is 0. Op::c is Op::t of real types.
struct Product {
  std::int64_t m = 0, n = 0, k = 0;
  double alpha = 1;
  ProductOperand a, b;
  double beta = 0;
  void* c = nullptr;
  std::int64_t ldc = 1;
  std::int64_t stride_c = 0;
  std::int64_t batch = 1;
};

}  // namespace onepass::lapack
