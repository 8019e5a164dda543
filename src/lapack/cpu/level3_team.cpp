// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cpu/level3_team.hpp"

#include <mutex>

// Null where the host's BLAS is another one.
extern "C" {
[[gnu::weak]] void openblas_set_num_threads(int threads);
[[gnu::weak]] int openblas_get_num_threads();
[[gnu::weak]] int openblas_get_parallel();
}

namespace onepass::lapack {
namespace {

thread_local int team_threads = 1;

// The number is one for the whole process: the first of all teams takes OpenBLAS's threads away, and the last one
// brings them back. One that is built on OpenMP sees itself which of its callers are a team.
class OpenblasThreads {
 public:
  void take() {
    const std::lock_guard lock(mutex_);
    if (teams_++ > 0 || !has_threads()) return;
    number_ = openblas_get_num_threads();
    if (number_ > 1) openblas_set_num_threads(1);
  }
  void bring_back() {
    const std::lock_guard lock(mutex_);
    if (--teams_ > 0 || !has_threads()) return;
    if (number_ > 1) openblas_set_num_threads(number_);
  }

 private:
  static bool has_threads() {
    constexpr int by_pthreads = 1;
    return openblas_set_num_threads != nullptr && openblas_get_num_threads != nullptr &&
           openblas_get_parallel != nullptr && openblas_get_parallel() == by_pthreads;
  }
  std::mutex mutex_;
  int teams_ = 0, number_ = 0;
};

OpenblasThreads& openblas_threads() {
  static OpenblasThreads own;
  return own;
}

}  // namespace

Level3Team::Level3Team(int threads) : before_(team_threads) {
  team_threads = threads;
  if (threads > 1) openblas_threads().take();
}

Level3Team::~Level3Team() {
  if (team_threads > 1) openblas_threads().bring_back();
  team_threads = before_;
}

int Level3Team::threads() { return team_threads; }

}  // namespace onepass::lapack
