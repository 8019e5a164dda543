// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Handles: backends by name and by environment, settings, null handles, version, descriptions.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <thread>

#include "api/user.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace onepass_user {
namespace {

// Sets ONEPASS_BACKEND for the length of a test.
class Environment {
 public:
  explicit Environment(const char* value) {
    const char* old = std::getenv("ONEPASS_BACKEND");
    if (old != nullptr) old_ = old;
    had_ = old != nullptr;
    setenv("ONEPASS_BACKEND", value, 1);
  }
  ~Environment() { had_ ? setenv("ONEPASS_BACKEND", old_.c_str(), 1) : unsetenv("ONEPASS_BACKEND"); }

 private:
  std::string old_;
  bool had_ = false;
};

class HandleOn : public OnHost {};
INSTANTIATE_TEST_SUITE_P(Backend, HandleOn, host_backends(), host_name);

TEST_P(HandleOn, HasTheBackendThatWasAskedFor) { EXPECT_STREQ(onepassBackendName(handle), GetParam()); }

TEST_P(HandleOn, TheEnvironmentForcesTheBackend) {
  const Environment environment(GetParam());
  onepassHandle_t forced = nullptr;
  ASSERT_EQ(onepassCreate(&forced), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  EXPECT_STREQ(onepassBackendName(forced), GetParam());
  onepassDestroy(forced);
}

TEST_P(HandleOn, SumsTypedCallsAsItIsTold) {
  onepassAccumulate_t accumulate = ONEPASS_ACCUMULATE_TWICE;
  ASSERT_EQ(onepassGetAccumulate(handle, &accumulate), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(accumulate, ONEPASS_ACCUMULATE_DEFAULT);
  for (const onepassAccumulate_t wanted : {ONEPASS_ACCUMULATE_WIDER, ONEPASS_ACCUMULATE_TWICE}) {
    ASSERT_EQ(onepassSetAccumulate(handle, wanted), ONEPASS_STATUS_SUCCESS);
    ASSERT_EQ(onepassGetAccumulate(handle, &accumulate), ONEPASS_STATUS_SUCCESS);
    EXPECT_EQ(accumulate, wanted);
    // Of each type what it has: 1e16 + 1 - 1e16 is 1 in twice the digits, 1e8 + 1 - 1e8 in double.
    const double a[] = {1e16, 1, -1e16}, x[] = {1, 1, 1}, one = 1, zero = 0;
    const float a_s[] = {1e8f, 1, -1e8f}, x_s[] = {1, 1, 1}, one_s = 1, zero_s = 0;
    double y = 9;
    float y_s = 9;
    ASSERT_EQ(onepassDgemv(handle, ONEPASS_OP_N, 1, 3, &one, a, 1, x, 1, &zero, &y, 1), ONEPASS_STATUS_SUCCESS);
    ASSERT_EQ(onepassSgemv(handle, ONEPASS_OP_T, 3, 1, &one_s, a_s, 3, x_s, 1, &zero_s, &y_s, 1),
              ONEPASS_STATUS_SUCCESS);
    EXPECT_EQ(y, 1);
    EXPECT_EQ(y_s, 1);
  }
  EXPECT_ERROR(onepassSetAccumulate(handle, static_cast<onepassAccumulate_t>(7)), ONEPASS_STATUS_INVALID_ENUM,
               "accumulate = 7");
  EXPECT_ERROR(onepassGetAccumulate(handle, nullptr), ONEPASS_STATUS_INVALID_ARGUMENT, "accumulate");
}

TEST_P(HandleOn, OrdersTypedCallsAsItIsTold) {
  onepassOrder_t order = ONEPASS_ORDER_CANONICAL;
  ASSERT_EQ(onepassGetOrder(handle, &order), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(order, ONEPASS_ORDER_DEFAULT);
  ASSERT_EQ(onepassSetOrder(handle, ONEPASS_ORDER_CANONICAL), ONEPASS_STATUS_SUCCESS);
  ASSERT_EQ(onepassGetOrder(handle, &order), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(order, ONEPASS_ORDER_CANONICAL);
  // 33 terms: the first and the last are one partial sum, so 1 is lost only where it is added between them.
  double a[33] = {}, x[33], y = 9;
  const double one = 1, zero = 0;
  for (double& v : x) v = 1;
  a[0] = 1e16, a[1] = 1, a[32] = -1e16;
  ASSERT_EQ(onepassDgemv(handle, ONEPASS_OP_N, 1, 33, &one, a, 1, x, 1, &zero, &y, 1), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(y, 1);
  ASSERT_EQ(onepassDgemv(handle, ONEPASS_OP_T, 33, 1, &one, a, 33, x, 1, &zero, &y, 1), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(y, 1);
  EXPECT_ERROR(onepassSetOrder(handle, static_cast<onepassOrder_t>(2)), ONEPASS_STATUS_INVALID_ENUM, "order = 2");
  EXPECT_ERROR(onepassGetOrder(handle, nullptr), ONEPASS_STATUS_INVALID_ARGUMENT, "order");
  ASSERT_EQ(onepassSetAccumulate(handle, ONEPASS_ACCUMULATE_TWICE), ONEPASS_STATUS_SUCCESS);
  EXPECT_ERROR(onepassDgemv(handle, ONEPASS_OP_T, 33, 1, &one, a, 33, x, 1, &zero, &y, 1), ONEPASS_STATUS_INVALID_TYPES,
               "the canonical order is for s, d, c and z");
}

TEST_P(HandleOn, KeepsItsPointerMode) {
  onepassPointerMode_t mode = ONEPASS_POINTER_MODE_DEVICE;
  ASSERT_EQ(onepassGetPointerMode(handle, &mode), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(mode, ONEPASS_POINTER_MODE_HOST);
  ASSERT_EQ(onepassSetPointerMode(handle, ONEPASS_POINTER_MODE_DEVICE), ONEPASS_STATUS_SUCCESS);
  ASSERT_EQ(onepassGetPointerMode(handle, &mode), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(mode, ONEPASS_POINTER_MODE_DEVICE);
  EXPECT_ERROR(onepass_mode_from_c(handle, 3), ONEPASS_STATUS_INVALID_ENUM, "mode = 3");
  EXPECT_ERROR(onepassGetPointerMode(handle, nullptr), ONEPASS_STATUS_INVALID_ARGUMENT, "mode");
}

TEST_P(HandleOn, KeepsItsThreads) {
  int threads = -1;
  ASSERT_EQ(onepassGetThreads(handle, &threads), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(threads, 0);
  ASSERT_EQ(onepassSetThreads(handle, 2), ONEPASS_STATUS_SUCCESS);
  ASSERT_EQ(onepassGetThreads(handle, &threads), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(threads, 2);
  EXPECT_ERROR(onepassSetThreads(handle, -1), ONEPASS_STATUS_INVALID_ARGUMENT, "threads = -1");
  EXPECT_ERROR(onepassGetThreads(handle, nullptr), ONEPASS_STATUS_INVALID_ARGUMENT, "threads");
}

TEST_P(HandleOn, KeepsItsStream) {
  onepassStream_t stream = reinterpret_cast<onepassStream_t>(&stream);
  ASSERT_EQ(onepassSetStream(handle, nullptr), ONEPASS_STATUS_SUCCESS);
  ASSERT_EQ(onepassGetStream(handle, &stream), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(stream, nullptr);
  EXPECT_ERROR(onepassGetStream(handle, nullptr), ONEPASS_STATUS_INVALID_ARGUMENT, "stream");
}

// More shapes than a handle remembers plans of, twice, and with different operands each time.
TEST_P(HandleOn, TakesManyShapesInTurn) {
  const float one = 1, zero = 0;
  const std::vector<float> a(100, 1.0f), x(100, 2.0f);
  for (int again = 0; again < 2; ++again)
    for (std::int64_t m = 1; m <= 10; ++m)
      for (std::int64_t n = 1; n <= 10; ++n) {
        std::vector<float> y(static_cast<std::size_t>(m), -1.0f);
        ASSERT_EQ(onepassSgemv(handle, ONEPASS_OP_N, m, n, &one, a.data(), m, x.data(), 1, &zero, y.data(), 1),
                  ONEPASS_STATUS_SUCCESS)
            << onepassLastErrorMessage();
        for (const float v : y) ASSERT_EQ(v, static_cast<float>(2 * n)) << m << "x" << n;
      }
}

#ifdef _OPENMP
// A sum that is split has other bits than one that is not.
TEST(Handle, FollowsTheThreadsOfOpenMP) {
  const HostHandle handle("cpu");
  constexpr std::int64_t m = 300, n = 1000;
  const float one = 1, zero = 0;
  std::vector<float> a(m * n), x(n);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = 1.0f / static_cast<float>(1 + i % 97);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0f / static_cast<float>(1 + i % 89);
  const auto product = [&](int of_handle, int of_openmp) {
    std::vector<float> y(m);
    EXPECT_EQ(onepassSetThreads(handle, of_handle), ONEPASS_STATUS_SUCCESS);
    omp_set_num_threads(of_openmp);
    EXPECT_EQ(onepassSgemv(handle, ONEPASS_OP_N, m, n, &one, a.data(), m, x.data(), 1, &zero, y.data(), 1),
              ONEPASS_STATUS_SUCCESS);
    return y;
  };
  const int before = omp_get_max_threads();
  const std::vector<float> alone = product(1, 1), shared = product(4, 1);
  ASSERT_NE(alone, shared);
  EXPECT_EQ(product(0, 1), alone);
  EXPECT_EQ(product(0, 4), shared);
  EXPECT_EQ(product(0, 1), alone);
  omp_set_num_threads(before);
}
#endif

TEST(Handle, DefaultIsSomeBackend) {
  onepassHandle_t handle = nullptr;
  ASSERT_EQ(onepassCreate(&handle), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  EXPECT_NE(onepassBackendName(handle), nullptr);
  EXPECT_EQ(onepassDestroy(handle), ONEPASS_STATUS_SUCCESS);
}

TEST(Handle, UnknownBackendsAreNamedInTheText) {
  onepassHandle_t handle = reinterpret_cast<onepassHandle_t>(&handle);
  EXPECT_ERROR(onepassCreateOn(&handle, "tpu"), ONEPASS_STATUS_BACKEND_UNAVAILABLE, "tpu");
  EXPECT_TRUE(mentions("reference")) << "the text does not say what would be right";
  EXPECT_EQ(handle, nullptr);
}

TEST(Handle, UnknownBackendsOfTheEnvironmentAreNamedToo) {
  const Environment environment("vulkan");
  onepassHandle_t handle = nullptr;
  EXPECT_ERROR(onepassCreate(&handle), ONEPASS_STATUS_BACKEND_UNAVAILABLE, "vulkan");
  EXPECT_TRUE(mentions("ONEPASS_BACKEND"));
}

TEST(Handle, ANameWinsOverTheEnvironment) {
  const Environment environment("vulkan");
  const HostHandle handle("reference");
  EXPECT_STREQ(onepassBackendName(handle), "reference");
}

TEST(Handle, NullIsRefusedEverywhereButInDestroy) {
  onepassStream_t stream = nullptr;
  onepassPointerMode_t mode = ONEPASS_POINTER_MODE_HOST;
  int threads = 0;
  EXPECT_ERROR(onepassCreate(nullptr), ONEPASS_STATUS_INVALID_ARGUMENT, "handle");
  EXPECT_ERROR(onepassSetStream(nullptr, nullptr), ONEPASS_STATUS_NOT_INITIALIZED, "handle is null");
  EXPECT_EQ(onepassGetStream(nullptr, &stream), ONEPASS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(onepassSetPointerMode(nullptr, mode), ONEPASS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(onepassGetPointerMode(nullptr, &mode), ONEPASS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(onepassSetThreads(nullptr, 1), ONEPASS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(onepassGetThreads(nullptr, &threads), ONEPASS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(onepassBackendName(nullptr), nullptr);
  EXPECT_EQ(onepassDestroy(nullptr), ONEPASS_STATUS_SUCCESS);
}

TEST(Library, NamesEachStatusDifferently) {
  std::set<std::string> names;
  for (int status = 0; status <= 16; ++status) names.insert(onepassStatusName(static_cast<onepassStatus_t>(status)));
  EXPECT_EQ(names.size(), 17u);
  EXPECT_TRUE(names.contains("ONEPASS_STATUS_INVALID_LD"));
  EXPECT_NE(onepassStatusName(static_cast<onepassStatus_t>(17)), nullptr);
}

TEST(Library, HasTheVersionOfItsHeader) { EXPECT_STREQ(onepassVersion(), ONEPASS_VERSION_STRING); }

TEST(Library, ErrorTextsBelongToTheirThread) {
  EXPECT_ERROR(onepassCreateOn(nullptr, "here"), ONEPASS_STATUS_INVALID_ARGUMENT, "handle");
  const std::string here = onepassLastErrorMessage();
  std::thread([] {
    EXPECT_STREQ(onepassLastErrorMessage(), "");
    onepassHandle_t handle = nullptr;
    EXPECT_ERROR(onepassCreateOn(&handle, "elsewhere"), ONEPASS_STATUS_BACKEND_UNAVAILABLE, "elsewhere");
  }).join();
  EXPECT_EQ(onepassLastErrorMessage(), here);
}

TEST(Library, DescribesEveryBackend) {
  const std::string json = text(onepassDescribeBackends);
  for (const char* name : {"\"cuda\"", "\"cpu\"", "\"sim\"", "\"reference\""})
    EXPECT_NE(json.find(name), std::string::npos) << json;
}

TEST(Library, SpeaksC) {
  float y[2] = {};
  EXPECT_EQ(onepass_from_c(y), 0);
  EXPECT_EQ(y[0], 310);
  EXPECT_EQ(y[1], 420);
}

}  // namespace
}  // namespace onepass_user
