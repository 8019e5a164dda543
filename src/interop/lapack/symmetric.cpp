// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// syevd and syev. On two Neoverse V1 cores, n = 16 to 1024, the library that has our level 3 (OpenBLAS 0.3.21)
// takes 1.04 to 2.1 times as long for syevd with eigenvectors and 1.2 to 2.4 times without, in d and z: no size is left
// to it.
#include <algorithm>
#include <limits>

#include "interop/lapack/drivers.hpp"
#include "lapack/backend.hpp"
#include "lapack/check.hpp"
#include "lapack/cpu/host_limits.hpp"
#include "lapack/element.hpp"

namespace onepass::lapack {
namespace {

constexpr int position_of_work_length = 8;  // the same in both drivers; RWORK and IWORK of syevd follow

std::int64_t least_work(Driver driver, const LapackProblem& p) {
  if (driver == Driver::syevd) return least_lwork(p);
  return std::max<std::int64_t>(1, (is_complex_type(p.type) ? 2 : 3) * p.n - 1);
}
std::int64_t least_rwork(const LapackProblem& p) {
  if (p.n <= 1) return 1;
  return p.job == Job::vectors ? 1 + 5 * p.n + 2 * p.n * p.n : p.n;
}
std::int64_t least_iwork(const LapackProblem& p) { return p.n > 1 && p.job == Job::vectors ? stedc_integers(p.n) : 1; }

// An order of 1 is no eigenproblem: LAPACK does not look whether A is a number.
void solve_one(const LapackProblem& p, void* a, void* w) {
  by_type(p.type, [&]<class T>(T) {
    *static_cast<Real<T>*>(w) = real(*static_cast<T*>(a));
    if (p.job == Job::vectors) *static_cast<T*>(a) = T{1};
  });
}

}  // namespace

void solve_symmetric(Driver driver, const LapackProblem& problem, void* a, void* w, const Spaces& spaces,
                     std::int32_t* info) noexcept {
  at_border(info, [&] {
    const auto refused = [&](int position) { refuse(driver_name(driver, problem.type), position, info); };
    if (const BadArgument bad = check(problem); bad.position != 0) return refused(bad.position);
    const bool asks = spaces.lwork == -1 || (spaces.lrwork != nullptr && *spaces.lrwork == -1) ||
                      (spaces.liwork != nullptr && *spaces.liwork == -1);
    const std::int64_t least = least_work(driver, problem), real = least_rwork(problem), integer = least_iwork(problem);
    int position = position_of_work_length;
    if (!asks && spaces.lwork < least) return refused(position);
    if (spaces.lrwork != nullptr && (position += 2, !asks && *spaces.lrwork < real)) return refused(position);
    if (spaces.liwork != nullptr && (position += 2, !asks && *spaces.liwork < integer)) return refused(position);
    if (!asks) count_call(driver, problem.type);
    const LapackBackend& backend = lapack_cpu();
    const LapackPlan plan = backend.plan(problem, 0);
    if (!asks && problem.n == 1) solve_one(problem, a, w);
    if (!asks && problem.n > 1) {
      const CallMemory memory(problem.type, spaces.work, spaces.lwork, plan.workspace_bytes);
      backend.run(plan, {.a = a, .w = w, .info = info}, memory.data());
      // That of syev is a number of elements beside the diagonal.
      if (driver == Driver::syev) *info = std::min(*info, static_cast<std::int32_t>(problem.n - 1));
    }
    tell_lwork(problem.type, spaces.work, best_lwork(problem.type, least, plan.workspace_bytes));
    if (spaces.lrwork != nullptr) tell_lwork(problem.type == Type::c ? Type::s : Type::d, spaces.rwork, real);
    if (spaces.liwork != nullptr)
      *spaces.iwork =
          static_cast<std::int32_t>(std::min<std::int64_t>(integer, std::numeric_limits<std::int32_t>::max()));
  });
}

}  // namespace onepass::lapack
