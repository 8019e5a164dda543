// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Products of level 3 by the library's own vectors: C := [C +] alpha A B, with an A that is packed once and multiplies
// many columns.
#pragma once

#include <cstdint>
#include <type_traits>

#include "backends/cpu/element.hpp"

namespace onepass::lapack {

// A, or the conjugate transpose of a matrix: rows x terms in tiles of `height` components of rows, each of them term by
// term. Zeros fill the last tile up.
template <class T>
struct PackedFactor {
  const cpu::Component<T>* data = nullptr;
  std::int64_t terms = 0;
  int height = 0;
};

// Which elements of C are meant, with the diagonal from its first one on.
enum class Part : std::uint8_t { all, lower, upper };

// Distances in components.
template <class T>
struct PackedProduct {
  PackedFactor<T> a;
  std::int64_t rows = 0, first = 0, last = 0;  // of C; its columns first..last
  const cpu::Component<T>* b = nullptr;        // terms x columns; or its adjoint, which is columns x terms
  std::int64_t ldb = 0;
  bool adjoint = false;
  cpu::Component<T>* c = nullptr;
  std::int64_t ldc = 0;
  cpu::Component<T> alpha = 1;
  bool adds = false;  // C := C + alpha A B instead of alpha A B
  Part part = Part::all;
};

// What is packed: op(A) of rows x terms, its terms p, or p with the members of each pair exchanged.
template <class T>
struct Unpacked {
  std::int64_t rows = 0, terms = 0;
  const cpu::Component<T>* a = nullptr;
  std::int64_t lda = 0;
  bool adjoint = false;
  bool exchanged = false;
};

template <class T>
struct PackedKernels {
  int lanes = 0;  // components of a vector
  void (*pack)(const Unpacked<T>&, int height, std::int64_t first_tile, std::int64_t last_tile,
               cpu::Component<T>* packed) = nullptr;
  void (*multiply)(const PackedProduct<T>&) = nullptr;

  // Tiles of as many vectors as sums have registers for, and all of them about full.
  int height(std::int64_t rows) const {
    constexpr std::int64_t most = 3;
    const std::int64_t vectors = (rows * cpu::components<T> + lanes - 1) / lanes, tiles = (vectors + most - 1) / most;
    return lanes * static_cast<int>(tiles == 0 ? 1 : (vectors + tiles - 1) / tiles);
  }
};

struct PackedKernelTable {
  PackedKernels<float> s;
  PackedKernels<double> d;
  PackedKernels<Complex<float>> c;
  PackedKernels<Complex<double>> z;
};

// Those for the vectors of this machine.
const PackedKernelTable& packed_kernels();

// Whether they multiply, not the host's BLAS: where vectors have 64 bytes, or as $ONEPASS_LAPACK_PRODUCTS says, `own`
// or `blas`. On a Xeon they take 0.6 to 0.9 of the time of OpenBLAS 0.3.21, which does not know that machine, and 0.7
// to 1.0 of its time with kernels for AVX-512; with 32 bytes 0.8 to 1.2 (1000 x 1000, 32 terms or 32 rows).
bool multiplies_by_packed_kernels();

template <class T>
const PackedKernels<T>& kernels_of(const PackedKernelTable& table) {
  if constexpr (std::is_same_v<T, float>)
    return table.s;
  else if constexpr (std::is_same_v<T, double>)
    return table.d;
  else if constexpr (std::is_same_v<T, Complex<float>>)
    return table.c;
  else
    return table.z;
}

}  // namespace onepass::lapack
