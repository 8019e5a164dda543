// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Estimates of the log: what the records say, where they say something.
#include "interop/cublas/estimate.hpp"

#include <gtest/gtest.h>

#include "plan/device_traits.hpp"

namespace onepass::cublas {
namespace {

constexpr double h200 = h200_bytes_per_second;

Problem gemv(Type type, std::int64_t m, std::int64_t n) {
  return {.type_a = type, .type_x = type, .type_y = type, .m = m, .n = n, .lda = m};
}

TEST(Estimate, LiesAboveTheFloorAndFavoursNobodyForNothing) {
  for (const Type type : {Type::s, Type::d, Type::c, Type::z, Type::h, Type::b})  // cuBLAS has no double-doubles
    for (const Op op : {Op::n, Op::t, Op::c})
      for (const std::int64_t m : {17, 301, 4001, 70001})
        for (const std::int64_t n : {17, 301, 4001}) {
          Problem p = gemv(type, m, n);
          p.op = op;
          const Estimate e = estimate(p, h200);
          EXPECT_GT(e.onepass, static_cast<double>(m * n * size_of(type)) / h200);
          EXPECT_GT(e.onepass, 1.1e-6);
          EXPECT_GT(e.cublas, 0.97 * e.onepass);
          EXPECT_LT(e.cublas, 12 * e.onepass);
        }
}

TEST(Estimate, OfARowMajorMatrixIsThatOfItsTranspose) {
  Problem row = gemv(Type::b, 4097, 1025);
  row.layout = Layout::row;
  row.lda = 1025;
  Problem column = gemv(Type::b, 1025, 4097);
  column.op = Op::t;
  EXPECT_EQ(estimate(row, h200).cublas, estimate(column, h200).cublas);
  EXPECT_NE(estimate(row, h200).cublas, estimate(gemv(Type::b, 1025, 4097), h200).cublas);
}

TEST(Estimate, KnowsThatCublasLikesWholeWords) {
  Problem layer = gemv(Type::b, 8192, 8192), odd = gemv(Type::b, 8191, 8192);
  layer.op = odd.op = Op::t;
  const Estimate even = estimate(layer, h200);
  EXPECT_LT(even.cublas, 1.25 * even.onepass);
  EXPECT_GT(estimate(odd, h200).cublas, 1.4 * estimate(odd, h200).onepass);
}

TEST(Estimate, GrowsWithSlownessOfTheMemory) {
  const Problem p = gemv(Type::d, 8000, 8000);
  EXPECT_GT(estimate(p, h200 / 4).onepass, 3.8 * estimate(p, h200).onepass);
}

TEST(Estimate, IsLeftOutWhereNothingWasMeasured) {
  Problem p = gemv(Type::z, 40, 40);
  p.batch = 100;
  EXPECT_EQ(estimate(p, h200).onepass, 0);
  p = gemv(Type::s, 40, 40);
  p.batch = 100;
  EXPECT_GT(estimate(p, h200).onepass, 0);
  Problem triangle = gemv(Type::d, 3000, 3000);
  triangle.routine = Routine::symv;
  EXPECT_GT(estimate(triangle, h200).cublas, estimate(triangle, h200).onepass);
  EXPECT_LT(estimate(triangle, h200).onepass, estimate(gemv(Type::d, 3000, 3000), h200).onepass);
}

}  // namespace
}  // namespace onepass::cublas
