// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Which workspace a call of a reduction has on a device whose streams and captures a test makes up.
#include "lapack/cuda/workspace.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "device/counting_backend.hpp"

namespace onepass::test {
namespace {

class LapackWorkspace : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(own->open(&backend, 0).ok()); }
  void TearDown() override {
    own.reset();
    EXPECT_TRUE(backend.live.empty());
    EXPECT_EQ(backend.flags, 0);
  }
  void* get(Stream stream, std::size_t needed = 1000) {
    Workspace found;
    const Status status = lapack::workspace_of_call(*own, stream, nullptr, 0, needed, &found);
    EXPECT_TRUE(status.ok()) << status.text;
    EXPECT_GE(found.bytes, needed);
    EXPECT_EQ(found.timed_out, &backend.flag);
    return found.data;
  }

  CountingBackend backend;
  std::optional<Workspaces> own{std::in_place};
};

TEST_F(LapackWorkspace, OfEachStreamIsItsOwn) {
  void* const first = get(stream(1));
  void* const second = get(stream(2));
  EXPECT_NE(first, second);
  EXPECT_EQ(get(stream(1)), first);
  EXPECT_EQ(get(stream(2)), second);
  EXPECT_EQ(backend.allocations, 2) << "and none before a call needs one";
}

TEST_F(LapackWorkspace, OfEachGraphIsItsOwnAndOutlivesTheHandle) {
  void* const of_stream = get(stream(1));
  backend.captures[stream(1)] = 5;
  void* const of_graph = get(stream(1));
  EXPECT_NE(of_graph, of_stream);
  backend.captures.clear();
  EXPECT_EQ(get(stream(1)), of_stream);
  EXPECT_NE(get(stream(2)), of_graph);
  own.reset();
  EXPECT_EQ(backend.live, std::set<void*>{of_graph});
  EXPECT_EQ(backend.flags, 1) << "a launch of the graph may still set the flag";
  backend.destroy_graph(5);
  own.emplace();  // TearDown's end of a handle releases what the graph left
}

TEST_F(LapackWorkspace, OfTheCallerIsTakenAndNoneAllocated) {
  alignas(256) static std::byte memory[1024];
  for (const bool captured : {false, true}) {
    if (captured) backend.captures[stream(1)] = 5;
    Workspace found;
    ASSERT_TRUE(lapack::workspace_of_call(*own, stream(1), memory, 1000, 1000, &found).ok());
    EXPECT_EQ(found.data, memory);
    EXPECT_EQ(found.timed_out, &backend.flag);
  }
  EXPECT_EQ(backend.allocations, 0);
}

TEST_F(LapackWorkspace, OfTheCallerMustBeLargeEnoughAndAMultipleOf256Bytes) {
  alignas(256) static std::byte memory[1024];
  Workspace found;
  Status status = lapack::workspace_of_call(*own, nullptr, memory, 99, 100, &found);
  EXPECT_EQ(status.code, ONEPASS_STATUS_WORKSPACE_TOO_SMALL);
  EXPECT_EQ(status.text, "the workspace has 99 bytes, and 100 are needed");
  status = lapack::workspace_of_call(*own, nullptr, memory + 64, 900, 100, &found);
  EXPECT_EQ(status.code, ONEPASS_STATUS_INVALID_ALIGNMENT);
  EXPECT_EQ(status.text, "workspace must be a multiple of 256 bytes, and is 64 past one");
}

TEST_F(LapackWorkspace, OfACallThatNeedsNoneIsNotAllocated) {
  EXPECT_EQ(get(stream(1), 0), nullptr);
  Workspace found;
  EXPECT_TRUE(lapack::workspace_of_call(*own, stream(1), this, 0, 0, &found).ok());
  EXPECT_EQ(backend.allocations, 0);
}

}  // namespace
}  // namespace onepass::test
