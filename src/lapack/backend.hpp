// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What every backend of the reductions offers: a plan for a checked problem, and its run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "lapack/problem.hpp"
#include "plan/plan.hpp"
#include "problem/pointer.hpp"
#include "problem/status.hpp"

namespace onepass {

// How a backend runs a problem: what it was given, and the memory that this takes.
struct LapackPlan {
  LapackProblem problem;
  BackendId backend = BackendId::cpu;
  int threads = 1;         // of the host
  std::int64_t panel = 0;  // columns that are reduced, or reflectors that are applied, together
  std::size_t workspace_bytes = 0;

  bool operator==(const LapackPlan&) const = default;
};

struct LapackBackend {
  BackendId id;
  // `threads`: of the host; 0 for as many as OpenMP grants the caller. Pure but for that.
  LapackPlan (*plan)(const LapackProblem& problem, int threads);
  // The workspace has the bytes of the plan, whatever they hold.
  Status (*run)(const LapackPlan& plan, const LapackOperands& operands, void* workspace);
  // Null where threads and panels say all.
  std::string (*explain)(const LapackPlan& plan) = nullptr;
  Alignment operands = Alignment::component;
  std::size_t workspace_alignment = 64;
};

// Panels on the kernels of the cpu backend, level 3 by the host's BLAS.
const LapackBackend& lapack_cpu();

// Loops over one reflector after the other, in numbers of more digits; rounded once, at the end.
const LapackBackend& lapack_reference();

// The routines of a GPU on the simulator; of the library onepass_lapack_sim.
const LapackBackend& lapack_sim();

}  // namespace onepass
