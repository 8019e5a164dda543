// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// libonepass_lapack.so by its symbols: bad arguments to xerbla_ and nothing written, questions for the size of WORK,
// any WORK that LAPACK allows.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "told.hpp"

std::string last_name;
int last_position = 0;

extern "C" {

// This program's own: it is found before that of any library.
void xerbla_(const char* name, const int* position, std::size_t length) {
  last_name = std::string(name, length);
  last_position = *position;
}

#define ONEPASS_DECLARE(T, SY, ORG, ORM)                                                                               \
  void T##SY##trd_(const char*, const int*, void*, const int*, void*, void*, void*, void*, const int*, int*);          \
  void T##gebrd_(const int*, const int*, void*, const int*, void*, void*, void*, void*, void*, const int*, int*);      \
  void T##gehrd_(const int*, const int*, const int*, void*, const int*, void*, void*, const int*, int*);               \
  void T##ORG##tr_(const char*, const int*, void*, const int*, void*, void*, const int*, int*);                        \
  void T##ORG##br_(const char*, const int*, const int*, const int*, void*, const int*, void*, void*, const int*,       \
                   int*);                                                                                              \
  void T##ORG##hr_(const int*, const int*, const int*, void*, const int*, void*, void*, const int*, int*);             \
  void T##ORM##tr_(const char*, const char*, const char*, const int*, const int*, void*, const int*, void*, void*,     \
                   const int*, void*, const int*, int*);                                                               \
  void T##ORM##br_(const char*, const char*, const char*, const int*, const int*, const int*, void*, const int*,       \
                   void*, void*, const int*, void*, const int*, int*);                                                 \
  void T##ORM##hr_(const char*, const char*, const int*, const int*, const int*, const int*, void*, const int*, void*, \
                   void*, const int*, void*, const int*, int*);                                                        \
  void T##geqrf_(const int*, const int*, void*, const int*, void*, void*, const int*, int*);                           \
  void T##ORG##qr_(const int*, const int*, const int*, void*, const int*, void*, void*, const int*, int*);             \
  void T##ORM##qr_(const char*, const char*, const int*, const int*, const int*, void*, const int*, void*, void*,      \
                   const int*, void*, const int*, int*);
ONEPASS_DECLARE(s, sy, org, orm)
ONEPASS_DECLARE(d, sy, org, orm)
ONEPASS_DECLARE(c, he, ung, unm)
ONEPASS_DECLARE(z, he, ung, unm)
#undef ONEPASS_DECLARE

}  // extern "C"

namespace {

// The arguments of any routine, right for a matrix of order 4, and memory that shows what was written.
struct Arguments {
  char uplo = 'L', vect = 'Q', side = 'L', op = 'N';
  int m = 4, n = 4, k = 4, ilo = 1, ihi = 4, lda = 4, ldc = 4, lwork = 64;
  int info = 99;
  std::vector<unsigned char> a = filled(), c = filled(), d = filled(), e = filled(), tau = filled(), taup = filled(),
                             work = filled();

