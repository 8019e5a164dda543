// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Where tables come from: the user's wins, and what cannot be used is refused with a reason, never a failure.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "plan/problems.hpp"
#include "plan/registry.hpp"
#include "plan/tuning_table.hpp"

namespace onepass {
namespace {

namespace fs = std::filesystem;

const std::string mine = R"({"onepass_tuning": 4, "device": "mine", "arch": 90, "sm_count": 132,
  "shapes": {"s N 2001x2001 any": {"launch": "gemv_n many 128/32/1", "gain": 1.02}}})";

class TuningFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("onepass-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::create_directories(folder_ / "onepass" / "tuning");
    setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
    unsetenv("ONEPASS_TUNING");
  }
  void TearDown() override {
    fs::remove_all(folder_);
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("ONEPASS_TUNING");
  }
  fs::path write(const fs::path& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  static void name_file(const fs::path& path) { setenv("ONEPASS_TUNING", path.c_str(), 1); }

  // Who decides of the product of `mine`, and of another.
  static std::string chooser(const TuningTables& tables, std::int64_t n = 2001) {
    DeviceTraits traits = h200_traits();
    traits.tuning = &tables;
    const Plan plan = plan_on_device(test::problem("s", Op::n, Layout::column, 2001, n), traits, BackendId::sim);
    return variant_of(plan).chooser(plan, traits);
  }

  static bool is_by_the_model(const TuningTables& tables, std::int64_t n = 2001) {
    return chooser(tables, n).starts_with("a model of the launch");
  }

  fs::path folder_;
};

TEST_F(TuningFiles, AreLookedForUnderTheNameOfTheDevice) {
  EXPECT_EQ(user_tuning_file(h200_traits()), folder_ / "onepass" / "tuning" / "nvidia-h200.json");
  unsetenv("XDG_CONFIG_HOME");
  DeviceTraits traits;
  traits.name = "NVIDIA GeForce RTX 4090 (x2)";
  EXPECT_EQ(user_tuning_file(traits),
            std::string(std::getenv("HOME")) + "/.config/onepass/tuning/nvidia-geforce-rtx-4090-x2.json");
}

TEST_F(TuningFiles, WinOverTheModelWhereTheyHaveTheShape) {
  const fs::path path = write("onepass/tuning/nvidia-h200.json", mine);
  const TuningTables tables = load_tuning(h200_traits());
  EXPECT_EQ(tables.refused, "");
  EXPECT_FALSE(tables.asked);
  EXPECT_EQ(chooser(tables), "the table of mine in " + path.string() + ", shape s N 2001x2001 any");
  EXPECT_TRUE(is_by_the_model(tables, 1501));
}

TEST_F(TuningFiles, NamedByTheVariableWinOverThoseInTheirPlace) {
  write("onepass/tuning/nvidia-h200.json", mine);
  name_file(write("named.json", mine));
  const TuningTables tables = load_tuning(h200_traits());
  EXPECT_TRUE(tables.asked);
  EXPECT_NE(chooser(tables).find("named.json"), std::string::npos);
}

TEST_F(TuningFiles, AreAllHiddenByOff) {
  write("onepass/tuning/nvidia-h200.json", mine);
  setenv("ONEPASS_TUNING", "off", 1);
  EXPECT_TRUE(is_by_the_model(load_tuning(h200_traits())));
}

TEST_F(TuningFiles, ThatCannotBeUsedAreRefusedWithAReason) {
  DeviceTraits other = h200_traits();
  other.name = "another";
  other.sm_count = 100;
  const std::string old = R"({"onepass_tuning": 3, "rows": [2000], "library": "0.1.0"})";
  const struct {
    std::string text, reason;
    DeviceTraits traits = h200_traits();
  } cases[] = {
      {"", "parse error"},
      {"{}", "it has no \"onepass_tuning\""},
      {mine.substr(0, mine.size() / 2), "parse error"},
      {"[1, 2]", "it is no JSON object"},
      {old, "it was made for version 3 of the tables, and this library reads version 4: run `onepass tune` again"},
      {R"({"onepass_tuning": 5})", "made for version 5"},
      {mine, "it is for mine (sm_90, 132 SMs), and this device is another (sm_90, 100 SMs)", other},
  };
  for (const auto& c : cases) {
    const fs::path path = write("named.json", c.text);
    name_file(path);
    const TuningTables tables = load_tuning(c.traits);
    EXPECT_FALSE(tables.user) << c.text;
    EXPECT_NE(tables.refused.find("the tuning table " + path.string() + " is not used: "), std::string::npos);
    EXPECT_NE(tables.refused.find(c.reason), std::string::npos) << tables.refused;
    EXPECT_TRUE(is_by_the_model(tables));
  }
  name_file(folder_ / "absent.json");
  EXPECT_NE(load_tuning(h200_traits()).refused.find("there is no such file"), std::string::npos);
  name_file(folder_);
  EXPECT_NE(load_tuning(h200_traits()).refused, "");
}

TEST_F(TuningFiles, ThatNobodyNamedAreMissedInSilence) { EXPECT_EQ(load_tuning(h200_traits()).refused, ""); }

}  // namespace
}  // namespace onepass
