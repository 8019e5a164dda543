// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The plan of any routine on a GPU. The plan of a routine is an aggregate with `problem` and `workspace_bytes`, and has
// five functions: make_plan, uses_products, groups_of (the kernels that it wants loaded), run and explain.
#pragma once

#include <string>
#include <variant>

#include "lapack/gpu/batched/batch.hpp"
#include "lapack/gpu/batched/batch_svd.hpp"
#include "lapack/gpu/reductions/gebrd.hpp"
#include "lapack/gpu/reductions/gehrd.hpp"
#include "lapack/gpu/reductions/geqrf.hpp"
#include "lapack/gpu/reductions/q.hpp"
#include "lapack/gpu/reductions/sytrd.hpp"
#include "lapack/gpu/solvers/gesvd.hpp"
#include "lapack/gpu/solvers/syevd.hpp"

namespace onepass::lapack {

using GpuPlan =
    std::variant<SytrdPlan, GebrdPlan, GehrdPlan, QPlan, SyevdPlan, BatchPlan, GeqrfPlan, GesvdPlan, BatchSvdPlan>;

// Of a problem that passed its check. Pure.
Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, GpuPlan* plan);

std::size_t workspace_bytes(const GpuPlan& plan);
bool uses_products(const GpuPlan& plan);
StepGroups groups_of(const GpuPlan& plan);
std::string explain(const GpuPlan& plan);
Status run(const GpuPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue);

}  // namespace onepass::lapack
