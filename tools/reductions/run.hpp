// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One problem in the memory of a backend, run again and again from the same start.
#pragma once

#include "reductions/clock.hpp"
#include "reductions/handle.hpp"

namespace onepass::tools {

class ReductionRun {
 public:
  ReductionRun(const ReductionHandle& handle, int threads, Beside beside = Beside::usual);
  ReductionClock& clock() const { return *clock_; }

  // A matrix of random numbers for `problem`: as it is if that is no other than `reduction`, else reduced, once.
  void load(const LapackProblem& reduction, const LapackProblem& problem);
  // Milliseconds.
  double onepass();
  double peer();

 private:
  double timed(std::size_t workspace_bytes, const std::function<void(void* workspace)>& call);

  const ReductionHandle& handle_;
  std::unique_ptr<ReductionClock> clock_;
  LapackProblem problem_;
  LapackOperands operands_;
  std::size_t matrix_bytes_ = 0;
};

}  // namespace onepass::tools
