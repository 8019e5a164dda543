// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Shapes that nobody chose: seed and index -> one problem, the same on every machine.
#pragma once

#include <cstdint>

#include "bench/axes.hpp"
#include "verify/random.hpp"

namespace onepass::tools {

// As many between 1 and 2 as between 2 and 4.
double log_uniform(verify::Random& random, double least, double most);

// One of the types, ops or triangles, orders and sums of the axes, in their layout. The bytes of the matrix, or of its
// triangle, are log-uniform, and so is the ratio of its sides, 16 rows or columns at least. One side in two is a
// multiple of 2 to 32, and one matrix in four has columns that begin on such multiples whatever their length.
Problem random_problem(const Axes& axes, std::uint64_t index);

// One of the neighbours of that problem. Problems are the same with neighbours behind them and without.
Problem random_neighbour(const Axes& axes, std::uint64_t index, const Problem& p);

}  // namespace onepass::tools
