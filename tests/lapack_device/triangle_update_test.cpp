// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The rank-2k update of one triangle, and the rank-k update of a matrix: right in every element, no other one touched,
// each read and written once.
#include <limits>

#include "backends/sim/grid_memory.hpp"
#include "backends/sim/launcher.hpp"
#include "kernels/lapack/rank_2k.hpp"
#include "lapack/element.hpp"
#include "on_device.hpp"
#include "orders.hpp"
#include "support/thorough.hpp"
#include "types.hpp"
#include "verify/lapack_matrix.hpp"

namespace onepass::test {
namespace {

template <class T>
class Rank2kKernel : public testing::Test {
 protected:
  void TearDown() override { sim::options() = {}; }
};
TYPED_TEST_SUITE(Rank2kKernel, Types);

template <class T>
std::vector<T> numbers(std::int64_t rows, std::int64_t columns, unsigned seed) {
  std::vector<T> made;
  for (const auto& value : verify::make_matrix<T>(verify::Pattern::random, rows, columns, false, seed).data)
    made.push_back(static_cast<T>(value));
  return made;
}

// Elements from a column of so many to the next one, which is 16-byte aligned or, if an element is not, is not.
template <class T, bool aligned>
std::int64_t apart(int rows, int vectors) {
  constexpr int vector = static_cast<int>(16 / sizeof(T));
  const std::int64_t next = (rows + vector - 1) / vector + vectors;
  return next * vector + (aligned ? 0 : 1);
}

// An error of so many products, of numbers below 1 with some eps each.
template <class T>
double most_error(int products) {
  return 4.0 * (products + 1) * static_cast<double>(std::numeric_limits<lapack::Real<T>>::epsilon());
}

template <class T, bool aligned>
void update(bool lower, int n, int k) {
  using A = typename OnDevice<T>::type;
  using Kernel = kernels::Rank2k<A, aligned>;
  SCOPED_TRACE(std::string(lower ? "L" : "U") + " n = " + std::to_string(n) + " k = " + std::to_string(k) +
               (aligned ? " aligned" : ""));
  const std::int64_t ldv = apart<T, aligned>(n, 0), ldw = apart<T, aligned>(n, 1), ldc = apart<T, aligned>(n, 2);
  const std::vector<T> v = numbers<T>(ldv, k, 3), w = numbers<T>(ldw, k, 4), before = numbers<T>(ldc, n, 5);
  std::vector<T> c = before;
  sim::GridMemory memory;
  memory.add_matrix({.rows = n, .cols = n, .lda = ldc, .element = sizeof(A), .part = lower ? Part::lower : Part::upper},
                    c.data());
  memory.add("V", {.rows = n, .cols = k, .lda = ldv, .element = sizeof(A)}, v.data(), Holds::data);
  memory.add("W", {.rows = n, .cols = k, .lda = ldw, .element = sizeof(A)}, w.data(), Holds::data);
  const kernels::Rank2kArgs args = {.v = v.data(),
                                    .ldv = ldv,
                                    .w = w.data(),
                                    .ldw = ldw,
                                    .c = c.data(),
                                    .ldc = ldc,
                                    .m = n,
                                    .n = n,
                                    .k = k,
                                    .lower = lower};
  const int blocks = Kernel::tiles(args).count();
  const Status status =
      sim::SimLauncher{&memory}.run<Kernel>({.x = blocks}, Kernel::max_threads, Kernel::shared_bytes, args);
  ASSERT_TRUE(status.ok()) << status.text;

  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < ldc; ++i) {
      const std::size_t at = static_cast<std::size_t>(i + j * ldc);
      const bool stored = i < n && (lower ? i >= j : i <= j);
      T expected = before[at];
      for (std::int64_t l = 0; stored && l < k; ++l) {
        const auto of = [&](const std::vector<T>& m, std::int64_t r, std::int64_t ld) {
          return m[static_cast<std::size_t>(r + l * ld)];
        };
        expected -= of(v, i, ldv) * lapack::conjugate(of(w, j, ldw)) + of(w, i, ldw) * lapack::conjugate(of(v, j, ldv));
      }
      ASSERT_LE(std::abs(c[at] - expected), stored ? most_error<T>(2 * k) : 0) << i << ", " << j;
      if (stored) {
        ASSERT_EQ(memory.loads(&c[at]), 1) << i << ", " << j;
      }
    }
}

TYPED_TEST(Rank2kKernel, UpdatesOneTriangle) {
  const auto all = orders();
  int number = 0;
  for (const bool lower : {true, false})
    for (const auto& [n, k] : {std::pair{1, 1}, {63, 3}, {64, 17}, {66, 32}, {129, 2}, {200, 4}}) {
      if (!thorough && (n * k > 300 || n == 63)) continue;  // 129 ends just as close to a tile
      sim::options() = all[static_cast<std::size_t>(number++) % all.size()];
      if (sizeof(TypeParam) < 16) update<TypeParam, false>(lower, n, k);
      update<TypeParam, true>(lower, n, k);
    }
}

// C := C - V W^H.
template <class T, bool aligned>
void update_all(int m, int n, int k) {
  using A = typename OnDevice<T>::type;
  using Kernel = kernels::Rank2k<A, aligned, false>;
  SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) + " k = " + std::to_string(k) +
               (aligned ? " aligned" : ""));
  const std::int64_t ldv = apart<T, aligned>(m, 0), ldw = apart<T, aligned>(n, 1), ldc = apart<T, aligned>(m, 2);
  const std::vector<T> v = numbers<T>(ldv, k, 3), w = numbers<T>(ldw, k, 4), before = numbers<T>(ldc, n, 5);
  std::vector<T> c = before;
  sim::GridMemory memory;
  memory.add_matrix({.rows = m, .cols = n, .lda = ldc, .element = sizeof(A)}, c.data());
  memory.add("V", {.rows = m, .cols = k, .lda = ldv, .element = sizeof(A)}, v.data(), Holds::data);
  memory.add("W", {.rows = n, .cols = k, .lda = ldw, .element = sizeof(A)}, w.data(), Holds::data);
  const kernels::Rank2kArgs args = {
      .v = v.data(), .ldv = ldv, .w = w.data(), .ldw = ldw, .c = c.data(), .ldc = ldc, .m = m, .n = n, .k = k};
  const Status status = sim::SimLauncher{&memory}.run<Kernel>({.x = Kernel::tiles(args).count()}, Kernel::max_threads,
                                                              Kernel::shared_bytes, args);
  ASSERT_TRUE(status.ok()) << status.text;
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < ldc; ++i) {
      const std::size_t at = static_cast<std::size_t>(i + j * ldc);
      T expected = before[at];
      for (std::int64_t l = 0; i < m && l < k; ++l)
        expected -=
            v[static_cast<std::size_t>(i + l * ldv)] * lapack::conjugate(w[static_cast<std::size_t>(j + l * ldw)]);
      ASSERT_LE(std::abs(c[at] - expected), i < m ? most_error<T>(k) : 0) << i << ", " << j;
      if (i < m) {
        ASSERT_EQ(memory.loads(&c[at]), 1) << i << ", " << j;
      }
    }
}

TYPED_TEST(Rank2kKernel, UpdatesAWholeMatrix) {
  const auto all = orders();
  int number = 0;
  for (const auto& [m, n, k] : {std::tuple{1, 1, 1}, {64, 63, 3}, {129, 2, 17}, {65, 66, 4}, {200, 130, 64}}) {
    if (!thorough && m * n * k > 20000) continue;
    sim::options() = all[static_cast<std::size_t>(number++) % all.size()];
    if (sizeof(TypeParam) < 16) update_all<TypeParam, false>(m, n, k);
    update_all<TypeParam, true>(m, n, k);
  }
}

}  // namespace
}  // namespace onepass::test
