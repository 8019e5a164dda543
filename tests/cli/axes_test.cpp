// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench/pairs.hpp"
#include "bench/selection.hpp"
#include "command/bench/bench_options.hpp"
#include "problem/check.hpp"
#include "problem/cost.hpp"
#include "problem/names.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

std::vector<Point> points_on_gpu(Selection selection, Range sweep = {}) {
  return expand(default_axes(selection, {.backend = BackendId::cuda, .sweep = sweep}));
}

std::vector<Point> points_of(const BenchOptions& options) {
  return expand(axes_of(options, require_backend("reference")));
}

TEST(Axes, MeshHasTheCellsOfEachTypeUpToItsLargestMatrix) {
  std::map<std::string, int> cells;
  for (const Point& point : points_on_gpu(Selection::mesh)) {
    ++cells[type_name(point.problem) + " " + name(point.problem.op)];
    EXPECT_LE(cost(point.problem).matrix_bytes, 2.2e9);
    EXPECT_EQ(point.cache, Cache::cold);
  }
  const std::map<std::string, int> expected = {{"s N", 440}, {"s T", 440}, {"d N", 405}, {"d T", 405}, {"c N", 405},
                                               {"c T", 405}, {"c C", 405}, {"z N", 386}, {"z T", 386}, {"z C", 386},
                                               {"h N", 456}, {"h T", 456}, {"b N", 456}, {"b T", 456}};
  EXPECT_EQ(cells, expected);
}

TEST(Axes, CachesAreAListOfWhichAloneIsForAGpu) {
  const BenchOptions options{.types = "s", .ops = "N", .shapes = "8", .cache = "cold,alone"};
  std::vector<Cache> found;
  for (const Point& point : expand(axes_of(options, BackendId::cuda, 1))) found.push_back(point.cache);
  EXPECT_EQ(found, (std::vector{Cache::cold, Cache::alone}));
  EXPECT_THROW(axes_of(options, BackendId::cpu, 1), Failure);
}

TEST(Axes, OfUpdatesHaveTheirTypesAndNoForms) {
  for (const Selection selection : {Selection::standard, Selection::quick, Selection::mesh, Selection::batched})
    for (const Routine routine : {Routine::ger, Routine::gerc}) {
      std::set<std::string> types;
      std::set<std::string> points;
      for (const Point& point : expand(default_axes(selection, {.routine = routine, .backend = BackendId::cuda}))) {
        types.insert(type_name(point.problem));
        EXPECT_TRUE(check(point.problem).ok()) << check(point.problem).text;
        EXPECT_TRUE(points.insert(key(point)).second) << "twice: " << key(point);
      }
      for (const std::string& type : types) EXPECT_NE(row(routine).types.find(type), std::string_view::npos) << type;
      EXPECT_GE(types.size(), 2u);
    }
}

TEST(Axes, MeshRunsGeometricallyFrom16To1048576) {
  std::set<std::int64_t> sizes;
  for (const Point& point : points_on_gpu(Selection::mesh)) sizes.insert(point.problem.m);
  EXPECT_EQ(sizes.size(), 24u);
  EXPECT_TRUE(sizes.contains(16) && sizes.contains(1227) && sizes.contains(1048576));
}

TEST(Axes, SweepHasEverySquareOfItsRangeColdAndHot) {
  const std::vector<Point> points = points_on_gpu(Selection::sweep, {.from = 3, .to = 8, .step = 2});
  EXPECT_EQ(points.size(), 2u * 2u * 2u * 3u);
  EXPECT_EQ(points[2].problem.m, 7);
  EXPECT_TRUE(std::all_of(points.begin(), points.end(), [](const Point& p) { return p.problem.m == p.problem.n; }));
}

TEST(Axes, InferenceReadsRowMajorBf16From8MbTo1Gb) {
  double least = 1e30, most = 0;
  for (const Point& point : points_on_gpu(Selection::inference)) {
    EXPECT_EQ(point.problem.layout, Layout::row);
    EXPECT_EQ(point.problem.type_a, Type::b);
    EXPECT_EQ(point.problem.lda, point.problem.n);
    least = std::min(least, cost(point.problem).matrix_bytes);
    most = std::max(most, cost(point.problem).matrix_bytes);
  }
  EXPECT_LT(least, 8.5e6);
  EXPECT_GT(most, 1e9);
}

