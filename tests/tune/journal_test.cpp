// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A journal gives back what was added, whatever happened to the run that wrote it.
#include "tune/journal.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/failure.hpp"
#include "support/file.hpp"

namespace onepass::tools {
namespace {

class JournalTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(path_); }
  void TearDown() override { std::filesystem::remove(path_); }
  std::string path_ =
      testing::TempDir() + "onepass-" + testing::UnitTest::GetInstance()->current_test_info()->name() + ".journal";
};

const JournalEntry some{.times = {{"256/8/0", 1.25e-6}, {"128/8/0f", 2e-6}}, .work = 10, .spent = 0.5};

TEST_F(JournalTest, GoesOnWhereItWasLeft) {
  { Journal(path_, "me", false).add("a", some); }
  { Journal(path_, "me", true).add("b", {.times = {}, .work = 1, .spent = 0.25}); }
  const Journal journal(path_, "me", true);
  EXPECT_EQ(journal.size(), 2u);
  EXPECT_EQ(journal.spent(), 0.75);
  ASSERT_NE(journal.find("a"), nullptr);
  EXPECT_EQ(journal.find("a")->times.at(1).launch, "128/8/0f");
  EXPECT_EQ(journal.find("a")->times.at(1).seconds, 2e-6);
  EXPECT_EQ(journal.find("a")->work, 10);
  EXPECT_EQ(journal.find("c"), nullptr);
}

TEST_F(JournalTest, BeginsAnewIfItIsNotToGoOn) {
  { Journal(path_, "me", false).add("a", some); }
  EXPECT_EQ(Journal(path_, "me", false).size(), 0u);
}

TEST_F(JournalTest, DropsALineThatWasCutOff) {
  { Journal(path_, "me", false).add("a", some); }
  std::ofstream(path_, std::ios::app) << R"({"cell":"b","work":1,"spe)";
  { Journal(path_, "me", true).add("c", some); }
  const Journal journal(path_, "me", true);
  EXPECT_EQ(journal.size(), 2u);
  EXPECT_NE(journal.find("c"), nullptr);
}

TEST_F(JournalTest, OfAnotherRunIsRefusedAndKept) {
  { Journal(path_, "me", false).add("a", some); }
  const std::string before = *read_file(path_);
  EXPECT_THROW(Journal(path_, "you", true), Failure);
  EXPECT_EQ(*read_file(path_), before);
  std::ofstream(path_) << "notes\n";
  EXPECT_THROW(Journal(path_, "me", true), Failure);
}

TEST_F(JournalTest, IsGoneOnceItIsRemoved) {
  Journal(path_, "me", false).remove();
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace onepass::tools
