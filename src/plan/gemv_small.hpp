// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of a launch of gemv_n_small or gemv_t_small, and the problems that they can serve.
#pragma once

#include <string>

#include "plan/plan.hpp"
#include "problem/combinations.hpp"

namespace onepass {

// Whether many loads of gemv_t_small are of fewer columns, more of each.
bool is_deep(const Problem& p);

// Whether its first blocks had better prefetch: where the launch before would miss the bus, that costs more than it
// saves.
bool small_prefetch_pays(const Problem& p);

// Blocks of a launch that share a sum as a cluster: the splits of these kernels. 1: none.
int blocks_of_cluster(const Plan& plan);
constexpr bool may_be_clustered(Variant variant) {
  return variant == Variant::gemv_n_small || variant == Variant::gemv_t_small || variant == Variant::gemv_t_tensor;
}
// Whether a kernel has instances for clusters.
constexpr bool may_be_clustered(KernelId id, ElementsId elements) {
  return may_be_clustered(id.variant) && elements < ElementsId::w;
}

// Null, or why neither can serve the problem, however it is shaped.
const char* why_not_small_gemv(const Problem& p);

// Tiles of at most `most` outputs of a product, in equal shares; N: of whole sectors, where columns start alike.
void share_outputs(const Problem& p, std::int64_t most, GemvParams* g);

// Empty, or what else is wrong with tiles of at most `most` outputs, which no split and no product shares.
std::string why_illegal_shares(const Plan& plan, std::int64_t most, std::size_t shared_bytes);

// The complete plan: blocks of so many threads, groups of so many lanes, clusters of so many blocks at most; all of
// them powers of two.
Plan shape_small_gemv(const Problem& p, Loads loads, int threads, int lanes, int cluster = 1);

// Empty, or why a plan of these variants would not compute its problem.
std::string why_illegal_small_gemv(const Plan& plan);

}  // namespace onepass
