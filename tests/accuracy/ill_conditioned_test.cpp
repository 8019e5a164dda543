// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Sums in which nearly everything cancels, of condition 10^2 to 10^30, of w to 10^60, against 115 digits: the error is
// within the bound of the setting, and that of the default is not within the bound of more digits.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "plan/gemv_shape.hpp"
#include "plan/symv_shape.hpp"
#include "problem/names.hpp"
#include "support/thorough.hpp"
#include "verify/random.hpp"
#include "verify/run.hpp"

namespace onepass::test {
namespace {

using verify::Case;
using verify::HostOperands;
using verify::Random;
using verify::Value;
using Wide =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<384, boost::multiprecision::digit_base_2>>;

struct WideComplex {
  Wide re = 0, im = 0;
  bool pairs = false;  // elements of type w: the imaginary part is a tail
  void add(Value a, Value b) {
    if (pairs) {
      re += (Wide(a.real()) + a.imag()) * (Wide(b.real()) + b.imag());
      return;
    }
    re += Wide(a.real()) * b.real() - Wide(a.imag()) * b.imag();
    im += Wide(a.real()) * b.imag() + Wide(a.imag()) * b.real();
  }
};

// Where element (i, k) of op(A) lies.
std::int64_t place(const Problem& p, std::int64_t i, std::int64_t k) {
  return is_mirrored(p, i, k) ? k + i * p.lda : i + k * p.lda;
}
// What it is.
Value element(const HostOperands& o, const Problem& p, std::int64_t i, std::int64_t k) {
  const Value value = o.a.at(0, place(p, i, k));
  return row(p).hermitian && is_mirrored(p, i, k) ? std::conj(value) : value;
}
void set_element(HostOperands& o, const Problem& p, std::int64_t i, std::int64_t k, Value value) {
  if (row(p).hermitian && i == k) value = value.real();
  o.a.set(0, place(p, i, k), row(p).hermitian && is_mirrored(p, i, k) ? std::conj(value) : value);
}

Value any(Random& random, Type type, double scale) {
  const double re = scale * random.symmetric();
  if (type == Type::w) return verify::random_element(type, re, scale * random.symmetric());
  return is_complex_type(type) ? Value(re, scale * random.symmetric()) : Value(re);
}

// op(A)(i, .) x about 1, its terms up to `condition`: the first half of them is random, and each of the second half
// takes away what the sum so far has too much, as far as an element holds its digits. Of a triangle the rows before
// have made the first i elements, so that the last few rows are left with less to take away.
void make_row(HostOperands& o, const Problem& p, std::int64_t i, double condition, Random& random) {
  const std::int64_t terms = length_x(p), first = is_triangle(p) ? i : 0, half = first + (terms - first) / 2;
  WideComplex sum{.pairs = p.type_a == Type::w};
  const auto add = [&](std::int64_t k) {
    sum.add(element(o, p, i, k), o.x.at(0, k));
    if (p.tails != Tails::none) sum.add(element(o, p, i, k), o.x_tail.at(0, k));
  };
  const auto set = [&](std::int64_t k, Value value) {
    set_element(o, p, i, k, value);
    add(k);
  };
  for (std::int64_t k = 0; k < first; ++k) add(k);
  for (std::int64_t k = first; k < half; ++k)
    set(k, any(random, p.type_a, k == first ? condition : std::pow(condition, std::abs(random.symmetric()))));
  for (std::int64_t k = half; k < terms; ++k) {
    const double left = 1 - static_cast<double>(k - half + 1) / static_cast<double>(terms - half);
    const Value wanted = any(random, p.type_a, std::pow(condition, left));
    if (sum.pairs) {
      const Value x = o.x.at(0, k);
      const Wide quotient = (wanted.real() - sum.re) / (Wide(x.real()) + x.imag());
      const auto head = static_cast<double>(quotient);
      set(k, Value(head, static_cast<double>(quotient - head)));
      continue;
    }
    const Value missing(static_cast<double>(wanted.real() - sum.re), static_cast<double>(wanted.imag() - sum.im));
    set(k, missing / o.x.at(0, k));
  }
}

// (|error| - eps |y|) / (eps_of_sum |A||x|): at most 1 where the bound holds.
struct Errors {
  double worst = 0;
  void add(const Wide& error, const Wide& value, const Wide& magnitude, double eps, double eps_of_sum) {
    const Wide over = abs(error) - eps * abs(value);
    worst = std::max(worst, static_cast<double>(over / (eps_of_sum * magnitude)));
  }
};

// What becomes of the tails of A before a run.
enum class Keep { tails, heads };

struct Setting {
  const char* type;
  Accumulate accumulate;
  Tails tails = Tails::none;
};

double unit_roundoff(Type type) { return verify::epsilon(type) / 2; }
// What the sum of n terms loses at most, of the sum of their magnitudes.
double bound_of_sum(const Problem& p, Accumulate accumulate) {
  const double n = static_cast<double>(length_x(p)) * (is_complex_type(p.type_a) ? 2 : 1) + 8;
  if (p.type_a == Type::w) return n * 0x1p-102;
  if (accumulate == Accumulate::standard) return n * unit_roundoff(scalar_type(p.type_a));
  const double of_double = n * 0x1p-53;
  if (size_of_real(p.type_a) < 8) return of_double;
  return of_double * of_double;
}

// The worst of `count` outputs, of alpha = 1 and beta = -1: a residual.
double worst_of(const Backend& backend, Problem p, Accumulate bound, int count, std::uint64_t seed,
                Keep keep = Keep::tails, const verify::RunOptions& options = {}) {
  Errors errors;
  Random random(seed);
  // Of the conditions, from the first sum to the last.
  const auto digits = [&](std::int64_t sum) {
    const double most = p.type_a == Type::w ? 60 : 30;
    return 2 + (most - 2) * static_cast<double>(sum) / static_cast<double>(std::max<std::int64_t>(count, length_y(p)));
  };
  for (int done = 0; done < count; done += static_cast<int>(length_y(p))) {
    Case c{.problem = p, .alpha = 1.0, .beta = -1.0, .fill = verify::Fill::reals, .seed = random.bits()};
    HostOperands o = verify::lay_out(c);
    for (std::int64_t k = 0; k < length_x(p); ++k) {
      Value x = any(random, p.type_x, 1);
      o.x.set(0, k, x + Value(x.real() < 0 ? -0.5 : 0.5));
    }
    for (std::int64_t i = 0; i < length_y(p); ++i) make_row(o, p, i, std::pow(10.0, digits(done + i)), random);
    HostOperands given = o;
    if (keep == Keep::heads)
      for (std::int64_t i = 0; i < length_y(p); ++i)
        for (std::int64_t k = 0; k < length_x(p); ++k) given.a.set(0, place(p, i, k), element(o, p, i, k).real());
    const verify::Outcome outcome = verify::run(backend, c, given, options);
    EXPECT_TRUE(outcome.status.ok()) << outcome.status.text;
    if (!outcome.status.ok()) return 1e300;
    for (std::int64_t i = 0; i < length_y(p); ++i) {
      WideComplex sum{.pairs = p.type_a == Type::w};
      Wide magnitude = 0;
      const auto term = [&](Value a, Value b) {
        sum.add(a, b);
        magnitude += Wide(std::abs(a)) * std::abs(b);
      };
      for (std::int64_t k = 0; k < length_x(p); ++k) {
        term(element(o, p, i, k), o.x.at(0, k));
        if (p.tails != Tails::none) term(element(o, p, i, k), o.x_tail.at(0, k));
      }
      term(-1.0, o.y.at(0, i));
      if (p.tails == Tails::xy) term(-1.0, o.y_tail.at(0, i));
      const Value got = verify::get(p.type_y, outcome.output.data(), o.y.place(0, i));
      const Value tail =
          p.tails == Tails::xy ? verify::get(p.type_y, outcome.tail.data(), o.y_tail.place(0, i)) : Value{};
      const double once = unit_roundoff(p.type_y), eps = 1.01 * (p.tails == Tails::xy ? once * once : once);
      const double of_sum = bound_of_sum(p, bound);
      if (sum.pairs) {
        errors.add(sum.re - got.real() - got.imag(), sum.re, magnitude, eps, of_sum);
        continue;
      }
      errors.add(sum.re - got.real() - tail.real(), sum.re, magnitude, eps, of_sum);
      errors.add(sum.im - got.imag() - tail.imag(), sum.im, magnitude, eps, of_sum);
    }
  }
  return errors.worst;
}

constexpr Setting settings[] = {{"s", Accumulate::wider},
                                {"c", Accumulate::wider},
                                {"s", Accumulate::twice},
                                {"c", Accumulate::twice},
                                {"d", Accumulate::twice},
                                {"z", Accumulate::twice},
                                {"s", Accumulate::twice, Tails::x},
                                {"d", Accumulate::twice, Tails::xy},
                                {"c", Accumulate::twice, Tails::xy},
                                {"z", Accumulate::twice, Tails::x},
                                {"w", Accumulate::standard}};

// Of each of the six shapes of a setting: 10,000 of them all where there is time for them.
const int sums_of_shape = std::getenv("ONEPASS_LONG_TESTS") != nullptr ? 1680 : thorough ? 32 : 8;

// A test for each setting, so that several processes can share them (GTEST_TOTAL_SHARDS).
class IllConditionedSums : public testing::TestWithParam<std::tuple<const Backend*, Setting>> {
 protected:
  const Backend& backend = *std::get<0>(GetParam());
  const Setting setting = std::get<1>(GetParam());

