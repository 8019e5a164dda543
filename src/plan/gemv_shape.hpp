// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of a GEMV launch: what threads, lanes and splits cover, and what they cost in memory.
// It chooses nothing.
#pragma once

#include <cstdint>
#include <string>

#include "plan/plan.hpp"

namespace onepass {

// Of any two positive numbers, and of 0.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }
std::int64_t ceil_power_of_two(std::int64_t v);

// Elements in a 16-byte vector.
std::int64_t vector_length(const Problem& p);

// Whether every column starts on a 16-byte boundary.
bool vectors_fit(const Problem& p);
// Whether a launch of GEMV may take that for granted: behind pointers of which nothing is known too, as long as all
// columns of a matrix start alike. Most matrices do lie so, and the kernels cope with one that does not.
bool vectors_should_fit(const Problem& p);

// The number of different offsets from a 16-byte boundary at which the columns of A start: columns
// c and c + classes start alike. A power of two.
std::int64_t alignment_classes(const Problem& p);
// This must divide the number of groups of gemv_n, so that the columns of a group start alike. Fewer
// columns than classes need no more groups than columns.
std::int64_t classes_to_keep_apart(const Problem& p);

// Vectors that a column touches at the worst of its offsets, where they need not fit.
std::int64_t vectors_of_column(const Problem& p);
// Rows that `lanes` vectors cover, likewise.
constexpr std::int64_t rows_in_lanes(std::int64_t vector, bool fit, std::int64_t lanes) {
  return lanes * vector - (fit ? 0 : vector - 1);
}
std::int64_t rows_in_lanes(const Problem& p, std::int64_t lanes);
// Whether every column starts on a sector; behind pointers as above.
bool columns_on_sectors(const Problem& p);

// Whether outputs lie across the contiguous dimension: gemv_t, gemv_t_once and gemv_t_small.
constexpr bool sums_along_columns(Variant variant) {
  return variant != Variant::gemv_n && variant != Variant::gemv_n_small && variant != Variant::gemv_n_canonical &&
         variant != Variant::gemv_n_small_canonical && variant != Variant::gemv_n_rows_canonical;
}

// Whether a group has columns that start alike, in blocks of any of them: gemv_t_short and gemv_t_tensor.
constexpr bool has_columns_alike(Variant variant) {
  return variant == Variant::gemv_t_short || variant == Variant::gemv_t_tensor;
}

// Sums of a block, of which threads 0 to outputs - 1 hold one each.
std::int64_t outputs(const Plan& plan);

// Distance of the columns of a bundle of gemv_t: the groups of a block, so that a block reads adjacent
// columns, but at least the classes. A power of two.
std::int64_t bundle_step(const Plan& plan);

// Whether a batch gains from an L2 prefetch before the grid-dependency wait.
bool prefetch_pays(const Problem& p);

// Equal shares of so many outputs among tiles of at most `most`, in multiples of a unit.
struct GemvTiles {
  std::int64_t tile = 1, tiles = 1;
};
GemvTiles share_rows(std::int64_t rows, std::int64_t most, std::int64_t unit);

// Tiles, and splits as near as may be to those that are wished for: at least one, at most what there is to share, what
// the workspace holds and what a launch allows. `bytes_of_split`: of a tile's sums, of all products.
struct GemvSplit {
  std::int64_t tile = 1, tiles = 1, splits = 1, chunk = 0;
};
GemvSplit split_n(std::int64_t rows, std::int64_t cols, std::int64_t most_rows, std::int64_t unit, std::int64_t wished,
                  std::int64_t bytes_of_split);
// Of columns in bundles, whose columns lie a step apart.
GemvSplit split_t(std::int64_t cols, std::int64_t vectors, std::int64_t outputs, std::int64_t step, std::int64_t wished,
                  std::int64_t bytes_of_split);

// Splits whose parts one block adds up: about as many as there are such groups, or 0 where one block adds up all.
int log2_grouped(std::int64_t splits, std::int64_t threads, std::int64_t outputs);
int log2_grouped(const Plan& plan);

// The L2 prefetch of a launch by its first so many blocks.
void set_prefetch(Plan& plan, bool wanted, std::int64_t prefetching_blocks);

// Null, or why gemv_t_once cannot serve a problem, however it is launched.
const char* why_never_once(const Problem& p);
// Null, or why gemv_t_once cannot take over a plan of gemv_t: no thread may have more vectors of a column than it has
// loads in flight.
const char* why_not_once(const Plan& plan);
// Complete plans from their three free numbers, with many loads. `splits` is what is wished for.
Plan shape_n(const Problem& p, int threads, int lanes, std::int64_t splits);
Plan shape_t(const Problem& p, int threads, int lanes, std::int64_t splits);

// Empty, or the reason why a plan of gemv_n, gemv_t or gemv_t_once would not compute its problem.
std::string why_illegal_gemv(const Plan& plan);

}  // namespace onepass
