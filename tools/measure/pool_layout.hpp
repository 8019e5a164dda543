// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How the operands of a point lie in a pool: several sets of A and x, and of y, used in turn. A that is updated lies
// among the inputs: it keeps its values (negligible_of), and a y that is only read lies beside it. In a chain the x of
// a set is the y of the one before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "measure/host/provider.hpp"
#include "measure/point.hpp"

namespace onepass::tools {

struct PoolLayout {
  std::size_t a_bytes = 0, x_bytes = 0, y_bytes = 0;  // of a set, each rounded to 256
  bool reads_y = false;
  bool is_chain = false;  // y_bytes are enough for x, too
  std::size_t sets = 1;

  std::size_t input_stride() const { return a_bytes + (is_chain ? 0 : x_bytes) + (reads_y ? y_bytes : 0); }
  std::size_t input_bytes() const { return sets * input_stride(); }
  std::size_t output_bytes() const { return reads_y ? 0 : sets * y_bytes; }
};

inline std::size_t round_to_256(std::int64_t bytes) { return (static_cast<std::size_t>(bytes) + 255) / 256 * 256; }

// Launches of a graph overlap, several at a time where they load before the grid-dependency wait: two that run side by
// side must not read one matrix, of which memory would deliver one half.
inline constexpr std::size_t least_sets_of_graph = 16;

// One set for hot; for cold as many as fill `pool_bytes`, at least `least` and at most `most`.
PoolLayout lay_out(const Point& point, std::size_t pool_bytes, std::size_t most, std::size_t least = 2);

// The operands of each set.
std::vector<Vectors> operands_of(const PoolLayout& layout, std::byte* inputs, std::byte* outputs);

// For an array batch: to each product of each set, all of A, then all of x, then all of y. Empty for other problems.
std::vector<void*> pointers_of(const Problem& p, std::span<const Vectors> sets);

// The operands of set `i`, from the memory in which those pointers lie.
Vectors in_array(const Problem& p, void** pointers, std::size_t i);

}  // namespace onepass::tools
