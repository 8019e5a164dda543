// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Plans of the largest problems that pass the check: their workspaces have not wrapped on any backend.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "lapack/backend.hpp"
#include "lapack/check.hpp"
#include "lapack/gpu/batched/batch.hpp"
#include "lapack/gpu/batched/batch_svd.hpp"
#include "lapack/gpu/reductions/gebrd.hpp"
#include "lapack/gpu/reductions/gehrd.hpp"
#include "lapack/gpu/reductions/geqrf.hpp"
#include "lapack/gpu/reductions/q.hpp"
#include "lapack/gpu/reductions/sytrd.hpp"
#include "lapack/gpu/solvers/gesvd.hpp"
#include "lapack/gpu/solvers/syevd.hpp"
#include "plan/device_traits.hpp"

namespace onepass::test {
namespace {

constexpr std::size_t too_large = std::numeric_limits<std::size_t>::max();

template <class Plan>
std::size_t bytes_on_device(const LapackProblem& p) {
  Plan plan;
  const Status status = lapack::make_plan(p, h200_traits(), &plan);
  if (status.ok()) return plan.workspace_bytes;
  EXPECT_EQ(status.code, ONEPASS_STATUS_TOO_LARGE) << status.text;
  return too_large;
}

std::size_t bytes_on_device(const LapackProblem& p) {
  switch (p.routine) {
    case LapackRoutine::sytrd: return bytes_on_device<lapack::SytrdPlan>(p);
    case LapackRoutine::gebrd: return bytes_on_device<lapack::GebrdPlan>(p);
    case LapackRoutine::gehrd: return bytes_on_device<lapack::GehrdPlan>(p);
    case LapackRoutine::geqrf: return bytes_on_device<lapack::GeqrfPlan>(p);
    case LapackRoutine::syevd:
      return is_batched(p) ? bytes_on_device<lapack::BatchPlan>(p) : bytes_on_device<lapack::SyevdPlan>(p);
    case LapackRoutine::gesvd:
      return is_batched(p) ? bytes_on_device<lapack::BatchSvdPlan>(p) : bytes_on_device<lapack::GesvdPlan>(p);
    default: return bytes_on_device<lapack::QPlan>(p);
  }
}

LapackProblem large_problem(LapackRoutine routine, Type type, std::int64_t m, std::int64_t n) {
  const bool square = !has_m(routine);
  LapackProblem p = {.routine = routine, .type = type, .m = square ? 0 : m, .n = n};
  p.lda = p.ldc = p.ldu = is_rectangular(routine) || applies(routine) ? m : n;
  p.ldvt = n;
  p.k = routine == LapackRoutine::orgqr || routine == LapackRoutine::ormqr ? std::min(m, n) : m;
  p.ihi = applies(routine) ? m : n;
  return p;
}

// By 4096 threads on the host and on an H200: less than 2^62 bytes, and no fewer than of a smaller matrix or batch.
void expect_no_wrap(const LapackProblem& large) {
  std::size_t before[2] = {0, 0};
  for (const int shift : {4, 0}) {
    const auto part = [&](std::int64_t size) { return size == 0 ? 0 : std::max<std::int64_t>(1, size >> shift); };
    LapackProblem p = large;
    for (std::int64_t LapackProblem::*size :
         {&LapackProblem::m, &LapackProblem::n, &LapackProblem::k, &LapackProblem::ihi, &LapackProblem::batch_count})
      p.*size = part(large.*size);
    const BadArgument bad = check(p);
    ASSERT_EQ(bad.position, 0) << lapack_name(p) << " " << p.m << " x " << p.n << ": " << bad.status.text;
    const std::size_t now[2] = {lapack_cpu().plan(p, 4096).workspace_bytes, bytes_on_device(p)};
    for (int i = 0; i < 2; ++i) {
      EXPECT_GE(now[i], before[i]) << lapack_name(p) << " " << p.m << " x " << p.n << (i == 0 ? " on cpu" : " on cuda");
      EXPECT_TRUE(now[i] == too_large || now[i] >> 62 == 0) << lapack_name(p) << " " << p.m << " x " << p.n;
      before[i] = now[i];
    }
  }
}

TEST(LapackSizes, WorkspacesOfTheLargestProblemsDoNotWrap) {
  constexpr std::int64_t longest = std::numeric_limits<std::int32_t>::max(), order = std::int64_t{1} << 24;
  for (int routine = 0; routine < static_cast<int>(lapack_routine_count); ++routine)
    for (const Type type : {Type::s, Type::d, Type::c, Type::z}) {
      const auto r = static_cast<LapackRoutine>(routine);
      std::vector<LapackProblem> all = {large_problem(r, type, order, order)};
      if (r == LapackRoutine::gebrd || r == LapackRoutine::geqrf || r == LapackRoutine::gesvd || applies(r))
        all.push_back(large_problem(r, type, 7, longest));
      if (r == LapackRoutine::orgqr || r == LapackRoutine::geqrf || r == LapackRoutine::gesvd)
        all.push_back(large_problem(r, type, longest, 1 << 17));
      if (solves(r)) {
        for (LapackProblem p : std::vector(all)) {
          p.job = Job::vectors;
          if (p.n != longest) all.push_back(p);
        }
        LapackProblem many = large_problem(r, type, 256, 256);
        many.job = Job::vectors;
        many.batch = Batch::pointers;
        many.batch_count = std::int64_t{1} << 31;
        many.stride_w = 256;
        all.push_back(many);
      }
      for (const LapackProblem& p : all) expect_no_wrap(p);
    }
}

}  // namespace
}  // namespace onepass::test
