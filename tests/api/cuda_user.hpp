// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A user's things on a GPU: arrays, streams, graphs, products whose blocks share sums, and a limit of time.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/user.hpp"

namespace onepass_user {

// An array in device memory. cudaMemcpy may return before a device has what came from pageable memory, and the streams
// of these tests do not wait for the default stream: the constructor does.
template <class T>
class Array {
 public:
  explicit Array(const std::vector<T>& values) : bytes_(values.size() * sizeof(T)) {
    EXPECT_EQ(cudaMalloc(&data_, bytes_), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(data_, values.data(), bytes_, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  }
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  T* data() const { return static_cast<T*>(data_); }
  std::vector<T> read() const {
    std::vector<T> values(bytes_ / sizeof(T));
    EXPECT_EQ(cudaMemcpy(values.data(), data_, bytes_, cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }
  // Once the work of the stream is done.
  std::vector<T> read(cudaStream_t stream) const {
    std::vector<T> values(bytes_ / sizeof(T));
    EXPECT_EQ(cudaMemcpyAsync(values.data(), data_, bytes_, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    return values;
  }
  void poison(cudaStream_t stream) const { EXPECT_EQ(cudaMemsetAsync(data_, 0xff, bytes_, stream), cudaSuccess); }

 private:
  std::size_t bytes_;
  void* data_ = nullptr;
};
using Device = Array<float>;

class Stream {
 public:
  Stream() { EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// What body() launches while the stream is being captured, ready to run.
class Graph {
 public:
  template <class Body>
  Graph(cudaStream_t stream, cudaStreamCaptureMode mode, Body body) {
    EXPECT_EQ(cudaStreamBeginCapture(stream, mode), cudaSuccess);
    body();
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph_), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&ready_, graph_, 0), cudaSuccess);
  }
  ~Graph() {
    cudaGraphExecDestroy(ready_);
    cudaGraphDestroy(graph_);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  void launch(cudaStream_t stream) const { EXPECT_EQ(cudaGraphLaunch(ready_, stream), cudaSuccess); }

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t ready_ = nullptr;
};

// Numbers of which no sum is exact: another order of terms, or another launch's, would be other bits.
template <class T = float>
std::vector<T> mixed(std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<T>(i * 2654435761u % 1009) / static_cast<T>(1009) - static_cast<T>(0.5);
  return values;
}

enum class Kind { gemv, symv };

// y = A x with few rows and long sums, or with a triangle: blocks wait for each other's partial sums in a workspace.
class Product {
 public:
  explicit Product(Kind kind)
      : kind_(kind),
        rows_(kind == Kind::gemv ? 68 : 2000),
        columns_(kind == Kind::gemv ? 8443 : 2000),
        a_(mixed(rows_ * columns_)),
        x_(mixed(columns_)) {}

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  const float* a() const { return a_.data(); }
  const float* x() const { return x_.data(); }

  onepassStatus_t call(onepassHandle_t handle, float* y) const {
    const float one = 1, zero = 0;
    if (kind_ == Kind::gemv)
      return onepassSgemv(handle, ONEPASS_OP_N, rows_, columns_, &one, a(), rows_, x(), 1, &zero, y, 1);
    return onepassSsymv(handle, ONEPASS_FILL_MODE_LOWER, rows_, &one, a(), rows_, x(), 1, &zero, y, 1);
  }
  void expect_call(onepassHandle_t handle, float* y) const {
    EXPECT_EQ(call(handle, y), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  }

  // The result of a call with nothing beside it.
  std::vector<float> alone() const {
    const HostHandle handle("cuda");
    const Stream stream;
    const Device y(std::vector<float>(static_cast<std::size_t>(rows_)));
    EXPECT_EQ(onepassSetStream(handle, stream), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
    expect_call(handle, y.data());
    return y.read(stream);
  }

 private:
  Kind kind_;
  std::int64_t rows_, columns_;
  Device a_, x_;
};

// Room for the results of many calls of one product.
class Results {
 public:
  Results(const Product& product, int count)
      : rows_(product.rows()), values_(std::vector<float>(static_cast<std::size_t>(count * rows_))) {}
  float* operator[](std::int64_t i) const { return values_.data() + i * rows_; }
  void poison(cudaStream_t stream) const { values_.poison(stream); }
  // The i-th, once the work of the stream is done.
  std::vector<float> read(std::int64_t i, cudaStream_t stream) const {
    const std::vector<float> all = values_.read(stream);
    return {all.begin() + i * rows_, all.begin() + (i + 1) * rows_};
  }
  // How many are not `expected`, bit by bit, once the work of the stream is done.
  int wrong(const std::vector<float>& expected, cudaStream_t stream) const {
    const std::vector<float> found = values_.read(stream);
    int count = 0;
    for (std::size_t i = 0; i < found.size(); i += expected.size())
      if (std::memcmp(found.data() + i, expected.data(), expected.size() * sizeof(float)) != 0) ++count;
    return count;
  }

 private:
  std::int64_t rows_;
  Device values_;
};

inline constexpr int limit = 60;  // seconds that a test of streams or graphs may take

// Ends the program if a test takes longer: a kernel that waits for ever cannot be ended otherwise.
class Watchdog {
 public:
  explicit Watchdog(int seconds)
      : test_(testing::UnitTest::GetInstance()->current_test_info()->name()), thread_([this, seconds] {
          std::unique_lock lock(mutex_);
          if (ended_.wait_for(lock, std::chrono::seconds(seconds), [this] { return over_; })) return;
          std::fprintf(stderr, "%s did not end within %d s\n", test_.c_str(), seconds);
          std::_Exit(1);
        }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    ended_.notify_one();
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  std::string test_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

// Skips where there is no GPU.
class OnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (handle.status == ONEPASS_STATUS_BACKEND_UNAVAILABLE) GTEST_SKIP() << onepassLastErrorMessage();
    ASSERT_EQ(handle.status, ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  }
  void use(cudaStream_t stream) {
    ASSERT_EQ(onepassSetStream(handle, stream), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  }
  HostHandle handle{"cuda"};
};

}  // namespace onepass_user
