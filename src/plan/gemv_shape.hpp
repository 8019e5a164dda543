// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of a GEMV launch: what threads, lanes and splits cover, and what they cost in memory.
// It chooses nothing.
#pragma once

#include <cstdint>

#include "plan/plan.hpp"
#include "problem/combinations.hpp"

namespace onepass {

inline constexpr std::int64_t gemv_most_in_grid = 65535;  // blocks along its second and third dimension

// The numbers are positive, and a may be 0.
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

// Whether outputs lie across the contiguous dimension.
constexpr bool sums_along_columns(Variant variant) {
  return variant != Variant::gemv_n && variant != Variant::gemv_n_small && variant != Variant::gemv_n_canonical &&
         variant != Variant::gemv_n_small_canonical;
}
// Whether a group has columns that start alike, in blocks of any of them.
constexpr bool has_columns_alike(Variant variant) {
  return variant == Variant::gemv_t_short || variant == Variant::gemv_t_tensor;
}

// Whether blocks may share a sum as a cluster: the splits of these kernels.
constexpr bool may_be_clustered(Variant variant) {
  return variant == Variant::gemv_n_small || variant == Variant::gemv_t_small || variant == Variant::gemv_t_tensor;
}
// Whether a kernel has instances for clusters.
constexpr bool may_be_clustered(KernelId id, ElementsId elements) {
  return may_be_clustered(id.variant) && elements < ElementsId::w;
}
// Whether a sum has terms for each of so many blocks.
constexpr bool has_terms_for(std::int64_t blocks, std::int64_t terms) {
  return blocks == 1 || ceil_div(terms, ceil_div(terms, blocks)) == blocks;
}
// 1: none.
int blocks_of_cluster(const Plan& plan);

// Rows of a lane of gemv_n_small, of so many groups.
int rows_of_small_lane(const Problem& p, std::int64_t groups);
// Whether many loads of gemv_t_small are of fewer columns, more of each.
bool is_deep(const Problem& p);
// As few lanes of gemv_t_short as cover a column.
int lanes_of_short_gemv(const Problem& p, Loads loads);

// Outputs that a block has at a time; of those kernels that split sums through mailboxes, threads 0 to outputs - 1 hold
// a sum each.
std::int64_t outputs(const Plan& plan);

// Distance of the columns of a group: at least the classes, and in gemv_t the groups of a block, in gemv_t_short those
// of a warp, so that it reads adjacent columns. A power of two.
std::int64_t step_of_short(const Problem& p, std::int64_t lanes);
std::int64_t step_of_columns(const Plan& plan);

// Whether a batch gains from an L2 prefetch before the grid-dependency wait; whether a single product does that
// has no kernel for small matrices.
bool prefetch_pays(const Problem& p);
bool single_prefetch_pays(const Plan& plan);

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
// Likewise, with columns in bundles, whose columns lie a step apart.
GemvSplit split_t(std::int64_t cols, std::int64_t vectors, std::int64_t outputs, std::int64_t step, std::int64_t wished,
                  std::int64_t bytes_of_split);

// Splits whose parts one block adds up: about as many as there are such groups, or 0 where one block adds up all.
int log2_grouped(std::int64_t splits, std::int64_t threads, std::int64_t outputs);
int log2_grouped(const Plan& plan);

// The L2 prefetch of a launch of gemv_n, gemv_t or gemv_t_once by its first so many blocks.
void set_prefetch(Plan& plan, bool wanted, std::int64_t prefetching_blocks);

// Complete plans from their free numbers: threads and lanes are powers of two. With many loads where none are named.
// `splits` is what is wished for, and so are the blocks of a cluster.
Plan shape_n(const Problem& p, int threads, int lanes, std::int64_t splits);
Plan shape_t(const Problem& p, int threads, int lanes, std::int64_t splits);
Plan shape_small_gemv(const Problem& p, Loads loads, int threads, int lanes, std::int64_t cluster = 1);
Plan shape_tensor_gemv(const Problem& p, Loads loads, int threads, int lanes, std::int64_t cluster = 1);
// Blocks that have as many columns as they can at a time, so many times.
Plan shape_short_gemv(const Problem& p, Loads loads, std::int64_t visits);
// A block takes about so many bytes of the matrices.
Plan shape_flat(const Problem& p, int threads, int lanes, std::int64_t bytes);

// A launch of one block, that is to be given its tiles and its memory.
Plan gemv_plan(const Problem& p, KernelId kernel, int threads, int lanes);
// Tiles of whole sums for a plan, of at most `most` outputs; of rows in whole sectors, where columns start alike.
void share_outputs(Plan& plan, std::int64_t most);

// Null, or why no launch has a block of so many threads and lanes.
const char* why_no_block(int threads, int most_threads, int lanes);
// Null, or why a plan is not the one that its free numbers give, or a grid cannot have it. What it prefetches, and of
// how many products a block is, may differ.
const char* why_not_as_shaped(const Plan& plan, Plan shaped);

// Whether A, its columns and x lie on 16-byte boundaries, and columns are whole vectors; not of a cluster.
bool is_all_aligned(const Plan& plan, const void* x);

// gemv_flat: a batch as one array without gaps.
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

}  // namespace onepass
