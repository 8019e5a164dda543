// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Divide and conquer as the eigenvectors of a tridiagonal matrix T and the singular vectors of a bidiagonal matrix B
// have it: launches and products as they follow each other. Sizes depend on n alone, so that nothing waits for the
// host. Knows nothing of CUDA.
//
//   the matrix   scaled, and cut into leaves                              one launch
//   a leaf       its vectors, by QL or QR                                 one launch for all
//   a level      D + rho z z^T of each two neighbours, deflated           one launch for all merges
//                roots of the secular equation                            one
//                z that has these roots, and the order of the values      one
//                U                                                        one
//                Q := diag(Q1, Q2) U                                      two products, one for each half of the rows
//                of B: the last two for the left vectors, then for V^T
//   the matrix   values scaled back                                       one launch
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/lapack/solvers/form.hpp"
#include "lapack/gpu/queue.hpp"
#include "plan/device_traits.hpp"
#include "problem/problem.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

struct DivideTree {
  kernels::Form form = kernels::Form::tridiagonal;
  Type type = Type::d;
  std::int64_t n = 0;
  int leaf = 0;      // rows from a leaf to the next; one of B has a row less
  int levels = 0;    // of merges
  int grid = 1;      // blocks of the last launch, at most
  int few_rows = 0;  // up to which the deflation of a merge has few threads

  bool operator==(const DivideTree&) const = default;
};

// Memory of the device.
struct DivideMatrices {
  const void *d = nullptr, *e = nullptr;
  void* w = nullptr;
  void* q = nullptr;  // Z, or U of B
  std::int64_t ldq = 0;
  void* vt = nullptr;  // of B
  std::int64_t ldvt = 0;
  int* info = nullptr;
  int failure = 0;  // what info is where d or e is not finite
};

// Names the first argument that is wrong. Pure.
Status make_tree(kernels::Form form, Type type, std::int64_t n, const DeviceTraits& traits, int most_leaf,
                 DivideTree* tree);
Status check_leading_dimension(const char* name, std::int64_t ld, std::int64_t n);
std::size_t workspace_bytes(const DivideTree& tree);
std::string explain(const DivideTree& tree);

Status run_tree(const DivideTree& tree, const DivideMatrices& matrices, void* workspace, Queue& queue);

}  // namespace onepass::lapack
