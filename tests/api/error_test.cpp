// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Wrong arguments: a status of their own, a text that names them, and nothing written to y.
#include <gtest/gtest.h>

#include <functional>

#include "api/user.hpp"

namespace onepass_user {
namespace {

struct Arguments {
  onepassOperation_t op = ONEPASS_OP_N;
  int64_t m = 3, n = 2, lda = 3, incx = 1, incy = 1, batch = 1;
  bool alpha = true, a = true, x = true, beta = true, y = true;
  std::size_t shift_y = 0;  // bytes
};

struct Wrong {
  const char* name;
  std::function<void(Arguments&)> spoil;
  onepassStatus_t status;
  const char* word;
};

const std::vector<Wrong>& wrong_arguments() {
  static const std::vector<Wrong> list = {
      {"m", [](Arguments& r) { r.m = -3; }, ONEPASS_STATUS_INVALID_SIZE, "m = -3"},
      {"n", [](Arguments& r) { r.n = -1; }, ONEPASS_STATUS_INVALID_SIZE, "n = -1"},
      {"lda", [](Arguments& r) { r.lda = 2; }, ONEPASS_STATUS_INVALID_LD, "lda = 2"},
      {"incx", [](Arguments& r) { r.incx = 0; }, ONEPASS_STATUS_INVALID_INCREMENT, "incx = 0"},
      {"incy", [](Arguments& r) { r.incy = 0; }, ONEPASS_STATUS_INVALID_INCREMENT, "incy = 0"},
      {"batch", [](Arguments& r) { r.batch = -5; }, ONEPASS_STATUS_INVALID_BATCH, "batch = -5"},
      {"too_large", [](Arguments& r) { r.lda = INT64_MAX / 2; }, ONEPASS_STATUS_TOO_LARGE, "lda"},
      {"alpha", [](Arguments& r) { r.alpha = false; }, ONEPASS_STATUS_INVALID_POINTER, "alpha is null"},
      {"a", [](Arguments& r) { r.a = false; }, ONEPASS_STATUS_INVALID_POINTER, "A is null"},
      {"x", [](Arguments& r) { r.x = false; }, ONEPASS_STATUS_INVALID_POINTER, "x is null"},
      {"beta", [](Arguments& r) { r.beta = false; }, ONEPASS_STATUS_INVALID_POINTER, "beta is null"},
      {"y", [](Arguments& r) { r.y = false; }, ONEPASS_STATUS_INVALID_POINTER, "y is null"},
      {"y_alignment", [](Arguments& r) { r.shift_y = 2; }, ONEPASS_STATUS_INVALID_ALIGNMENT, "y must be a multiple"},
  };
  return list;
}

class Errors : public OnHost {
 protected:
  onepassStatus_t call(const Arguments& r) {
    return onepassSgemvStridedBatched(handle, r.op, r.m, r.n, r.alpha ? &one_ : nullptr, r.a ? a_ : nullptr, r.lda, 6,
                                      r.x ? x_ : nullptr, r.incx, 3, r.beta ? &zero_ : nullptr,
                                      r.y ? reinterpret_cast<float*>(reinterpret_cast<char*>(y_) + r.shift_y) : nullptr,
                                      r.incy, 3, r.batch);
  }
  const float one_ = 1, zero_ = 0, a_[6] = {1, 2, 3, 4, 5, 6}, x_[3] = {1, 2, 3};
  float y_[4] = {7, 7, 7, 7};
};
INSTANTIATE_TEST_SUITE_P(Backend, Errors, host_backends(), host_name);

TEST_P(Errors, HaveAStatusATextAndLeaveYAlone) {
  for (const Wrong& wrong : wrong_arguments()) {
    SCOPED_TRACE(wrong.name);
    Arguments arguments;
    wrong.spoil(arguments);
    EXPECT_ERROR(call(arguments), wrong.status, wrong.word);
    for (const float v : y_) EXPECT_EQ(v, 7);
  }
  ASSERT_EQ(call({}), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  EXPECT_EQ(y_[0], 9);
}

TEST_P(Errors, OfTheGeneralCallNameTheFieldOfTheProblem) {
  const float one = 1;
  float y[3] = {7, 7, 7};
  const auto refused = [&](auto spoil, onepassStatus_t status, const char* word) {
    onepassGemvProblem_t problem = onepassGemvProblemDefault(ONEPASS_TYPE_S, 3, 2);
    spoil(problem);
    EXPECT_ERROR(onepassGemv(handle, &problem, &one, a_, x_, &one, y), status, word);
    EXPECT_EQ(y[0], 7);
  };
  using P = onepassGemvProblem_t;
  refused([](P& p) { p.type_x = ONEPASS_TYPE_D; }, ONEPASS_STATUS_INVALID_TYPES, "sds");
  EXPECT_ERROR(onepassGemv(handle, nullptr, &one, a_, x_, &one, y), ONEPASS_STATUS_INVALID_ARGUMENT, "problem");
}

TEST_P(Errors, EnumsNameTheValueOfTheCaller) {
  const float one = 1;
  float y[1] = {7};
  for (const int op : {3, 7, 256, -1})
    EXPECT_ERROR(onepass_op_from_c(handle, op, &one, y), ONEPASS_STATUS_INVALID_ENUM,
                 ("op = " + std::to_string(op)).c_str());
  EXPECT_ERROR(onepass_problem_from_c(handle, 42, 0, 0, &one, y), ONEPASS_STATUS_INVALID_ENUM, "type_a = 42");
  EXPECT_ERROR(onepass_problem_from_c(handle, 0, 2, 0, &one, y), ONEPASS_STATUS_INVALID_ENUM, "layout = 2");
  EXPECT_ERROR(onepass_problem_from_c(handle, 0, 0, -1, &one, y), ONEPASS_STATUS_INVALID_ENUM, "pointer mode = -1");
  EXPECT_EQ(y[0], 7);
}

TEST_P(Errors, ComeBeforeTheQuickReturns) {
  Arguments empty{.m = 0};
  EXPECT_EQ(call(empty), ONEPASS_STATUS_SUCCESS);
  empty.incy = 0;
  EXPECT_EQ(call(empty), ONEPASS_STATUS_INVALID_INCREMENT);
  EXPECT_EQ(call({.n = 0}), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(call({.batch = 0}), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(call({.batch = 0, .alpha = false, .a = false, .x = false, .beta = false, .y = false}),
            ONEPASS_STATUS_SUCCESS);
  for (const float v : y_) EXPECT_EQ(v, 7);
}

TEST_P(Errors, ATextStaysUntilTheNextFailure) {
  EXPECT_ERROR(call({.incx = 0}), ONEPASS_STATUS_INVALID_INCREMENT, "incx");
  ASSERT_EQ(call({}), ONEPASS_STATUS_SUCCESS);
  EXPECT_TRUE(mentions("incx"));
}

TEST(NullHandle, IsRefusedByEveryForm) {
  const float one = 1, a[1] = {1}, x[1] = {1};
  float y[1] = {7};
  const float* as[] = {a};
  const float* xs[] = {x};
  float* ys[] = {y};
  const onepassGemvProblem_t problem = onepassGemvProblemDefault(ONEPASS_TYPE_S, 1, 1);
  EXPECT_ERROR(onepassSgemv(nullptr, ONEPASS_OP_N, 1, 1, &one, a, 1, x, 1, &one, y, 1), ONEPASS_STATUS_NOT_INITIALIZED,
               "handle is null");
  EXPECT_EQ(onepassSgemvStridedBatched(nullptr, ONEPASS_OP_N, 1, 1, &one, a, 1, 1, x, 1, 1, &one, y, 1, 1, 1),
            ONEPASS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(onepassSgemvBatched(nullptr, ONEPASS_OP_N, 1, 1, &one, as, 1, xs, 1, &one, ys, 1, 1),
            ONEPASS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(onepassGemv(nullptr, &problem, &one, a, x, &one, y), ONEPASS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(y[0], 7);
}

}  // namespace
}  // namespace onepass_user
