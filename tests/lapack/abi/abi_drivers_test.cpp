// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The drivers of libonepass_lapack.so by their symbols: bad arguments, sizes of WORK, RWORK and IWORK, every JOBU and
// JOBVT.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "told.hpp"

extern "C" {

#define ONEPASS_DECLARE(T, SY, RWORK, LRWORK)                                                                          \
  void T##SY##evd_(const char*, const char*, const int*, void*, const int*, void*, void*, const int*,                  \
                   RWORK LRWORK int*, const int*, int*);                                                               \
  void T##SY##ev_(const char*, const char*, const int*, void*, const int*, void*, void*, const int*, RWORK int*);      \
  void T##gesdd_(const char*, const int*, const int*, void*, const int*, void*, void*, const int*, void*, const int*,  \
                 void*, const int*, RWORK int*, int*);                                                                 \
  void T##gesvd_(const char*, const char*, const int*, const int*, void*, const int*, void*, void*, const int*, void*, \
                 const int*, void*, const int*, RWORK int*);
#define ONEPASS_NONE
#define ONEPASS_REAL void*,
#define ONEPASS_LENGTH const int*,
ONEPASS_DECLARE(s, sy, ONEPASS_NONE, ONEPASS_NONE)
ONEPASS_DECLARE(d, sy, ONEPASS_NONE, ONEPASS_NONE)
ONEPASS_DECLARE(c, he, ONEPASS_REAL, ONEPASS_LENGTH)
ONEPASS_DECLARE(z, he, ONEPASS_REAL, ONEPASS_LENGTH)
#undef ONEPASS_LENGTH
#undef ONEPASS_REAL
#undef ONEPASS_NONE
#undef ONEPASS_DECLARE

}  // extern "C"

namespace {

// The arguments of any driver, right for a matrix of order 4, and memory that shows what was written.
struct DriverArguments {
  char jobz = 'V', uplo = 'L', job = 'A', jobu = 'A', jobvt = 'A';
  int m = 4, n = 4, lda = 4, ldu = 4, ldvt = 4, lwork = 200, lrwork = 200, liwork = 40, info = 99;
  std::vector<unsigned char> a = filled(), w = filled(), u = filled(), vt = filled(), work = filled(), rwork = filled();
  std::vector<int> iwork = std::vector<int>(64, 7);

  static std::vector<unsigned char> filled() { return std::vector<unsigned char>(4096, 0x3f); }
  bool untouched() const {
    for (const auto* memory : {&a, &w, &u, &vt, &work, &rwork})
      if (*memory != filled()) return false;
    return iwork == std::vector<int>(64, 7);
  }
};

struct Driver {
  std::string name;
  void (*call)(DriverArguments&);
  std::vector<std::string> arguments;  // in LAPACK's order
};

const std::vector<std::string> evd = {"jobz", "uplo", "n", "a", "lda", "w", "work", "lwork", "iwork", "liwork"},
                               hevd = {"jobz", "uplo",  "n",     "a",      "lda",   "w",
                                       "work", "lwork", "rwork", "lrwork", "iwork", "liwork"},
                               ev = {"jobz", "uplo", "n", "a", "lda", "w", "work", "lwork"},
                               sdd = {"job", "m", "n", "a", "lda", "s", "u", "ldu", "vt", "ldvt", "work", "lwork"},
                               svd = {"jobu", "jobvt", "m",  "n",    "a",    "lda",  "s",
                                      "u",    "ldu",   "vt", "ldvt", "work", "lwork"};

#define ONEPASS_SYMMETRIC(T, SY, LIST, RWORK, LRWORK)                                                               \
  {#T #SY "evd",                                                                                                    \
   [](DriverArguments& x) {                                                                                         \
     T##SY##evd_(&x.jobz, &x.uplo, &x.n, x.a.data(), &x.lda, x.w.data(), x.work.data(), &x.lwork,                   \
                 RWORK LRWORK x.iwork.data(), &x.liwork, &x.info);                                                  \
   },                                                                                                               \
   LIST},                                                                                                           \
  {                                                                                                                 \
#T #SY "ev",                                                                                                      \
   [](DriverArguments& x) {                                                                                                \
     T##SY##ev_(&x.jobz, &x.uplo, &x.n, x.a.data(), &x.lda, x.w.data(), x.work.data(), &x.lwork, RWORK & x.info);    \
   },                                                                                                                \
   ev \
  }
