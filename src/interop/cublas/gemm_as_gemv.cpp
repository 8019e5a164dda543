// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/cublas/gemm_as_gemv.hpp"

#include <algorithm>

namespace onepass::cublas {
namespace {

bool known(onepassOperation_t op) { return op == ONEPASS_OP_N || op == ONEPASS_OP_T || op == ONEPASS_OP_C; }

// Whether cuBLAS would take these leading dimensions; what it refuses is left to it.
bool has_valid_sizes(const Gemm& g) {
  const std::int64_t rows_a = g.op_a == ONEPASS_OP_N ? g.m : g.k, rows_b = g.op_b == ONEPASS_OP_N ? g.k : g.n;
  return g.lda >= std::max<std::int64_t>(1, rows_a) && g.ldb >= std::max<std::int64_t>(1, rows_b) &&
         g.ldc >= std::max<std::int64_t>(1, g.m);
}

}  // namespace

AsGemv gemm_as_gemv(const Gemm& g) {
  if (g.m != 1 && g.n != 1) return {.declined = "C has several rows and columns"};
  if (g.m < 1 || g.n < 1 || g.k < 1 || g.batch < 1) return {.declined = "an empty product"};
  if (!known(g.op_a) || !known(g.op_b)) return {.declined = "an operation that is not N, T or C"};
  if (!has_valid_sizes(g)) return {.declined = "arguments that cuBLAS refuses"};

  const bool is_complex = g.type == ONEPASS_TYPE_C || g.type == ONEPASS_TYPE_Z;
  AsGemv result;
  onepassGemvProblem_t& p = result.problem;
  if (g.n == 1) {
    // C = op(A) b, with b = op(B): a column of B, or a row of it with gaps of ldb.
    if (is_complex && g.op_b == ONEPASS_OP_C) return {.declined = "a conjugated vector"};
    const bool plain = g.op_a == ONEPASS_OP_N;
    p = onepassGemvProblemDefault(g.type, plain ? g.m : g.k, plain ? g.k : g.m);
    p.op = g.op_a;
    p.lda = g.lda;
    p.incx = g.op_b == ONEPASS_OP_N ? 1 : g.ldb;
    p.incy = 1;
    p.stride_a = g.stride_a, p.stride_x = g.stride_b;
  } else {
    // C^T = op(B)^T a, with a = op(A)^T: a row of A with gaps of lda, or a column of it.
    if (is_complex && (g.op_a == ONEPASS_OP_C || g.op_b == ONEPASS_OP_C)) return {.declined = "a conjugate alone"};
    const bool plain = g.op_b == ONEPASS_OP_N;
    p = onepassGemvProblemDefault(g.type, plain ? g.k : g.n, plain ? g.n : g.k);
    p.op = plain ? ONEPASS_OP_T : ONEPASS_OP_N;
    p.lda = g.ldb;
    p.incx = g.op_a == ONEPASS_OP_N ? g.lda : 1;
    p.incy = g.ldc;
    p.stride_a = g.stride_b, p.stride_x = g.stride_a;
    result.swapped = true;
  }
  p.type_y = g.type_c;
  p.batch = g.batch;
  p.stride_y = g.stride_c;
  return result;
}

}  // namespace onepass::cublas
