// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A captured sequence of launches with a clock at both ends: device time of a replay, without the host's.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

namespace onepass::tools {

class Replay {
 public:
  // `prologue` is captured before the clock starts, `timed` between its start and stop.
  Replay(cudaStream_t stream, const std::function<void()>& prologue, const std::function<void()>& timed);
  ~Replay();
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  // Runs once, waits, and returns the seconds between start and stop.
  double run();

 private:
  void release();

  cudaStream_t stream_;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace onepass::tools