#define ONEPASS_SINGULAR(T, RWORK)                                                                                  \
  {#T "gesdd",                                                                                                      \
   [](DriverArguments& x) {                                                                                         \
     T##gesdd_(&x.job, &x.m, &x.n, x.a.data(), &x.lda, x.w.data(), x.u.data(), &x.ldu, x.vt.data(), &x.ldvt,        \
               x.work.data(), &x.lwork, RWORK x.iwork.data(), &x.info);                                             \
   },                                                                                                               \
   sdd},                                                                                                            \
  {                                                                                                                 \
#T "gesvd",                                                                                                       \
   [](DriverArguments& x) {                                                                                                \
     T##gesvd_(&x.jobu, &x.jobvt, &x.m, &x.n, x.a.data(), &x.lda, x.w.data(), x.u.data(), &x.ldu, x.vt.data(),       \
               &x.ldvt, x.work.data(), &x.lwork, RWORK & x.info);                                                    \
   },                                                                                                                \
   svd \
  }

const std::vector<Driver>& drivers() {
#define ONEPASS_NONE
#define ONEPASS_RWORK x.rwork.data(),
#define ONEPASS_LRWORK &x.lrwork,
  static const std::vector<Driver> all = {
      ONEPASS_SYMMETRIC(s, sy, evd, ONEPASS_NONE, ONEPASS_NONE),     ONEPASS_SINGULAR(s, ONEPASS_NONE),
      ONEPASS_SYMMETRIC(d, sy, evd, ONEPASS_NONE, ONEPASS_NONE),     ONEPASS_SINGULAR(d, ONEPASS_NONE),
      ONEPASS_SYMMETRIC(c, he, hevd, ONEPASS_RWORK, ONEPASS_LRWORK), ONEPASS_SINGULAR(c, ONEPASS_RWORK),
      ONEPASS_SYMMETRIC(z, he, hevd, ONEPASS_RWORK, ONEPASS_LRWORK), ONEPASS_SINGULAR(z, ONEPASS_RWORK)};
#undef ONEPASS_LRWORK
#undef ONEPASS_RWORK
#undef ONEPASS_NONE
  return all;
}

bool spoil(DriverArguments& x, const std::string& argument) {
  for (auto [name, letter] :
       {std::pair{"jobz", &x.jobz}, {"uplo", &x.uplo}, {"job", &x.job}, {"jobu", &x.jobu}, {"jobvt", &x.jobvt}})
    if (argument == name) return *letter = '/', true;
  for (auto [name, size, bad] : {std::tuple{"m", &x.m, -1},
                                 {"n", &x.n, -1},
                                 {"lda", &x.lda, 3},
                                 {"ldu", &x.ldu, 3},
                                 {"ldvt", &x.ldvt, 3},
                                 {"lwork", &x.lwork, 1},
                                 {"lrwork", &x.lrwork, 52},
                                 {"liwork", &x.liwork, 22}})
    if (argument == name) return *size = bad, true;
  return false;
}

TEST(LapackDrivers, RefuseMatricesThatNoMemoryHolds) {
  for (const Driver& driver : drivers()) {
    DriverArguments x;
    x.m = x.n = x.lda = x.ldu = x.ldvt = std::numeric_limits<int>::max();
    x.lwork = x.lrwork = x.liwork = -1;
    driver.call(x);
    const auto lda = std::find(driver.arguments.begin(), driver.arguments.end(), "lda") - driver.arguments.begin() + 1;
    EXPECT_EQ(x.info, -lda) << driver.name;
    EXPECT_TRUE(x.untouched()) << driver.name;
  }
}