  static std::vector<unsigned char> filled() { return std::vector<unsigned char>(4096, 0x3f); }
  bool untouched() const {
    for (const auto* memory : {&a, &c, &d, &e, &tau, &taup, &work})
      if (*memory != filled()) return false;
    return true;
  }
};

struct Routine {
  std::string name;
  std::function<void(Arguments&)> call;
};

#define ONEPASS_ROUTINES(T, SY, ORG, ORM)                                                                              \
  {#T #SY "trd",                                                                                                       \
   [](Arguments& x) {                                                                                                  \
     T##SY##trd_(&x.uplo, &x.n, x.a.data(), &x.lda, x.d.data(), x.e.data(), x.tau.data(), x.work.data(), &x.lwork,     \
                 &x.info);                                                                                             \
   }},                                                                                                                 \
      {#T "gebrd",                                                                                                     \
       [](Arguments& x) {                                                                                              \
         T##gebrd_(&x.m, &x.n, x.a.data(), &x.lda, x.d.data(), x.e.data(), x.tau.data(), x.taup.data(), x.work.data(), \
                   &x.lwork, &x.info);                                                                                 \
       }},                                                                                                             \
      {#T "gehrd",                                                                                                     \
       [](Arguments& x) {                                                                                              \
         T##gehrd_(&x.n, &x.ilo, &x.ihi, x.a.data(), &x.lda, x.tau.data(), x.work.data(), &x.lwork, &x.info);          \
       }},                                                                                                             \
      {#T #ORG "tr",                                                                                                   \
       [](Arguments& x) {                                                                                              \
         T##ORG##tr_(&x.uplo, &x.n, x.a.data(), &x.lda, x.tau.data(), x.work.data(), &x.lwork, &x.info);               \
       }},                                                                                                             \
      {#T #ORG "br",                                                                                                   \
       [](Arguments& x) {                                                                                              \
         T##ORG##br_(&x.vect, &x.m, &x.n, &x.k, x.a.data(), &x.lda, x.tau.data(), x.work.data(), &x.lwork, &x.info);   \
       }},                                                                                                             \
      {#T #ORG "hr",                                                                                                   \
       [](Arguments& x) {                                                                                              \
         T##ORG##hr_(&x.n, &x.ilo, &x.ihi, x.a.data(), &x.lda, x.tau.data(), x.work.data(), &x.lwork, &x.info);        \
       }},                                                                                                             \
      {#T #ORM "tr",                                                                                                   \
       [](Arguments& x) {                                                                                              \
         T##ORM##tr_(&x.side, &x.uplo, &x.op, &x.m, &x.n, x.a.data(), &x.lda, x.tau.data(), x.c.data(), &x.ldc,        \
                     x.work.data(), &x.lwork, &x.info);                                                                \
       }},                                                                                                             \
      {#T #ORM "br",                                                                                                   \
       [](Arguments& x) {                                                                                              \
         T##ORM##br_(&x.vect, &x.side, &x.op, &x.m, &x.n, &x.k, x.a.data(), &x.lda, x.tau.data(), x.c.data(), &x.ldc,  \
                     x.work.data(), &x.lwork, &x.info);                                                                \
       }},                                                                                                             \
      {#T #ORM "hr",                                                                                                   \
       [](Arguments& x) {                                                                                              \
         T##ORM##hr_(&x.side, &x.op, &x.m, &x.n, &x.ilo, &x.ihi, x.a.data(), &x.lda, x.tau.data(), x.c.data(), &x.ldc, \
                     x.work.data(), &x.lwork, &x.info);                                                                \
       }},                                                                                                             \
      {#T "geqrf",                                                                                                     \
       [](Arguments& x) {                                                                                              \
         T##geqrf_(&x.m, &x.n, x.a.data(), &x.lda, x.tau.data(), x.work.data(), &x.lwork, &x.info);                    \
       }},                                                                                                             \
      {#T #ORG "qr",                                                                                                   \
       [](Arguments& x) {                                                                                              \
         T##ORG##qr_(&x.m, &x.n, &x.k, x.a.data(), &x.lda, x.tau.data(), x.work.data(), &x.lwork, &x.info);            \
       }},                                                                                                             \
  {                                                                                                                    \
#T #ORM "qr", [](Arguments& x) {                                                                                 \
      T##ORM##qr_(&x.side, &x.op, &x.m, &x.n, &x.k, x.a.data(), &x.lda, x.tau.data(), x.c.data(), &x.ldc,            \
                  x.work.data(), &x.lwork, &x.info);                                                                 \
    }     \
  }

const std::vector<Routine>& routines() {
  static const std::vector<Routine> all = {ONEPASS_ROUTINES(s, sy, org, orm), ONEPASS_ROUTINES(d, sy, org, orm),
                                           ONEPASS_ROUTINES(c, he, ung, unm), ONEPASS_ROUTINES(z, he, ung, unm)};
  return all;
}

// What each argument is called in LAPACK's interface, in its order, and how it is spoilt.
const std::vector<std::vector<std::string>> positions = {
    {"uplo", "n", "a", "lda", "d", "e", "tau", "work", "lwork"},
    {"m", "n", "a", "lda", "d", "e", "tauq", "taup", "work", "lwork"},
    {"n", "ilo", "ihi", "a", "lda", "tau", "work", "lwork"},
    {"uplo", "n", "a", "lda", "tau", "work", "lwork"},
    {"vect", "m", "n", "k", "a", "lda", "tau", "work", "lwork"},
    {"n", "ilo", "ihi", "a", "lda", "tau", "work", "lwork"},
    {"side", "uplo", "op", "m", "n", "a", "lda", "tau", "c", "ldc", "work", "lwork"},
    {"vect", "side", "op", "m", "n", "k", "a", "lda", "tau", "c", "ldc", "work", "lwork"},
    {"side", "op", "m", "n", "ilo", "ihi", "a", "lda", "tau", "c", "ldc", "work", "lwork"},
    {"m", "n", "a", "lda", "tau", "work", "lwork"},
    {"m", "n", "k", "a", "lda", "tau", "work", "lwork"},
    {"side", "op", "m", "n", "k", "a", "lda", "tau", "c", "ldc", "work", "lwork"},
};

