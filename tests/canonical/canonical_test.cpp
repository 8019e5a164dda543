// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// order = canonical: every backend of this machine has the bits of the reference, with any launch and any number of
// threads, and a row has the same bits wherever it stands.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "backends/registry.hpp"
#include "plan/gemv.hpp"
#include "plan/symv_shape.hpp"
#include "problem/check.hpp"
#include "problem/names.hpp"
#include "support/thorough.hpp"
#include "verify/run.hpp"

namespace onepass::test {
namespace {

using verify::Case;
using verify::HostOperands;
using verify::Outcome;
using verify::Value;

constexpr const char* all[] = {"s", "d", "c", "z"};

Problem product(const char* types, Op op, std::int64_t m, std::int64_t n, Layout layout = Layout::column) {
  Problem p{.op = op, .layout = layout, .m = m, .n = n, .order = Order::canonical};
  set_types(p, types);
  p.lda = std::max<std::int64_t>(stored(p).rows, 1);
  return p;
}

Problem triangle(const char* types, Routine routine, Uplo uplo, std::int64_t n, Layout layout = Layout::column) {
  Problem p{.routine = routine, .uplo = uplo, .layout = layout, .m = n, .n = n, .order = Order::canonical};
  set_types(p, types);
  p.lda = std::max<std::int64_t>(n, 1);
  return p;
}

Case reals(const Problem& p, std::uint64_t seed = 7) {
  return {.problem = p, .alpha = 0.7, .beta = 0.3, .fill = verify::Fill::reals, .seed = seed};
}

// Whether the next case, of all tests together, is one of today's.
bool takes_next() {
  static std::int64_t next = 0;
  return takes_turn(next++, sanitized ? 11 : 3);
}

// A and x are settled in every other call.
void expect_bits(const Backend& backend, const Case& c, const HostOperands& operands, const Outcome& expected,
                 verify::RunOptions options = {}) {
  static int turn = 0;
  options.settled_a = options.settled_x = on_device(backend.id()) && ++turn % 2 == 0;
  const Outcome outcome = verify::run(backend, c, operands, options);
  ASSERT_TRUE(outcome.status.ok()) << name(backend.id()) << " " << describe(c.problem) << ": " << outcome.status.text;
  EXPECT_EQ(outcome.damage, "") << name(backend.id()) << " " << describe(c.problem);
  EXPECT_TRUE(outcome.output == expected.output)
      << name(backend.id()) << " " << describe(c.problem) << " " << (outcome.plan ? print(*outcome.plan) : "");
}

void expect_same_everywhere(const Case& c, const HostOperands& operands) {
  const Outcome expected = verify::run(reference_backend(), c, operands);
  ASSERT_TRUE(expected.status.ok()) << expected.status.text;
  for (const Backend* backend : verify::available_backends()) {
    if (backend->id() == BackendId::reference) continue;
    for (const int threads : {1, 2, 3, 7}) {
      expect_bits(*backend, c, operands, expected, {.threads = threads});
      if (backend->id() != BackendId::cpu) break;
    }
  }
}
void expect_same_everywhere(const Case& c) { expect_same_everywhere(c, lay_out(c)); }

std::vector<std::pair<std::int64_t, std::int64_t>> shapes() {
  std::vector<std::pair<std::int64_t, std::int64_t>> list = {{1, 1},    {1, 300},  {300, 1},  {3, 5},    {16, 16},
                                                             {17, 33},  {33, 17},  {65, 64},  {64, 128}, {130, 129},
                                                             {70, 257}, {257, 70}, {40, 700}, {700, 40}, {9, 3000}};
  if (thorough) list.insert(list.end(), {{3000, 9}, {517, 519}, {2, 9001}, {9001, 2}, {128, 1024}, {1024, 128}});
  return list;
}

TEST(Canonical, ProductsHaveTheBitsOfTheReference) {
  for (const char* types : all)
    for (const Op op : {Op::n, Op::t, Op::c})
      for (const Layout layout : {Layout::column, Layout::row})
        for (const auto& [m, n] : shapes()) {
          if (op == Op::c && types[0] < 'c') continue;
          if (layout == Layout::row && (m + n) % 2 == 0) continue;
          if (!takes_next()) continue;
          expect_same_everywhere(reals(product(types, op, m, n, layout)));
        }
}

TEST(Canonical, TrianglesHaveTheBitsOfTheReference) {
  for (const char* types : all)
    for (const Routine routine : {Routine::symv, Routine::hemv})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const std::int64_t n : {1, 2, 31, 64, 65, 255, 256, 257, 300, 520, 777}) {
          const Problem p = triangle(types, routine, uplo, n, n % 2 == 0 ? Layout::column : Layout::row);
          if (check(p).ok() && takes_next()) expect_same_everywhere(reals(p));
        }
}

// A full symmetric matrix times x, by either routine.
TEST(Canonical, TrianglesHaveTheBitsOfFullMatrices) {
  for (const char* types : all)
    for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
      const std::int64_t n = 333;
      const bool complex = types[0] == 'c' || types[0] == 'z';
      const Case half = reals(triangle(types, complex ? Routine::hemv : Routine::symv, uplo, n));
      const Case full = reals(product(types, Op::n, n, n));
      const HostOperands a = lay_out(half);
      HostOperands b = lay_out(full);
      b.x = a.x, b.y = a.y;
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t k = 0; k < n; ++k) b.a.set(0, i + k * n, element(half.problem, a.a, 0, i, k));
      for (const Backend* backend : verify::available_backends())
        EXPECT_TRUE(verify::run(*backend, half, a).output == verify::run(reference_backend(), full, b).output)
            << name(backend->id()) << types;
    }
}

