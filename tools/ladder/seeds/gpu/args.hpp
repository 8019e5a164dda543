// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of the lineage are told, and what a launch of one may touch. As in ladder/gpu, a kernel speaks to
// `ex` alone, and a header of kernels/exec must have been included before.
#pragma once

#include <cstdint>

namespace onepass::tools::ladder {

// y = A x, A^T x, or A x of a symmetric A whose lower triangle is stored; columns lie `rows` elements apart.
template <class T>
struct SeedArgs {
  const T* a = nullptr;
  const T* x = nullptr;
  T* y = nullptr;
  T* partial = nullptr;  // of symmetric products: a number for each panel of columns and each row
  std::int64_t rows = 0, cols = 0;
  std::int64_t columns = 0;  // of a block, where several share a row (Rows)
  int lanes = 0;             // threads along the rows (Rows)
  int order = 0;             // in which a panel takes its rows (Triangle)
};

// The global memory of a launch: A and x in and y out; y alone; the temporary set out; or the set in and y out.
enum class Touches { product, output, makes_set, adds_set };

template <class T>
ONEPASS_DEVICE T lesser(T a, T b) {
  return b < a ? b : a;
}

}  // namespace onepass::tools::ladder
