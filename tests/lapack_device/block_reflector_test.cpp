// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels around a block of reflectors, each for itself: what they write, whatever the order of blocks and threads.
#include <vector>

#include "on_sim.hpp"
#include "orders.hpp"
#include "types.hpp"
#include "verify/lapack_residual.hpp"

namespace onepass::test {
namespace {

template <class T>
class BlockReflectorKernels : public testing::Test {
 protected:
  void TearDown() override { sim::options() = {}; }

  static std::vector<T> numbers(std::int64_t count) {
    const auto values = verify::make_matrix<T>(verify::Pattern::random, count, 1, false, 3);
    std::vector<T> made;
    for (std::int64_t i = 0; i < count; ++i) made.push_back(static_cast<T>(values(i, 0)));
    return made;
  }
};
TYPED_TEST_SUITE(BlockReflectorKernels, Types);

// Of 5 lines the last two are filled up; 1s from row 1 on.
TYPED_TEST(BlockReflectorKernels, CopyWhatIsStoredAndPutOnesAndZerosBesideIt) {
  using T = TypeParam;
  constexpr std::int64_t rows = 300, lines = 5, count = 3, unit = 1, lda = 303;
  for (const sim::SimOptions& order : orders())
    for (const bool backward : {false, true})
      for (const bool by_rows : {false, true}) {
        sim::options() = order;
        const std::int64_t ldv = by_rows ? lines + 2 : rows + 2;
        const std::vector<T> a = this->numbers(lda * rows);
        const T untouched = T{77};
        std::vector<T> v(static_cast<std::size_t>(ldv * rows), untouched);
        lapack::SimQueue queue;
        ASSERT_TRUE(queue
                        .launch<lapack::Step::copy_reflectors>({.type = type_of<T>, .blocks = 4}, {.a = a.data(),
                                                                                                   .lda = lda,
                                                                                                   .v = v.data(),
                                                                                                   .ldv = ldv,
                                                                                                   .rows = rows,
                                                                                                   .lines = lines,
                                                                                                   .count = count,
                                                                                                   .unit = unit,
                                                                                                   .backward = backward,
                                                                                                   .by_rows = by_rows})
                        .ok());
        for (std::int64_t i = 0; i < lines; ++i)
          for (std::int64_t r = 0; r < rows; ++r) {
            const bool stored = i < count && (backward ? r < unit + i : r > unit + i);
            const T wanted = stored ? a[static_cast<std::size_t>(by_rows ? i + r * lda : r + i * lda)]
                             : i < count && r == unit + i ? T{1}
                                                          : T{};
            ASSERT_EQ(v[static_cast<std::size_t>(by_rows ? i + r * ldv : r + i * ldv)], wanted) << i << ", " << r;
          }
        EXPECT_EQ(v[static_cast<std::size_t>(by_rows ? lines : rows)], untouched);
      }
}

TYPED_TEST(BlockReflectorKernels, SetTheUnitMatrixOutsideOfWhatIsKept) {
  using T = TypeParam;
  constexpr std::int64_t size = 12, lda = 14;
  for (const sim::SimOptions& order : orders()) {
    sim::options() = order;
    const std::vector<T> before = this->numbers(lda * size);
    std::vector<T> a = before;
    lapack::SimQueue queue;
    ASSERT_TRUE(queue
                    .launch<lapack::Step::set_identity>({.type = type_of<T>, .blocks = 3}, {.a = a.data(),
                                                                                            .lda = lda,
                                                                                            .rows = {1, 11},
                                                                                            .columns = {2, 10},
                                                                                            .kept_rows = {4, 9},
                                                                                            .kept_columns = {5, 10}})
                    .ok());
    for (std::int64_t j = 0; j < size; ++j)
      for (std::int64_t i = 0; i < lda; ++i) {
        const bool within = i >= 1 && i < 11 && j >= 2 && j < 10, kept = i >= 4 && i < 9 && j >= 5 && j < 10;
        const auto at = static_cast<std::size_t>(i + j * lda);
        EXPECT_EQ(a[at], within && !kept ? T(i == j ? 1 : 0) : before[at]) << i << ", " << j;
      }
  }
}

// I - V T V^H = H(0) H(1) ..., so that T = D - D S T with D = diag(tau), or T = D - T S D. The kernel computes the one,
// here the other is checked. More columns than a block has groups of lanes, too.
TYPED_TEST(BlockReflectorKernels, MakeTheTriangularFactor) {
  using T = TypeParam;
  const double eps = verify::unit_of<T>;
  for (const int width : {1, 2, 3, 7, 64, 66})
    for (const bool upper : {true, false}) {
      const auto all = orders();
      sim::options() = all[static_cast<std::size_t>(width) % all.size()];
      constexpr int blocks = 2;
      const std::int64_t count = blocks * width - (width > 2 ? 2 : 0);
      const auto at = [&](int block, int i, int j) {
        return static_cast<std::size_t>((block * width + j) * width + i);
      };
      std::vector<T> products = this->numbers(std::int64_t{blocks} * width * width), tau = this->numbers(count);
      for (T& product : products) product /= static_cast<T>(width);
      std::vector<T> t(products.size(), T{77});
      lapack::SimQueue queue;
      ASSERT_TRUE(queue
                      .launch<lapack::Step::triangular_factor>(
                          {.type = type_of<T>,
                           .blocks = blocks,
                           .shared_bytes = kernels::triangular_factor_shared_bytes(width, sizeof(T))},
                          {.products = products.data(),
                           .tau = tau.data(),
                           .t = t.data(),
                           .width = width,
                           .count = count,
                           .upper = upper})
                      .ok());
      for (int b = 0; b < blocks; ++b)
        for (int j = 0; j < width; ++j) {
          const std::int64_t reflector = std::int64_t{b} * width + j;
          const T factor = reflector < count ? tau[static_cast<std::size_t>(reflector)] : T{};
          for (int i = 0; i < width; ++i) {
            if (i == j) {
              EXPECT_EQ(t[at(b, i, j)], factor);
              continue;
            }
            if (upper ? i > j : i < j) {
              EXPECT_EQ(t[at(b, i, j)], T{});
              continue;
            }
            T sum{};
            double terms = 0;
            for (int k = upper ? i : j + 1; k <= (upper ? j - 1 : i); ++k) {
              sum += t[at(b, i, k)] * products[at(b, k, j)];
              terms += std::abs(t[at(b, i, k)] * products[at(b, k, j)]);
            }
            EXPECT_LE(std::abs(t[at(b, i, j)] + factor * sum), 4 * width * eps * (terms + 1) * (std::abs(factor) + 1))
                << width << ": " << i << ", " << j;
          }
        }
    }
}

}  // namespace
}  // namespace onepass::test
