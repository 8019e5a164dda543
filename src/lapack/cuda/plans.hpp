// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The routines of the cuda backend. Each is a plan, an aggregate with `problem` and `workspace_bytes`, and five
// functions that take it: make_plan, load (its kernels of its type), uses_cublas, run and explain.
#pragma once

#include <variant>

#include "lapack/cuda/gebrd.hpp"
#include "lapack/cuda/gesvd.hpp"
#include "lapack/cuda/syevd.hpp"
#include "lapack/cuda/sytrd.hpp"
#include "lapack/gpu/batch.hpp"
#include "lapack/gpu/batch_svd.hpp"
#include "lapack/gpu/gehrd.hpp"
#include "lapack/gpu/geqrf.hpp"
#include "lapack/gpu/q.hpp"

namespace onepass::lapack {

using DevicePlan =
    std::variant<SytrdPlan, GebrdPlan, GehrdPlan, QPlan, SyevdPlan, BatchPlan, GeqrfPlan, GesvdPlan, BatchSvdPlan>;

}  // namespace onepass::lapack
