// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A product of matrices, or several of one shape, as a value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "lapack/problem.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

// The sizes and leading dimensions of cuBLAS are ints: a failure that names the first of a problem that is none.
inline Status fits_cublas(const LapackProblem& problem) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  const std::pair<const char*, std::int64_t> sizes[] = {
      {"m", problem.m}, {"n", problem.n}, {"k", problem.k}, {"lda", problem.lda}, {"ldc", problem.ldc}};
  for (const auto& [name, value] : sizes)
    if (value > most)
      return {ONEPASS_STATUS_TOO_LARGE, std::string(name) + " = " + std::to_string(value) + ": at most " +
                                            std::to_string(most) + " on the cuda backend"};
  return {};
}

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
  // Of C, which becomes alpha (op(A) op(B) + its adjoint) + beta C there, and stays as it is elsewhere.
  std::optional<Uplo> triangle = {};
};

// The part of a product's terms from `first` on.
inline Product part_of_terms(Product p, std::int64_t first, std::int64_t count, std::int64_t element) {
  const auto moved = [&](const void* data, std::int64_t elements) -> const void* {
    return static_cast<const std::byte*>(data) + elements * element;
  };
  p.k = count;
  p.a.data = moved(p.a.data, p.a.op == Op::n ? first * p.a.ld : first);
  p.b.data = moved(p.b.data, p.b.op == Op::n ? first : first * p.b.ld);
  if (first > 0) p.beta = 1;
  return p;
}

// C := op(A) op(B), its terms in up to eight parts. Reflectors of smooth columns have many elements that are nearly the
// same, and a long sum of such terms is rounded in the same direction again and again: |I - U^H U| / (m eps) of a
// complex 360 x 120 matrix in single precision was 33.
template <class Multiply>
Status multiply_in_parts(const Product& p, std::int64_t element, Multiply multiply) {
  constexpr std::int64_t least_terms = 160, most_parts = 8;
  const std::int64_t parts = std::clamp<std::int64_t>(p.k / least_terms, 1, most_parts);
  for (std::int64_t part = 0; part < parts; ++part) {
    const std::int64_t first = part * p.k / parts, end = (part + 1) * p.k / parts;
    if (Status bad = multiply(part_of_terms(p, first, end - first, element)); !bad.ok()) return bad;
  }
  return {};
}

}  // namespace onepass::lapack
