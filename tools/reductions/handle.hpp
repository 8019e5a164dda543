// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A handle of the reductions whose failures end the program with their text.
#pragma once

#include <memory>
#include <string>

#include "lapack/problem.hpp"
#include "onepass/lapack.h"

namespace onepass::tools {

class ReductionHandle {
 public:
  // On the best backend here if the name is empty; threads as onepassLapackSetThreads has them.
  ReductionHandle(const std::string& backend, int threads);
  std::string backend() const { return onepassLapackBackend(handle_.get()); }
  bool on_device() const { return backend() == "cuda"; }
  std::size_t workspace_bytes(const LapackProblem& problem) const;
  void run(const LapackProblem& problem, const LapackOperands& operands, void* workspace, std::size_t bytes) const;
  std::string explain(const LapackProblem& problem) const;

 private:
  std::unique_ptr<onepassLapackContext, decltype(&onepassLapackDestroy)> handle_;
};

}  // namespace onepass::tools