TEST(Axes, RandomProblemsAreThoseOfTheirSeed) {
  const auto points = [](std::uint64_t seed) {
    std::vector<std::string> keys;
    for (const Point& point :
         expand(default_axes(Selection::random, {.backend = BackendId::cuda, .random_points = 50, .seed = seed})))
      keys.push_back(key(point));
    return keys;
  };
  EXPECT_EQ(points(7), points(7));
  EXPECT_EQ(std::ranges::count(points(7), points(8)[0]), 0);
  EXPECT_EQ(points(7).size(), 50u);
}

TEST(Axes, RandomProblemsHaveEachTypeAndOpAndColumnsOfAllKinds) {
  std::map<std::string, int> forms;
  int multiples_of_32 = 0, odd = 0, gaps = 0, small = 0, large = 0;
  const std::vector<Point> points =
      expand(default_axes(Selection::random, {.backend = BackendId::cuda, .random_points = 2000, .seed = 3}));
  for (const Point& point : points) {
    const Problem& p = point.problem;
    const double bytes = cost(p).matrix_bytes;
    EXPECT_TRUE(check(p).ok()) << label(p);
    EXPECT_GT(bytes, 4e4) << label(p);
    EXPECT_LT(bytes, 1.6e9) << label(p);  // sides of 17 that are rounded up to 32
    ++forms[type_name(p) + " " + name(p.op)];
    multiples_of_32 += p.m % 32 == 0 ? 1 : 0;
    odd += static_cast<int>(p.m % 2);
    gaps += p.lda > p.m ? 1 : 0;
    small += bytes < 4.5e6 ? 1 : 0;  // half of them, in the logarithm
    large += bytes > 4.5e6 ? 1 : 0;
  }
  EXPECT_EQ(forms.size(), 14u);
  EXPECT_GT(multiples_of_32, 200);
  EXPECT_GT(odd, 300);
  EXPECT_GT(gaps, 150);
  EXPECT_NEAR(small, large, 250);
}

TEST(Axes, RandomProblemsTakeOptionsButNoShapes) {
  for (const Point& point : points_of(
           {.types = "z", .ops = "C", .pad = 3, .max_bytes = 4e5, .min_bytes = 2e5, .random_points = 9, .seed = 2})) {
    EXPECT_EQ(kind(point.problem), "z C");
    EXPECT_GE(point.problem.lda, point.problem.m + 3);
    EXPECT_LT(cost(point.problem).matrix_bytes, 1.6e6);
  }
  EXPECT_THROW(points_of({.shapes = "5x5", .random_points = 9}), Failure);
  EXPECT_THROW(points_of({.batches = "2", .random_points = 9}), Failure);
  EXPECT_THROW(points_of({.max_bytes = 1e5, .min_bytes = 1e6, .random_points = 9}), Failure);
  EXPECT_THROW(points_of({.pairs = true}), Failure);
  EXPECT_THROW(points_of({.seed = 9}), Failure);
  EXPECT_THROW(points_of({.min_bytes = 1e6}), Failure);
}

TEST(Axes, RandomTrianglesHaveBothSidesAndTheBytesOfATriangle) {
  std::map<std::string, int> kinds;
  int multiples_of_32 = 0, odd = 0, gaps = 0, small = 0;
  for (const Point& point :
       expand(default_axes(Selection::random,
                           {.routine = Routine::symv, .backend = BackendId::cuda, .random_points = 2000, .seed = 3}))) {
    const Problem& p = point.problem;
    const double bytes = stored_bytes(p);
    EXPECT_TRUE(check(p).ok()) << label(p);
    EXPECT_EQ(p.m, p.n);
    EXPECT_GT(bytes, 4e4) << label(p);
    EXPECT_LT(bytes, 6e8) << label(p);  // orders near 100 that are rounded up to 128
    ++kinds[kind(p)];
    multiples_of_32 += p.n % 32 == 0 ? 1 : 0;
    odd += static_cast<int>(p.n % 2);
    gaps += p.lda > p.n ? 1 : 0;
    small += bytes < 4.5e6 ? 1 : 0;  // half of them, in the logarithm
  }
  EXPECT_EQ(kinds.size(), 8u);
  EXPECT_GT(multiples_of_32, 200);
  EXPECT_GT(odd, 300);
  EXPECT_GT(gaps, 150);
  EXPECT_NEAR(small, 1000, 125);
}