// Every launch that the plan could choose, on the simulator and on a GPU.
TEST(Canonical, BitsDoNotDependOnTheLaunch) {
  for (const char* types : all)
    for (const Op op : {Op::n, Op::c})
      for (const auto& [m, n] :
           {std::pair<std::int64_t, std::int64_t>{37, 20}, {20, 37}, {3, 1700}, {1700, 3}, {100, 300}}) {
        if ((!thorough && m * n > 1000) || !takes_next()) continue;
        const Case c = reals(product(types, op, m, n));
        const HostOperands operands = lay_out(c);
        const Outcome expected = verify::run(reference_backend(), c, operands);
        for (const Backend* backend : verify::available_backends()) {
          if (!on_device(backend->id())) continue;
          int launches = 0, split = 0;
          for (const int threads : {32, 256})
            for (int lanes = 1; lanes <= threads; lanes *= threads == 256 ? 4 : 2)
              for (const auto& choice : {std::pair<int, std::int64_t>{2, 1}, {4, 1}, {4, 2}, {8, 8}, {16, 1}}) {
                const CanonicalLaunch launch{
                    .variant = op == Op::n ? Variant::gemv_n_canonical : Variant::gemv_t_canonical,
                    .threads = threads,
                    .lanes = lanes,
                    .columns = choice.first,
                    .nodes = choice.second};
                Plan plan = shape_canonical(c.problem, launch);
                plan.backend = backend->id();
                if (!why_illegal_canonical(plan).empty()) continue;
                ++launches;
                split += params<GemvParams>(plan).splits > 1 ? 1 : 0;
                expect_bits(*backend, c, operands, expected, {.again = true, .plan = [&](const Problem& p) {
                                                                Plan made = shape_canonical(p, launch);
                                                                made.backend = backend->id();
                                                                return made;
                                                              }});
              }
          EXPECT_GT(launches, 1) << describe(c.problem);
          EXPECT_TRUE(split > 0 || length_x(c.problem) < 1000) << describe(c.problem);
        }
      }
}

