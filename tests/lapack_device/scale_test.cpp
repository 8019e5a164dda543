// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Scaling before a reduction: of matrices and of triangles, whose other half is never touched.
#include <cmath>

#include "lapack/gpu/reductions/scaling.hpp"
#include "on_sim.hpp"
#include "orders.hpp"
#include "types.hpp"
#include "verify/lapack_matrix.hpp"

namespace onepass::test {
namespace {

template <class T>
class Scaling : public testing::Test {
 protected:
  using R = lapack::Real<T>;
  static constexpr bool is_wide = std::is_same_v<R, double>;
  static constexpr std::int64_t lda = 44;

  void TearDown() override { sim::options() = {}; }

  // Scales a matrix whose largest element is `largest`, the last: far from all others in the order of the blocks.
  // Elements are ones elsewhere.
  struct Scaled {
    std::vector<T> a;
    R scale[2];
    std::uint32_t counters[3] = {7, 7, 7};
  };
  static Scaled scale(int m, int n, bool lower, T largest) {
    Scaled out;
    out.a.assign(static_cast<std::size_t>(lda * n), static_cast<T>(std::abs(largest) / 4));
    out.a[static_cast<std::size_t>(m - 1 + (lower ? 0 : n - 1) * lda)] = largest;
    R of_blocks[3];
    lapack::SimQueue queue;
    const Status status = lapack::scale(queue, type_of<T>,
                                        {.a = out.a.data(),
                                         .row_step = 1,
                                         .col_step = lda,
                                         .m = m,
                                         .n = n,
                                         .lower = lower,
                                         .largest = of_blocks,
                                         .scale = out.scale,
                                         .counters = out.counters,
                                         .counter_count = 3},
                                        3);
    EXPECT_TRUE(status.ok());
    for (const std::uint32_t counter : out.counters) EXPECT_EQ(counter, 0u);
    return out;
  }
};
TYPED_TEST_SUITE(Scaling, Types);

TYPED_TEST(Scaling, LeavesOrdinaryMatricesAlone) {
  for (const bool lower : {false, true})
    for (const double largest : {1e-5, 1.0, 1e10}) {
      const auto out = this->scale(40, lower ? 40 : 9, lower, static_cast<TypeParam>(largest));
      EXPECT_EQ(out.scale[0], 1);
      EXPECT_EQ(out.scale[1], 1);
      EXPECT_EQ(out.a[0], static_cast<TypeParam>(static_cast<typename TestFixture::R>(largest) / 4));
    }
}

// Of every shape, in every order: the largest is found, and each element multiplied once.
TYPED_TEST(Scaling, BringsLargeAndSmallMatricesNearOne) {
  using R = typename TestFixture::R;
  for (const sim::SimOptions& order : orders())
    for (const bool lower : {false, true})
      for (const int exponent : {this->is_wide ? 900 : 100, this->is_wide ? -900 : -100})
        for (const int n : {1, 2, 9, 40}) {
          sim::options() = order;
          const int m = lower ? n : 40;
          const R largest = std::ldexp(R{1}, exponent);
          const auto out = this->scale(m, n, lower, static_cast<TypeParam>(largest));
          EXPECT_LE(out.scale[0] * largest, 2);
          EXPECT_GE(out.scale[0] * largest, R{1} / 2);
          EXPECT_EQ(out.scale[0] * out.scale[1], 1);
          for (std::int64_t j = 0; j < n; ++j)
            for (std::int64_t i = 0; i < this->lda; ++i) {
              const bool is_largest = i == m - 1 && j == (lower ? 0 : n - 1);
              const R before = is_largest ? largest : largest / 4;
              const bool scaled = i < m && (!lower || i >= j);
              ASSERT_EQ(out.a[static_cast<std::size_t>(i + j * this->lda)],
                        static_cast<TypeParam>(scaled ? before * out.scale[0] : before))
                  << m << " x " << n << ": " << i << ", " << j;
            }
        }
}

// The diagonal of a Hermitian matrix is real whatever is stored there; that of a general one is not.
TYPED_TEST(Scaling, SeesImaginaryPartsOnTheDiagonalOfGeneralMatricesAlone) {
  if constexpr (lapack::is_complex<TypeParam>) {
    using R = typename TestFixture::R;
    const TypeParam value(0, std::ldexp(R{1}, this->is_wide ? 900 : 100));
    EXPECT_LT(this->scale(1, 1, false, value).scale[0], 1);
    EXPECT_EQ(this->scale(1, 1, true, value).scale[0], 1);
  }
}

}  // namespace
}  // namespace onepass::test
