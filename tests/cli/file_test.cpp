// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/failure.hpp"

namespace onepass::tools {
namespace {

namespace fs = std::filesystem;

class File : public testing::Test {
 public:
  File() : folder_(fs::temp_directory_path() / ("onepass-file-test-" + std::to_string(getpid()))) {
    fs::create_directory(folder_);
  }
  ~File() override { fs::remove_all(folder_); }

 protected:
  std::string path(const char* name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(File, IsReplacedByANewOne) {
  write_file(path("a"), "old");
  std::ifstream reader(path("a"));  // still sees the old text, whole, after the file was replaced
  write_file(path("a"), "new");
  std::string seen;
  reader >> seen;
  EXPECT_EQ(seen, "old");
  EXPECT_EQ(read_file(path("a")), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(File, LinksAndDevicesStayWhatTheyAre) {
  write_file(path("target"), "old");
  fs::create_symlink(path("target"), path("link"));
  write_file(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("target")), "new");
  require_writable("/dev/null");
  write_file("/dev/null", "text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(File, ThatCannotBeWrittenIsKnownBeforeAndLeavesNothing) {
  EXPECT_THROW(require_writable(path("missing/a")), Failure);
  require_writable(path("a"));
  EXPECT_FALSE(fs::exists(path("a")));
  EXPECT_EQ(read_file(path("a")), std::nullopt);
  EXPECT_EQ(read_file(testing::TempDir()), std::nullopt);
  EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace onepass::tools
