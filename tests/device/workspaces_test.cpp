// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Which launches share a workspace, and when one is allocated, cleared and released.
#include "device/workspaces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "device/counting_backend.hpp"

namespace onepass::test {
namespace {

constexpr std::size_t starting = Workspaces::starting_bytes;

class WorkspacesTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(workspaces->open(&backend).ok());
    ASSERT_TRUE(workspaces->use(nullptr).ok());
  }
  void TearDown() override {
    workspaces.reset();
    EXPECT_TRUE(backend.live.empty()) << backend.live.size() << " workspaces were not released";
    EXPECT_EQ(backend.flags, 0);
  }
  void* get(std::size_t bytes = 1) {
    Workspace found;
    const Status status = workspaces->get(bytes, &found);
    EXPECT_TRUE(status.ok()) << status.text;
    EXPECT_GE(found.bytes, bytes);
    EXPECT_EQ(found.timed_out, &backend.flag);
    return found.data;
  }
  void* get_on(Stream stream, std::size_t bytes = 1) {
    EXPECT_TRUE(workspaces->use(stream).ok());
    return get(bytes);
  }
  bool is_live(void* data) const { return backend.live.contains(data); }

  CountingBackend backend;
  std::optional<Workspaces> workspaces{std::in_place};
};

TEST_F(WorkspacesTest, AStreamKeepsItsWorkspace) {
  void* const first = get_on(stream(1));
  void* const second = get_on(stream(2));
  EXPECT_NE(first, second);
  const int allocations = backend.allocations;
  EXPECT_EQ(get_on(stream(1)), first);
  EXPECT_EQ(get_on(stream(1), starting), first);
  EXPECT_EQ(get_on(stream(2)), second);
  EXPECT_EQ(backend.allocations, allocations);
}

TEST_F(WorkspacesTest, AnAddressThatComesAgainIsAnotherStream) {
  void* const first = get_on(stream(1));
  backend.stream_ids[stream(1)] = 77;
  EXPECT_NE(get_on(stream(1)), first);
}

// One handle of the default stream of each thread: its number is asked for at each launch.
TEST_F(WorkspacesTest, EachThreadsDefaultStreamHasItsOwn) {
  backend.stream_ids[backend.per_thread] = 101;
  void* const first = get_on(backend.per_thread);
  backend.stream_ids[backend.per_thread] = 102;
  void* const second = get();
  EXPECT_NE(first, second);
  backend.stream_ids[backend.per_thread] = 101;
  EXPECT_EQ(get(), first);
}

TEST_F(WorkspacesTest, AWorkspaceGrowsAndTheSmallerOneIsReleased) {
  void* const small = get_on(stream(1));
  std::memset(small, 1, 100);
  const std::size_t count = backend.live.size();
  void* const large = get(starting + 1);
  EXPECT_EQ(backend.live.size(), count);
  EXPECT_FALSE(is_live(small) && small != large);
  EXPECT_EQ(get(2 * starting), large) << "sizes are powers of two";
  EXPECT_EQ(get(), large);
  EXPECT_TRUE(std::all_of(static_cast<char*>(large), static_cast<char*>(large) + 100, [](char c) { return c == 0; }));
}

TEST_F(WorkspacesTest, WhatIsReservedNeedNotBeAllocatedLater) {
  ASSERT_TRUE(workspaces->use(stream(1)).ok());
  ASSERT_TRUE(workspaces->reserve(8 * starting).ok());
  const int allocations = backend.allocations;
  get(8 * starting);
  EXPECT_EQ(backend.allocations, allocations);
}

TEST_F(WorkspacesTest, TheStreamThatWasUsedLongestAgoGivesItsOwnBack) {
  std::vector<void*> data;
  for (std::size_t i = 1; i < Workspaces::most_streams; ++i) data.push_back(get_on(stream(i)));  // beside the default
  EXPECT_EQ(backend.live.size(), Workspaces::most_streams);
  get_on(nullptr);
  EXPECT_EQ(get_on(stream(1)), data[0]);
  get_on(stream(50));
  EXPECT_EQ(backend.live.size(), Workspaces::most_streams);
  EXPECT_FALSE(is_live(data[1])) << "stream 2 was used longest ago";
  EXPECT_TRUE(is_live(data[0]));
  const int allocations = backend.allocations;
  get_on(stream(1));
  get_on(nullptr);
  EXPECT_EQ(backend.allocations, allocations);
  get_on(stream(2));
  EXPECT_EQ(backend.allocations, allocations + 1);
  EXPECT_FALSE(is_live(data[2])) << "then stream 3";
}

