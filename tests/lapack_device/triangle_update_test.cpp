// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The rank-2k update of one triangle, and the rank-k update of a matrix: right in every element, no other one touched,
// each read and written once.
#include <limits>

#include "kernels/lapack/rank_2k_args.hpp"
#include "lapack/element.hpp"
#include "on_sim.hpp"
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
template <class T>
std::int64_t apart(int rows, int vectors, bool aligned) {
  constexpr int vector = static_cast<int>(16 / sizeof(T));
  const std::int64_t next = (rows + vector - 1) / vector + vectors;
  return next * vector + (aligned ? 0 : 1);
}

template <class T>
constexpr kernels::Rank2kShape shape{sizeof(T), sizeof(lapack::Real<T>)};

// An error of so many products, of numbers below 1 with some eps each.
template <class T>
double most_error(int products) {
  return 4.0 * (products + 1) * static_cast<double>(std::numeric_limits<lapack::Real<T>>::epsilon());
}

// By the kernel for aligned columns, or that for any. C holds what it should, and nothing beside it was written.
template <class T, lapack::Step step, class Tiles>
void update(const kernels::Rank2kArgs& args, const Tiles& tiles, bool aligned) {
  constexpr bool in_triangle = step == lapack::Step::rank_2k_update;
  T* const c = static_cast<T*>(args.c);
  const std::vector<T> before(c, c + args.ldc * args.n);
  const auto is_stored = [&](std::int64_t i, std::int64_t j) {
    return i < args.m && (!in_triangle || (args.lower ? i >= j : i <= j));
  };
  lapack::SimQueue queue([&](const lapack::Simulated& launch) {
    for (std::int64_t j = 0; j < args.n; ++j)
      for (std::int64_t i = 0; i < args.m; ++i)
        if (is_stored(i, j)) {
          ASSERT_EQ(launch.memory.loads(c + i + j * args.ldc), 1) << i << ", " << j;
        }
  });
  const Status status =
      queue.launch<step>({.type = type_of<T>,
                          .shape = aligned ? kernels::rank_2k_aligned : 0,
                          .blocks = tiles.count(),
                          .shared_bytes = kernels::rank_2k_shared_bytes(sizeof(T), sizeof(lapack::Real<T>), false)},
                         args);
  ASSERT_TRUE(status.ok()) << status.text;
  const auto of = [](const void* matrix, std::int64_t ld, std::int64_t r, std::int64_t l) {
    return static_cast<const T*>(matrix)[r + l * ld];
  };
  for (std::int64_t j = 0; j < args.n; ++j)
    for (std::int64_t i = 0; i < args.ldc; ++i) {
      T expected = before[static_cast<std::size_t>(i + j * args.ldc)];
      const bool stored = is_stored(i, j);
      for (std::int64_t l = 0; stored && l < args.k; ++l) {
        expected -= of(args.v, args.ldv, i, l) * lapack::conjugate(of(args.w, args.ldw, j, l));
        if (in_triangle) expected -= of(args.w, args.ldw, i, l) * lapack::conjugate(of(args.v, args.ldv, j, l));
      }
      ASSERT_LE(std::abs(c[i + j * args.ldc] - expected), stored ? most_error<T>((in_triangle ? 2 : 1) * args.k) : 0)
          << i << ", " << j;
    }
}

template <class T>
void update_triangle(bool lower, int n, int k, bool aligned) {
  SCOPED_TRACE(std::string(lower ? "L" : "U") + " n = " + std::to_string(n) + " k = " + std::to_string(k) +
               (aligned ? " aligned" : ""));
  const std::int64_t ldv = apart<T>(n, 0, aligned), ldw = apart<T>(n, 1, aligned), ldc = apart<T>(n, 2, aligned);
  const std::vector<T> v = numbers<T>(ldv, k, 3), w = numbers<T>(ldw, k, 4);
  std::vector<T> c = numbers<T>(ldc, n, 5);
  update<T, lapack::Step::rank_2k_update>({.v = v.data(),
                                           .ldv = ldv,
                                           .w = w.data(),
                                           .ldw = ldw,
                                           .c = c.data(),
                                           .ldc = ldc,
                                           .m = n,
                                           .n = n,
                                           .k = k,
                                           .lower = lower},
                                          kernels::Rank2kTiles(n, shape<T>, lower), aligned);
}

TYPED_TEST(Rank2kKernel, UpdatesOneTriangle) {
  const auto all = orders();
  int number = 0;
  for (const bool lower : {true, false})
    for (const auto& [n, k] : {std::pair{1, 1}, {63, 3}, {64, 17}, {66, 32}, {129, 2}, {200, 4}}) {
      if (!thorough && (n * k > 300 || n == 63)) continue;  // 129 ends just as close to a tile
      sim::options() = all[static_cast<std::size_t>(number++) % all.size()];
      if (sizeof(TypeParam) < 16) update_triangle<TypeParam>(lower, n, k, false);
      update_triangle<TypeParam>(lower, n, k, true);
    }
}

// C := C - V W^H.
template <class T>
void update_all(int m, int n, int k, bool aligned) {
  SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) + " k = " + std::to_string(k) +
               (aligned ? " aligned" : ""));
  const std::int64_t ldv = apart<T>(m, 0, aligned), ldw = apart<T>(n, 1, aligned), ldc = apart<T>(m, 2, aligned);
  const std::vector<T> v = numbers<T>(ldv, k, 3), w = numbers<T>(ldw, k, 4);
  std::vector<T> c = numbers<T>(ldc, n, 5);
  update<T, lapack::Step::rank_k_update>(
      {.v = v.data(), .ldv = ldv, .w = w.data(), .ldw = ldw, .c = c.data(), .ldc = ldc, .m = m, .n = n, .k = k},
      kernels::RankKTiles(m, n, shape<T>), aligned);
}

TYPED_TEST(Rank2kKernel, UpdatesAWholeMatrix) {
  const auto all = orders();
  int number = 0;
  for (const auto& [m, n, k] : {std::tuple{1, 1, 1}, {64, 63, 3}, {129, 2, 17}, {65, 66, 4}, {200, 130, 64}}) {
    if (!thorough && m * n * k > 20000) continue;
    sim::options() = all[static_cast<std::size_t>(number++) % all.size()];
    if (sizeof(TypeParam) < 16) update_all<TypeParam>(m, n, k, false);
    update_all<TypeParam>(m, n, k, true);
  }
}

}  // namespace
}  // namespace onepass::test
