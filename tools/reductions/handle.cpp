// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "reductions/handle.hpp"

#include "support/failure.hpp"

namespace onepass::tools {
namespace {

void check(onepassStatus_t status) { require({status, onepassLapackLastErrorMessage()}); }

onepassLapackHandle_t made(const std::string& backend) {
  onepassLapackHandle_t handle = nullptr;
  check(backend.empty() ? onepassLapackCreate(&handle) : onepassLapackCreateOn(&handle, backend.c_str()));
  return handle;
}

onepassLapackProblem_t in_c(const LapackProblem& p) {
  onepassLapackProblem_t c = onepassLapackProblemDefault(static_cast<onepassLapackRoutine_t>(p.routine),
                                                         static_cast<onepassType_t>(p.type), p.m, p.n);
  c.fill = static_cast<onepassFillMode_t>(p.uplo);
  c.vect = static_cast<onepassVect_t>(p.vect);
  c.side = static_cast<onepassSide_t>(p.side);
  c.op = static_cast<onepassOperation_t>(p.op);
  c.k = p.k;
  c.ilo = p.ilo;
  c.ihi = p.ihi;
  c.lda = p.lda;
  c.ldc = p.ldc;
  c.job = static_cast<onepassJob_t>(p.job);
  c.ldu = p.ldu;
  c.ldvt = p.ldvt;
  c.batch = static_cast<onepassBatch_t>(p.batch);
  c.batch_count = p.batch_count;
  c.stride_a = p.stride_a;
  c.stride_w = p.stride_w;
  c.stride_u = p.stride_u;
  c.stride_vt = p.stride_vt;
  c.plain_v = p.plain_v ? 1 : 0;
  c.range = static_cast<onepassRange_t>(p.wanted);
  c.il = p.il;
  c.iu = p.iu;
  c.vl = p.vl;
  c.vu = p.vu;
  return c;
}

}  // namespace

ReductionHandle::ReductionHandle(const std::string& backend, int threads)
    : handle_(made(backend), onepassLapackDestroy) {
  check(onepassLapackSetThreads(handle_.get(), threads));
}

std::size_t ReductionHandle::workspace_bytes(const LapackProblem& problem) const {
  const onepassLapackProblem_t p = in_c(problem);
  std::size_t bytes = 0;
  check(onepassLapackWorkspace(handle_.get(), &p, &bytes));
  return bytes;
}

void ReductionHandle::run(const LapackProblem& problem, const LapackOperands& o, void* workspace,
                          std::size_t bytes) const {
  const onepassLapackProblem_t p = in_c(problem);
  const onepassLapackOperands_t operands = {o.a, o.d, o.e, o.tau, o.taup, o.c, o.w, o.info, o.u, o.vt, o.found};
  check(onepassLapackRun(handle_.get(), &p, &operands, workspace, bytes));
}

std::string ReductionHandle::explain(const LapackProblem& problem) const {
  const onepassLapackProblem_t p = in_c(problem);
  std::size_t length = 0;
  check(onepassLapackExplain(handle_.get(), &p, nullptr, 0, &length));
  std::string text(length + 1, '\0');
  check(onepassLapackExplain(handle_.get(), &p, text.data(), text.size(), nullptr));
  text.resize(length);
  return text;
}

}  // namespace onepass::tools
