// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// onepassRmsNorm, onepassSwiglu and onepassRotary through both interfaces: values, rows, in place, and the arguments
// that are wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "api/user.hpp"
#include "onepass/onepass.hpp"

namespace onepass_user {
namespace {

class RowsOn : public OnHost {};
INSTANTIATE_TEST_SUITE_P(Backend, RowsOn, host_backends(), host_name);

constexpr double untouched = -77;

TEST_P(RowsOn, NormIsThatOfEachRow) {
  const std::int64_t rows = 3, n = 5, ldx = 7, ldy = 6;
  std::vector<double> x(rows * ldx), weight{1, -2, 0.5, 3, 4}, y(rows * ldy, untouched);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.25 * static_cast<double>(i) - 2;
  ASSERT_EQ(onepassRmsNorm(handle, ONEPASS_TYPE_D, rows, n, x.data(), ldx, weight.data(), 0.125, y.data(), ldy),
            ONEPASS_STATUS_SUCCESS);
  for (std::int64_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += x[r * ldx + i] * x[r * ldx + i];
    for (std::int64_t i = 0; i < n; ++i)
      EXPECT_NEAR(y[r * ldy + i], weight[i] * x[r * ldx + i] / std::sqrt(sum / n + 0.125), 1e-14);
    EXPECT_EQ(y[r * ldy + n], untouched);
  }
}

TEST_P(RowsOn, NormWithoutWeightInPlace) {
  std::vector<float> x{3, -4};
  ASSERT_EQ(onepassRmsNorm(handle, ONEPASS_TYPE_S, 1, 2, x.data(), 2, nullptr, 0, x.data(), 2), ONEPASS_STATUS_SUCCESS);
  EXPECT_FLOAT_EQ(x[0], 3 / std::sqrt(12.5f));
  EXPECT_FLOAT_EQ(x[1], -4 / std::sqrt(12.5f));
}

TEST_P(RowsOn, SwigluIsThatOfEachElement) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> gate{0, 1, -2, 800, -800, 3}, up{5, 2, 3, 4, 6, infinity};
  std::vector<double> y(6, untouched);
  ASSERT_EQ(onepassSwiglu(handle, ONEPASS_TYPE_D, 2, 3, gate.data(), 3, up.data(), 3, y.data(), 3),
            ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(y[0], 0);
  EXPECT_NEAR(y[1], 2 / (1 + std::exp(-1.0)), 1e-14);
  EXPECT_NEAR(y[2], -6 / (1 + std::exp(2.0)), 1e-14);
  EXPECT_EQ(y[3], 3200);
  EXPECT_EQ(y[4], 0);
  EXPECT_EQ(y[5], infinity);
}

TEST_P(RowsOn, RotaryRotatesPairs) {
  const std::vector<double> x{1, 2, 3, 4, -7, 5, 6, 7, 8, -7}, cosines{0, 1, 0.5, 2}, sines{1, 0, 3, 0.25};
  std::vector<double> y(10, untouched), same = x;
  ASSERT_EQ(onepassRotary(handle, ONEPASS_TYPE_D, 2, 4, x.data(), 5, cosines.data(), sines.data(), y.data(), 5),
            ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(y, (std::vector<double>{-3, 2, 4.5, 8.5, untouched, -7, 6, 18.5, 17.5, untouched}));
  onepass::Handle owned(GetParam());
  onepass::rotary(owned, onepass::MatrixView<double>{same.data(), 2, 4, 5, onepass::Layout::row},
                  onepass::VectorView{cosines.data(), 4}, onepass::VectorView{sines.data(), 4});
  for (const std::size_t i : {0, 1, 2, 3, 5, 6, 7, 8}) EXPECT_EQ(same[i], y[i]);
}

TEST_P(RowsOn, CppCallsDoTheSame) {
  onepass::Handle owned(GetParam());
  const std::vector<float> x{3, -4}, weight{1, 2};
  std::vector<float> y(2);
  const onepass::VectorView of_x{x.data(), 2}, of_weight{weight.data(), 2};
  onepass::rms_norm(owned, of_x, of_weight, 0.0, onepass::VectorView{y.data(), 2});
  EXPECT_FLOAT_EQ(y[1], -8 / std::sqrt(12.5f));
  onepass::swiglu(owned, of_x, of_weight, onepass::VectorView{y.data(), 2});
  EXPECT_FLOAT_EQ(y[0], 3 / (1 + std::exp(-3.0f)));
}

TEST_P(RowsOn, NothingIsDoneWithoutRows) {
  EXPECT_EQ(onepassRmsNorm(handle, ONEPASS_TYPE_B, 0, 4, nullptr, 4, nullptr, 0, nullptr, 4), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(onepassSwiglu(handle, ONEPASS_TYPE_H, 4, 0, nullptr, 1, nullptr, 1, nullptr, 1), ONEPASS_STATUS_SUCCESS);
}

TEST_P(RowsOn, NamesTheArgumentThatIsWrong) {
  std::vector<double> a(8, 1.0);
  double* const p = a.data();
  const auto norm = [&](onepassType_t type, std::int64_t rows, std::int64_t n, const void* x, std::int64_t ldx,
                        double epsilon, void* y,
                        std::int64_t ldy) { return onepassRmsNorm(handle, type, rows, n, x, ldx, p, epsilon, y, ldy); };
  EXPECT_ERROR(onepassRmsNorm(nullptr, ONEPASS_TYPE_D, 1, 2, p, 2, p, 0, p, 2), ONEPASS_STATUS_NOT_INITIALIZED,
               "handle");
  EXPECT_ERROR(norm(ONEPASS_TYPE_C, 1, 2, p, 2, 0, p, 2), ONEPASS_STATUS_INVALID_ENUM, "type = 2");
  EXPECT_ERROR(norm(ONEPASS_TYPE_D, -1, 2, p, 2, 0, p, 2), ONEPASS_STATUS_INVALID_SIZE, "rows = -1");
  EXPECT_ERROR(norm(ONEPASS_TYPE_D, 1, 1LL << 31, p, 1LL << 31, 0, p, 1LL << 31), ONEPASS_STATUS_INVALID_SIZE,
               "n = 2147483648");
  EXPECT_ERROR(norm(ONEPASS_TYPE_D, 2, 3, p, 2, 0, p, 3), ONEPASS_STATUS_INVALID_LD, "ldx = 2");
  EXPECT_ERROR(norm(ONEPASS_TYPE_D, 2, 3, p, 1LL << 60, 0, p, 3), ONEPASS_STATUS_INVALID_LD, "63 bits");
  EXPECT_ERROR(norm(ONEPASS_TYPE_D, 1, 2, p, 2, -1, p, 2), ONEPASS_STATUS_INVALID_SIZE, "epsilon = -1");
  EXPECT_ERROR(norm(ONEPASS_TYPE_D, 1, 2, nullptr, 2, 0, p, 2), ONEPASS_STATUS_INVALID_POINTER, "x is null");
  EXPECT_ERROR(norm(ONEPASS_TYPE_D, 1, 2, p, 2, 0, reinterpret_cast<char*>(p) + 4, 2), ONEPASS_STATUS_INVALID_ALIGNMENT,
               "y must be a multiple of 8 bytes");
  EXPECT_ERROR(onepassSwiglu(handle, ONEPASS_TYPE_D, 2, 2, p, 2, p, 1, p, 2), ONEPASS_STATUS_INVALID_LD, "ld_up = 1");
  EXPECT_ERROR(onepassSwiglu(handle, ONEPASS_TYPE_D, 2, 2, p, 2, nullptr, 2, p, 2), ONEPASS_STATUS_INVALID_POINTER,
               "up is null");
  EXPECT_ERROR(onepassRotary(handle, ONEPASS_TYPE_D, 1, 3, p, 3, p, p, p, 3), ONEPASS_STATUS_INVALID_SIZE, "n = 3");
  EXPECT_ERROR(onepassRotary(handle, ONEPASS_TYPE_D, 1, 2, p, 2, p, nullptr, p, 2), ONEPASS_STATUS_INVALID_POINTER,
               "sines is null");
}

}  // namespace
}  // namespace onepass_user
