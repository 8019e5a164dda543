// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Products of matrices as loops.
#pragma once

#include "lapack/element.hpp"
#include "lapack/gpu/product.hpp"

namespace onepass::test {

template <class T>
void multiply_by_loops(const lapack::Product& p) {
  const auto element = [](const lapack::ProductOperand& o, std::int64_t batch, std::int64_t row, std::int64_t column) {
    const T* const data = static_cast<const T*>(o.data) + batch * o.stride;
    return o.op == Op::n ? data[row + column * o.ld] : lapack::conjugate(data[column + row * o.ld]);
  };
  for (std::int64_t batch = 0; batch < p.batch; ++batch) {
    T* const c = static_cast<T*>(p.c) + batch * p.stride_c;
    for (std::int64_t j = 0; j < p.n; ++j)
      for (std::int64_t i = 0; i < p.m; ++i) {
        T sum{};
        for (std::int64_t k = 0; k < p.k; ++k) sum += element(p.a, batch, i, k) * element(p.b, batch, k, j);
        T& at = c[i + j * p.ldc];
        at = static_cast<T>(p.alpha) * sum + (p.beta == 0 ? T{} : static_cast<T>(p.beta) * at);
      }
  }
}

}  // namespace onepass::test