bool spoil(Arguments& x, const std::string& argument) {
  if (argument == "uplo") return x.uplo = '/', true;
  if (argument == "vect") return x.vect = '/', true;
  if (argument == "side") return x.side = '/', true;
  if (argument == "op") return x.op = '/', true;
  if (argument == "m") return x.m = -1, true;
  if (argument == "n") return x.n = -1, true;
  if (argument == "k") return x.k = -1, true;
  if (argument == "ilo") return x.ilo = 0, true;
  if (argument == "ihi") return x.ihi = 5, true;
  if (argument == "lda") return x.lda = 3, true;
  if (argument == "ldc") return x.ldc = 3, true;
  if (argument == "lwork") return x.lwork = 0, true;
  return false;
}

// Where an integer says so: the workspace would have more bytes than a number of 64 bits can say.
TEST(LapackAbi, RefusesMatricesThatNoMemoryHolds) {
  for (std::size_t i = 0; i < routines().size(); ++i) {
    const auto& arguments = positions[i % positions.size()];
    Arguments x;
    x.m = x.n = x.k = x.ihi = x.lda = x.ldc = std::numeric_limits<int>::max();
    x.lwork = -1;
    routines()[i].call(x);
    const auto lda = std::find(arguments.begin(), arguments.end(), "lda") - arguments.begin() + 1;
    EXPECT_EQ(x.info, -lda) << routines()[i].name;
    EXPECT_TRUE(x.untouched()) << routines()[i].name;
  }
}

TEST(LapackAbi, TellsEachBadArgumentAndWritesNothing) {
  int told = 0;
  for (std::size_t i = 0; i < routines().size(); ++i) {
    const Routine& routine = routines()[i];
    const auto& arguments = positions[i % positions.size()];
    for (std::size_t j = 0; j < arguments.size(); ++j) {
      Arguments x;
      if (!spoil(x, arguments[j])) continue;
      SCOPED_TRACE(routine.name + " " + arguments[j]);
      last_name.clear();
      routine.call(x);
      std::string name = routine.name;
      for (char& letter : name) letter = static_cast<char>(std::toupper(letter));
      EXPECT_EQ(last_name, name);
      EXPECT_EQ(last_position, static_cast<int>(j) + 1);
      EXPECT_EQ(x.info, -static_cast<int>(j) - 1);
      EXPECT_TRUE(x.untouched());
      ++told;
    }
  }
  EXPECT_EQ(told, 4 * (4 + 4 + 5 + 4 + 6 + 5 + 8 + 9 + 9 + 4 + 5 + 8));
}

TEST(LapackAbi, AnswersQuestionsForTheSizeOfWork) {
  for (const Routine& routine : routines()) {
    SCOPED_TRACE(routine.name);
    Arguments x;
    x.lwork = -1;
    routine.call(x);
    EXPECT_EQ(x.info, 0);
    const bool single = routine.name[0] == 's' || routine.name[0] == 'c';
    float narrow = 0;
    double wide = 0;
    std::memcpy(&narrow, x.work.data(), sizeof(narrow));
    std::memcpy(&wide, x.work.data(), sizeof(wide));
    EXPECT_GE(single ? narrow : wide, 4);
    x.work = Arguments::filled();
    EXPECT_TRUE(x.untouched());
  }
}

// What LAPACK's documentation asks for at least, in the order of `positions`.
int documented_lwork(std::size_t routine, const Arguments& x) {
  const int least = std::min(x.m, x.n), applied = x.side == 'L' ? x.n : x.m;
  switch (routine % positions.size()) {
    case 0: return 1;
    case 1: return least == 0 ? 1 : std::max(x.m, x.n);
    case 2: return std::max(1, x.n);
    case 3: return std::max(1, x.n - 1);
    case 4: return std::max(1, least);
    case 5: return std::max(1, x.ihi - x.ilo);
    case 9: return least == 0 ? 1 : x.n;
    case 10: return std::max(1, x.n);
    default: return std::max(1, applied);
  }
}

