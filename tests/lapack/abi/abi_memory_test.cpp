// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// LAPACK's symbols with the least WORK, where each allocation fails in turn: the BLAS that the library is linked to
// does what it cannot, or INFO says so, and no argument is to blame.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "support/failing_memory.hpp"
#include "told.hpp"

extern "C" {
void dsytrd_(const char*, const int*, void*, const int*, void*, void*, void*, void*, const int*, int*);
void dgebrd_(const int*, const int*, void*, const int*, void*, void*, void*, void*, void*, const int*, int*);
void dgehrd_(const int*, const int*, const int*, void*, const int*, void*, void*, const int*, int*);
void dgeqrf_(const int*, const int*, void*, const int*, void*, void*, const int*, int*);
void dorgqr_(const int*, const int*, const int*, void*, const int*, void*, void*, const int*, int*);
void dormqr_(const char*, const char*, const int*, const int*, const int*, void*, const int*, void*, void*, const int*,
             void*, const int*, int*);
void dormtr_(const char*, const char*, const char*, const int*, const int*, void*, const int*, void*, void*, const int*,
             void*, const int*, int*);
#ifdef ONEPASS_TEST_DRIVERS
void dsyevd_(const char*, const char*, const int*, void*, const int*, void*, void*, const int*, int*, const int*, int*);
void dsyev_(const char*, const char*, const int*, void*, const int*, void*, void*, const int*, int*);
void dgesdd_(const char*, const int*, const int*, void*, const int*, void*, void*, const int*, void*, const int*, void*,
             const int*, int*, int*);
void dgesvd_(const char*, const char*, const int*, const int*, void*, const int*, void*, void*, const int*, void*,
             const int*, void*, const int*, int*);
#endif
}

namespace short_of_memory {
namespace {

constexpr int n = 24, least = n, one = 1, work_memory_error = -1010;

struct Operands {
  std::vector<double> a = numbers(), c = numbers(), d = zeros(), e = zeros(), tau = zeros(), taup = zeros(),
                      u = zeros(), vt = zeros(), work = zeros();
  std::vector<int> iwork = std::vector<int>(8 * n);
  int info = 99;

