// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernel that makes an adjoint: every element, nothing beside it, whatever the order of blocks and threads.
#include "kernels/lapack/matrices_args.hpp"
#include "lapack/element.hpp"
#include "lapack/sim/queue.hpp"
#include "orders.hpp"
#include "types.hpp"
#include "verify/lapack_matrix.hpp"

namespace onepass::test {
namespace {

template <class T>
class AdjointKernel : public testing::Test {
 protected:
  void TearDown() override { sim::options() = {}; }
};
TYPED_TEST_SUITE(AdjointKernel, Types);

TYPED_TEST(AdjointKernel, WritesEveryElementAndNothingElse) {
  using T = TypeParam;
  for (const sim::SimOptions& order : orders())
    for (const std::int64_t rows : {1, 31, 32, 33, 70})
      for (const std::int64_t columns : {1, 32, 65}) {
        sim::options() = order;
        const std::int64_t lda = rows + 3, ldb = columns + 2;
        const auto values = verify::make_matrix<T>(verify::Pattern::random, lda, columns, false, 5);
        std::vector<T> a;
        for (const auto& value : values.data) a.push_back(static_cast<T>(value));
        const T untouched = T{77};
        std::vector<T> b(static_cast<std::size_t>(ldb * rows), untouched);
        const kernels::MatrixCopy copy = {
            .a = a.data(), .lda = lda, .b = b.data(), .ldb = ldb, .rows = rows, .columns = columns};
        lapack::SimQueue queue;
        const Status status = queue.launch<lapack::Step::adjoint>(
            {.type = type_of<T>, .blocks = 3, .shared_bytes = kernels::adjoint_shared_bytes(sizeof(T))}, copy);
        ASSERT_TRUE(status.ok()) << status.text;
        for (std::int64_t i = 0; i < rows; ++i)
          for (std::int64_t j = 0; j < ldb; ++j)
            ASSERT_EQ(b[static_cast<std::size_t>(j + i * ldb)],
                      j < columns ? lapack::conjugate(a[static_cast<std::size_t>(i + j * lda)]) : untouched)
                << rows << " x " << columns << ": " << i << ", " << j;
      }
}

}  // namespace
}  // namespace onepass::test