TEST(LapackDrivers, TellEachBadArgumentAndWriteNothing) {
  int told = 0;
  for (const Driver& driver : drivers())
    for (std::size_t j = 0; j < driver.arguments.size(); ++j) {
      DriverArguments x;
      if (!spoil(x, driver.arguments[j])) continue;
      SCOPED_TRACE(driver.name + " " + driver.arguments[j]);
      last_name.clear();
      driver.call(x);
      std::string name = driver.name;
      for (char& letter : name) letter = static_cast<char>(std::toupper(letter));
      EXPECT_EQ(last_name, name);
      EXPECT_EQ(last_position, static_cast<int>(j) + 1);
      EXPECT_EQ(x.info, -static_cast<int>(j) - 1);
      EXPECT_TRUE(x.untouched());
      ++told;
    }
  EXPECT_EQ(told, 2 * (6 + 5 + 7 + 8) + 2 * (7 + 5 + 7 + 8));
}

TEST(LapackDrivers, AnswerQuestionsForEachSize) {
  for (const Driver& driver : drivers())
    for (int DriverArguments::*asked : {&DriverArguments::lwork, &DriverArguments::lrwork, &DriverArguments::liwork}) {
      SCOPED_TRACE(driver.name);
      const bool has_two = driver.arguments == evd, has_three = driver.arguments == hevd;
      if (asked != &DriverArguments::lwork && !has_three && !(has_two && asked == &DriverArguments::liwork)) continue;
      DriverArguments x;
      x.*asked = -1;
      driver.call(x);
      EXPECT_EQ(x.info, 0);
      const bool single = driver.name[0] == 's' || driver.name[0] == 'c';
      const auto number = [&](const std::vector<unsigned char>& memory) {
        return single ? static_cast<double>(*reinterpret_cast<const float*>(memory.data()))
                      : *reinterpret_cast<const double*>(memory.data());
      };
      EXPECT_GE(number(x.work), has_two ? 57 : has_three ? 24 : 7);
      if (has_three) {
        EXPECT_EQ(number(x.rwork), 53);
      }
      if (has_two || has_three) {
        EXPECT_EQ(x.iwork[0], 23);
      }
      x.work = x.rwork = DriverArguments::filled();
      x.iwork[0] = 7;
      EXPECT_TRUE(x.untouched());
    }
}

// What LAPACK's documentation asks for at least.
int documented_lwork(const Driver& driver, const DriverArguments& x) {
  const bool complex = driver.name[0] == 'c' || driver.name[0] == 'z', vectors = x.jobz == 'V';
  const int n = x.n, least = std::min(x.m, x.n), most = std::max(x.m, x.n);
  if (driver.arguments == ev) return std::max(1, complex ? 2 * n - 1 : 3 * n - 1);
  if (driver.arguments == evd) return n <= 1 ? 1 : vectors ? 1 + 6 * n + 2 * n * n : 2 * n + 1;
  if (driver.arguments == hevd) return n <= 1 ? 1 : vectors ? 2 * n + n * n : n + 1;
  if (driver.arguments == svd) return std::max(1, complex ? 2 * least + most : std::max(3 * least + most, 5 * least));
  if (complex) return std::max(1, x.job == 'N' ? 2 * least + most : least * least + 2 * least + most);
  return std::max(1, x.job == 'N' ? 3 * least + std::max(most, 7 * least) : 4 * least * least + 6 * least + most);
}

