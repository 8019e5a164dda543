// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the launch that exchanges two matrices is given.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/lapack/adjoint_args.hpp"

namespace onepass::kernels {

// A := B^T and B := A^T, both of n x n.
struct ExchangeArgs {
  void* a = nullptr;
  std::int64_t lda = 0;
  void* b = nullptr;
  std::int64_t ldb = 0;
  std::int64_t n = 0;

  constexpr std::int64_t tiles() const {
    const std::int64_t side = (n + adjoint_tile - 1) / adjoint_tile;
    return side * side;
  }
};

// A tile of each.
constexpr std::size_t exchange_shared_bytes(std::size_t element) { return 2 * adjoint_shared_bytes(element); }

}  // namespace onepass::kernels
