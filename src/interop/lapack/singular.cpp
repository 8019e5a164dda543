// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gesdd and gesvd. On two Neoverse V1 cores, n = 16 to 1024, the library that has our level 3 (OpenBLAS 0.3.21)
// takes 1.03 to 1.5 times as long for gesdd with vectors and 1.2 to 2.1 times without, in d and z: no shape is left to
// it.
#include <algorithm>
#include <cmath>

#include "interop/lapack/drivers.hpp"
#include "lapack/backend.hpp"
#include "lapack/check.hpp"
#include "lapack/cpu/scratch.hpp"

namespace onepass::lapack {
namespace {

// Both kinds of vectors, or none: those of the longer side are as many as are wanted of them.
Job job_of_both(const SvdCall& c) {
  if (c.u_wanted == Wants::none && c.vt_wanted == Wants::none) return Job::values;
  return (c.m < c.n ? c.vt_wanted : c.u_wanted) == Wants::all ? Job::all : Job::vectors;
}

// U or V^H lies beside the workspace and not where the caller wants it.
bool is_elsewhere(Wants wanted) { return wanted == Wants::none || wanted == Wants::in_a; }

LapackProblem problem_of(const SvdCall& c) {
  LapackProblem p = {
      .routine = LapackRoutine::gesvd, .type = c.type, .m = c.m, .n = c.n, .lda = c.lda, .job = job_of_both(c)};
  p.ldu = is_elsewhere(c.u_wanted) ? std::max<std::int64_t>(1, c.m) : c.ldu;
  p.ldvt = is_elsewhere(c.vt_wanted) ? std::max<std::int64_t>(1, rows_of_vt(p)) : c.ldvt;
  return p;
}

// Positions in gesdd; gesvd has two jobs in place of one.
int bad_argument(const SvdCall& c) {
  const bool wide = c.m < c.n;
  const auto known = [](Wants wanted) { return static_cast<int>(wanted) >= 0; };
  const auto least_ld = [](Wants wanted, std::int64_t some, std::int64_t all) {
    return std::max<std::int64_t>(1, wanted == Wants::some ? some : wanted == Wants::all ? all : 1);
  };
  if (!known(c.u_wanted)) return c.driver == Driver::gesdd ? 1 : 0;
  if (!known(c.vt_wanted) || (c.u_wanted == Wants::in_a && c.vt_wanted == Wants::in_a)) return 1;
  if (c.m < 0) return 2;
  if (c.n < 0) return 3;
  if (c.lda < std::max<std::int64_t>(1, c.m)) return 5;
  if (c.ldu < least_ld(c.u_wanted, c.m, c.m)) return 8;
  if (c.ldvt < least_ld(c.vt_wanted, wide ? c.m : c.n, c.n)) return 10;
  const BadArgument too_large = check(problem_of(c));
  return too_large.position == 0 ? -1 : too_large.position;
}

// What is the least that LAPACK's own insist on for any shape: their documentation asks for more than they check.
std::int64_t least_work(const SvdCall& c) {
  const std::int64_t least = std::min(c.m, c.n);
  if (is_complex_type(c.type)) return std::max<std::int64_t>(1, 3 * least);
  if (c.driver == Driver::gesvd) return std::max<std::int64_t>(1, 5 * least);
  return std::max<std::int64_t>(1, c.u_wanted == Wants::none ? 8 * least : 3 * least * least + 7 * least);
}

template <class T>
bool has_nan(const SvdCall& c) {
  const Matrix<const T> a = {static_cast<const T*>(c.a), c.lda};
  for (std::int64_t column = 0; column < c.n; ++column)
    for (std::int64_t row = 0; row < c.m; ++row)
      if (std::isnan(real(a(row, column))) || std::isnan(imaginary(a(row, column)))) return true;
  return false;
}

// A run whose U and V^H lie where the caller wants them or, where he does not, beside the workspace.
template <class T>
class Run {
 public:
  explicit Run(const SvdCall& c) : call_(c), problem_(problem_of(c)) {
    Scratch scratch;
    const Matrix<T> u = place_u(scratch), vt = place_vt(scratch);
    problem_.ldu = u.ld;
    problem_.ldvt = vt.ld;
    plan_ = lapack_cpu().plan(problem_, 0);
    bytes_ = scratch.bytes() + plan_.workspace_bytes;
  }

  std::size_t bytes() const { return bytes_; }
  void operator()(void* memory, std::int32_t* info) const {
    Scratch scratch(memory);
    const Matrix<T> u = place_u(scratch), vt = place_vt(scratch);
    const LapackOperands operands = {.a = call_.a, .w = call_.s, .info = info, .u = u.data, .vt = vt.data};
    lapack_cpu().run(plan_, operands, static_cast<std::byte*>(memory) + scratch.bytes());
    if (call_.u_wanted == Wants::in_a) copy(u, problem_.m, columns_of_u(problem_));
    if (call_.vt_wanted == Wants::in_a) copy(vt, rows_of_vt(problem_), problem_.n);
  }

 private:
  Matrix<T> place_u(Scratch& scratch) const {
    if (!is_elsewhere(call_.u_wanted)) return {static_cast<T*>(call_.u), call_.ldu};
    return scratch.take_matrix<T>(problem_.m, columns_of_u(problem_));
  }
  Matrix<T> place_vt(Scratch& scratch) const {
    if (!is_elsewhere(call_.vt_wanted)) return {static_cast<T*>(call_.vt), call_.ldvt};
    return scratch.take_matrix<T>(rows_of_vt(problem_), problem_.job == Job::values ? 0 : problem_.n);
  }
  void copy(Matrix<T> from, std::int64_t rows, std::int64_t columns) const {
    const Matrix<T> a = {static_cast<T*>(call_.a), call_.lda};
    for (std::int64_t c = 0; c < columns; ++c) std::copy_n(from.column(c), rows, a.column(c));
  }

  SvdCall call_;
  LapackProblem problem_;
  LapackPlan plan_;
  std::size_t bytes_ = 0;
};

}  // namespace

void decompose(const SvdCall& call, void* work, std::int32_t lwork, std::int32_t* info) noexcept {
  at_border(info, [&] {
    const int shift = call.driver == Driver::gesvd ? 1 : 0;
    const auto refused = [&](int position) { refuse(driver_name(call.driver, call.type), position + shift, info); };
    if (const int position = bad_argument(call); position >= 0) return refused(position);
    constexpr int position_of_lwork = 12;
    const bool asks = lwork == -1;
    const std::int64_t least = least_work(call);
    if (!asks && lwork < least) return refused(position_of_lwork);
    if (!asks) count_call(call.driver, call.type);
    if (call.m == 0 || call.n == 0) return tell_lwork(call.type, work, 1);
    by_type(call.type, [&]<class T>(T) {
      // As LAPACK's gesdd has it, which tells nobody else.
      if (!asks && call.driver == Driver::gesdd && has_nan<T>(call)) return void(*info = -4);
      const Run<T> run(call);
      if (!asks) {
        const CallMemory memory(call.type, work, lwork, run.bytes());
        run(memory.data(), info);
      }
      tell_lwork(call.type, work, best_lwork(call.type, least, run.bytes()));
    });
  });
}

}  // namespace onepass::lapack