  void expect_within_bound(Problem p, std::uint64_t seed, const verify::RunOptions& options = {}) const {
    p.accumulate = setting.accumulate;
    p.tails = setting.tails;
    EXPECT_LE(worst_of(backend, p, setting.accumulate, sums_of_shape, seed, Keep::tails, options), 1)
        << describe(p) << " on " << name(backend.id());
  }
};

TEST_P(IllConditionedSums, AreWithinTheirBound) {
  for (const Op op : {Op::n, Op::t})
    for (const std::int64_t terms : {6, 37, 150}) {
      const std::int64_t outputs = 16;
      Problem p{.op = op, .m = op == Op::n ? outputs : terms, .n = op == Op::n ? terms : outputs};
      set_types(p, setting.type);
      p.lda = p.m + 1;
      expect_within_bound(p, 17);
    }
}

TEST_P(IllConditionedSums, OfTrianglesAreWithinTheirBound) {
  for (const Routine routine : {Routine::symv, Routine::hemv})
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      for (const std::int64_t n : {6, 37, 150}) {
        Problem p{.routine = routine, .uplo = uplo, .m = n, .n = n};
        set_types(p, setting.type);
        if (routine == Routine::hemv && !is_complex_type(p.type_a)) continue;
        p.lda = n + 1;
        expect_within_bound(p, 19);
      }
}

// By the kernels of large triangles, whose complex sums have an anchor.
TEST_P(IllConditionedSums, OfTilesAreWithinTheirBound) {
  Problem p{.routine = Routine::symv};
  set_types(p, setting.type);
  p.accumulate = setting.accumulate;
  if (!on_device(backend.id()) || setting.tails != Tails::none || size_of(p.type_a) < 8)
    GTEST_SKIP() << "it has no tiles";
  const auto plan = [&](const Problem& problem) {
    Plan tiles = shape_tiles(problem, 64, 64, 7);
    tiles.backend = backend.id();
    return tiles;
  };
  for (const Uplo uplo : {Uplo::lower, Uplo::upper})
    for (const std::int64_t n : {70, 150}) {
      p.uplo = uplo;
      p.m = p.n = n;
      p.lda = n + 2;
      expect_within_bound(p, 23, {.plan = plan});
    }
}

// By each kernel of GEMV whose complex sums have an anchor.
TEST_P(IllConditionedSums, AroundAnchorsAreWithinTheirBound) {
  Problem p;
  set_types(p, setting.type);
  if (!on_device(backend.id()) || setting.tails != Tails::none || p.type_a != Type::z)
    GTEST_SKIP() << "it has no anchors";
  const std::function<Plan(const Problem&)> plans[] = {
      [](const Problem& q) {
        return shape_gemv(q,
                          {stored(q).transposed ? Variant::gemv_t_small : Variant::gemv_n_small, Loads::few, 128, 32});
      },
      [](const Problem& q) {
        return shape_gemv(q,
                          {stored(q).transposed ? Variant::gemv_t_small : Variant::gemv_n_small, Loads::many, 128, 32});
      },
      [](const Problem& q) {
        return stored(q).transposed ? shape_gemv(q, {Variant::gemv_t, Loads::many, 128, 32})
                                    : shape_gemv(q, {Variant::gemv_n, Loads::many, 128, 16, 2});
      }};
  for (const auto& shaped : plans)
    for (const Op op : {Op::n, Op::t}) {
      p.op = op;
      p.m = op == Op::n ? 48 : 150;
      p.n = op == Op::n ? 150 : 48;
      p.lda = p.m;
      expect_within_bound(p, 29, {.plan = [&](const Problem& q) {
                            Plan plan = shaped(q);
                            plan.backend = backend.id();
                            return plan;
                          }});
    }
}

std::string name_of(const Setting& setting) {
  const char* const tails = setting.tails == Tails::x ? "_tail_x" : setting.tails == Tails::xy ? "_tails" : "";
  return std::string(setting.type) + "_" + name(setting.accumulate) + tails;
}
INSTANTIATE_TEST_SUITE_P(Accuracy, IllConditionedSums,
                         testing::Combine(testing::ValuesIn(verify::available_backends()), testing::ValuesIn(settings)),
                         [](const auto& info) {
                           return std::string(name(std::get<0>(info.param)->id())) + "_" +
                                  name_of(std::get<1>(info.param));
                         });

class IllConditioned : public testing::TestWithParam<const Backend*> {};

// Else the tests above could not fail.
TEST_P(IllConditioned, SumsOfTheDefaultAreNot) {
  if (GetParam()->id() == BackendId::reference) GTEST_SKIP() << "its sums always have twice the digits";
  for (const Setting& setting : settings) {
    if (setting.tails != Tails::none || setting.accumulate == Accumulate::standard) continue;  // no default beside it
    Problem p{.m = 16, .n = 64};
    set_types(p, setting.type);
    p.lda = p.m;
    EXPECT_GT(worst_of(*GetParam(), p, setting.accumulate, 32, 18), 100) << describe(p);
    EXPECT_LE(worst_of(*GetParam(), p, Accumulate::standard, 32, 18), 1) << describe(p);
  }
}

TEST_P(IllConditioned, SumsOfHeadsAreNot) {
  Problem p{.m = 16, .n = 64};
  set_types(p, "w");
  p.lda = p.m;
  EXPECT_GT(worst_of(*GetParam(), p, Accumulate::standard, 32, 18, Keep::heads), 1e6);
  EXPECT_LE(worst_of(*GetParam(), p, Accumulate::standard, 32, 18), 1);
}

INSTANTIATE_TEST_SUITE_P(Accuracy, IllConditioned, testing::ValuesIn(verify::available_backends()),
                         [](const auto& info) { return std::string(name(info.param->id())); });

}  // namespace
}  // namespace onepass::test
