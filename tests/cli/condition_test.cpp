// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "measure/host/host_condition.hpp"

namespace onepass::tools {
namespace {

// A machine of files, as /proc and /sys would describe it.
class HostConditionTest : public ::testing::Test {
 protected:
  HostConditionTest() {
    std::filesystem::remove_all(root_);
    processors(0, 0, 0);
    clock(3000000);
    throttled(0);
  }
  ~HostConditionTest() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  // Seconds of all processors.
  void processors(long busy, long idle, long stolen) const {
    const long ticks = sysconf(_SC_CLK_TCK);
    write("proc/stat", "cpu  " + std::to_string(busy * ticks) + " 0 0 " + std::to_string(idle * ticks) + " 0 0 0 " +
                           std::to_string(stolen * ticks) + "\n");
  }
  void clock(long now) const {
    write("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3000000");
    write("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", std::to_string(now));
  }
  void throttled(int times) const {
    write("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", std::to_string(times));
  }

  std::filesystem::path root_ =
      std::filesystem::path(::testing::TempDir()) / ("onepass-condition-" + std::to_string(getpid()));
  std::unique_ptr<Condition> condition() const { return make_host_condition(root_.string()); }
};

TEST_F(HostConditionTest, SaysNothingOfAQuietMachine) {
  const auto condition = this->condition();
  condition->look();
  processors(0, 100, 0);
  EXPECT_TRUE(condition->remarks().empty());
}

TEST_F(HostConditionTest, NoticesOtherPrograms) {
  const auto condition = this->condition();
  processors(50, 50, 0);
  ASSERT_EQ(condition->remarks().size(), 1u);
  EXPECT_NE(condition->remarks()[0].find("other programs used 50 % of the processors"), std::string::npos);
}

TEST_F(HostConditionTest, NoticesTimeTakenFromAVirtualMachine) {
  const auto condition = this->condition();
  processors(0, 90, 10);
  ASSERT_EQ(condition->remarks().size(), 1u);
  EXPECT_NE(condition->remarks()[0].find("10 % of the time"), std::string::npos);
}

TEST_F(HostConditionTest, NoticesClocksAndHeat) {
  const auto condition = this->condition();
  clock(1500000);
  throttled(2);
  condition->look();
  ASSERT_EQ(condition->remarks().size(), 2u);
  EXPECT_NE(condition->remarks()[0].find("50 % of its highest"), std::string::npos);
  EXPECT_NE(condition->remarks()[1].find("throttled"), std::string::npos);
}

TEST_F(HostConditionTest, SaysNothingWhereNobodyTells) {
  std::filesystem::remove_all(root_);
  const auto condition = this->condition();
  condition->look();
  EXPECT_TRUE(condition->remarks().empty());
}

}  // namespace
}  // namespace onepass::tools