TEST(LapackDrivers, TakeTheWorkThatTheyAskForAndTheLeastOfEverySize) {
  for (const Driver& driver : drivers()) {
    const bool single = driver.name[0] == 's' || driver.name[0] == 'c', symmetric = driver.name[1] != 'g';
    for (const int m : {0, 1, 2, 5})
      for (const int n : {0, 1, 2, 5})
        for (const bool vectors : {false, true}) {
          if (symmetric && m > 0) continue;
          DriverArguments size;
          size.jobz = vectors ? 'V' : 'N';
          size.job = size.jobu = size.jobvt = vectors ? 'A' : 'N';
          size.m = m;
          size.n = n;
          size.lda = size.ldu = size.ldvt = 5;
          SCOPED_TRACE(driver.name + " " + std::to_string(m) + " x " + std::to_string(n) + " " + size.jobz);
          last_name.clear();
          DriverArguments asks = size;
          asks.lwork = -1;
          driver.call(asks);
          EXPECT_EQ(asks.info, 0);
          const auto number = [&](const std::vector<unsigned char>& memory) {
            return static_cast<int>(single ? *reinterpret_cast<const float*>(memory.data())
                                           : *reinterpret_cast<const double*>(memory.data()));
          };
          const int told = number(asks.work), least = documented_lwork(driver, size);
          // Those of gesdd with vectors that are checked are fewer than documented.
          EXPECT_GE(told, driver.arguments == sdd || driver.arguments == svd ? 1 : least);
          for (const int lwork : {told, least}) {
            DriverArguments x = size;
            x.lwork = lwork;
            if (driver.arguments == hevd) x.lrwork = number(asks.rwork);
            if (driver.arguments == hevd || driver.arguments == evd) x.liwork = asks.iwork[0];
            x.a.assign(4096, 0);
            x.work.assign(static_cast<std::size_t>(lwork) * 16, 0);
            driver.call(x);
            EXPECT_EQ(x.info, 0) << lwork;
          }
          EXPECT_EQ(last_name, "");
        }
  }
}

// 1 + 5 n + 2 n^2 is odd and needs 25 bits here: the next float is told, and not the one before.
TEST(LapackDrivers, TellLengthsThatAreNoFloat) {
  const char jobz = 'V', uplo = 'L';
  const int n = 2900, ask = -1;
  std::complex<float> work;
  float rwork = 0;
  int iwork = 0, info = 99;
  cheevd_(&jobz, &uplo, &n, nullptr, &n, nullptr, &work, &ask, &rwork, &ask, &iwork, &ask, &info);
  EXPECT_EQ(info, 0);
  EXPECT_EQ(static_cast<double>(rwork), 16834502);
}

// A call with lengths that LAPACK insists on at least, or with more; whatever is asked of it.
struct Decomposition {
  int m, n, info = 0;
  int lda = m + 2, ldu = m + 1, ldvt = n + 3;
  std::vector<double> a, s, u, vt;
  static constexpr double untouched = 7;

  Decomposition(int rows, int columns) : m(rows), n(columns) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-1, 1);
    a.assign(static_cast<std::size_t>(lda * n), untouched);
    for (int c = 0; c < n; ++c)
      for (int r = 0; r < m; ++r) a[static_cast<std::size_t>(r + c * lda)] = number(random);
    s.assign(static_cast<std::size_t>(std::min(m, n)), untouched);
    u.assign(static_cast<std::size_t>(ldu * m), untouched);
    vt.assign(static_cast<std::size_t>(ldvt * n), untouched);
  }
  Decomposition& gesvd(char jobu, char jobvt) {
    const int lwork = 3 * std::min(m, n) + std::max({m, n, 2 * std::min(m, n)});
    std::vector<double> work(static_cast<std::size_t>(lwork));
    dgesvd_(&jobu, &jobvt, &m, &n, a.data(), &lda, s.data(), u.data(), &ldu, vt.data(), &ldvt, work.data(), &lwork,
            &info);
    return *this;
  }
  Decomposition& gesdd(char jobz) {
    const int least = std::min(m, n), lwork = 5 * least * least + 7 * least + std::max(m, n);
    std::vector<double> work(static_cast<std::size_t>(lwork));
    std::vector<int> iwork(static_cast<std::size_t>(8 * least));
    dgesdd_(&jobz, &m, &n, a.data(), &lda, s.data(), u.data(), &ldu, vt.data(), &ldvt, work.data(), &lwork,
            iwork.data(), &info);
    return *this;
  }
};

// That the first rows and columns are those of `expected`, up to rounding, and all else is as it was.
void expect_part(const std::vector<double>& got, int ld, int rows, int columns, const std::vector<double>& expected,
                 int ld_expected, const char* what) {
  int wrong = 0, touched = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const int row = static_cast<int>(i) % ld, column = static_cast<int>(i) / ld;
    if (row < rows && column < columns) {
      const double right = expected[static_cast<std::size_t>(row + column * ld_expected)];
      wrong += std::abs(got[i] - right) > 1e-13 ? 1 : 0;
    } else {
      touched += got[i] != Decomposition::untouched ? 1 : 0;
    }
  }
  EXPECT_EQ(wrong, 0) << what;
  EXPECT_EQ(touched, 0) << what;
}