TEST(Axes, RandomProblemsAreOfEveryRoutine) {
  for (const Routine routine : {Routine::hemv, Routine::ger, Routine::gerc}) {
    std::set<std::string> kinds;
    for (const Point& point : expand(
             default_axes(Selection::random, {.routine = routine, .backend = BackendId::cuda, .random_points = 100}))) {
      EXPECT_TRUE(check(point.problem).ok()) << check(point.problem).text;
      kinds.insert(kind(point.problem));
    }
    EXPECT_EQ(kinds.size(), 4u - (routine == Routine::gerc ? 2 : 0)) << row(routine).name;
  }
}

// Shapes of a seed are the same ones on every machine, and stay so from one version to the next.
TEST(Axes, RandomProblemsOfASeedStayTheSame) {
  const auto labels = [](Routine routine) {
    std::vector<std::string> found;
    for (const Point& point : expand(default_axes(
             Selection::random, {.routine = routine, .backend = BackendId::cuda, .random_points = 3, .seed = 7})))
      found.push_back(label(point.problem));
    return found;
  };
  EXPECT_EQ(labels(Routine::gemv), (std::vector<std::string>{"z C 48x1486", "b T 40612x17", "z C 1480x27"}));
  EXPECT_EQ(labels(Routine::symv),
            (std::vector<std::string>{"symv d L 536x536 lda 544", "symv d U 584x584", "symv z U 288x288"}));
  EXPECT_EQ(labels(Routine::ger), (std::vector<std::string>{"ger d 56x2548", "ger d 10232x17", "ger z 1480x27"}));
}

TEST(Axes, NeighboursDifferByARowAColumnOrAnElementOfLda) {
  const auto labels = [](const Problem& p) {
    std::vector<std::string> found;
    for (const Problem& neighbour : neighbours(p)) found.push_back(label(neighbour));
    return found;
  };
  Problem p = points_of({.types = "s", .ops = "T", .shapes = "6x4"})[0].problem;
  EXPECT_EQ(labels(p), (std::vector<std::string>{"s T 7x4", "s T 6x5", "s T 6x4 lda 7"}));
  p.lda = 7;
  EXPECT_EQ(labels(p), (std::vector<std::string>{"s T 7x4", "s T 6x5 lda 7", "s T 6x4 lda 8"}));
  p.layout = Layout::row;
  EXPECT_EQ(labels(p), (std::vector<std::string>{"s T 7x4 row lda 7", "s T 6x5 row lda 7", "s T 6x4 row lda 8"}));
  EXPECT_EQ(labels(points_of({.routine = "symv", .types = "d", .uplos = "U", .shapes = "6"})[0].problem),
            (std::vector<std::string>{"symv d U 7x7", "symv d U 6x6 lda 7"}));
}

TEST(Axes, PairsAreRandomProblemsWithANeighbourBehindEach) {
  for (const char* routine : {"gemv", "symv", "ger"}) {
    BenchOptions options{.routine = routine, .max_bytes = 1e5, .random_points = 40, .seed = 5};
    const std::vector<Point> alone = points_of(options);
    options.pairs = true;
    const std::vector<Point> points = points_of(options);
    ASSERT_EQ(points.size(), 2 * alone.size());
    std::set<std::size_t> kinds;
    for (std::size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(points[2 * i], alone[i]);
      const std::vector<Problem> beside = neighbours(alone[i].problem);
      const auto found = std::ranges::find(beside, points[2 * i + 1].problem);
      ASSERT_NE(found, beside.end()) << label(points[2 * i + 1].problem);
      kinds.insert(static_cast<std::size_t>(found - beside.begin()));
    }
    EXPECT_EQ(kinds.size(), neighbours(alone[0].problem).size()) << routine;
  }
}

