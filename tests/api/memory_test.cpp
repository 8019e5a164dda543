// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Each allocation of each kind of call fails in turn: a status, nothing left behind, and what is right where it is told
// so.
#include <array>
#include <filesystem>
#include <functional>

#include "api/user.hpp"
#include "support/failing_memory.hpp"

namespace onepass_user::short_of_memory {
namespace {

constexpr int64_t n = 160;  // two threads

// Whole numbers, so that sums are the same in any order.
struct Memory {
  std::vector<double> a = numbers(n * n), x = numbers(3 * n), y = std::vector<double>(3 * n), tail = y;
  double one = 1, zero = 0;
  std::array<char, 20'000> text = {};

  static std::vector<double> numbers(int64_t count) {
    std::vector<double> list;
    for (int64_t i = 0; i < count; ++i) list.push_back(static_cast<double>(i * 7 % 13));
    return list;
  }
  bool operator==(const Memory&) const = default;
};

struct Call {
  const char* name;
  std::function<onepassStatus_t(onepassHandle_t, Memory&)> run;
};

// The first failure of some calls that use a plan.
onepassStatus_t use(onepassHandle_t handle, onepassPlan_t plan, Memory& m) {
  std::size_t length = 0;
  onepassPlan_t loaded = nullptr;
  onepassStatus_t status = onepassPlanSave(plan, m.text.data(), m.text.size(), &length);
  if (status == ONEPASS_STATUS_SUCCESS) status = onepassPlanLoad(handle, m.text.data(), &loaded);
  if (status == ONEPASS_STATUS_SUCCESS) status = onepassPlanExplain(loaded, m.text.data(), m.text.size(), &length);
  if (status == ONEPASS_STATUS_SUCCESS) status = onepassPlanPrint(loaded, m.text.data(), m.text.size(), &length);
  onepassPlanDestroy(loaded);
  return status;
}

template <class Problem>
onepassStatus_t plan(onepassHandle_t handle, const Problem& problem,
                     onepassStatus_t (*make)(onepassHandle_t, const Problem*, onepassPlan_t*), Memory& m) {
  onepassPlan_t made = nullptr;
  onepassStatus_t status = make(handle, &problem, &made);
  if (status == ONEPASS_STATUS_SUCCESS) status = use(handle, made, m);
  onepassPlanDestroy(made);
  return status;
}

// A call with a wrong argument: its own status is as good as a success.
onepassStatus_t refused(onepassStatus_t status, onepassStatus_t expected) {
  return status == expected ? ONEPASS_STATUS_SUCCESS : status;
}

const std::vector<Call>& calls() {
  static const std::vector<Call> list = {
      {"create and destroy",
       [](auto, auto&) {
         onepassHandle_t made = nullptr;
         const onepassStatus_t status = onepassCreateOn(&made, "cpu");
         onepassDestroy(made);
         return status;
       }},
      {"reserve a workspace", [](auto h, auto&) { return onepassReserveWorkspace(h, 9 << 20); }},
      {"set the stream", [](auto h, auto&) { return onepassSetStream(h, nullptr); }},
      {"gemv N",
       [](auto h, auto& m) {
         return onepassDgemv(h, ONEPASS_OP_N, n, n, &m.one, m.a.data(), n, m.x.data(), 2, &m.zero, m.y.data(), 3);
       }},
      {"gemv T",
       [](auto h, auto& m) {
         return onepassDgemv(h, ONEPASS_OP_T, n, n, &m.one, m.a.data(), n, m.x.data(), 2, &m.zero, m.y.data(), 3);
       }},
      {"gemv of a batch",
       [](auto h, auto& m) {
         return onepassDgemvStridedBatched(h, ONEPASS_OP_N, n / 2, n / 2, &m.one, m.a.data(), n, n / 2, m.x.data(), 1,
                                           n, &m.zero, m.y.data(), 1, n, 2);
       }},
      {"gemv of pointers",
       [](auto h, auto& m) {
         const double *a[] = {m.a.data()}, *x[] = {m.x.data()};
         double* y[] = {m.y.data()};
         return onepassDgemvBatched(h, ONEPASS_OP_N, n, n, &m.one, a, n, x, 1, &m.zero, y, 1, 1);
       }},
      {"gemv, summed twice",
       [](auto h, auto& m) {
         onepassSetAccumulate(h, ONEPASS_ACCUMULATE_TWICE);
         return onepassDgemv(h, ONEPASS_OP_N, n, n, &m.one, m.a.data(), n, m.x.data(), 2, &m.zero, m.y.data(), 3);
       }},
      {"gemv in the canonical order",
       [](auto h, auto& m) {
         onepassSetOrder(h, ONEPASS_ORDER_CANONICAL);
         return onepassDgemv(h, ONEPASS_OP_T, n, n, &m.one, m.a.data(), n, m.x.data(), 1, &m.zero, m.y.data(), 1);
       }},
      {"gemv with tails",
       [](auto h, auto& m) {
         return onepassDgemv2(h, ONEPASS_OP_N, n, n, &m.one, m.a.data(), n, m.x.data(), m.x.data(), 1, &m.zero,
                              m.y.data(), m.tail.data(), 1);
       }},
      {"symv",
       [](auto h, auto& m) {
         return onepassDsymv(h, ONEPASS_FILL_MODE_LOWER, n, &m.one, m.a.data(), n, m.x.data(), 2, &m.zero, m.y.data(),
                             3);
       }},
      {"symv with tails",
       [](auto h, auto& m) {
         return onepassDsymv2(h, ONEPASS_FILL_MODE_LOWER, n, &m.one, m.a.data(), n, m.x.data(), m.x.data(), 1, &m.zero,
                              m.y.data(), m.tail.data(), 1);
       }},
      {"ger",
       [](auto h, auto& m) { return onepassDger(h, n, n, &m.one, m.x.data(), 1, m.x.data(), 2, m.a.data(), n); }},
      {"rms norm",
       [](auto h, auto& m) {
         return onepassRmsNorm(h, ONEPASS_TYPE_D, 2, n, m.x.data(), n, nullptr, 1e-5, m.y.data(), n);
       }},
      {"swiglu",
       [](auto h, auto& m) {
         return onepassSwiglu(h, ONEPASS_TYPE_D, 2, n, m.x.data(), n, m.a.data(), n, m.y.data(), n);
       }},
      {"prefetch", [](auto h, auto& m) { return onepassPrefetch(h, ONEPASS_TYPE_D, n, n, m.a.data(), n, 0); }},
      {"plans of gemv",
       [](auto h, auto& m) { return plan(h, onepassGemvProblemDefault(ONEPASS_TYPE_D, n, n), onepassPlanGemv, m); }},
      {"plans of symv",
       [](auto h, auto& m) {
         return plan(h, onepassSymvProblemDefault(ONEPASS_TYPE_D, ONEPASS_FILL_MODE_LOWER, n), onepassPlanSymv, m);
       }},
      {"plans of ger",
       [](auto h, auto& m) { return plan(h, onepassGerProblemDefault(ONEPASS_TYPE_D, n, n), onepassPlanGer, m); }},
      {"a text that is no plan",
       [](auto h, auto&) {
         onepassPlan_t none = nullptr;
         return refused(onepassPlanLoad(h, R"({"onepass_plan": {"is": [1, {"no": 2}]}})", &none),
                        ONEPASS_STATUS_INVALID_PLAN);
       }},
      {"backends",
       [](auto, auto& m) {
         std::size_t length = 0;
         return onepassDescribeBackends(m.text.data(), m.text.size(), &length);
       }},
      {"a wrong size",
       [](auto h, auto& m) {
         return refused(
             onepassDgemv(h, ONEPASS_OP_N, -1, n, &m.one, m.a.data(), n, m.x.data(), 1, &m.zero, m.y.data(), 1),
             ONEPASS_STATUS_INVALID_SIZE);
       }},
      {"a wrong name",
       [](auto, auto&) {
         onepassHandle_t none = nullptr;
         return refused(onepassCreateOn(&none, "a backend that nobody has ever heard of"),
                        ONEPASS_STATUS_BACKEND_UNAVAILABLE);
       }},
  };
  return list;
}

// Its driver has threads that allocate at any time, and ends the process where it cannot.
bool has_gpu() { return std::filesystem::exists("/dev/nvidiactl"); }

class MemoryRunsOut : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Backend, MemoryRunsOut, testing::Values("cpu", "reference"), host_name);

TEST_P(MemoryRunsOut, WithAStatusAndNothingElse) {
  if (has_gpu()) GTEST_SKIP() << "the driver of a GPU allocates beside the call";
  for (const Call& call : calls()) {
    SCOPED_TRACE(call.name);
    const HostHandle handle(GetParam());
    ASSERT_EQ(onepassSetThreads(handle, 2), ONEPASS_STATUS_SUCCESS);
    const Memory untouched;
    Memory memory, expected;
    ASSERT_EQ(call.run(handle, expected), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
    const auto check = [&](onepassStatus_t status, bool failed) {
      if (status == ONEPASS_STATUS_OUT_OF_MEMORY) {
        EXPECT_TRUE(failed && mentions("memory")) << onepassLastErrorMessage();
      } else {
        EXPECT_EQ(status, ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
        EXPECT_TRUE(memory == expected);
      }
      memory = untouched;
    };
    failing_memory::each_allocation_fails([&] { return call.run(handle, memory); }, check);
  }
}

// Nothing of the library has been used before, neither by the process nor by its thread. Of the thousands of
// allocations of a first handle, the first ones and some of the others.
TEST(MemoryRunsOut, AtTheFirstCallsOfAProcess) {
  if (has_gpu()) GTEST_SKIP() << "the driver of a GPU ends a process that has no memory";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  onepassStatus_t wrong = ONEPASS_STATUS_SUCCESS, status = ONEPASS_STATUS_SUCCESS;
  const auto attempt = [&] {
    onepassHandle_t handle = nullptr;
    wrong = onepassSetThreads(nullptr, 2);
    status = onepassCreateOn(&handle, "cpu");
    std::size_t length = 0;
    if (status == ONEPASS_STATUS_SUCCESS) status = onepassDescribeBackends(nullptr, 0, &length);
    onepassDestroy(handle);
  };
  const auto is_right = [&] {
    return (wrong == ONEPASS_STATUS_NOT_INITIALIZED || wrong == ONEPASS_STATUS_OUT_OF_MEMORY) &&
           (status == ONEPASS_STATUS_SUCCESS || status == ONEPASS_STATUS_OUT_OF_MEMORY);
  };
  EXPECT_EXIT(exit(failing_memory::each_first_allocation_fails(attempt, is_right, 1.1) ? 0 : 1),
              testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace onepass_user::short_of_memory