TEST_F(WorkspacesTest, AWorkspaceThatGrewIsNoOlder) {
  for (std::size_t i = 1; i < Workspaces::most_streams; ++i) get_on(stream(i));
  void* const large = get(2 * starting);
  get_on(stream(50));
  EXPECT_TRUE(is_live(large)) << "the last stream gave its own back before those that were used earlier";
}

TEST_F(WorkspacesTest, AThreadsDefaultStreamIsNoOlderThanTheOthers) {
  backend.stream_ids[backend.per_thread] = 100;
  for (std::size_t i = 1; i + 1 < Workspaces::most_streams; ++i) get_on(stream(i));
  get_on(backend.per_thread);
  backend.stream_ids[backend.per_thread] = 101;
  void* const latest = get();
  backend.stream_ids[backend.per_thread] = 102;
  get();
  EXPECT_TRUE(is_live(latest)) << "the latest of all gave its own back";
}

TEST_F(WorkspacesTest, EachGraphHasItsOwn) {
  void* const of_stream = get_on(stream(1));
  backend.captures[stream(1)] = 5;
  void* const first = get();
  EXPECT_NE(first, of_stream);
  EXPECT_EQ(get(), first) << "launches of a graph follow each other";
  backend.captures[stream(1)] = 6;
  void* const second = get();
  EXPECT_NE(second, first);
  EXPECT_TRUE(is_live(first)) << "the graph that was captured before may still be replayed";
  backend.captures.clear();
  EXPECT_EQ(get(), of_stream);
  backend.destroy_graph(5);
  backend.destroy_graph(6);
}

TEST_F(WorkspacesTest, StreamsOfOneCaptureMayOverlap) {
  backend.captures[stream(1)] = backend.captures[stream(2)] = 5;
  void* const first = get_on(stream(1));
  void* const second = get_on(stream(2));
  EXPECT_NE(first, second);
  EXPECT_EQ(get_on(stream(1)), first);
  EXPECT_EQ(get_on(stream(2)), second);
  backend.destroy_graph(5);
}

TEST_F(WorkspacesTest, ALaunchOfAGraphMayNeedMoreThanTheOneBefore) {
  ASSERT_TRUE(workspaces->use(stream(1)).ok());
  backend.captures[stream(1)] = 5;
  void* const small = get(1);
  void* const large = get(starting);
  EXPECT_NE(small, large);
  EXPECT_TRUE(is_live(small)) << "the launch before has its address";
  backend.destroy_graph(5);
}

TEST_F(WorkspacesTest, MemoryOfAGraphIsReleasedOnceItIsGone) {
  ASSERT_TRUE(workspaces->use(stream(1)).ok());
  backend.captures[stream(1)] = 5;
  void* const first = get();
  backend.destroy_graph(5);
  EXPECT_TRUE(is_live(first)) << "the driver's thread must not free";
  backend.captures[stream(1)] = 6;
  get();
  EXPECT_EQ(backend.live.size(), 3u) << "the default stream, this one and its second graph";
  backend.destroy_graph(6);
}

TEST_F(WorkspacesTest, AGraphOutlivesTheHandle) {
  ASSERT_TRUE(workspaces->use(stream(1)).ok());
  backend.captures[stream(1)] = 5;
  void* const data = get();
  workspaces.reset();
  EXPECT_EQ(backend.live, std::set<void*>{data});
  EXPECT_EQ(backend.flags, 1) << "a launch of the graph may still set the flag";
  backend.destroy_graph(5);
  workspaces.emplace();  // TearDown's end of a handle releases what the graph left
}

