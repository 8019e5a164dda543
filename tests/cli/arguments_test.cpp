// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers of the command line, and command lines that no run can mean: what is refused, and in which words.
#include "support/arguments.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "command/program.hpp"
#include "reductions/rows.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

const std::string long_number(300, '9');

struct Ended {
  int code;
  std::string error;
};

Ended run(const std::string& line) {
  std::vector<std::string> words = {"onepass"};
  std::istringstream text(line);
  for (std::string word; text >> word;) words.push_back(word == "EMPTY" ? "" : word);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  const int code = run_program(static_cast<int>(arguments.size()), arguments.data());
  (void)testing::internal::GetCapturedStdout();
  return {code, testing::internal::GetCapturedStderr()};
}

void expect_refused(const std::string& line, const std::string& hint, Exit code = Exit::usage) {
  SCOPED_TRACE(line.substr(0, 200));
  const Ended ended = run(line);
  EXPECT_EQ(ended.code, static_cast<int>(code));
  EXPECT_NE(ended.error.find(hint), std::string::npos) << ended.error;
  EXPECT_LT(ended.error.size(), 500u) << ended.error;
  for (const char* foreign : {"std::", "sto", "basic_", "vector::", "json.exception"})
    EXPECT_EQ(ended.error.find(foreign), std::string::npos) << ended.error;
}

TEST(Numbers, AreFiniteAndInRange) {
  EXPECT_EQ(parse_positive("--time", "1e-3", 10), 1e-3);
  EXPECT_EQ(parse_number("--threshold", "0.001", 0.001, 10), 0.001);
  for (const char* text : {"nan", "-nan", "inf", "1e400", "-1", "0", "", " 1", "1 ", "0x1", "1,5", "11"})
    EXPECT_THROW(parse_positive("--time", text, 10), Failure) << text;
  EXPECT_THROW(parse_number("--threshold", "nan", 0, 1), Failure);
}

TEST(Numbers, OfTimesHaveAUnitOrAreSeconds) {
  EXPECT_EQ(parse_duration("--budget", "90"), 90);
  EXPECT_EQ(parse_duration("--budget", "1.5m"), 90);
  EXPECT_EQ(parse_duration("--budget", "8760h"), 365 * 86400);
  for (const char* text :
       {"nan", "nans", "inf", "infm", "0s", "-1s", "1e400s", "1e300h", "8761h", "5ms", "s", "", "1d"})
    EXPECT_THROW(parse_duration("--budget", text), Failure) << text;
}

TEST(Numbers, OfRangesAreFewEnoughForAList) {
  EXPECT_EQ(parse_range("--sweep", "1:5000"), (Range{1, 5000, 1}));
  EXPECT_EQ(parse_range("--sweep", "268435456:268435456:9223372036854775807").to, 268435456);
  EXPECT_EQ(parse_range("--sweep", "1:1000000:1").to, 1000000);
  for (const char* text : {"1", "1:2:3:4", ":::", "1:0:1", "1:5:0", "5:1:-1", "1:9223372036854775807:1",
                           "1:99999999999999999999:1", "1:1000001:1", "1:268435457:1000"})
    EXPECT_THROW(parse_range("--sweep", text), Failure) << text;
}

TEST(Numbers, OfShapesLeaveRoomForTheirBytes) {
  EXPECT_EQ(parse_shape("268435456"), (Shape{268435456, 268435456}));
  EXPECT_EQ(parse_shape("0x72057594037927936"), (Shape{0, std::int64_t{1} << 56}));
  for (const char* text : {"268435457", "9223372036854775807", "0x9223372036854775807", "72057594037927937x1",
                           "3x36028797018963968", "99999999999999999999", "4x", "x4", "4X4", "+4", "-4", ""})
    EXPECT_THROW(parse_shape(text), Failure) << text;
  EXPECT_THROW(parse_shape("0x1", 1), Failure);
}

TEST(Words, AreShownInAShortLine) {
  expect_refused("bench gemv --backend cpu --shape " + long_number, "999...\": must have at most 2^56 elements");
  expect_refused("bench gemv --backend cpu --shape 4\xff", "shape \"4\xef\xbf\xbd\": must be rows x columns");
  for (const char* line : {"check --count ", "explain gemv 4 --incx ", "tune --seed ", "bench --time ", "bench --lda ",
                           "ladder --threads ", "compare a b --threshold ", "bench ", "ladder --cache ", "bench gemv ",
                           "bench --", "bench --mesh=", "bench --backend ", "check --type ", "tune --type ",
                           "tune --budget ", "check --backend reference --problem "})
    expect_refused(line + long_number, "");
}

