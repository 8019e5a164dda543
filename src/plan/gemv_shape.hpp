// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of a GEMV launch: what threads, lanes and shares cover, and what they cost in memory. It chooses
// nothing.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "plan/choice.hpp"
#include "plan/plan.hpp"
#include "problem/combinations.hpp"

namespace onepass {

inline constexpr std::int64_t gemv_most_in_grid = 65535;  // blocks along its second and third dimension

// The numbers are positive, and a may be 0.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }
constexpr std::int64_t ceil_power_of_two(std::int64_t v) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(v)));
}
// Of a power of two.
constexpr int log2_of(std::int64_t power) { return std::countr_zero(static_cast<std::uint64_t>(power)); }
constexpr std::int64_t ceil_shift(std::int64_t a, int log2) { return (a + (std::int64_t{1} << log2) - 1) >> log2; }

// Elements in a 16-byte vector.
constexpr std::int64_t vector_length(const Problem& p) { return 16 / size_of(p.type_a); }

// Whether every column starts on a 16-byte boundary.
constexpr bool vectors_fit(const Problem& p) { return p.alignment_a >= 16 && p.lda % vector_length(p) == 0; }
// Whether a launch of GEMV may take that for granted: behind pointers of which nothing is known too, as long as all
// columns of a matrix start alike. Most matrices do lie so, and the kernels cope with one that does not.
constexpr bool vectors_should_fit(const Problem& p) {
  return (p.alignment_a >= 16 || (p.pointer_array && p.alignment_a == 0)) && p.lda % vector_length(p) == 0;
}

// The number of different offsets from a 16-byte boundary at which the columns of A start: columns
// c and c + classes start alike. A power of two.
std::int64_t alignment_classes(const Problem& p);
// This must divide the number of groups of gemv_n, so that the columns of a group start alike. Fewer
// columns than classes need no more groups than columns.
std::int64_t classes_to_keep_apart(const Problem& p);

// Rows that `lanes` vectors cover at the worst offset of a column, where they need not fit.
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
// 1: none.
int blocks_of_cluster(const Plan& plan);

// Distance of the columns of a group: at least the classes, and in gemv_t the groups of a block, in gemv_t_short those
// of a warp, so that it reads adjacent columns. A power of two.
std::int64_t step_of_columns(const Plan& plan);
inline std::int64_t step_of_short(std::int64_t classes, std::int64_t lanes) { return std::max(classes, 32 / lanes); }

// Rows of a lane of gemv_n_small, of so many groups.
int rows_of_small_lane(const Problem& p, std::int64_t groups);

// Splits whose parts one block adds up: about as many as there are such groups, or 0 where one block adds up all.
//
// A block that adds up all has a trip to the L2 for every other part of an output that a thread polls. On an H200
// groups take 2 to 9 % less time from five such trips on, alone and in a queue, and 12 to 31 % less from twelve on;
// below that the second level is one trip too many.
constexpr int log2_grouped(std::int64_t splits, std::int64_t threads, std::int64_t outputs) {
  constexpr std::int64_t polled = 2, most_trips = 4;
  const std::int64_t parts = splits - 1;
  if (parts * outputs <= most_trips * polled * std::max(threads, outputs)) return 0;
  return (static_cast<int>(std::bit_width(static_cast<std::uint64_t>(parts))) + 1) / 2;  // libstdc++ 12: not an int
}
int log2_grouped(const Plan& plan);

// Whether a batch gains from an L2 prefetch before the grid-dependency wait; whether a single product does.
bool prefetch_pays(const Problem& p);
bool single_prefetch_pays(const Plan& plan);
// That of a single product, by its first so many blocks.
void set_prefetch(Plan& plan, std::int64_t prefetching_blocks);

// Threads and lanes are powers of two. As long as no device is known: all blocks may prefetch.
Plan shape_gemv(const Problem& p, const Choice& choice);

// Equal shares of rows among tiles of at most `most`, in multiples of a unit, a power of two.
struct GemvTiles {
  std::int64_t tile = 1, tiles = 1;
};
constexpr GemvTiles share_rows(std::int64_t rows, std::int64_t most, std::int64_t unit) {
  const std::int64_t tiles = ceil_div(rows, most);
  const std::int64_t tile = std::min(most, ceil_shift(ceil_div(rows, tiles), log2_of(unit)) << log2_of(unit));
  return {.tile = tile, .tiles = ceil_div(rows, tile)};
}
// In whole sectors, where columns start alike.
constexpr std::int64_t unit_of_rows(std::int64_t size, bool fit) { return fit && size < 32 ? 32 / size : 1; }

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
// The kernel divides by multiplication, which is exact for numbers below this.
inline constexpr std::int64_t gemv_flat_most = std::int64_t{1} << 16;
// Vectors of a run of elements at the worst of its offsets.
constexpr std::int64_t vectors_of_run(const Problem& p, std::int64_t elements) {
  return ceil_shift(elements + vector_length(p) - 1, log2_of(vector_length(p)));
}
// Null, or why the kernel cannot serve the batch, however it is shaped.
const char* why_not_flat(const Problem& p);
// Bytes of shared memory in front of the staged x.
std::int64_t flat_x_offset(const Problem& p, std::int64_t outputs);

}  // namespace onepass