  static std::vector<double> zeros() { return std::vector<double>(8 * n * n); }
  static std::vector<double> numbers() {
    std::vector<double> list = zeros();
    std::minstd_rand random;
    for (double& element : list) element = static_cast<double>(random() % 2003) / 1001 - 1;
    return list;
  }
  // But for the signs of singular vectors and eigenvectors.
  bool has_results_of(const Operands& x, bool in_a) const {
    constexpr double tolerance = 1e-10;  // n eps of the numbers, times 1 / the least gap between singular values
    const auto near = [](const std::vector<double>& p, const std::vector<double>& q) {
      return std::ranges::equal(p, q,
                                [](double v, double w) { return std::abs(std::abs(v) - std::abs(w)) < tolerance; });
    };
    return (!in_a || near(a, x.a)) && near(c, x.c) && near(d, x.d) && near(e, x.e) && near(tau, x.tau) &&
           near(taup, x.taup) && near(u, x.u) && near(vt, x.vt);
  }
};

struct Call {
  const char* name;
  std::function<void(Operands&)> run;
  bool in_a = true;  // whether A is left with a part of the result
};

const std::vector<Call>& calls() {
  static const std::vector<Call> list = {
      {"dsytrd",
       [](Operands& o) {
         dsytrd_("L", &n, o.a.data(), &n, o.d.data(), o.e.data(), o.tau.data(), o.work.data(), &one, &o.info);
       }},
      {"dgebrd",
       [](Operands& o) {
         dgebrd_(&n, &n, o.a.data(), &n, o.d.data(), o.e.data(), o.tau.data(), o.taup.data(), o.work.data(), &least,
                 &o.info);
       }},
      {"dgehrd",
       [](Operands& o) { dgehrd_(&n, &one, &n, o.a.data(), &n, o.tau.data(), o.work.data(), &least, &o.info); }},
      {"dgeqrf", [](Operands& o) { dgeqrf_(&n, &n, o.a.data(), &n, o.tau.data(), o.work.data(), &least, &o.info); }},
      {"dorgqr",
       [](Operands& o) { dorgqr_(&n, &n, &n, o.a.data(), &n, o.tau.data(), o.work.data(), &least, &o.info); }},
      {"dormqr",
       [](Operands& o) {
         dormqr_("L", "T", &n, &n, &n, o.a.data(), &n, o.tau.data(), o.c.data(), &n, o.work.data(), &least, &o.info);
       }},
      {"dormtr",
       [](Operands& o) {
         dormtr_("R", "L", "N", &n, &n, o.a.data(), &n, o.tau.data(), o.c.data(), &n, o.work.data(), &least, &o.info);
       }},
#ifdef ONEPASS_TEST_DRIVERS
      {"dsyevd",
       [](Operands& o) {
         constexpr int lwork = 1 + 6 * n + 2 * n * n, liwork = 3 + 5 * n;
         dsyevd_("V", "L", &n, o.a.data(), &n, o.d.data(), o.work.data(), &lwork, o.iwork.data(), &liwork, &o.info);
       }},
      {"dsyev",
       [](Operands& o) {
         constexpr int lwork = 3 * n;
         dsyev_("V", "L", &n, o.a.data(), &n, o.d.data(), o.work.data(), &lwork, &o.info);
       }},
      {"dgesdd",
       [](Operands& o) {
         constexpr int lwork = 3 * n * n + 7 * n;
         dgesdd_("S", &n, &n, o.a.data(), &n, o.d.data(), o.u.data(), &n, o.vt.data(), &n, o.work.data(), &lwork,
                 o.iwork.data(), &o.info);
       },
       false},
      {"dgesvd",
       [](Operands& o) {
         constexpr int lwork = 5 * n;
         dgesvd_("S", "O", &n, &n, o.a.data(), &n, o.d.data(), o.u.data(), &n, o.vt.data(), &n, o.work.data(), &lwork,
                 &o.info);
       }},
#endif
  };
  return list;
}

// In processes of their own, since a thread keeps what a call took.
TEST(LapackAbiMemory, RunsOutAndNoArgumentIsToBlame) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const Call& call : calls()) {
    Operands operands, expected;
    last_name.clear();
    const auto is_right = [&] {
      call.run(expected);
      if (!last_name.empty() || expected.info != 0) return false;
      return operands.info == work_memory_error || (operands.info == 0 && operands.has_results_of(expected, call.in_a));
    };
    EXPECT_EXIT(exit(failing_memory::each_first_allocation_fails([&] { call.run(operands); }, is_right) ? 0 : 1),
                testing::ExitedWithCode(0), "")
        << call.name;
  }
}

// Leaves the process so few bytes that the next library could not work.
void limit_address_space() {
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t bytes = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE)) + (rlim_t{32} << 20);
  const rlimit limit = {.rlim_cur = bytes, .rlim_max = RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &limit);
}

TEST(LapackAbiMemory, IsTheErrorWhereTheNextLibraryHasNoneEither) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto all_say_so = [] {
    last_name.clear();
    limit_address_space();
    for (const Call& call : calls()) {
      Operands operands;
      failing_memory::begin(1, true);
      call.run(operands);
      failing_memory::end();
      if (operands.info != work_memory_error || !operands.has_results_of(Operands{}, true)) return false;
    }
    return last_name.empty();
  };
  EXPECT_EXIT(exit(all_say_so() ? 0 : 1), testing::ExitedWithCode(0), "");
}

TEST(LapackAbiMemory, OfABadArgumentHidesNoMore) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Operands operands;
  last_name.clear();
  const auto attempt = [&] {
    dsytrd_("?", &n, operands.a.data(), &n, operands.d.data(), operands.e.data(), operands.tau.data(),
            operands.work.data(), &one, &operands.info);
  };
  const auto is_right = [&] {
    return operands.a == Operands::numbers() && (operands.info == -1 || operands.info == work_memory_error);
  };
  EXPECT_EXIT(exit(failing_memory::each_first_allocation_fails(attempt, is_right) ? 0 : 1), testing::ExitedWithCode(0),
              "");
}

}  // namespace
}  // namespace short_of_memory