// plans(launch) calls launch(shape, why_illegal) for each launch of a case; at least so many of them are legal.
template <class Plans>
void expect_bits_of_all(const Case& c, int least, Plans plans) {
  const HostOperands operands = lay_out(c);
  const Outcome expected = verify::run(reference_backend(), c, operands);
  for (const Backend* backend : verify::available_backends()) {
    if (!on_device(backend->id())) continue;
    int launches = 0;
    plans([&](const auto& shape, const auto& why_illegal) {
      Plan plan = shape(c.problem);
      plan.backend = backend->id();
      if (!why_illegal(plan).empty()) return;
      ++launches;
      expect_bits(*backend, c, operands, expected, {.again = true, .plan = [&](const Problem& p) {
                                                      Plan made = shape(p);
                                                      made.backend = backend->id();
                                                      return made;
                                                    }});
    });
    EXPECT_GE(launches, least) << describe(c.problem);
  }
}

// Likewise of the kernels in which blocks own whole sums.
TEST(Canonical, BitsDoNotDependOnTheLaunchOfASmallProduct) {
  for (const char* types : {"s", "z"})
    for (const Op op : {Op::n, Op::c})
      for (const auto& [m, n] : {std::pair<std::int64_t, std::int64_t>{37, 20}, {20, 37}, {3, 1900}, {1900, 3}}) {
        if ((!thorough && m * n > 1000) || (op == Op::n ? m : n) > 100 || !takes_next()) continue;
        expect_bits_of_all(reals(product(types, op, m, n)), 1, [&](auto launch) {
          for (const Loads loads : {Loads::few, Loads::many})
            for (const int threads : {64, 512})
              for (const int lanes : {4, 32, 64})
                for (const std::int64_t nodes : {1, 4})
                  launch(
                      [=](const Problem& p) {
                        return shape_canonical(p, {.variant = op == Op::n ? Variant::gemv_n_small_canonical
                                                                          : Variant::gemv_t_small_canonical,
                                                   .loads = loads,
                                                   .threads = threads,
                                                   .lanes = lanes,
                                                   .nodes = nodes});
                      },
                      why_illegal_canonical);
        });
      }
}

TEST(Canonical, BitsDoNotDependOnTheLaunchOfATriangle) {
  for (const char* types : {"s", "z"})
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      for (const std::int64_t n : {3, 300}) {
        if ((!thorough && n > 100) || !takes_next()) continue;
        expect_bits_of_all(reals(triangle(types, Routine::symv, uplo, n)), 5, [&](auto launch) {
          for (const std::int64_t parts : {1, 2, 4})
            launch([=](const Problem& p) { return shape_canonical_symv(p, parts); }, why_illegal_canonical_symv);
          for (const int threads : {256, 512})
            launch([=](const Problem& p) { return shape_canonical_rows(p, threads); }, why_illegal_canonical_rows);
        });
      }
}

// Rows 10 to 20 alone, behind another lda, at another alignment, with other increments, in a batch, transposed.
TEST(Canonical, ARowHasItsBitsWhereverItStands) {
  for (const char* types : all) {
    const std::int64_t n = 611, m = 77, first = 10, rows = 11;
    const Case whole = reals(product(types, Op::n, m, n));
    const HostOperands o = lay_out(whole);
    const Outcome expected = verify::run(reference_backend(), whole, o);
    ASSERT_TRUE(expected.status.ok());
    std::vector<Case> others;
    Problem p = product(types, Op::n, rows, n);
    others.push_back(reals(p));
    p.lda = rows + 3, p.incx = -2, p.incy = 3;
    others.push_back(reals(p));
    others.back().offset_a = 1, others.back().offset_x = 3;
    p.batch = 3, p.stride_a = p.lda * n + 1, p.stride_x = 2 * n + 1, p.stride_y = 3 * rows;
    others.push_back(reals(p));
    p.pointer_array = true;
    others.push_back(reals(p));
    others.push_back(reals(product(types, Op::t, n, rows)));
    others.push_back(reals(product(types, Op::n, rows, n, Layout::row)));
    for (const Case& c : others) {
      HostOperands part = lay_out(c);
      const Problem& q = c.problem;
      const auto place = [](std::int64_t length, std::int64_t inc, std::int64_t i) {
        return first_element(length, inc) + i * inc;
      };
      for (std::int64_t b = 0; b < q.batch; ++b) {
        for (std::int64_t i = 0; i < rows; ++i) {
          for (std::int64_t k = 0; k < n; ++k)
            part.a.set(b, stored(q).transposed ? k + i * q.lda : i + k * q.lda, o.a.at(0, first + i + k * m));
          part.y.set(b, place(rows, q.incy, i), o.y.at(0, first + i));
        }
        for (std::int64_t k = 0; k < n; ++k) part.x.set(b, place(n, q.incx, k), o.x.at(0, k));
      }
      for (const Backend* backend : verify::available_backends()) {
        const Outcome outcome = verify::run(*backend, c, part);
        ASSERT_TRUE(outcome.status.ok()) << outcome.status.text;
        for (std::int64_t b = 0; b < q.batch; ++b)
          for (std::int64_t i = 0; i < rows; ++i)
            EXPECT_EQ(verify::get(q.type_y, outcome.output.data(), part.y.place(b, place(rows, q.incy, i))),
                      verify::get(q.type_y, expected.output.data(), o.y.place(0, first + i)))
                << name(backend->id()) << " " << describe(q) << " row " << i << " product " << b;
      }
    }
  }
}