// A problem that is right for each routine: k and the leading dimensions follow from the size.
Arguments of_size(std::size_t routine, int m, int n, char side, char vect) {
  Arguments x;
  x.m = m;
  x.n = n;
  x.side = side;
  x.vect = vect;
  x.lda = x.ldc = std::max({1, m, n});
  const std::size_t kind = routine % positions.size();
  const int order = kind < 6 ? n : side == 'L' ? m : n;
  x.ihi = order;
  x.k = kind == 10 ? n : kind == 11 ? order : std::min(m, n);
  return x;
}

TEST(LapackAbi, TakesTheWorkThatItAsksForAndTheLeastOfEverySize) {
  int calls = 0;
  for (std::size_t i = 0; i < routines().size(); ++i) {
    const bool single = routines()[i].name[0] == 's' || routines()[i].name[0] == 'c';
    const std::size_t kind = i % positions.size();
    for (const int m : {0, 1, 2, 5})
      for (const int n : {0, 1, 2, 5})
        for (const char side : {'L', 'R'})
          for (const char vect : {'Q', 'P'}) {
            // No more columns, or rows of P^H, than Q has, or P.
            if ((kind == 10 && n > m) || (kind == 4 && (vect == 'Q' ? n > m : m > n))) continue;
            Arguments asks = of_size(i, m, n, side, vect);
            SCOPED_TRACE(routines()[i].name + " " + std::to_string(m) + " x " + std::to_string(n) + " " + side + vect);
            last_name.clear();
            asks.lwork = -1;
            routines()[i].call(asks);
            EXPECT_EQ(asks.info, 0);
            const int told = static_cast<int>(single ? *reinterpret_cast<const float*>(asks.work.data())
                                                     : *reinterpret_cast<const double*>(asks.work.data()));
            const int least = documented_lwork(i, asks);
            EXPECT_GE(told, least);
            for (const int lwork : {told, least}) {
              Arguments x = of_size(i, m, n, side, vect);
              x.lwork = lwork;
              x.work.assign(static_cast<std::size_t>(lwork) * 16, 0);
              routines()[i].call(x);
              EXPECT_EQ(x.info, 0) << lwork;
              ++calls;
            }
            EXPECT_EQ(last_name, "");
          }
  }
  EXPECT_GT(calls, 4 * 12 * 2 * 4 * 6);
}

TEST(LapackAbi, SmallLettersMeanTheSame) {
  Arguments large, small;
  small.uplo = 'l';
  dsytrd_(&large.uplo, &large.n, large.a.data(), &large.lda, large.d.data(), large.e.data(), large.tau.data(),
          large.work.data(), &large.lwork, &large.info);
  dsytrd_(&small.uplo, &small.n, small.a.data(), &small.lda, small.d.data(), small.e.data(), small.tau.data(),
          small.work.data(), &small.lwork, &small.info);
  EXPECT_EQ(small.info, 0);
  EXPECT_EQ(small.a, large.a);
}

// With the least WORK, with what was told and with one beside any boundary: the same bits.
TEST(LapackAbi, TakesAnyWork) {
  const int n = 150;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<double> original(n * n);
  for (double& x : original) x = number(random);
  std::vector<double> d(n), e(n), tau(n), first;
  double told = 0;
  int info = 0;
  const int asks = -1;
  dsytrd_("U", &n, original.data(), &n, d.data(), e.data(), tau.data(), &told, &asks, &info);
  const int best = static_cast<int>(told);
  EXPECT_GT(best, n);
  std::vector<double> work(static_cast<std::size_t>(best) + 8);
  for (const int lwork : {1, best / 2, best})
    for (int offset = 0; offset < 8; ++offset) {
      std::vector<double> a = original;
      work.assign(work.size(), 7);
      dsytrd_("U", &n, a.data(), &n, d.data(), e.data(), tau.data(), work.data() + offset, &lwork, &info);
      EXPECT_EQ(info, 0);
      for (std::size_t i = 0; i < work.size(); ++i) {
        const auto at = static_cast<int>(i) - offset;
        EXPECT_TRUE(work[i] == 7 || (at >= 0 && at < lwork)) << lwork;
      }
      if (first.empty()) first = a;
      EXPECT_EQ(a, first);
    }
}

}  // namespace
