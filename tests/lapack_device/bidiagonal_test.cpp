// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Panels of the bidiagonalisation: no hazard in any order of blocks and threads, A once a column, small residuals.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gebrd_device.hpp"
#include "held_columns.hpp"
#include "lapack/backend.hpp"
#include "orders.hpp"
#include "reduction.hpp"

namespace onepass::test {
namespace {

struct PanelSchedule {
  int blocks = 1;
  int columns = 1;        // of each panel
  int parts = 1;          // of a column
  bool only_one = false;  // panel; the rest is left as it is
};
PanelSchedule& panel_schedule() {
  thread_local PanelSchedule instance;
  return instance;
}

template <class T>
struct Rectangle {
  using A = typename OnDevice<T>::type;
  using R = lapack::Real<T>;
  T* a;
  std::int64_t lda, m, n;
  R *d, *e;
  T *tauq, *taup;
};

template <class T, int vectors, bool in_parts, int batch>
Status reduce_panel(Rectangle<T>& rest, int columns, int blocks) {
  using A = typename Rectangle<T>::A;
  using R = typename Rectangle<T>::R;
  using Kernel = kernels::BidiagonalPanel<A, vectors, in_parts, batch>;
  constexpr int nb = kernels::stream_columns;
  const auto size = [](std::int64_t elements) { return static_cast<std::size_t>(elements); };
  const std::int64_t pitch = kernels::stream_pitch(rest.m);
  std::uint32_t barrier = 0;
  sim::GridMemory memory;
  memory.add_matrix({.rows = rest.m, .cols = rest.n, .lda = rest.lda, .element = sizeof(A)}, rest.a);
  memory.add_barrier(&barrier);
  const auto add = [&](const char* name, auto* numbers, std::int64_t count) {
    if (count > 0) memory.add(name, {.rows = count, .element = sizeof(*numbers)}, numbers, Holds::nothing);
    return numbers;
  };
  const auto aligned = [](A* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0 ? p : p + 1; };
  std::vector<A> p(size(rest.m * 2 * nb)), q(size(rest.n * 2 * nb)), row(size(rest.n));
  std::vector<A> column(size(pitch + 1)), row_sums(size(blocks * pitch + 1));
  std::vector<A> p_dots(size(2 * nb * std::int64_t{blocks})), q_dots(size(2 * nb * std::int64_t{blocks}));
  std::vector<R> column_norms(size(blocks)), row_norms(size(blocks));
  kernels::BidiagonalPanelArgs args{
      kernels::BidiagonalOperands{.a = rest.a,
                                  .lda = rest.lda,
                                  .m = static_cast<int>(rest.m),
                                  .n = static_cast<int>(rest.n),
                                  .columns = columns,
                                  .d = add("d", rest.d, columns),
                                  .e = add("e", rest.e, std::min<std::int64_t>(columns, rest.n - 1)),
                                  .tauq = add("tauq", rest.tauq, columns),
                                  .taup = add("taup", rest.taup, columns),
                                  .barrier = &barrier}};
  args.parts = panel_schedule().parts;
  args.p = add("P", p.data(), rest.m * 2 * nb);
  args.p_ld = rest.m;
  args.q = add("Q", q.data(), rest.n * 2 * nb);
  args.q_ld = rest.n;
  args.column = aligned(add("column", column.data(), pitch + 1));
  args.row_sums = aligned(add("row sums", row_sums.data(), blocks * pitch + 1));
  args.row = add("row", row.data(), rest.n);
  args.column_norms = add("column norms", column_norms.data(), blocks);
  args.row_norms = add("row norms", row_norms.data(), blocks);
  args.p_dots = add("dot products of P", p_dots.data(), 2 * nb * std::int64_t{blocks});
  args.q_dots = add("dot products of Q", q_dots.data(), 2 * nb * std::int64_t{blocks});
  Status status = sim::SimLauncher{&memory}.run<Kernel>({.x = blocks}, Kernel::max_threads, Kernel::shared_bytes, args,
                                                        {.cluster = args.parts});
  EXPECT_EQ(sim::last_counters().grid_barriers, 2 * columns);

  // Behind the first barrier of column j each element of the columns behind is loaded once, but for those that are
  // still on the chip. Else only rows and columns that are updated are, and the end of the last column, which is kept.
  using Stream = kernels::ColumnStream<A, exec::Sim, vectors, batch>;
  for (std::int64_t k = columns + 1; k < rest.n - 1; ++k)
    for (int interval = 0; interval <= 2 * columns; ++interval) {
      const bool held = batch == 1 && is_held(k, rest.n, blocks / args.parts, Stream::slots, interval / 2);
      for (std::int64_t i = columns; i < rest.m; ++i)
        EXPECT_EQ(memory.loads(rest.a + i + k * rest.lda, size(interval)), held ? 0 : interval % 2)
            << "element " << i << ", " << k << " behind barrier " << interval;
    }

  const auto at = [](std::vector<A>& x, std::int64_t i) {
    return reinterpret_cast<const T&>(x[static_cast<std::size_t>(i)]);
  };
  for (std::int64_t k = columns; k < rest.n; ++k)
    for (std::int64_t i = columns; i < rest.m; ++i)
      for (int c = 0; c < columns; ++c)
        for (const int column_of : {2 * c, 2 * c + 1})
          rest.a[i + k * rest.lda] -= at(p, i + column_of * rest.m) * lapack::conjugate(at(q, k + column_of * rest.n));
  rest.a += columns * (rest.lda + 1);
  rest.d += columns;
  rest.e += std::min<std::int64_t>(columns, rest.n - 1);
  rest.tauq += columns;
  rest.taup += columns;
  rest.m -= columns;
  rest.n -= columns;
  return status;
}

template <class T, int vectors, bool in_parts, int batch>
LapackBackend by_panels() {
  return {.id = BackendId::sim,
          .plan = [](const LapackProblem& problem, int) { return LapackPlan{.problem = problem}; },
          .run =
              [](const LapackPlan& plan, const LapackOperands& o, void*) {
                using R = lapack::Real<T>;
                Rectangle<T> rest{static_cast<T*>(o.a),   plan.problem.lda,       plan.problem.m,
                                  plan.problem.n,         static_cast<R*>(o.d),   static_cast<R*>(o.e),
                                  static_cast<T*>(o.tau), static_cast<T*>(o.taup)};
                Status status;
                const std::int64_t stop = panel_schedule().only_one ? rest.n - 1 : 0;
                while (rest.n > stop && status.ok()) {
                  const int columns = static_cast<int>(std::min<std::int64_t>(rest.n, panel_schedule().columns));
                  status = reduce_panel<T, vectors, in_parts, batch>(rest, columns, panel_schedule().blocks);
                }
                EXPECT_TRUE(status.ok()) << status.text;
                return status;
              }};
}

template <class T, int vectors = 4, bool in_parts = false, int batch = kernels::stream_batch(vectors)>
Reduction<T> bidiagonalize(std::int64_t m, std::int64_t n, const PanelSchedule& s, const sim::SimOptions& options = {},
                           verify::Pattern pattern = verify::Pattern::random) {
  panel_schedule() = s;
  sim::options() = options;
  // Columns are multiples of 16 bytes apart.
  Reduction<T> reduction(by_panels<T, vectors, in_parts, batch>(),
                         {.routine = LapackRoutine::gebrd, .m = m, .n = n, .lda = (m + 7) / 4 * 4}, pattern);
  sim::options() = {};
  return reduction;
}

template <class T>
struct BidiagonalPanel : testing::Test {};
TYPED_TEST_SUITE(BidiagonalPanel, Types);

TYPED_TEST(BidiagonalPanel, SquareAndTall) {
  for (const std::int64_t n : {1, 2, 3, 7, 12}) {
    bidiagonalize<TypeParam>(n, n, {.blocks = 3, .columns = 4}).expect_small_residuals();
    bidiagonalize<TypeParam>(n + 6, n, {.blocks = 2, .columns = 5}).expect_small_residuals();
  }
}

// Blocks with several tiles of rows and of columns, and several batches.
TYPED_TEST(BidiagonalPanel, SeveralTiles) {
  const auto all = orders();
  for (const std::size_t i : orders_of_long_tests<TypeParam>())
    bidiagonalize<TypeParam>(45 + static_cast<std::int64_t>(i), 40,
                             {.blocks = 1 + static_cast<int>(i % 2), .columns = 32}, all[i])
        .expect_small_residuals(lapack_cpu());
}

TYPED_TEST(BidiagonalPanel, LongColumns) {
  bidiagonalize<TypeParam, 6>(20, 13, {.blocks = 2, .columns = 6}).expect_small_residuals();
  bidiagonalize<TypeParam, 8>(20, 13, {.blocks = 2, .columns = 6}).expect_small_residuals();
  bidiagonalize<TypeParam, 10>(20, 13, {.blocks = 2, .columns = 6}).expect_small_residuals();
  bidiagonalize<TypeParam, 12>(20, 13, {.blocks = 2, .columns = 6}).expect_small_residuals();
  bidiagonalize<TypeParam, 16>(20, 13, {.blocks = 2, .columns = 6}).expect_small_residuals();
  bidiagonalize<TypeParam, 16>(40, 33, {.blocks = 3, .columns = 20}).expect_small_residuals();
  bidiagonalize<TypeParam, 20>(40, 33, {.blocks = 3, .columns = 20}).expect_small_residuals();
  if constexpr (kernels::stream_holds_long_columns(24, sizeof(typename OnDevice<TypeParam>::type)))
    bidiagonalize<TypeParam, 24>(20, 13, {.blocks = 2, .columns = 6}).expect_small_residuals();
}

// Short columns, too, have parts; two are taken together, of an odd number of them, too.
TYPED_TEST(BidiagonalPanel, TwoColumnsInParts) {
  const auto all = orders();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int parts = i % 2 == 0 ? 2 : 4;
    bidiagonalize<TypeParam, 12, true, 2>(60 + static_cast<std::int64_t>(i), 11,
                                          {.blocks = 2 * parts, .columns = 5, .parts = parts}, all[i])
        .expect_small_residuals();
  }
}

// One by one, of two tiles.
TYPED_TEST(BidiagonalPanel, OneColumnInParts) {
  const auto all = orders();
  for (const std::size_t i : orders_of_long_tests<TypeParam>()) {
    const int parts = 2 + static_cast<int>(i % 3);
    bidiagonalize<TypeParam, 20, true, 1>(20, 13, {.blocks = 2 * parts, .columns = 6, .parts = parts}, all[i])
        .expect_small_residuals();
    bidiagonalize<TypeParam, 16, true, 1>(45 + static_cast<std::int64_t>(i), 40,
                                          {.blocks = parts, .columns = 4, .parts = parts}, all[i])
        .expect_small_residuals(lapack_cpu());
  }
}

// Columns so long that two or four blocks have parts of them; the host has the same numbers.
TYPED_TEST(BidiagonalPanel, ColumnsInParts) {
  using A = typename OnDevice<TypeParam>::type;
  const std::int64_t part = kernels::stream_rows(16, sizeof(A));
  std::vector<std::array<std::int64_t, 4>> cases = {{part + 5, 4, 2, 2}};
  if (sizeof(A) == 16)
    cases.insert(cases.end(), {{2 * part, 3, 2, 1}, {2 * part + 1, 3, 4, 1}, {3 * part + 1, 3, 4, 1}});
  for (const auto& [m, n, parts, teams] : cases) {
    Reduction<TypeParam> found = bidiagonalize<TypeParam, 16, true>(
        m, n, {.blocks = static_cast<int>(parts * teams), .columns = 3, .parts = static_cast<int>(parts)},
        orders()[static_cast<std::size_t>(m) % orders().size()]);
    EXPECT_TRUE(found.intact);
    Reduction<TypeParam> expected(lapack_cpu(), found.problem, verify::Pattern::random);
    const double limit = 100 * std::sqrt(static_cast<double>(m)) * verify::unit_of<TypeParam>;
    for (std::int64_t i = 0; i < n; ++i) {
      EXPECT_NEAR(found.d[i], expected.d[i], limit * std::abs(expected.d[0])) << m << " " << i;
      if (i + 1 < n) {
        EXPECT_NEAR(found.e[i], expected.e[i], limit * std::abs(expected.d[0])) << m << " " << i;
      }
      EXPECT_LE(std::abs(found.tau[i] - expected.tau[i]), limit) << m << " " << i;
      for (const std::int64_t r : {i + 1, part - 1, part, part + 1, m - 1})
        EXPECT_LE(std::abs(found.a(r, i) - expected.a(r, i)), limit) << m << ": " << r << ", " << i;
    }
  }
}

// More rows and columns of a block than it has threads.
TEST(BidiagonalPanelOfOneBlock, HasManyColumns) {
  constexpr int columns = 2;
  Reduction<double> found = bidiagonalize<double>(262, 260, {.blocks = 1, .columns = columns, .only_one = true});
  EXPECT_TRUE(found.intact);
  Reduction<double> expected(lapack_cpu(), found.problem, verify::Pattern::random);
  for (std::int64_t i = 0; i < columns; ++i) {
    EXPECT_NEAR(found.d[i], expected.d[i], 1e-12) << i;
    EXPECT_NEAR(found.e[i], expected.e[i], 1e-12) << i;
    for (std::int64_t k = i + 2; k < 260; ++k) EXPECT_NEAR(found.a(i, k), expected.a(i, k), 1e-12) << i << ", " << k;
    for (std::int64_t r = i + 1; r < 262; ++r) EXPECT_NEAR(found.a(r, i), expected.a(r, i), 1e-12) << r << ", " << i;
  }
}

TYPED_TEST(BidiagonalPanel, ColumnsWithNothingToReduce) {
  for (const verify::Pattern pattern : {verify::Pattern::zero, verify::Pattern::reduced})
    bidiagonalize<TypeParam>(12, 10, {.blocks = 2, .columns = 3}, {}, pattern).expect_small_residuals();
}

TYPED_TEST(BidiagonalPanel, SameBitsInEveryOrder) {
  const auto all = orders();
  const auto first = bidiagonalize<TypeParam>(11, 9, {.blocks = 3, .columns = 4}, all[0]);
  for (std::size_t i = 1; i < all.size(); ++i)
    EXPECT_TRUE(bidiagonalize<TypeParam>(11, 9, {.blocks = 3, .columns = 4}, all[i]).same_bits(first));
}

}  // namespace
}  // namespace onepass::test