TEST_F(WorkspacesTest, AGraphThatTakesNoMemoryIsAFailureAndLosesNone) {
  ASSERT_TRUE(workspaces->use(stream(1)).ok());
  backend.captures[stream(1)] = 5;
  backend.graphs_refuse = true;
  Workspace found;
  EXPECT_EQ(workspaces->get(1, &found).code, ONEPASS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(workspaces->get(1, &found).code, ONEPASS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(backend.live.size(), 3u) << "two streams, and what the next graph may have";
}

TEST_F(WorkspacesTest, WithoutMemoryTheStreamStaysAsItWas) {
  void* const data = get_on(stream(1));
  backend.out_of_memory = true;
  EXPECT_EQ(workspaces->use(stream(2)).code, ONEPASS_STATUS_OUT_OF_MEMORY);
  EXPECT_EQ(get(), data);
  Workspace found;
  EXPECT_EQ(workspaces->get(2 * starting, &found).code, ONEPASS_STATUS_OUT_OF_MEMORY);
  EXPECT_EQ(get(), data);
}

TEST_F(WorkspacesTest, MoreThanAnyMemoryHasIsRefused) {
  const Status status = workspaces->reserve(std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(status.code, ONEPASS_STATUS_OUT_OF_MEMORY);
  EXPECT_NE(status.text.find("18446744073709551615 bytes"), std::string::npos) << status.text;
}

TEST_F(WorkspacesTest, AfterATimeoutEachWorkspaceIsClearedOnceOnTheStreamThatUsesIt) {
  void* const first = get_on(stream(1));
  void* const second = get_on(stream(2));
  EXPECT_TRUE(workspaces->report_timeout().ok());
  backend.flag = 1;
  const Status status = workspaces->report_timeout();
  EXPECT_EQ(status.code, ONEPASS_STATUS_EXECUTION_FAILED);
  EXPECT_NE(status.text.find("gave up"), std::string::npos) << status.text;
  EXPECT_TRUE(workspaces->report_timeout().ok()) << "it is said once";
  EXPECT_TRUE(backend.zeroed.empty()) << "other launches may still run";
  get();
  get();
  get_on(stream(1));
  get_on(stream(2));
  const std::vector<std::pair<void*, Stream>> expected = {{second, stream(2)}, {first, stream(1)}};
  EXPECT_EQ(backend.zeroed, expected);
}

// Its graph gets what its launches need, and after the capture the stream gets its own.
TEST_F(WorkspacesTest, AStreamMayBeTakenWhileItIsBeingCaptured) {
  int address = 0;
  const Stream stream = reinterpret_cast<Stream>(&address);
  const std::size_t before = backend.live.size();
  backend.captures[stream] = 7;
  ASSERT_TRUE(workspaces->use(stream).ok());
  EXPECT_EQ(backend.live.size(), before);
  void* const of_graph = get();
  EXPECT_EQ(get(), of_graph);
  backend.captures.clear();
  void* const of_stream = get();
  EXPECT_NE(of_stream, of_graph);
  EXPECT_EQ(get(), of_stream);
  backend.destroy_graph(7);
}

// Those of large factorisations: two of them may not fit at once.
TEST_F(WorkspacesTest, ALargeWorkspaceIsReleasedBeforeALargerOneIsAllocated) {
  constexpr std::size_t mib = std::size_t{1} << 20;
  ASSERT_TRUE(workspaces->use(stream(1)).ok());
  Workspace found;
  ASSERT_TRUE(workspaces->get(65 * mib, &found).ok());
  EXPECT_EQ(found.bytes, 128 * mib);
  backend.most_live = 0;
  ASSERT_TRUE(workspaces->get(129 * mib, &found).ok());
  EXPECT_EQ(found.bytes, 192 * mib) << "no power of two";
  EXPECT_EQ(backend.most_live, 2u) << "the default stream's and this one";
  backend.out_of_memory = true;
  EXPECT_EQ(workspaces->get(257 * mib, &found).code, ONEPASS_STATUS_OUT_OF_MEMORY);
  backend.out_of_memory = false;
  EXPECT_TRUE(workspaces->get(1, &found).ok());
}

TEST_F(WorkspacesTest, MemoryOfALargeGraphIsNotForSmallOnes) {
  ASSERT_TRUE(workspaces->use(stream(1)).ok());
  backend.captures[stream(1)] = 5;
  void* const large = get(std::size_t{65} << 20);
  backend.destroy_graph(5);
  backend.captures[stream(1)] = 6;
  EXPECT_NE(get(), large);
  EXPECT_FALSE(is_live(large));
  backend.destroy_graph(6);
}

TEST_F(WorkspacesTest, MayStartWithNothing) {
  Workspaces others;
  const int allocations = backend.allocations;
  ASSERT_TRUE(others.open(&backend, 0).ok());
  ASSERT_TRUE(others.use(stream(1)).ok());
  EXPECT_EQ(backend.allocations, allocations);
  Workspace first, second;
  ASSERT_TRUE(others.get(1, &first).ok());
  ASSERT_TRUE(others.use(stream(2)).ok());
  ASSERT_TRUE(others.get(1, &second).ok());
  EXPECT_NE(first.data, second.data);
  EXPECT_EQ(backend.allocations, allocations + 2);
}

}  // namespace
}  // namespace onepass::test
