// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Panels of the Hessenberg reduction: no hazard in any order of blocks and threads, A once a column, small residuals.
#include <algorithm>
#include <vector>

#include "backends/sim/launcher.hpp"
#include "backends/sim/memory/grid_memory.hpp"
#include "held_columns.hpp"
#include "kernels/lapack/reductions/hessenberg_panel.hpp"
#include "lapack/backend.hpp"
#include "on_device.hpp"
#include "orders.hpp"
#include "reduction.hpp"

namespace onepass::test {
namespace {

struct HessenbergSchedule {
  int blocks = 1, columns = 1;
  int parts = 1;          // of a column
  bool only_one = false;  // panel; the rest is left as it is
};
HessenbergSchedule& hessenberg_schedule() {
  thread_local HessenbergSchedule instance;
  return instance;
}

template <class T, int vectors>
Status reduce_hessenberg(const LapackProblem& p, const LapackOperands& o) {
  using A = typename OnDevice<T>::type;
  using R = lapack::Real<T>;
  using Kernel = kernels::HessenbergPanel<A, vectors>;
  constexpr int nb = kernels::stream_columns;
  const auto size = [](std::int64_t elements) { return static_cast<std::size_t>(elements); };
  T* const a = static_cast<T*>(o.a);
  T* const tau = static_cast<T*>(o.tau);
  const auto at = [&](std::int64_t i, std::int64_t k) -> T& { return a[i + k * p.lda]; };
  for (std::int64_t i = 0; i < p.n - 1; ++i)
    if (i < p.ilo - 1 || i >= p.ihi - 1) tau[i] = T{};
  const std::int64_t hi = p.ihi;
  const std::int64_t stop = hessenberg_schedule().only_one ? std::min(p.ilo, hi - 1) : hi - 1;
  for (std::int64_t k = p.ilo - 1; k < stop;) {
    const std::int64_t m = hi - k - 1, pitch = kernels::stream_pitch(m);
    const int columns = static_cast<int>(std::min<std::int64_t>(m, hessenberg_schedule().columns)),
              blocks = hessenberg_schedule().blocks;
    std::uint32_t barrier = 0;
    sim::GridMemory memory;
    memory.add_matrix({.rows = m, .cols = m + 1, .lda = p.lda, .element = sizeof(A)}, &at(k + 1, k));
    memory.add_barrier(&barrier);
    const auto add = [&](const char* name, auto* numbers, std::int64_t count) {
      memory.add(name, {.rows = count, .element = sizeof(*numbers)}, numbers, Holds::nothing);
      return numbers;
    };
    const auto aligned = [](A* x) { return reinterpret_cast<std::uintptr_t>(x) % 16 == 0 ? x : x + 1; };
    std::vector<A> v(size(m * nb)), y(size(m * nb)), t(nb * nb), column(size(2 * pitch + 1)),
        sums(size(blocks * pitch + 1));
    std::vector<A> left(size(nb * std::int64_t{blocks})), dots(left.size());
    std::vector<R> norms(size(blocks));
    const kernels::HessenbergPanelArgs args{
        .a = &at(k + 1, k + 1),
        .lda = p.lda,
        .m = static_cast<int>(m),
        .columns = columns,
        .parts = hessenberg_schedule().parts,
        .tau = add("tau", tau + k, columns),
        .v = add("V", v.data(), m * nb),
        .y = add("Y", y.data(), m * nb),
        .ld = m,
        .t = add("T", t.data(), nb * nb),
        .t_ld = nb,
        .column = aligned(add("column", column.data(), 2 * pitch + 1)),
        .row_sums = aligned(add("row sums", sums.data(), blocks * pitch + 1)),
        .norms = add("norms", norms.data(), blocks),
        .left_dots = add("left dot products", left.data(), nb * std::int64_t{blocks}),
        .dots = add("dot products", dots.data(), nb * std::int64_t{blocks}),
        .barrier = &barrier};
    const Status status =
        sim::SimLauncher{&memory}.run<Kernel>({.x = blocks}, Kernel::max_threads, Kernel::shared_bytes, args);
    if (!status.ok()) return status;
    EXPECT_EQ(sim::last_counters().grid_barriers, 3 * columns);
    constexpr int batch = kernels::stream_batch(vectors);
    using Stream = kernels::ColumnStream<A, exec::Sim, vectors, batch>;
    for (std::int64_t c = columns; c < m - 1; c += hessenberg_schedule().only_one ? m / 8 : 1)
      for (int interval = 0; interval < 3 * columns; ++interval) {
        const bool held = batch == 1 && is_held(c, m, blocks / args.parts, Stream::slots, interval / 3);
        for (std::int64_t i = 0; i < m; ++i)
          EXPECT_EQ(memory.loads(&at(k + 1 + i, k + 1 + c), size(interval)), interval % 3 == 2 && !held ? 1 : 0)
              << i << ", " << c << " behind barrier " << interval;
      }

    const auto get = [](const std::vector<A>& x, std::int64_t i) {
      return reinterpret_cast<const T&>(x[static_cast<std::size_t>(i)]);
    };
    const auto vt = [&](std::int64_t i, int e) { return get(v, i + e * m); };
    // Rows above: Y = A V T there.
    for (std::int64_t i = 0; i <= k; ++i) {
      std::vector<T> av(size(columns)), row(size(columns));
      for (int e = 0; e < columns; ++e)
        for (std::int64_t c = 0; c < m; ++c) av[size(e)] += at(i, k + 1 + c) * vt(c, e);
      for (int e = 0; e < columns; ++e)
        for (int f = 0; f <= e; ++f) row[size(e)] += av[size(f)] * get(t, f + e * nb);
      for (std::int64_t c = 0; c < m; ++c)
        for (int e = 0; e < columns; ++e) at(i, k + 1 + c) -= row[size(e)] * lapack::conjugate(vt(c, e));
    }
    for (std::int64_t c = columns - 1; c < m; ++c)
      for (std::int64_t i = 0; i < m; ++i)
        for (int e = 0; e < columns; ++e) at(k + 1 + i, k + 1 + c) -= get(y, i + e * m) * lapack::conjugate(vt(c, e));
    for (std::int64_t c = k + columns; c < p.n; ++c) {
      std::vector<T> h(size(columns)), z(size(columns));
      for (int e = 0; e < columns; ++e)
        for (std::int64_t i = 0; i < m; ++i) h[size(e)] += lapack::conjugate(vt(i, e)) * at(k + 1 + i, c);
      for (int e = 0; e < columns; ++e)
        for (int f = 0; f <= e; ++f) z[size(e)] += lapack::conjugate(get(t, f + e * nb)) * h[size(f)];
      for (std::int64_t i = 0; i < m; ++i)
        for (int e = 0; e < columns; ++e) at(k + 1 + i, c) -= vt(i, e) * z[size(e)];
    }
    k += columns;
  }
  return {};
}

template <class T, int vectors>
LapackBackend hessenberg_panels() {
  return {.id = BackendId::sim,
          .plan = [](const LapackProblem& problem, int) { return LapackPlan{.problem = problem}; },
          .run =
              [](const LapackPlan& plan, const LapackOperands& o, void*) {
                const Status status = reduce_hessenberg<T, vectors>(plan.problem, o);
                EXPECT_TRUE(status.ok()) << status.text;
                return status;
              }};
}

template <class T, int vectors = 4>
Reduction<T> hessenberg(std::int64_t n, std::int64_t ilo, std::int64_t ihi, const HessenbergSchedule& s,
                        const sim::SimOptions& options = {}, verify::Pattern pattern = verify::Pattern::random) {
  hessenberg_schedule() = s;
  sim::options() = options;
  Reduction<T> reduction(hessenberg_panels<T, vectors>(),
                         {.routine = LapackRoutine::gehrd, .n = n, .ilo = ilo, .ihi = ihi, .lda = (n + 7) / 4 * 4},
                         pattern);
  sim::options() = {};
  return reduction;
}

template <class T>
struct HessenbergPanel : testing::Test {};
TYPED_TEST_SUITE(HessenbergPanel, Types);

TYPED_TEST(HessenbergPanel, WholeAndInPart) {
  for (const std::int64_t n : {1, 2, 3, 7, 12}) {
    hessenberg<TypeParam>(n, 1, n, {.blocks = 3, .columns = 4}).expect_small_residuals();
    if (n > 6) hessenberg<TypeParam>(n, 2, n - 2, {.blocks = 2, .columns = 3}).expect_small_residuals();
  }
}

TYPED_TEST(HessenbergPanel, SeveralTiles) {
  const auto all = orders();
  for (const std::size_t i : orders_of_long_tests<TypeParam>())
    hessenberg<TypeParam>(71 + static_cast<std::int64_t>(i), 1, 71, {.blocks = 1 + static_cast<int>(i), .columns = 32},
                          all[i])
        .expect_small_residuals(lapack_cpu());
}

// A slot has one column.
TYPED_TEST(HessenbergPanel, LongColumns) {
  hessenberg<TypeParam, 12>(20, 1, 20, {.blocks = 2, .columns = 6}).expect_small_residuals();
  hessenberg<TypeParam, 16>(33, 1, 33, {.blocks = 3, .columns = 20}).expect_small_residuals();
}

TYPED_TEST(HessenbergPanel, ColumnsWithNothingToReduce) {
  for (const verify::Pattern pattern : {verify::Pattern::zero, verify::Pattern::reduced})
    hessenberg<TypeParam>(11, 1, 11, {.blocks = 2, .columns = 3}, {}, pattern).expect_small_residuals();
}

// Columns so long that two blocks have parts of them: the first two, beside LAPACK's formulas.
TEST(HessenbergPanelOfTeams, BeginsAsTheHostDoes) {
  using T = std::complex<double>;
  constexpr int columns = 2;
  const std::int64_t n = kernels::stream_rows(4, sizeof(T)) + 6;
  Reduction<T> found = hessenberg<T>(n, 1, n, {.blocks = 4, .columns = columns, .parts = 2, .only_one = true});
  EXPECT_TRUE(found.intact);
  const auto a = verify::make_matrix<T>(verify::Pattern::random, n, n, false, 17 + static_cast<std::uint64_t>(n));
  const auto length = static_cast<std::size_t>(n);
  std::vector<T> column[columns] = {std::vector<T>(length), std::vector<T>(length)}, v(length);
  const auto reflect = [&](std::size_t c) {
    T* const x = &column[c][c + 1];
    const auto h = lapack::make_reflector(*x, n - static_cast<std::int64_t>(c) - 2, x + 1, 1, lapack::scaled_norm<T>);
    *x = h.beta;
    return h.tau;
  };
  for (std::size_t r = 0; r < length; ++r) column[0][r] = static_cast<T>(a(static_cast<std::int64_t>(r), 0));
  T tau[columns] = {reflect(0)}, product = 0;
  for (std::size_t r = 1; r < length; ++r) v[r] = r == 1 ? T{1} : column[0][r];
  for (std::int64_t r = 0; r < n; ++r) {
    T sum = 0;
    for (std::int64_t c = 1; c < n; ++c) sum += static_cast<T>(a(r, c)) * v[static_cast<std::size_t>(c)];
    const auto at = static_cast<std::size_t>(r);
    column[1][at] = static_cast<T>(a(r, 1)) - tau[0] * sum;
    product += std::conj(v[at]) * column[1][at];
  }
  for (std::size_t r = 1; r < length; ++r) column[1][r] -= std::conj(tau[0]) * v[r] * product;
  tau[1] = reflect(1);
  const double limit = 1e4 * verify::unit_of<T>;
  for (std::int64_t c = 0; c < columns; ++c) {
    EXPECT_LE(std::abs(found.tau[c] - tau[c]), limit) << c;
    for (std::int64_t r = 0; r < n; ++r)
      ASSERT_LE(std::abs(found.a(r, c) - column[c][static_cast<std::size_t>(r)]), limit * 100) << r << ", " << c;
  }
}

}  // namespace
}  // namespace onepass::test
