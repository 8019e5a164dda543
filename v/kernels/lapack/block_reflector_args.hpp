// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the launches around a block of reflectors are given, and what the host must know of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onepass::kernels {

inline constexpr int block_reflector_threads = 256;

// V of several reflectors out of A. Reflector i has its 1 in row unit + i; what A has of it is behind that, or, if
// backward, before it. By columns V(r, i) = v[r + i ldv] and A has it in a[r + i lda]; by rows V^H is stored, and
// V^H(i, r) = v[i + r ldv] is in a[i + r lda].
struct CopyReflectorsArgs {
  const void* a = nullptr;
  std::int64_t lda = 0;
  void* v = nullptr;
  std::int64_t ldv = 0;
  std::int64_t rows = 0, lines = 0;
  std::int64_t count = 0;  // of the lines; those behind them are zeros
  std::int64_t unit = 0;
  bool backward = false, by_rows = false;
};

struct Range {
  std::int64_t begin = 0, end = 0;
  bool operator==(const Range&) const = default;
};

// A := the unit matrix in these rows and columns of A, but where both the row and the column are kept.
struct SetIdentityArgs {
  void* a = nullptr;
  std::int64_t lda = 0;
  Range rows, columns, kept_rows, kept_columns;
};

// T of several blocks of reflectors from their inner products V^H V: I - V T V^H is H(0) H(1) ... and T upper, or
// ... H(1) H(0) and T lower. Matrices of (parts width) x (parts width), one behind the other. In parts: the triangles
// on the diagonal and the zeros beside them; what is between the triangles is left to products.
struct TriangularFactorArgs {
  const void* products = nullptr;
  const void* tau = nullptr;
  void* t = nullptr;
  int width = 0;           // reflectors of a part
  int parts = 1;           // or 2
  std::int64_t count = 0;  // of tau, in all; 0 is taken for those behind them
  bool upper = true;
};

// The products, T and tau of a part. Rows of the products are width + 1 apart and columns of T width + 4: no two lanes
// of a warp want the same bank.
constexpr int triangular_factor_elements(int width) { return width * (width + 1) + width * (width + 4) + width; }
constexpr std::size_t triangular_factor_shared_bytes(int width, int element) {
  return static_cast<std::size_t>(triangular_factor_elements(width)) * static_cast<std::size_t>(element);
}

}  // namespace onepass::kernels
