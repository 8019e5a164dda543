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

#include "kernels/lapack/adjoint_args.hpp"
#include "kernels/lapack/exchange_args.hpp"
#include "lapack/cuda/bidiagonal_values_steps.hpp"
#include "lapack/cuda/bidiagonal_vectors_steps.hpp"
#include "lapack/gpu/gebrd.hpp"
#include "lapack/gpu/geqrf.hpp"
#include "lapack/gpu/q.hpp"

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
inline bool uses_cublas(const GesvdPlan& plan) {
  return uses_products(plan.qr) || uses_products(plan.reduction) || uses_cublas(plan.vectors) ||
         plan.apply_u.width > 0 || plan.apply_vt.width > 0 || plan.apply_qr.width > 0;
}
std::string explain(const GesvdPlan& plan);

// What a device does, in the order of the calls.
class GesvdDevice {
 public:
  virtual ~GesvdDevice() = default;
  virtual Status clear(int* info) = 0;
  virtual Status make_adjoint(const kernels::MatrixCopy& copy, int blocks) = 0;
  virtual Status factor(const GeqrfPlan& plan, const LapackOperands& operands, void* workspace) = 0;
  virtual Status copy_triangle(const kernels::MatrixCopy& copy, int blocks) = 0;
  virtual Status reduce(const GebrdPlan& plan, const LapackOperands& operands, void* workspace) = 0;
  virtual Status find_values(const BidiagonalValuesPlan& plan, const BidiagonalValuesOperands& operands) = 0;
  virtual Status find_vectors(const BidiagonalVectorsPlan& plan, const BidiagonalVectorsOperands& operands,
                              void* workspace) = 0;
  virtual Status widen(const kernels::MatrixCopy& copy, int blocks) = 0;
  virtual Status exchange(const kernels::ExchangeArgs& args, int blocks) = 0;
  virtual Status set_identity(const kernels::SetIdentityArgs& args, int blocks) = 0;
  virtual Status apply(const QPlan& plan, const LapackOperands& operands, void* workspace) = 0;
};

Status run_gesvd(const GesvdPlan& plan, const LapackOperands& operands, void* workspace, GesvdDevice& device);

}  // namespace onepass::lapack
