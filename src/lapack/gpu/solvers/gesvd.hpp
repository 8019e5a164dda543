// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gesvd on a device: the plan, and the steps as they follow each other. Knows nothing of CUDA.
//
//   A = Q0 R                geqrf of A, or of A^H if that is taller, where one of them is much longer than wide: then R
//                           takes the place of A in what follows
//   A = Q B P^H             gebrd, in A; of a wide A it is B^T in the place of B
//   values of B             bisection; or, with vectors:
//   B = X diag(s) Y^T       divide and conquer, X and Y^T in the first rows and columns of U and V^H; of complex types
//                           in the workspace, and one launch each that makes them complex
//   U = Y, V^H = X^T        of a wide A: one launch, which exchanges what is there
//   the rest of both        is that of a unit matrix: one launch where there is one
//   U := Q U                ormbr, with the reflectors in A
//   V^H := V^H P^H          likewise; of R^H, P and Q change places
//   U := Q0 U               ormqr, or V^H := V^H Q0^H
//
// The workspaces of the steps are one and the same memory. With what is kept between them they take 2.5 m n elements at
// most, and the 4 MiB that are cuBLAS's, where m and n are 512 or more: Q and P are applied in groups of fewer blocks
// where they would take more.
#pragma once

#include <cstddef>
#include <string>

#include "lapack/gpu/reductions/gebrd.hpp"
#include "lapack/gpu/reductions/geqrf.hpp"
#include "lapack/gpu/reductions/q.hpp"
#include "lapack/gpu/solvers/bidiagonal_vectors.hpp"
#include "lapack/gpu/solvers/bisection.hpp"

namespace onepass::lapack {

struct GesvdPlan {
  LapackProblem problem;
  bool has_qr = false;
  GeqrfPlan qr;  // if there is one
  GebrdPlan reduction;
  BidiagonalValuesPlan values;    // of Job::values
  BidiagonalVectorsPlan vectors;  // of the other jobs, as what follows
  QPlan apply_u, apply_vt;
  QPlan apply_qr;  // to U, or to V^H of a wide matrix
  int grid = 1;    // blocks of a launch that passes over U or V^H, at most
  std::size_t workspace_bytes = 0;

  bool operator==(const GesvdPlan&) const = default;
};

// Of a problem that passed its check. Pure.
Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, GesvdPlan* plan);
inline bool uses_products(const GesvdPlan& plan) {
  return uses_products(plan.qr) || uses_products(plan.reduction) || uses_products(plan.vectors) ||
         uses_products(plan.apply_u) || uses_products(plan.apply_vt) || uses_products(plan.apply_qr);
}
std::string explain(const GesvdPlan& plan);

inline StepGroups groups_of(const GesvdPlan& plan) {
  return groups_of(plan.qr) | groups_of(plan.reduction) | groups_of(plan.values) | groups_of(plan.vectors) |
         groups_of(plan.apply_u) | groups(StepGroup::matrices);
}

Status run(const GesvdPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue);

}  // namespace onepass::lapack
