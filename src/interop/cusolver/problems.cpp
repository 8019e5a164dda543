// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/cusolver/problems.hpp"

#include <algorithm>
#include <optional>

#include "interop/cuda_types.hpp"

namespace onepass::cusolver {
namespace {

// The enums of cuSOLVER have Onepass's values; one that Onepass lacks is refused by it, and passed on.
static_assert(static_cast<int>(CUBLAS_FILL_MODE_LOWER) == ONEPASS_FILL_MODE_LOWER &&
              static_cast<int>(CUBLAS_FILL_MODE_UPPER) == ONEPASS_FILL_MODE_UPPER);
static_assert(static_cast<int>(CUBLAS_SIDE_LEFT) == ONEPASS_SIDE_LEFT &&
              static_cast<int>(CUBLAS_SIDE_RIGHT) == ONEPASS_SIDE_RIGHT);
static_assert(static_cast<int>(CUBLAS_SIDE_LEFT) == ONEPASS_VECT_Q &&
              static_cast<int>(CUBLAS_SIDE_RIGHT) == ONEPASS_VECT_P);
static_assert(static_cast<int>(CUSOLVER_EIG_MODE_NOVECTOR) == ONEPASS_JOB_VALUES &&
              static_cast<int>(CUSOLVER_EIG_MODE_VECTOR) == ONEPASS_JOB_VECTORS);

Asked asked(onepassLapackRoutine_t routine, onepassType_t type, std::int64_t m, std::int64_t n, std::int64_t lda) {
  Asked made;
  made.problem.routine = routine;
  made.problem.type = type;
  made.problem.m = m;
  made.problem.n = n;
  made.problem.lda = lda;
  // Whether info is written then, and what may be null, is cuSOLVER's affair.
  if (m == 0 || n == 0) made.declined = "an empty matrix";
  return made;
}

Asked symmetric(onepassLapackRoutine_t routine, onepassType_t type, cublasFillMode_t uplo, std::int64_t n,
                std::int64_t lda) {
  Asked made = asked(routine, type, n, n, lda);
  made.problem.fill = static_cast<onepassFillMode_t>(uplo);
  return made;
}

// The real type of the same precision.
onepassType_t real_of(onepassType_t type) {
  if (type == ONEPASS_TYPE_C) return ONEPASS_TYPE_S;
  return type == ONEPASS_TYPE_Z ? ONEPASS_TYPE_D : type;
}

// Of functions with types as arguments; nothing if Onepass does not have it.
std::optional<onepassType_t> type_here(const Types& types) {
  const auto type = type_of(types.a);
  return type && *type <= ONEPASS_TYPE_Z ? type : std::nullopt;
}
Asked unknown_type() { return {.declined = "a type that Onepass does not have"}; }

void require_one_precision(const Types& types, Asked* asked) {
  if (types.compute != types.a || type_of(types.values) != real_of(asked->problem.type))
    asked->declined = "types that differ in precision";
}

}  // namespace

Asked sytrd(onepassType_t type, cublasFillMode_t uplo, std::int64_t n, std::int64_t lda) {
  return symmetric(ONEPASS_LAPACK_SYTRD, type, uplo, n, lda);
}

Asked gebrd(onepassType_t type, std::int64_t m, std::int64_t n, std::int64_t lda) {
  Asked made = asked(ONEPASS_LAPACK_GEBRD, type, m, n, lda);
  if (m < n) made.declined = "fewer rows than columns";  // which cuSOLVER does not take
  return made;
}

Asked orgtr(onepassType_t type, cublasFillMode_t uplo, std::int64_t n, std::int64_t lda) {
  return symmetric(ONEPASS_LAPACK_ORGTR, type, uplo, n, lda);
}

Asked orgbr(onepassType_t type, cublasSideMode_t side, std::int64_t m, std::int64_t n, std::int64_t k,
            std::int64_t lda) {
  Asked made = asked(ONEPASS_LAPACK_ORGBR, type, m, n, lda);
  made.problem.vect = static_cast<onepassVect_t>(side);
  made.problem.k = k;
  return made;
}

Asked ormtr(onepassType_t type, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t op, std::int64_t m,
            std::int64_t n, std::int64_t lda, std::int64_t ldc) {
  Asked made = asked(ONEPASS_LAPACK_ORMTR, type, m, n, lda);
  made.problem.side = static_cast<onepassSide_t>(side);
  made.problem.fill = static_cast<onepassFillMode_t>(uplo);
  made.problem.op = static_cast<onepassOperation_t>(op);
  made.problem.ldc = ldc;
  return made;
}

Asked geqrf(onepassType_t type, std::int64_t m, std::int64_t n, std::int64_t lda) {
  return asked(ONEPASS_LAPACK_GEQRF, type, m, n, lda);
}

Asked geqrf(const Types& types, std::int64_t m, std::int64_t n, std::int64_t lda) {
  const auto type = type_here(types);
  if (!type) return unknown_type();
  Asked made = geqrf(*type, m, n, lda);
  if (types.values != types.a || types.compute != types.a) made.declined = "types that differ in precision";
  return made;
}

Asked orgqr(onepassType_t type, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t lda) {
  Asked made = asked(ONEPASS_LAPACK_ORGQR, type, m, n, lda);
  made.problem.k = k;
  return made;
}

Asked ormqr(onepassType_t type, cublasSideMode_t side, cublasOperation_t op, std::int64_t m, std::int64_t n,
            std::int64_t k, std::int64_t lda, std::int64_t ldc) {
  Asked made = asked(ONEPASS_LAPACK_ORMQR, type, m, n, lda);
  made.problem.side = static_cast<onepassSide_t>(side);
  made.problem.op = static_cast<onepassOperation_t>(op);
  made.problem.k = k;
  made.problem.ldc = ldc;
  return made;
}

Asked syevd(onepassType_t type, cusolverEigMode_t jobz, cublasFillMode_t uplo, std::int64_t n, std::int64_t lda) {
  Asked made = symmetric(ONEPASS_LAPACK_SYEVD, type, uplo, n, lda);
  made.problem.job = static_cast<onepassJob_t>(jobz);
  return made;
}

Asked syevd(const Types& types, cusolverEigMode_t jobz, cublasFillMode_t uplo, std::int64_t n, std::int64_t lda) {
  const auto type = type_here(types);
  if (!type) return unknown_type();
  Asked made = syevd(*type, jobz, uplo, n, lda);
  require_one_precision(types, &made);
  return made;
}

Asked gesvd(onepassType_t type, const Jobs& jobs, std::int64_t m, std::int64_t n, std::int64_t lda, std::int64_t ldu,
            std::int64_t ldvt) {
  Asked made = asked(ONEPASS_LAPACK_GESVD, type, m, n, lda);
  const bool vectors = jobs.u != 'N';
  made.problem.job = jobs.u == 'A' ? ONEPASS_JOB_ALL : vectors ? ONEPASS_JOB_VECTORS : ONEPASS_JOB_VALUES;
  made.in_place = jobs.u == 'O' ? InPlace::u : jobs.vt == 'O' ? InPlace::vt : InPlace::none;
  // Of U and V^H that there are not, cuSOLVER does not look at these.
  made.problem.ldu = !vectors ? 1 : made.in_place == InPlace::u ? m : ldu;
  made.problem.ldvt = !vectors ? 1 : made.in_place == InPlace::vt ? n : ldvt;
  const auto is_job = [](signed char job) { return job == 'N' || job == 'S' || job == 'A' || job == 'O'; };
  if (m < n) made.declined = "fewer rows than columns";  // which cuSOLVER does not take
  if (vectors != (jobs.vt != 'N')) made.declined = "vectors on one side";
  // With as many rows as columns or more, all of V^H is its first n rows.
  if (!is_job(jobs.u) || !is_job(jobs.vt) || (jobs.u == 'O' && jobs.vt == 'O')) made.declined = "jobs that are none";
  return made;
}

Asked gesvd(const Types& types, cudaDataType type_u, cudaDataType type_vt, const Jobs& jobs, std::int64_t m,
            std::int64_t n, std::int64_t lda, std::int64_t ldu, std::int64_t ldvt) {
  const auto type = type_here(types);
  if (!type) return unknown_type();
  Asked made = gesvd(*type, jobs, m, n, lda, ldu, ldvt);
  require_one_precision(types, &made);
  if (type_u != types.a || type_vt != types.a) made.declined = "types that differ in precision";
  return made;
}

Asked batched(std::int64_t count, Asked asked) {
  onepassLapackProblem_t& p = asked.problem;
  p.batch = ONEPASS_BATCH_STRIDED;
  p.batch_count = count;
  if (__builtin_mul_overflow(p.lda, p.n, &p.stride_a)) asked.declined = "more elements than addresses";
  p.stride_w = p.n;
  if (count <= 0) asked.declined = "an empty batch";
  return asked;
}

Asked gesvd_batched(onepassType_t type, cusolverEigMode_t jobz, std::int64_t m, std::int64_t n, std::int64_t lda,
                    std::int64_t ldu, std::int64_t ldv, std::int64_t count) {
  Asked made = asked(ONEPASS_LAPACK_GESVD, type, m, n, lda);
  onepassLapackProblem_t& p = made.problem;
  const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
  p.job = vectors ? ONEPASS_JOB_VECTORS : ONEPASS_JOB_VALUES;
  p.ldu = vectors ? ldu : std::max<std::int64_t>(1, m);
  p.ldvt = vectors ? ldv : std::max<std::int64_t>(1, n);
  p.plain_v = 1;
  p.batch = ONEPASS_BATCH_STRIDED;
  p.batch_count = count;
  p.stride_a = lda * n;
  p.stride_w = std::min(m, n);
  p.stride_u = p.ldu * m;
  p.stride_vt = p.ldvt * n;
  if (vectors && m != n) made.declined = "all vectors of matrices that are not square";
  if (count <= 0) made.declined = "an empty batch";
  return made;
}

Asked within(cusolverEigRange_t range, std::int64_t il, std::int64_t iu, Asked asked) {
  if (range == CUSOLVER_EIG_RANGE_I) {
    asked.problem.range = ONEPASS_RANGE_INDEX;
    asked.problem.il = il;
    asked.problem.iu = iu;
  } else if (range != CUSOLVER_EIG_RANGE_ALL) {
    asked.declined = "eigenvalues of an interval";  // how many there are would be known to the device alone
  }
  return asked;
}

}  // namespace onepass::cusolver
