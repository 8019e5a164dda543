// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One handle and many streams: those of threads, one that ended with work to do, those of another device.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "api/cuda_user.hpp"

namespace onepass_user {
namespace {

class CudaStreams : public OnGpu, public testing::WithParamInterface<Kind> {};
INSTANTIATE_TEST_SUITE_P(Product, CudaStreams, testing::Values(Kind::gemv, Kind::symv),
                         [](const auto& info) { return info.param == Kind::gemv ? "gemv" : "symv"; });

// body(number of the thread), in two threads at once.
template <class Body>
void in_two_threads(Body body) {
  std::thread first(body, 0), second(body, 1);
  first.join();
  second.join();
}

TEST_P(CudaStreams, TheDefaultStreamsOfThreadsWithTwoHandles) {
  const Watchdog watchdog(limit);
  const Product product(GetParam());
  const std::vector<float> expected = product.alone();
  constexpr int calls = 50;
  const Results results[] = {Results(product, calls), Results(product, calls)};
  std::atomic<int> wrong = 0;
  in_two_threads([&](int me) {
    const HostHandle own("cuda");
    if (onepassSetStream(own, cudaStreamPerThread) != ONEPASS_STATUS_SUCCESS) ++wrong;
    for (int round = 0; round < 20; ++round) {
      results[me].poison(cudaStreamPerThread);
      for (int i = 0; i < calls; ++i)
        if (product.call(own, results[me][i]) != ONEPASS_STATUS_SUCCESS) ++wrong;
      wrong += results[me].wrong(expected, cudaStreamPerThread);
    }
  });
  EXPECT_EQ(wrong, 0);
}

// The stream is set once; the calls of each thread run on its own, beside those of the other.
TEST_P(CudaStreams, TheDefaultStreamsOfThreadsWithOneHandle) {
  const Watchdog watchdog(limit);
  const Product product(GetParam());
  const std::vector<float> expected = product.alone();
  constexpr int calls = 50;
  const Results results[] = {Results(product, calls), Results(product, calls)};
  use(cudaStreamPerThread);
  std::mutex mutex;  // of the handle: it belongs to one thread at a time
  std::atomic<int> wrong = 0;
  in_two_threads([&](int me) {
    for (int round = 0; round < 20; ++round) {
      results[me].poison(cudaStreamPerThread);
      for (int i = 0; i < calls; ++i) {
        const std::lock_guard lock(mutex);
        if (product.call(handle, results[me][i]) != ONEPASS_STATUS_SUCCESS) ++wrong;
      }
      wrong += results[me].wrong(expected, cudaStreamPerThread);
    }
  });
  EXPECT_EQ(wrong, 0);
}

// A stream that is destroyed finishes its work later, and its address may be given to another one at once.
TEST_P(CudaStreams, AnAddressThatComesAgainIsAnotherStream) {
  const Watchdog watchdog(limit);
  const Product product(GetParam());
  const std::vector<float> expected = product.alone();
  constexpr int calls = 200;
  const Results before(product, calls), after(product, calls);
  const Stream copies;
  int came_again = 0;
  for (int round = 0; round < 10; ++round) {
    cudaStream_t ended = nullptr;
    ASSERT_EQ(cudaStreamCreateWithFlags(&ended, cudaStreamNonBlocking), cudaSuccess);
    use(ended);
    before.poison(ended);
    for (int i = 0; i < calls; ++i) product.expect_call(handle, before[i]);
    ASSERT_EQ(cudaStreamDestroy(ended), cudaSuccess);
    std::vector<cudaStream_t> made;
    do {
      made.push_back(nullptr);
      ASSERT_EQ(cudaStreamCreateWithFlags(&made.back(), cudaStreamNonBlocking), cudaSuccess);
    } while (made.back() != ended && made.size() < 100);
    if (made.back() == ended) {
      ++came_again;
      use(made.back());
      after.poison(made.back());
      for (int i = 0; i < calls; ++i) product.expect_call(handle, after[i]);
      EXPECT_EQ(after.wrong(expected, made.back()), 0) << "round " << round;
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(before.wrong(expected, copies), 0) << "round " << round;
    for (const cudaStream_t stream : made) ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  }
  if (came_again == 0) GTEST_SKIP() << "no address came again among 100 streams";
}

class CudaDevices : public OnGpu {};

TEST_F(CudaDevices, CallsOnAnotherDeviceAreRefused) {
  int devices = 0, before = 0;
  ASSERT_EQ(cudaGetDeviceCount(&devices), cudaSuccess);
  if (devices < 2) GTEST_SKIP() << "there is one GPU";
  ASSERT_EQ(cudaGetDevice(&before), cudaSuccess);
  const Product product(Kind::gemv);
  const std::vector<float> expected = product.alone();
  const Results result(product, 1);
  ASSERT_EQ(cudaSetDevice(before == 0 ? 1 : 0), cudaSuccess);
  const std::string current = before == 0 ? "device 1 is current" : "device 0 is current";
  EXPECT_ERROR(product.call(handle, result[0]), ONEPASS_STATUS_WRONG_DEVICE, current.c_str());
  EXPECT_ERROR(onepassSetStream(handle, nullptr), ONEPASS_STATUS_WRONG_DEVICE, current.c_str());
  EXPECT_ERROR(onepassReserveWorkspace(handle, 1), ONEPASS_STATUS_WRONG_DEVICE, current.c_str());
  ASSERT_EQ(cudaSetDevice(before), cudaSuccess);
  const Stream stream;
  use(stream);
  product.expect_call(handle, result[0]);
  EXPECT_EQ(result.wrong(expected, stream), 0);
}

}  // namespace
}  // namespace onepass_user
