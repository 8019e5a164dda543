// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of a gemv_flat launch, and the problems that it can serve.
#pragma once

#include <cstdint>
#include <string>

#include "plan/plan.hpp"

namespace onepass {

// A batch as one array without gaps.
struct Flat {
  bool along = false;                   // the outputs lie along the columns
  std::int64_t unit = 0;                // elements that lie together: a column, or a whole matrix if `along`
  std::int64_t outputs_of_unit = 0;     // 1, or the rows of the matrix
  std::int64_t outputs_of_product = 0;  // of one matrix
  std::int64_t terms = 0;               // of a sum
};
Flat flat(const Problem& p);

// Null, or why the kernel cannot serve the batch, however it is shaped.
const char* why_not_flat(const Problem& p);

// Bytes of shared memory in front of the staged x.
std::int64_t flat_x_offset(const Plan& plan);

// Whole sums that a block has of about so many bytes of the matrices, at least one unit and no more than fit; no blocks
// where a unit is too large for the threads.
struct FlatShape {
  std::int64_t outputs = 0, blocks = 0, shared_bytes = 0;
};
FlatShape flat_shape(const Problem& p, int threads, std::int64_t bytes);

// The complete plan; a block takes about `bytes` of the matrices.
Plan shape_flat(const Problem& p, int threads, int lanes, std::int64_t bytes);

// Empty, or why a plan of this variant would not compute its problem.
std::string why_illegal_flat(const Plan& plan);

}  // namespace onepass
