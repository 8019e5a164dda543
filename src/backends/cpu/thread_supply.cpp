// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/cpu/thread_supply.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>

namespace onepass::cpu {
namespace {

using Clock = std::chrono::steady_clock;

// A refused caller does not ask again for so long: there may be threads by then.
constexpr std::chrono::seconds patience{1};

// The stack of OpenMP's threads, as OMP_STACKSIZE has it: a number of KiB, or of what its unit says; 0 for the default.
std::size_t stack_bytes() {
  const char* const text = std::getenv("OMP_STACKSIZE");
  if (text == nullptr) return 0;
  char* unit = nullptr;
  const std::size_t number = std::strtoull(text, &unit, 10);
  while (std::isspace(static_cast<unsigned char>(*unit)) != 0) ++unit;
  switch (std::toupper(static_cast<unsigned char>(*unit))) {
    case 'B': return number;
    case 'M': return number << 20;
    case 'G': return number << 30;
    default: return number << 10;
  }
}

// A thread that lives until the gate opens. OpenMP's lists have less than a KiB for each thread: memory for those is
// there if it was for these.
struct Guest {
  std::mutex* gate = nullptr;
  pthread_t thread{};
  std::atomic<pid_t> id = 0;
  std::byte for_lists[1000];

  static void* live(void* guest) {
    auto* const self = static_cast<Guest*>(guest);
    self->id = static_cast<pid_t>(syscall(SYS_gettid));
    const std::lock_guard wait(*self->gate);
    return nullptr;
  }
};

// A thread that was joined may count for a moment longer.
void wait_until_gone(pid_t id, Clock::time_point end) {
  while (syscall(SYS_tgkill, getpid(), id, 0) == 0 && Clock::now() < end) sched_yield();
}

// Guests that could live at once, of so many.
int guests(int wanted) {
  const std::unique_ptr<Guest[]> all(new (std::nothrow) Guest[static_cast<std::size_t>(wanted)]);
  pthread_attr_t attributes;
  if (all == nullptr || pthread_attr_init(&attributes) != 0) return 0;
  if (const std::size_t bytes = stack_bytes(); bytes > 0) pthread_attr_setstacksize(&attributes, bytes);
  std::mutex gate;
  int count = 0;
  {
    const std::lock_guard closed(gate);
    for (; count < wanted; ++count) {
      all[count].gate = &gate;
      if (pthread_create(&all[count].thread, &attributes, Guest::live, &all[count]) != 0) break;
    }
  }
  for (int i = 0; i < count; ++i) pthread_join(all[i].thread, nullptr);
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(10);
  for (int i = 0; i < count; ++i) wait_until_gone(all[i].id, end);
  pthread_attr_destroy(&attributes);
  return count;
}

}  // namespace

int ask_for_threads(int threads) {
  static constinit thread_local Clock::time_point next{};
  const Clock::time_point now = Clock::now();
  if (now < next) return granted_before;
  const int granted = 1 + guests(threads - 1);
  if (granted < threads) next = now + patience;
  granted_before = std::max(granted_before, granted);
  return granted;
}

}  // namespace onepass::cpu
