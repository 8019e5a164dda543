// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "reductions/handle.hpp"

#include "lapack/api/problem_c.hpp"
#include "problem/names.hpp"
#include "support/arguments.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

void check(onepassStatus_t status) { require({status, onepassLapackLastErrorMessage()}); }

onepassLapackHandle_t made(const std::string& backend) {
  if (!backend.empty() && !parse_backend(backend)) refuse("--backend", backend, "must be cuda, cpu, sim or reference");
  onepassLapackHandle_t handle = nullptr;
  check(backend.empty() ? onepassLapackCreate(&handle) : onepassLapackCreateOn(&handle, backend.c_str()));
  return handle;
}

}  // namespace

ReductionHandle::ReductionHandle(const std::string& backend, int threads)
    : handle_(made(backend), onepassLapackDestroy) {
  check(onepassLapackSetThreads(handle_.get(), threads));
}

std::size_t ReductionHandle::workspace_bytes(const LapackProblem& problem) const {
  const onepassLapackProblem_t p = problem_to_c(problem);
  std::size_t bytes = 0;
  check(onepassLapackWorkspace(handle_.get(), &p, &bytes));
  return bytes;
}

void ReductionHandle::run(const LapackProblem& problem, const LapackOperands& o, void* workspace,
                          std::size_t bytes) const {
  const onepassLapackProblem_t p = problem_to_c(problem);
  const onepassLapackOperands_t operands = {o.a, o.d, o.e, o.tau, o.taup, o.c, o.w, o.info, o.u, o.vt, o.found};
  check(onepassLapackRun(handle_.get(), &p, &operands, workspace, bytes));
}

std::string ReductionHandle::explain(const LapackProblem& problem) const {
  const onepassLapackProblem_t p = problem_to_c(problem);
  std::size_t length = 0;
  check(onepassLapackExplain(handle_.get(), &p, nullptr, 0, &length));
  std::string text(length + 1, '\0');
  check(onepassLapackExplain(handle_.get(), &p, text.data(), text.size(), nullptr));
  text.resize(length);
  return text;
}

}  // namespace onepass::tools
