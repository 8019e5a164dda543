// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Callers in several threads, in a child of fork(), and as many threads as OMP_NUM_THREADS says.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <thread>
#include <vector>

#include "interop/blas/symbols.hpp"

namespace blas_test {
namespace {

// Large enough for several threads, and with gaps in x and y, so that x is packed and sums are kept in the workspace.
struct Large {
  static constexpr Short n = 600, two = 2;
  std::vector<double> a = std::vector<double>(n * n), x = std::vector<double>(n * 2), y = std::vector<double>(n * 2);

  explicit Large(int seed) {
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] = static_cast<double>((i * 7 + static_cast<std::size_t>(seed)) % 13);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i % 5);
  }
  const std::vector<double>& run() {
    const double one = 1, zero = 0;
    dgemv_("T", &n, &n, &one, a.data(), &n, x.data(), &two, &zero, y.data(), &two);
    dsymv_("L", &n, &one, a.data(), &n, x.data(), &two, &one, y.data(), &two);
    return y;
  }
};

TEST(Threads, MayCallAtOnce) {
  std::vector<std::vector<double>> expected;
  expected.reserve(4);
  for (int i = 0; i < 4; ++i) expected.push_back(Large(i).run());
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      Large mine(i);
      for (int k = 0; k < 20; ++k)
        wrong[static_cast<std::size_t>(i)] += mine.run() != expected[static_cast<std::size_t>(i)];
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

// libgomp's threads do not follow into a child, which would wait for them for ever.
TEST(Threads, OfAParentAreNotAwaitedInItsChild) {
  const std::vector<double> expected = Large(1).run();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);
    _exit(Large(1).run() == expected ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "the child ended with " << status;
}

// One process per setting, since libgomp reads it once.
TEST(Threads, AreAsManyAsOmpNumThreadsSays) {
  const char* setting = std::getenv("OMP_NUM_THREADS");
  if (setting == nullptr) GTEST_SKIP() << "OMP_NUM_THREADS is not set";
  Large(1).run();
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  EXPECT_EQ(std::distance(begin(tasks), end(tasks)), std::atoi(setting));
}

}  // namespace
}  // namespace blas_test
