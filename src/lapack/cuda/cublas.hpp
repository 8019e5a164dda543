// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the reductions take of cuBLAS, which is looked for when it is first needed: a program that stays on the host
// does not load it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "lapack/gpu/queue.hpp"
#include "lapack/problem.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

// cuBLAS's handle for the current device. One caller at a time.
class Cublas {
 public:
  static Status open(std::unique_ptr<Cublas>* made);
  ~Cublas();
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  // For the calls that follow.
  Status use(void* stream, void* workspace, std::size_t bytes);

  // C := alpha op(A) op(B) + beta C, C of m x n and k terms. C is not read if beta is 0. Op::c is Op::t of real types.
  Status gemm(Type type, Op op_a, Op op_b, std::int64_t m, std::int64_t n, std::int64_t k, double alpha, const void* a,
              std::int64_t lda, const void* b, std::int64_t ldb, double beta, void* c, std::int64_t ldc);
  // Likewise, one or several; or a rank-2k update.
  Status gemm(Type type, const Product& product);

 private:
  Cublas() = default;
  Status rank_2k(Type type, const Product& product);
  void* handle_ = nullptr;
};

}  // namespace onepass::lapack