TEST(CommandLines, ThatNoRunCanMeanAreRefused) {
  const std::pair<const char*, const char*> wrong[] = {
      {"bench gemv --backend cpu --shape 10 --time nan", "--time \"nan\": must be a number above 0"},
      {"bench gemv --backend cpu --shape 10 --time inf", "--time \"inf\": must be a number above 0"},
      {"bench gemv --backend cpu --shape 10 --max-bytes nan", "--max-bytes \"nan\": must be a number above 0"},
      {"bench gemv --backend cpu --shape 10 --max-bytes 1", "no point is left to measure"},
      {"bench gemv --backend cpu --shape 10 --budget 1e300h", "must be a time such as 90s, 9m or 1h, at most a year"},
      {"bench gemv --backend cpu --sweep 1:9223372036854775807:1", "must end at 268435456 or before"},
      {"bench gemv --backend cpu --sweep 1:5000000:1", "has 5000000 sizes, and must have at most 1000000"},
      {"bench gemv --backend cpu --sweep 1:900000:1", "points are more than a run can have"},
      {"bench gemv --backend cpu --lda 9223372036854775807 --shape 10", "must be a whole number from 0 to"},
      {"bench gemv --backend cpu --lda 72057594037927936 --shape 1x72057594037927936 --batch 2", "past 2^63 bytes"},
      {"bench gemv --backend cpu --shape EMPTY", "--shape: must not be empty"},
      {"bench gemv --backend cpu --mesh=2", "--mesh: takes no value"},
      {"bench gemv --backend cpu --shapes /", "cannot read /"},
      {"bench --show /", "cannot read /"},
      {"bench --show /dev/null", "it is not JSON"},
      {"explain gemv 1x72057594037927936 --backend reference --lda 72057594037927936 --batch 3", "past 2^63 bytes"},
      {"explain gemv 4 --backend reference --threads 1000000", "must be a whole number from 0 to 4096"},
      {"check gemv --backend cpu --max-size 9223372036854775807", "must be a whole number from 1 to 1048576"},
      {"check gemv --backend cpu --threads 1000000", "must be a whole number from 0 to 4096"},
      {"compare a b --threshold nan", "--threshold \"nan\": must be a number from 0.001 to 10"},
      {"ladder 8 --backend cpu --time nan", "--time \"nan\": must be a number above 0"},
      {"ladder 0 --backend cpu", "must be 1x1 or more"},
      {"tune --dry-run --output /dev/null --shape 0x0", "must be 1x1 or more"},
      {"tune --dry-run --output /dev/null --shape 9223372036854775807x9", "must have at most 2^56 elements"},
      {"tune --dry-run --output /dev/null --shape 4 --max-bytes nan", "--max-bytes \"nan\": must be a number above 0"},
  };
  for (const auto& [line, hint] : wrong) expect_refused(line, hint);
}

TEST(CommandLines, OfReductionsThatNoMemoryHoldsAreRefused) {
  if (find_reduction("syevd") == nullptr) GTEST_SKIP() << "no LAPACK in this build";
  const std::pair<const char*, const char*> wrong[] = {
      {"bench syevd --backend cpu --shape 9223372036854775807", "must have at most 2^56 elements"},
      {"bench gesvd-batched --backend cpu --shape 1x72057594037927936 --batch 2", "at most 2^56 elements together"},
      {"bench syevd-batched --backend cpu --shape 500000 --batch 2147483648", "at most 2^56 elements together"},
      {"bench sytrd --backend nothing", "--backend \"nothing\": must be cuda, cpu, sim or reference"},
      {"explain syevd 9223372036854775807 --backend cpu", "must have at most 2^56 elements"},
      {"explain gesvd 4294967296x4294967296 --backend cpu", "must have at most 2^56 elements"},
      {"explain gebrd 8 --lda 72057594037927936 --backend cpu", "at most 2^56 elements together"},
      {"check sytrd --backend cpu --max-size 9223372036854775807", "must be a whole number from 1 to 1048576"},
  };
  for (const auto& [line, hint] : wrong) expect_refused(line, hint);
  expect_refused("bench syevd --backend cpu --no-peers --shape 10000000", "GB more memory than is free", Exit::failed);
}
}  // namespace
}  // namespace onepass::tools
