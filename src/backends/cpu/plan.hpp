// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How a product is shared among host threads, and the scratch memory that this takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "backends/cpu/team.hpp"
#include "plan/plan.hpp"

namespace onepass::cpu {

// `tiles` threads own different outputs, `splits` share one sum; tiles * splits == threads. With
// tiles == splits == 1 and several threads, each thread takes whole products of the batch.
// `threads`: as many as the caller allows.
Plan plan_gemv(const Problem& problem, int threads);

// Likewise; `splits` threads share the columns of a triangle.
Plan plan_symv(const Problem& problem, int threads);

// Empty for a plan that is as the two above would make it for its number of threads and for what these share; else
// what is wrong with it. Of a non-empty problem.
std::string why_illegal(const Plan& plan);

// Likewise; `tiles` threads share one update, or each has whole updates of the batch.
Plan plan_ger(const Problem& problem, int threads);
Plan ger_shape(const Problem& problem, int threads, std::int64_t tiles);

// Of sums with more digits; threads share outputs.
Plan plan_accurate(const Problem& problem, int threads);
Plan accurate_shape(const Problem& problem, int threads);
Plan plan_canonical(const Problem& problem, int threads);
Plan canonical_shape(const Problem& problem, int threads);

// Threads that have enough to do with so many bytes.
int useful_threads(double bytes, int threads);
// Whether threads take whole products of a batch: those are small, or many.
bool shares_products(const Problem& p, double bytes, int threads);

inline const HostParams& host(const Plan& plan) { return params<HostParams>(plan); }

inline bool shares_batch(const Plan& plan) {
  return plan.threads > 1 && host(plan).tiles == 1 && host(plan).splits == 1;
}

// The scratch memory of one team of threads that works on one product: a packed piece of x, and
// `sums` pieces of y in the type of the sum. Outputs and terms are taken in panels that fit into it; those of a
// triangle are whole vectors.
struct Scratch {
  bool packs_x = false;
  bool direct_y = true;  // the first split writes y itself
  std::int64_t sums = 0;
  std::int64_t panel_terms = 0, panel_outputs = 0;
  std::size_t x_bytes = 0, sum_bytes = 0;  // of the packed x and of each piece of y
  std::size_t team_bytes = 0;
};

Scratch scratch(const Plan& plan);

// The columns of a triangle that one of `splits` threads takes: equal shares of its elements.
Range columns_of(const Plan& plan, std::int64_t part);

}  // namespace onepass::cpu