TEST(Axes, BatchesAreStridedAndPointersFromOneTo65536) {
  std::map<Batching, std::set<std::int64_t>> counts;
  for (const Point& point : points_on_gpu(Selection::batched)) {
    const Problem& p = point.problem;
    counts[batching(p)].insert(p.batch);
    EXPECT_LE(cost(p).matrix_bytes, 1e9);
    EXPECT_EQ(p.stride_a, p.pointer_array ? 0 : p.lda * p.n);
  }
  const std::set<std::int64_t> expected = {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536};
  EXPECT_EQ(counts[Batching::strided], expected);
  EXPECT_EQ(counts[Batching::pointers], expected);
  EXPECT_FALSE(counts.contains(Batching::one));
}

TEST(Axes, TrianglesHaveOrdersUpTo16384AndBothSides) {
  std::map<std::string, int> kinds;
  std::set<std::int64_t> sizes;
  for (const Point& point :
       expand(default_axes(Selection::standard, {.routine = Routine::symv, .backend = BackendId::cuda}))) {
    ++kinds[kind(point.problem)];
    sizes.insert(point.problem.n);
    EXPECT_EQ(point.problem.m, point.problem.n);
    EXPECT_EQ(point.cache, Cache::cold);
  }
  EXPECT_EQ(kinds.size(), 8u);
  EXPECT_EQ(kinds["symv z U"], 24);
  EXPECT_EQ(*sizes.begin(), 64);
  EXPECT_TRUE(sizes.contains(96) && sizes.contains(5001) && sizes.contains(10007));
  EXPECT_EQ(*sizes.rbegin(), 16384);
}

TEST(Axes, HermitianMatricesAreComplex) {
  for (const Selection selection : {Selection::standard, Selection::quick, Selection::sweep, Selection::batched})
    for (const Point& point : expand(default_axes(selection, {.routine = Routine::hemv, .backend = BackendId::cpu}))) {
      EXPECT_TRUE(is_complex_type(point.problem.type_a));
      EXPECT_EQ(point.problem.m, point.problem.n);
    }
}

TEST(Axes, OptionsReplaceWhatASelectionHas) {
  const std::vector<Point> points = points_of({.types = "d",
                                               .ops = "T",
                                               .shapes = "6x4,5x5",
                                               .batches = "2,3",
                                               .pad = 1,
                                               .batched = true,
                                               .batching = "pointer"});
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(label(points[1].problem), "d T 6x4 lda 7 batch 3 pointers");
}

TEST(Axes, AListOfBatchesMakesStridedOnes) {
  EXPECT_EQ(label(points_of({.types = "s", .ops = "N", .shapes = "6x4", .batches = "1,2"})[0].problem),
            "s N 6x4 batch 1");
  EXPECT_EQ(label(points_of({.types = "s", .ops = "N", .shapes = "6x4", .batches = "1"})[0].problem), "s N 6x4");
}

TEST(Axes, TwoSelectionsAreOneTooMany) {
  EXPECT_THROW(selection_of({.mesh = true, .sweep = "1:2:1"}), Failure);
  EXPECT_EQ(selection_of({.sweep = "1:2:1"}), Selection::sweep);
}

TEST(Range, IsFirstLastStep) {
  EXPECT_EQ(parse_range("--sweep", "1:5000:7"), (Range{.from = 1, .to = 5000, .step = 7}));
  EXPECT_EQ(parse_range("--sweep", "64:128"), (Range{.from = 64, .to = 128, .step = 1}));
  for (const char* wrong : {"", ":", "5", "5:", "5:4", "0:4", "1:4:0", "1:4:", "1:4:2:3", "a:b"})
    EXPECT_THROW(parse_range("--sweep", wrong), Failure) << wrong;
}

}  // namespace
}  // namespace onepass::tools
