// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The routines of the cuda backend. Each is a plan, an aggregate with `problem` and `workspace_bytes`, and five
// functions that take it: make_plan, groups_of (the kernels that it needs), uses_products, run and explain.
#pragma once

#include <variant>

#include "lapack/gpu/batch.hpp"
#include "lapack/gpu/batch_svd.hpp"
#include "lapack/gpu/gebrd.hpp"
#include "lapack/gpu/gehrd.hpp"
#include "lapack/gpu/geqrf.hpp"
#include "lapack/gpu/gesvd.hpp"
#include "lapack/gpu/q.hpp"
#include "lapack/gpu/syevd.hpp"
#include "lapack/gpu/sytrd.hpp"

namespace onepass::lapack {

using DevicePlan =
    std::variant<SytrdPlan, GebrdPlan, GehrdPlan, QPlan, SyevdPlan, BatchPlan, GeqrfPlan, GesvdPlan, BatchSvdPlan>;

}  // namespace onepass::lapack
