// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/cuda/host_time.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace onepass::tools {

double host_seconds_per_call(const CudaStream& stream, const std::function<void()>& call) {
  using Clock = std::chrono::steady_clock;
  // A full queue of launches would make the host wait for the device.
  constexpr int calls = 1000, between_drains = 50, warm_up = 100;
  std::vector<double> samples;
  for (int i = -warm_up; i < calls; ++i) {
    if (i % between_drains == 0) stream.synchronize();
    const auto start = Clock::now();
    call();
    if (i >= 0) samples.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  stream.synchronize();
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

}  // namespace onepass::tools