int lines(char job, int least, int all) { return job == 'A' ? all : job == 'S' ? least : 0; }

// `got` has what its jobs say of the decomposition that has everything.
void expect_jobs(const Decomposition& got, const Decomposition& full, char jobu, char jobvt) {
  const int m = got.m, n = got.n, least = std::min(m, n);
  EXPECT_EQ(got.info, 0);
  expect_part(got.s, least, least, 1, full.s, least, "s");
  expect_part(got.u, got.ldu, m, lines(jobu, least, m), full.u, full.ldu, "u");
  expect_part(got.vt, got.ldvt, lines(jobvt, least, n), n, full.vt, full.ldvt, "vt");
  // What else is in A is lost.
  const auto expect_in_a = [&](int rows, int columns, const std::vector<double>& expected, int ld) {
    for (int c = 0; c < columns; ++c)
      for (int r = 0; r < rows; ++r)
        EXPECT_NEAR(got.a[static_cast<std::size_t>(r + c * got.lda)], expected[static_cast<std::size_t>(r + c * ld)],
                    1e-13);
  };
  if (jobu == 'O') expect_in_a(m, least, full.u, full.ldu);
  if (jobvt == 'O') expect_in_a(least, n, full.vt, full.ldvt);
  for (int c = 0; c < n; ++c) EXPECT_EQ(got.a[static_cast<std::size_t>(m + c * got.lda)], Decomposition::untouched);
}

TEST(LapackDrivers, EachJobOfSingularVectorsMakesItsPart) {
  for (const auto& [m, n] : {std::pair{9, 9}, {12, 9}, {9, 12}, {40, 7}, {7, 40}, {1, 3}}) {
    Decomposition full(m, n);
    const std::vector<double> original = full.a;
    full.gesdd('A');
    ASSERT_EQ(full.info, 0);
    for (int c = 0; c < n; ++c)
      for (int r = 0; r < m; ++r) {
        double sum = 0;
        for (int i = 0; i < std::min(m, n); ++i)
          sum += full.u[static_cast<std::size_t>(r + i * full.ldu)] * full.s[static_cast<std::size_t>(i)] *
                 full.vt[static_cast<std::size_t>(i + c * full.ldvt)];
        ASSERT_NEAR(sum, original[static_cast<std::size_t>(r + c * full.lda)], 1e-13);
      }
    for (const char jobu : {'N', 'S', 'A', 'O'})
      for (const char jobvt : {'N', 'S', 'A', 'O'}) {
        if (jobu == 'O' && jobvt == 'O') continue;
        SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) + " " + jobu + jobvt);
        expect_jobs(Decomposition(m, n).gesvd(jobu, jobvt), full, jobu, jobvt);
      }
    for (const char jobz : {'N', 'S'}) expect_jobs(Decomposition(m, n).gesdd(jobz), full, jobz, jobz);
    expect_jobs(Decomposition(m, n).gesdd('O'), full, m >= n ? 'O' : 'A', m >= n ? 'A' : 'O');
  }
}

TEST(LapackDrivers, GesddSaysThatAHasNan) {
  Decomposition x(5, 4);
  x.a[6] = x.a[8] = std::numeric_limits<double>::quiet_NaN();
  last_name.clear();
  EXPECT_EQ(x.gesdd('N').info, -4);
  EXPECT_EQ(last_name, "");
}

TEST(LapackDrivers, AnOrderOfOneIsItsOwnEigenvalue) {
  const int one = 1;
  int info = 9;
  double a[2] = {3, 4}, w = 0, rwork = 0, work[2] = {};
  zheev_("V", "L", &one, a, &one, &w, work, &one, &rwork, &info);
  EXPECT_EQ(info, 0);
  EXPECT_EQ(w, 3);
  EXPECT_EQ(a[0], 1);
  EXPECT_EQ(a[1], 0);
}

}  // namespace
