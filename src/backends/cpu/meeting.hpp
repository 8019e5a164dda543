// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Where the threads of a team wait for each other. libgomp's barrier enters the kernel to wake threads even if all of
// them spin, which takes longer than a small product.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

namespace onepass::cpu {

class Meeting {
 public:
  // Until all of `size` threads are here.
  void wait(int size) {
    const std::uint32_t round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == size) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    for (int looks = 0; round_.load(std::memory_order_acquire) == round; ++looks)
      looks < patience ? relax() : static_cast<void>(sched_yield());
  }

 private:
  // Some 50 us; a thread that is late by more may have no core, and gets this one.
  static constexpr int patience = 1000;

  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb");
#endif
  }

  alignas(64) std::atomic<int> arrived_ = 0;
  alignas(64) std::atomic<std::uint32_t> round_ = 0;
};

}  // namespace onepass::cpu
