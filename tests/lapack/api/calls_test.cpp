// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The typed calls: each does, to the last bit, what the same problem does as data. No two sizes of a problem are equal,
// so that arguments which changed places would show.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "onepass/lapack.h"

extern "C" {
onepassStatus_t onepass_hessenberg_from_c(onepassLapackHandle_t handle, int64_t n, double* a, double* tau, double* q,
                                          double* c);
onepassStatus_t onepass_vect_from_c(onepassLapackHandle_t handle, int vect, double* a, double* tau);
}

namespace {

// The calls of a type, by the names of the real ones.
template <class T>
struct Calls;
#define ONEPASS_CALL(NAME, CALL)               \
  static constexpr auto& NAME = onepass##CALL; \
  static constexpr auto& NAME##_size = onepass##CALL##BufferSize;
#define ONEPASS_CALLS(T, R, LETTER, SYM, GENERATE, MULTIPLY)     \
  template <>                                                    \
  struct Calls<T> {                                              \
    using Real = R;                                              \
    static constexpr onepassType_t type = ONEPASS_TYPE_##LETTER; \
    ONEPASS_CALL(sytrd, LETTER##SYM##trd)                        \
    ONEPASS_CALL(syevd, LETTER##SYM##evd)                        \
    ONEPASS_CALL(syevdx, LETTER##SYM##evdx)                      \
    ONEPASS_CALL(gesvd, LETTER##gesvd)                           \
    ONEPASS_CALL(gebrd, LETTER##gebrd)                           \
    ONEPASS_CALL(gehrd, LETTER##gehrd)                           \
    ONEPASS_CALL(orgtr, LETTER##GENERATE##tr)                    \
    ONEPASS_CALL(orgbr, LETTER##GENERATE##br)                    \
    ONEPASS_CALL(orghr, LETTER##GENERATE##hr)                    \
    ONEPASS_CALL(ormtr, LETTER##MULTIPLY##tr)                    \
    ONEPASS_CALL(ormbr, LETTER##MULTIPLY##br)                    \
    ONEPASS_CALL(ormhr, LETTER##MULTIPLY##hr)                    \
    ONEPASS_CALL(geqrf, LETTER##geqrf)                           \
    ONEPASS_CALL(orgqr, LETTER##GENERATE##qr)                    \
    ONEPASS_CALL(ormqr, LETTER##MULTIPLY##qr)                    \
  };
ONEPASS_CALLS(float, float, S, sy, org, orm)
ONEPASS_CALLS(double, double, D, sy, org, orm)
ONEPASS_CALLS(onepassComplex_t, float, C, he, ung, unm)
ONEPASS_CALLS(onepassDoubleComplex_t, double, Z, he, ung, unm)
#undef ONEPASS_CALLS
#undef ONEPASS_CALL

class LapackCalls : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(onepassLapackCreateOn(&handle, "cpu"), ONEPASS_STATUS_SUCCESS); }
  void TearDown() override { onepassLapackDestroy(handle); }
  onepassLapackHandle_t handle = nullptr;
};

// Operands of any problem here, with numbers in them.
template <class T>
struct Operands {
  using R = typename Calls<T>::Real;
  static constexpr std::size_t size = 128;
  T a[size], tau[size], taup[size], c[size], u[size], vt[size];
  R d[size], e[size], w[size];
  int info[size] = {};

  Operands() {
    for (auto* array : {a, tau, taup, c, u, vt}) fill(reinterpret_cast<R*>(array), size * sizeof(T) / sizeof(R));
    fill(d, size), fill(e, size), fill(w, size);
  }
  static void fill(R* numbers, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<R>(std::sin(static_cast<double>(i + 1)));
  }
  bool same_bits(const Operands& other) const {
    static_assert(sizeof(Operands) == size * (6 * sizeof(T) + 3 * sizeof(R) + sizeof(int)), "no gaps");
    return std::memcmp(static_cast<const void*>(this), static_cast<const void*>(&other), sizeof *this) == 0;
  }
};

template <class T>
class LapackTypedCalls : public LapackCalls {
 protected:
  using To = Operands<T>;
  static constexpr onepassOperation_t adjoint = std::is_floating_point_v<T> ? ONEPASS_OP_T : ONEPASS_OP_C;

  onepassLapackProblem_t problem(onepassLapackRoutine_t routine, std::int64_t m, std::int64_t n, std::int64_t lda) {
    onepassLapackProblem_t p = onepassLapackProblemDefault(routine, Calls<T>::type, m, n);
    p.lda = lda;
    return p;
  }
  template <class Call, class Size>
  void expect_same(const onepassLapackProblem_t& p, Call call, Size size) {
    const Operands<T> before;
    Operands<T> typed, data;
    const onepassLapackOperands_t operands = {data.a, data.d,    data.e, data.tau, data.taup,    data.c,
                                              data.w, data.info, data.u, data.vt,  data.info + 1};
    ASSERT_EQ(onepassLapackRun(handle, &p, &operands, nullptr, 0), ONEPASS_STATUS_SUCCESS)
        << onepassLapackLastErrorMessage();
    ASSERT_EQ(call(typed), ONEPASS_STATUS_SUCCESS) << onepassLapackLastErrorMessage();
    EXPECT_TRUE(typed.same_bits(data));
    EXPECT_FALSE(typed.same_bits(before));
    std::size_t bytes = 0, bytes_of_data = 0;
    ASSERT_EQ(size(&bytes), ONEPASS_STATUS_SUCCESS) << onepassLapackLastErrorMessage();
    ASSERT_EQ(onepassLapackWorkspace(handle, &p, &bytes_of_data), ONEPASS_STATUS_SUCCESS);
    EXPECT_EQ(bytes, bytes_of_data);
    EXPECT_GT(bytes, 0u);
  }
};
using CallTypes = testing::Types<float, double, onepassComplex_t, onepassDoubleComplex_t>;
TYPED_TEST_SUITE(LapackTypedCalls, CallTypes);

TYPED_TEST(LapackTypedCalls, Tridiagonal) {
  using C = Calls<TypeParam>;
  using To = Operands<TypeParam>;
  constexpr onepassFillMode_t upper = ONEPASS_FILL_MODE_UPPER;
  onepassLapackProblem_t p = this->problem(ONEPASS_LAPACK_SYTRD, 7, 7, 9);
  p.fill = upper;
  this->expect_same(
      p, [&](To& o) { return C::sytrd(this->handle, upper, 7, o.a, 9, o.d, o.e, o.tau, nullptr, 0); },
      [&](std::size_t* bytes) { return C::sytrd_size(this->handle, upper, 7, 9, bytes); });
  p.routine = ONEPASS_LAPACK_ORGTR;
  this->expect_same(
      p, [&](To& o) { return C::orgtr(this->handle, upper, 7, o.a, 9, o.tau, nullptr, 0); },
      [&](std::size_t* bytes) { return C::orgtr_size(this->handle, upper, 7, 9, bytes); });
  p = this->problem(ONEPASS_LAPACK_ORMTR, 4, 7, 9);
  p.fill = upper, p.side = ONEPASS_SIDE_RIGHT, p.op = this->adjoint, p.ldc = 5;
  this->expect_same(
      p,
      [&](To& o) {
        return C::ormtr(this->handle, ONEPASS_SIDE_RIGHT, upper, this->adjoint, 4, 7, o.a, 9, o.tau, o.c, 5, nullptr,
                        0);
      },
      [&](std::size_t* bytes) {
        return C::ormtr_size(this->handle, ONEPASS_SIDE_RIGHT, upper, this->adjoint, 4, 7, 9, 5, bytes);
      });
}

TYPED_TEST(LapackTypedCalls, Bidiagonal) {
  using C = Calls<TypeParam>;
  using To = Operands<TypeParam>;
  onepassLapackProblem_t p = this->problem(ONEPASS_LAPACK_GEBRD, 7, 5, 9);
  this->expect_same(
      p, [&](To& o) { return C::gebrd(this->handle, 7, 5, o.a, 9, o.d, o.e, o.tau, o.taup, nullptr, 0); },
      [&](std::size_t* bytes) { return C::gebrd_size(this->handle, 7, 5, 9, bytes); });
  p = this->problem(ONEPASS_LAPACK_ORGBR, 5, 7, 9);
  p.vect = ONEPASS_VECT_P, p.k = 4;
  this->expect_same(
      p, [&](To& o) { return C::orgbr(this->handle, ONEPASS_VECT_P, 5, 7, 4, o.a, 9, o.tau, nullptr, 0); },
      [&](std::size_t* bytes) { return C::orgbr_size(this->handle, ONEPASS_VECT_P, 5, 7, 4, 9, bytes); });
  p = this->problem(ONEPASS_LAPACK_ORMBR, 4, 7, 9);
  p.vect = ONEPASS_VECT_P, p.side = ONEPASS_SIDE_RIGHT, p.op = this->adjoint, p.k = 5, p.ldc = 6;
  this->expect_same(
      p,
      [&](To& o) {
        return C::ormbr(this->handle, ONEPASS_VECT_P, ONEPASS_SIDE_RIGHT, this->adjoint, 4, 7, 5, o.a, 9, o.tau, o.c, 6,
                        nullptr, 0);
      },
      [&](std::size_t* bytes) {
        return C::ormbr_size(this->handle, ONEPASS_VECT_P, ONEPASS_SIDE_RIGHT, this->adjoint, 4, 7, 5, 9, 6, bytes);
      });
}

TYPED_TEST(LapackTypedCalls, Hessenberg) {
  using C = Calls<TypeParam>;
  using To = Operands<TypeParam>;
  onepassLapackProblem_t p = this->problem(ONEPASS_LAPACK_GEHRD, 7, 7, 9);
  p.ilo = 2, p.ihi = 6;
  this->expect_same(
      p, [&](To& o) { return C::gehrd(this->handle, 7, 2, 6, o.a, 9, o.tau, nullptr, 0); },
      [&](std::size_t* bytes) { return C::gehrd_size(this->handle, 7, 2, 6, 9, bytes); });
  p.routine = ONEPASS_LAPACK_ORGHR;
  this->expect_same(
      p, [&](To& o) { return C::orghr(this->handle, 7, 2, 6, o.a, 9, o.tau, nullptr, 0); },
      [&](std::size_t* bytes) { return C::orghr_size(this->handle, 7, 2, 6, 9, bytes); });
  p = this->problem(ONEPASS_LAPACK_ORMHR, 4, 7, 9);
  p.side = ONEPASS_SIDE_RIGHT, p.op = this->adjoint, p.ilo = 2, p.ihi = 6, p.ldc = 5;
  this->expect_same(
      p,
      [&](To& o) {
        return C::ormhr(this->handle, ONEPASS_SIDE_RIGHT, this->adjoint, 4, 7, 2, 6, o.a, 9, o.tau, o.c, 5, nullptr, 0);
      },
      [&](std::size_t* bytes) {
        return C::ormhr_size(this->handle, ONEPASS_SIDE_RIGHT, this->adjoint, 4, 7, 2, 6, 9, 5, bytes);
      });
}

TYPED_TEST(LapackTypedCalls, Qr) {
  using C = Calls<TypeParam>;
  using To = Operands<TypeParam>;
  onepassLapackProblem_t p = this->problem(ONEPASS_LAPACK_GEQRF, 7, 5, 9);
  this->expect_same(
      p, [&](To& o) { return C::geqrf(this->handle, 7, 5, o.a, 9, o.tau, nullptr, 0); },
      [&](std::size_t* bytes) { return C::geqrf_size(this->handle, 7, 5, 9, bytes); });
  p = this->problem(ONEPASS_LAPACK_ORGQR, 7, 5, 9);
  p.k = 4;
  this->expect_same(
      p, [&](To& o) { return C::orgqr(this->handle, 7, 5, 4, o.a, 9, o.tau, nullptr, 0); },
      [&](std::size_t* bytes) { return C::orgqr_size(this->handle, 7, 5, 4, 9, bytes); });
  p = this->problem(ONEPASS_LAPACK_ORMQR, 4, 7, 9);
  p.side = ONEPASS_SIDE_RIGHT, p.op = this->adjoint, p.k = 3, p.ldc = 5;
  this->expect_same(
      p,
      [&](To& o) {
        return C::ormqr(this->handle, ONEPASS_SIDE_RIGHT, this->adjoint, 4, 7, 3, o.a, 9, o.tau, o.c, 5, nullptr, 0);
      },
      [&](std::size_t* bytes) {
        return C::ormqr_size(this->handle, ONEPASS_SIDE_RIGHT, this->adjoint, 4, 7, 3, 9, 5, bytes);
      });
}

TYPED_TEST(LapackTypedCalls, Eigenproblem) {
  using C = Calls<TypeParam>;
  using To = Operands<TypeParam>;
  for (const onepassJob_t job : {ONEPASS_JOB_VALUES, ONEPASS_JOB_VECTORS}) {
    onepassLapackProblem_t p = this->problem(ONEPASS_LAPACK_SYEVD, 7, 7, 9);
    p.fill = ONEPASS_FILL_MODE_UPPER, p.job = job;
    this->expect_same(
        p,
        [&](To& o) { return C::syevd(this->handle, job, ONEPASS_FILL_MODE_UPPER, 7, o.a, 9, o.w, nullptr, 0, o.info); },
        [&](std::size_t* bytes) { return C::syevd_size(this->handle, job, ONEPASS_FILL_MODE_UPPER, 7, 9, bytes); });
  }
}

TYPED_TEST(LapackTypedCalls, SomeEigenvalues) {
  using C = Calls<TypeParam>;
  using To = Operands<TypeParam>;
  constexpr onepassFillMode_t upper = ONEPASS_FILL_MODE_UPPER;
  onepassLapackProblem_t p = this->problem(ONEPASS_LAPACK_SYEVD, 7, 7, 9);
  p.fill = upper, p.vl = -1, p.vu = 2, p.il = 3, p.iu = 5;
  for (const auto& [job, range] : {std::pair{ONEPASS_JOB_VALUES, ONEPASS_RANGE_ALL},
                                   {ONEPASS_JOB_VALUES, ONEPASS_RANGE_VALUE},
                                   {ONEPASS_JOB_VALUES, ONEPASS_RANGE_INDEX},
                                   {ONEPASS_JOB_VECTORS, ONEPASS_RANGE_INDEX}}) {
    p.job = job, p.range = range;
    this->expect_same(
        p,
        [&, job = job, range = range](To& o) {
          return C::syevdx(this->handle, job, range, upper, 7, o.a, 9, -1, 2, 3, 5, o.info + 1, o.w, nullptr, 0,
                           o.info);
        },
        [&, job = job, range = range](std::size_t* bytes) {
          return C::syevdx_size(this->handle, job, range, upper, 7, 9, -1, 2, 3, 5, bytes);
        });
  }
}

TYPED_TEST(LapackTypedCalls, SingularValues) {
  using C = Calls<TypeParam>;
  using To = Operands<TypeParam>;
  for (const onepassJob_t job : {ONEPASS_JOB_VALUES, ONEPASS_JOB_VECTORS, ONEPASS_JOB_ALL}) {
    onepassLapackProblem_t p = this->problem(ONEPASS_LAPACK_GESVD, 8, 5, 9);
    p.job = job, p.ldu = 10, p.ldvt = 6;
    this->expect_same(
        p, [&](To& o) { return C::gesvd(this->handle, job, 8, 5, o.a, 9, o.w, o.u, 10, o.vt, 6, nullptr, 0, o.info); },
        [&](std::size_t* bytes) { return C::gesvd_size(this->handle, job, 8, 5, 9, 10, 6, bytes); });
  }
}

TEST_F(LapackCalls, NameABadArgument) {
  Operands<double> o;
  const auto text = [] { return std::string(onepassLapackLastErrorMessage()); };
  EXPECT_EQ(onepassDgebrd(handle, 3, 2, o.a, 3, o.d, o.e, o.tau, nullptr, nullptr, 0), ONEPASS_STATUS_INVALID_POINTER);
  EXPECT_NE(text().find("taup"), std::string::npos) << text();
  EXPECT_EQ(onepassDgehrd(handle, 3, 1, 4, o.a, 3, o.tau, nullptr, 0), ONEPASS_STATUS_INVALID_SIZE);
  EXPECT_NE(text().find("ihi = 4"), std::string::npos) << text();
  EXPECT_EQ(onepassZunmtr(handle, ONEPASS_SIDE_LEFT, ONEPASS_FILL_MODE_LOWER, ONEPASS_OP_T, 2, 2, nullptr, 2, nullptr,
                          nullptr, 2, nullptr, 0),
            ONEPASS_STATUS_INVALID_ENUM);
  EXPECT_NE(text().find("op = 1"), std::string::npos) << text();
  EXPECT_EQ(
      onepassDsyevd(handle, static_cast<onepassJob_t>(2), ONEPASS_FILL_MODE_LOWER, 2, o.a, 2, o.w, nullptr, 0, o.info),
      ONEPASS_STATUS_INVALID_ENUM);
  EXPECT_NE(text().find("jobz = 2"), std::string::npos) << text();
  EXPECT_EQ(onepassDsyevdx(handle, ONEPASS_JOB_VALUES, ONEPASS_RANGE_VALUE, ONEPASS_FILL_MODE_LOWER, 2, o.a, 2, 0, 1, 0,
                           0, nullptr, o.w, nullptr, 0, o.info),
            ONEPASS_STATUS_INVALID_POINTER);
  EXPECT_NE(text().find("found is null"), std::string::npos) << text();
  EXPECT_EQ(onepassDgesvd(handle, ONEPASS_JOB_ALL, 2, 3, o.a, 2, o.w, o.u, 2, o.vt, 2, nullptr, 0, o.info),
            ONEPASS_STATUS_INVALID_LD);
  EXPECT_NE(text().find("ldvt = 2"), std::string::npos) << text();
  EXPECT_EQ(onepass_vect_from_c(handle, 3, o.a, o.tau), ONEPASS_STATUS_INVALID_ENUM);
  EXPECT_NE(text().find("vect = 3"), std::string::npos) << text();
  EXPECT_TRUE(o.same_bits({}));
}

TEST_F(LapackCalls, RunFromC) {
  constexpr std::int64_t n = 4;
  std::vector<double> a(n * n), tau(n), q(n * n), c(n * n);
  for (std::int64_t i = 0; i < n * n; ++i) a[i] = std::cos(static_cast<double>(i));
  for (std::int64_t i = 0; i < n; ++i) c[i * (n + 1)] = 1;
  ASSERT_EQ(onepass_hessenberg_from_c(handle, n, a.data(), tau.data(), q.data(), c.data()), ONEPASS_STATUS_SUCCESS)
      << onepassLapackLastErrorMessage();
  for (std::int64_t i = 0; i < n * n; ++i) EXPECT_NEAR(q[i], c[i], 1e-14) << i;
}

}  // namespace
