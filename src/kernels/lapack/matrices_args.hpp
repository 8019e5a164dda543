// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the launches that copy, turn and exchange matrices are given, and what the host must know of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onepass::kernels {

// What a copy of a matrix is given, or the launch that makes its adjoint.
inline constexpr int adjoint_threads = 256, adjoint_tile = 32;

// With one more element from a column of the tile to the next, its rows are in different banks, too.
constexpr std::size_t adjoint_shared_bytes(std::size_t element) { return adjoint_tile * (adjoint_tile + 1) * element; }

// B := A, or B := A^H.
struct MatrixCopy {
  const void* a = nullptr;
  std::int64_t lda = 0;
  void* b = nullptr;
  std::int64_t ldb = 0;
  std::int64_t rows = 0, columns = 0;  // of A

  constexpr std::int64_t tiles() const {
    return (rows + adjoint_tile - 1) / adjoint_tile * ((columns + adjoint_tile - 1) / adjoint_tile);
  }
};

// What the launch that exchanges two matrices is given.
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
