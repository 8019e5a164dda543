// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Plans: made, printed, explained, saved, loaded and run with a workspace of the caller's.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <regex>
#include <string>
#include <thread>
#include <utility>

#include "api/user.hpp"

namespace onepass_user {
namespace {

struct Free {
  void operator()(void* p) const { std::free(p); }
  void operator()(onepassPlan_t plan) const { onepassPlanDestroy(plan); }
};
using OwnedPlan = std::unique_ptr<std::remove_pointer_t<onepassPlan_t>, Free>;
using Memory = std::unique_ptr<void, Free>;

class Plans : public OnHost {
 protected:
  // A sum so long that device plans split it.
  static constexpr std::int64_t m = 3, n = 20'000;

  onepassGemvProblem_t problem() const { return onepassGemvProblemDefault(ONEPASS_TYPE_S, m, n); }
  OwnedPlan make(const onepassGemvProblem_t& p) {
    onepassPlan_t plan = nullptr;
    EXPECT_EQ(onepassPlanGemv(handle, &p, &plan), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
    return OwnedPlan(plan);
  }
  static std::size_t workspace_size(const OwnedPlan& plan) {
    std::size_t bytes = 12345;
    EXPECT_EQ(onepassPlanWorkspaceSize(plan.get(), &bytes), ONEPASS_STATUS_SUCCESS);
    return bytes;
  }
  // Memory full of NaN, prepared for the plan.
  static Memory workspace(const OwnedPlan& plan) {
    const std::size_t bytes = workspace_size(plan);
    Memory memory(std::aligned_alloc(256, (bytes + 256) / 256 * 256));
    std::memset(memory.get(), 0xff, bytes);
    EXPECT_EQ(onepassPlanPrepareWorkspace(plan.get(), memory.get(), bytes, nullptr), ONEPASS_STATUS_SUCCESS)
        << onepassLastErrorMessage();
    return memory;
  }
  void expect_runs(const OwnedPlan& plan) {
    const Memory memory = workspace(plan);
    for (int again = 0; again < 3; ++again) {
      std::vector<float> y(m);
      ASSERT_EQ(onepassPlanRun(plan.get(), nullptr, memory.get(), workspace_size(plan), &one, a.data(), x.data(), &zero,
                               y.data()),
                ONEPASS_STATUS_SUCCESS)
          << onepassLastErrorMessage();
      for (const float v : y) EXPECT_EQ(v, 2 * n);
    }
  }

  const float one = 1, zero = 0;
  const std::vector<float> a = std::vector<float>(m * n, 1.0f), x = std::vector<float>(n, 2.0f);
};
INSTANTIATE_TEST_SUITE_P(Backend, Plans, host_backends(), host_name);

TEST_P(Plans, RunManyTimesWithTheCallersWorkspace) { expect_runs(make(problem())); }

TEST_P(Plans, OutliveTheirHandle) {
  OwnedPlan plan;
  {
    const HostHandle other(GetParam());
    onepassPlan_t made = nullptr;
    const onepassGemvProblem_t p = problem();
    ASSERT_EQ(onepassPlanGemv(other, &p, &made), ONEPASS_STATUS_SUCCESS);
    plan.reset(made);
  }
  expect_runs(plan);
}

TEST_P(Plans, SaveLoadAndRun) {
  const OwnedPlan plan = make(problem());
  const std::string json = text([&](char* b, size_t c, size_t* l) { return onepassPlanSave(plan.get(), b, c, l); });
  onepassPlan_t loaded = nullptr;
  ASSERT_EQ(onepassPlanLoad(handle, json.c_str(), &loaded), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  const OwnedPlan back(loaded);
  EXPECT_EQ(text([&](char* b, size_t c, size_t* l) { return onepassPlanSave(back.get(), b, c, l); }), json);
  expect_runs(back);
}

TEST_P(Plans, PrintInOneLineAndExplainInSeveral) {
  const OwnedPlan plan = make(problem());
  const std::string line = text([&](char* b, size_t c, size_t* l) { return onepassPlanPrint(plan.get(), b, c, l); });
  const std::string more = text([&](char* b, size_t c, size_t* l) { return onepassPlanExplain(plan.get(), b, c, l); });
  EXPECT_FALSE(line.empty());
  EXPECT_EQ(line.find('\n'), std::string::npos);
  for (const char* word : {"3x20000", GetParam(), "bytes", "floor"})
    EXPECT_NE(more.find(word), std::string::npos) << more;
}

TEST_P(Plans, CutTextsThatDoNotFit) {
  const OwnedPlan plan = make(problem());
  const std::string whole = text([&](char* b, size_t c, size_t* l) { return onepassPlanPrint(plan.get(), b, c, l); });
  char buffer[6] = "?????";
  std::size_t length = 0;
  ASSERT_EQ(onepassPlanPrint(plan.get(), buffer, 4, &length), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(std::string(buffer), whole.substr(0, 3));
  EXPECT_EQ(buffer[4], '?');
  EXPECT_EQ(length, whole.size());
  EXPECT_EQ(onepassPlanPrint(plan.get(), buffer, sizeof(buffer), nullptr), ONEPASS_STATUS_SUCCESS);
  EXPECT_ERROR(onepassPlanPrint(plan.get(), nullptr, 9, &length), ONEPASS_STATUS_INVALID_ARGUMENT, "buffer");
}

TEST_P(Plans, RefuseAWorkspaceThatIsTooSmallOrMisaligned) {
  const OwnedPlan plan = make(problem());
  const std::size_t bytes = workspace_size(plan);
  if (bytes == 0) GTEST_SKIP() << "this backend's plan needs no workspace";
  const Memory memory = workspace(plan);
  std::vector<float> y(m, 7.0f);
  const auto run = [&](void* data, std::size_t size) {
    return onepassPlanRun(plan.get(), nullptr, data, size, &one, a.data(), x.data(), &zero, y.data());
  };
  EXPECT_ERROR(run(memory.get(), bytes - 1), ONEPASS_STATUS_WORKSPACE_TOO_SMALL, std::to_string(bytes).c_str());
  EXPECT_EQ(run(nullptr, bytes), ONEPASS_STATUS_WORKSPACE_TOO_SMALL);
  EXPECT_ERROR(run(static_cast<char*>(memory.get()) + 16, bytes), ONEPASS_STATUS_INVALID_ALIGNMENT, "workspace");
  EXPECT_EQ(onepassPlanPrepareWorkspace(plan.get(), memory.get(), bytes - 1, nullptr),
            ONEPASS_STATUS_WORKSPACE_TOO_SMALL);
  EXPECT_EQ(y, std::vector<float>(m, 7.0f));
}

TEST_P(Plans, ChecksPointersOfARun) {
  const OwnedPlan plan = make(onepassGemvProblemDefault(ONEPASS_TYPE_S, 3, 2));
  std::vector<float> y(3, 7.0f);
  EXPECT_ERROR(onepassPlanRun(plan.get(), nullptr, nullptr, 0, &one, nullptr, x.data(), &zero, y.data()),
               ONEPASS_STATUS_INVALID_POINTER, "A is null");
  EXPECT_EQ(y[0], 7);
}

TEST_P(Plans, KnowWhereAMatrixLiesAndInsistOnIt) {
  onepassGemvProblem_t p = onepassGemvProblemDefault(ONEPASS_TYPE_S, 4, 4);
  p.alignment_a = 32;
  const OwnedPlan plan = make(p);
  alignas(32) float matrix[24] = {};
  std::vector<float> y(4);
  const auto run = [&](const float* from) {
    return onepassPlanRun(plan.get(), nullptr, nullptr, 0, &one, from, x.data(), &zero, y.data());
  };
  EXPECT_EQ(run(matrix), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  EXPECT_ERROR(run(matrix + 4), ONEPASS_STATUS_INVALID_ALIGNMENT, "multiple of 32");
}

TEST_P(Plans, OfWrongProblemsAreNotMade) {
  onepassPlan_t plan = reinterpret_cast<onepassPlan_t>(&plan);
  onepassGemvProblem_t p = problem();
  p.lda = 1;
  EXPECT_ERROR(onepassPlanGemv(handle, &p, &plan), ONEPASS_STATUS_INVALID_LD, "lda = 1");
  EXPECT_EQ(plan, nullptr);
  EXPECT_ERROR(onepassPlanGemv(handle, nullptr, &plan), ONEPASS_STATUS_INVALID_ARGUMENT, "problem");
  EXPECT_ERROR(onepassPlanGemv(handle, &p, nullptr), ONEPASS_STATUS_INVALID_ARGUMENT, "plan");
  EXPECT_ERROR(onepassPlanGemv(nullptr, &p, &plan), ONEPASS_STATUS_NOT_INITIALIZED, "handle");
}

TEST_P(Plans, OfEmptyProblemsRunSaveAndLoad) {
  const OwnedPlan plan = make(onepassGemvProblemDefault(ONEPASS_TYPE_D, 0, 9));
  EXPECT_EQ(workspace_size(plan), 0u);
  EXPECT_EQ(onepassPlanRun(plan.get(), nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr),
            ONEPASS_STATUS_SUCCESS);
  const std::string json = text([&](char* b, size_t c, size_t* l) { return onepassPlanSave(plan.get(), b, c, l); });
  onepassPlan_t loaded = nullptr;
  EXPECT_EQ(onepassPlanLoad(handle, json.c_str(), &loaded), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  onepassPlanDestroy(loaded);
}

TEST_P(Plans, AreSharedByThreadsWithAWorkspaceEach) {
  const OwnedPlan plan = make(problem());
  std::thread other([&] { expect_runs(plan); });
  expect_runs(plan);
  other.join();
}

TEST_P(Plans, LoadRefusesOtherTextsAndOtherBackends) {
  onepassPlan_t plan = nullptr;
  EXPECT_ERROR(onepassPlanLoad(handle, "{]", &plan), ONEPASS_STATUS_INVALID_PLAN, "plan");
  EXPECT_ERROR(onepassPlanLoad(handle, nullptr, &plan), ONEPASS_STATUS_INVALID_ARGUMENT, "json");
  EXPECT_ERROR(onepassPlanLoad(handle, "{}", nullptr), ONEPASS_STATUS_INVALID_ARGUMENT, "plan");
  EXPECT_ERROR(onepassPlanLoad(nullptr, "{}", &plan), ONEPASS_STATUS_NOT_INITIALIZED, "handle");
  const OwnedPlan mine = make(problem());
  const std::string json = text([&](char* b, size_t c, size_t* l) { return onepassPlanSave(mine.get(), b, c, l); });
  const HostHandle other(std::string(GetParam()) == "cpu" ? "reference" : "cpu");
  EXPECT_ERROR(onepassPlanLoad(other, json.c_str(), &plan), ONEPASS_STATUS_INVALID_PLAN, GetParam());
  EXPECT_EQ(plan, nullptr);
}

// Numbers that would crash, write past the workspace or leave y as it is.
TEST(CpuPlans, LoadRefusesNumbersThatDoNotFitTogether) {
  const HostHandle handle("cpu");
  ASSERT_EQ(onepassSetThreads(handle, 4), ONEPASS_STATUS_SUCCESS);
  const onepassGemvProblem_t p = onepassGemvProblemDefault(ONEPASS_TYPE_S, 1000, 1000);
  onepassPlan_t made = nullptr;
  ASSERT_EQ(onepassPlanGemv(handle, &p, &made), ONEPASS_STATUS_SUCCESS);
  const OwnedPlan plan(made);
  const std::string json = text([&](char* b, size_t c, size_t* l) { return onepassPlanSave(plan.get(), b, c, l); });
  const std::pair<const char*, const char*> edits[] = {
      {"workspace_bytes", "0"}, {"workspace_bytes", "1"}, {"splits", "64"}, {"splits", "1"},        {"tiles", "0"},
      {"tiles", "2"},           {"threads", "5"},         {"threads", "0"}, {"shared_bytes", "64"},
  };
  for (const auto& [field, value] : edits) {
    const std::regex number("\"" + std::string(field) + "\": [0-9]+");
    const std::string edited = std::regex_replace(json, number, "\"" + std::string(field) + "\": " + value);
    SCOPED_TRACE(std::string(field) + " = " + value);
    ASSERT_NE(edited, json);
    onepassPlan_t loaded = nullptr;
    EXPECT_ERROR(onepassPlanLoad(handle, edited.c_str(), &loaded), ONEPASS_STATUS_INVALID_PLAN, "this text is no plan");
    onepassPlanDestroy(loaded);
  }
}

TEST(NullPlan, IsRefusedEverywhereButInDestroy) {
  std::size_t size = 0;
  char buffer[4];
  EXPECT_ERROR(onepassPlanWorkspaceSize(nullptr, &size), ONEPASS_STATUS_NOT_INITIALIZED, "plan is null");
  EXPECT_EQ(onepassPlanPrepareWorkspace(nullptr, nullptr, 0, nullptr), ONEPASS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(onepassPlanRun(nullptr, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr),
            ONEPASS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(onepassPlanPrint(nullptr, buffer, 4, &size), ONEPASS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(onepassPlanExplain(nullptr, buffer, 4, &size), ONEPASS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(onepassPlanSave(nullptr, buffer, 4, &size), ONEPASS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(onepassPlanDestroy(nullptr), ONEPASS_STATUS_SUCCESS);
}

}  // namespace
}  // namespace onepass_user
