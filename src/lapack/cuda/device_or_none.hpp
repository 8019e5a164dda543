// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The CUDA device of the reductions, or in a build without CUDA a stand-in that is never there.
#pragma once

#if defined(ONEPASS_LAPACK_CUDA)
#include "lapack/cuda/device.hpp"
#else
#include <cstddef>
#include <memory>
#include <string>

#include "lapack/problem.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

inline std::string why_no_device() { return "this library was built without CUDA"; }

struct CudaDevice {
  static Status open(std::unique_ptr<CudaDevice>*) { return none(); }
  Status check() { return none(); }
  Status workspace_bytes(const LapackProblem&, std::size_t*) { return none(); }
  Status run(const LapackProblem&, const LapackOperands&, void*, std::size_t, onepassStream_t) { return none(); }
  Status explain(const LapackProblem&, std::string*) { return none(); }

 private:
  static Status none() { return {ONEPASS_STATUS_BACKEND_UNAVAILABLE, "cuda: " + why_no_device()}; }
};

}  // namespace onepass::lapack
#endif