TEST(Canonical, NaNsAndInfinitiesHaveTheSameBits) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const char* types : all)
    for (const Op op : {Op::n, Op::t}) {
      const Case c = reals(product(types, op, 45, 301));
      HostOperands operands = lay_out(c);
      for (std::int64_t i = 0; i < 40; i += 3) {
        operands.a.set(0, i + i * 45, i % 2 == 0 ? nan : -nan);
        operands.a.set(0, i + 1 + (i + 7) * 45, infinity);
        operands.a.set(0, i + 1 + (i + 90) * 45, i % 4 == 0 ? -infinity : infinity);
        operands.x.set(0, i, i == 9 ? -infinity : 0.0);
      }
      expect_same_everywhere(c, operands);
    }
}

TEST(Canonical, AlphaAndBetaAreThoseOfTheReference) {
  for (const char* types : all)
    for (const Op op : {Op::n, Op::t})
      for (const Value alpha : {Value(0.0), Value(1.0), Value(-0.3)})
        for (const Value beta : {Value(0.0), Value(1.0), Value(0.7)}) {
          if (!takes_next()) continue;
          Case c = reals(product(types, op, 50, 90));
          c.alpha = alpha, c.beta = beta;
          if (types[0] != 's' && types[0] != 'd')
            c.alpha *= Value(1, 0.5), c.beta = beta == 1.0 ? beta : beta * Value(0.5, 1);
          expect_same_everywhere(c);
          c.problem.scalars = Scalars::device;
          expect_same_everywhere(c);
        }
}

// The default's order depends on backend and launch, so this file's other tests can fail.
TEST(Canonical, OtherOrdersHaveOtherBits) {
  Case c = reals(product("d", Op::n, 100, 2000));
  const HostOperands operands = lay_out(c);
  const Outcome expected = verify::run(reference_backend(), c, operands);
  c.problem.order = Order::standard;
  for (const Backend* backend : verify::available_backends())
    EXPECT_FALSE(verify::run(*backend, c, operands).output == expected.output) << name(backend->id());
}

TEST(Canonical, IsRefusedWhereThereIsNone) {
  Problem p = product("h", Op::n, 3, 3);
  EXPECT_EQ(check(p).code, ONEPASS_STATUS_INVALID_TYPES);
  p = product("s", Op::n, 3, 3);
  p.accumulate = Accumulate::wider;
  EXPECT_EQ(check(p).code, ONEPASS_STATUS_INVALID_TYPES);
  p = product("d", Op::n, 3, 3);
  p.routine = Routine::ger;
  EXPECT_EQ(check(p).code, ONEPASS_STATUS_INVALID_ENUM);
  p = product("d", Op::n, 3, 3);
  p.order = static_cast<Order>(2);
  EXPECT_EQ(check(p).code, ONEPASS_STATUS_INVALID_ENUM);
}

}  // namespace
}  // namespace onepass::test
