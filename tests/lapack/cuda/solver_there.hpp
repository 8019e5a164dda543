// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A solver whose operands stay on the device between runs, and its runs from a graph.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "gpu.hpp"
#include "graph.hpp"
#include "lapack/element.hpp"
#include "types.hpp"

namespace onepass::test {

// The matrix, what is made in its place, and values: those of a problem with vectors of its own derive from it.
template <class T>
class SolverThere {
 public:
  std::size_t workspace_bytes() const { return test::workspace_bytes(c_problem_); }
  onepassStatus_t run(void* workspace, std::size_t bytes) const {
    const onepassLapackOperands_t operands = there_->operands();
    return onepassLapackRun(handle(), &c_problem_, &operands, workspace, bytes);
  }
  // The results to the host, and A to the device again.
  void back() {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    info_ = -1;
    EXPECT_TRUE(there_->back());
    EXPECT_EQ(info_, 0);
    EXPECT_EQ(cudaMemcpy(there_->operands().a, a_.data(), a_.size() * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  const std::vector<lapack::Real<T>>& values() const { return values_; }
  T a(std::int64_t r, std::int64_t c) const { return a_[static_cast<std::size_t>(r + c * problem_.lda)]; }

 protected:
  SolverThere(const LapackProblem& problem, std::int64_t rows, bool hermitian)
      : problem_(problem),
        values_(static_cast<std::size_t>(std::min(rows, problem.n))),
        c_problem_(problem_to_c(problem)) {
    const auto made = verify::make_matrix<T>(verify::Pattern::random, rows, problem.n, hermitian, 3);
    a_.resize(static_cast<std::size_t>(rows * problem.n));
    std::transform(made.data.begin(), made.data.end(), a_.begin(), [](auto x) { return static_cast<T>(x); });
    in_place_ = a_;
  }
  void put_there(T* u = nullptr, T* vt = nullptr) {
    there_ = std::make_unique<OperandsOnDevice>(
        problem_, LapackOperands{.a = in_place_.data(), .w = values_.data(), .info = &info_, .u = u, .vt = vt});
  }
  LapackProblem problem_;
  std::vector<T> a_, in_place_;

 private:
  std::vector<lapack::Real<T>> values_;
  int info_ = -1;
  onepassLapackProblem_t c_problem_;
  std::unique_ptr<OperandsOnDevice> there_;
};

// `results` gives what a run left on the host, to be compared.
template <class Solver, class Results>
void expect_same_bits_in_a_graph(Solver& solved, Results results) {
  ASSERT_EQ(solved.run(nullptr, 0), ONEPASS_STATUS_SUCCESS) << onepassLapackLastErrorMessage();
  solved.back();
  const auto first = results(solved);
  expect_run_in_a_graph(
      solved.workspace_bytes(), [&](void* workspace, std::size_t bytes) { return solved.run(workspace, bytes); },
      [&] {
        solved.back();
        EXPECT_TRUE(results(solved) == first);
      });
}

}  // namespace onepass::test
