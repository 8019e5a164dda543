// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A backend of tests: sytrd as the launches that a test asks for.
#pragma once

#include "lapack/backend.hpp"
#include "launches.hpp"
#include "orders.hpp"
#include "reduction.hpp"

namespace onepass::test {

struct Schedule {
  int blocks = 1;
  std::vector<int> panels = {};  // columns of each
  bool begins = false;           // in double precision, the update behind a panel begins the next one
  std::vector<int> steps = {};   // then on the chip, before the last launch
  bool on_chip = true;           // the rest; else by the cpu backend
  int in_registers = 4;          // columns of a block: 4 or 6
  bool one_block = false;        // has the last launch on the chip
  double scale = 1;              // by which A is multiplied first; then all is on the chip
};
// Of this thread's next run.
inline Schedule& schedule() {
  thread_local Schedule instance;
  return instance;
}

template <class T>
Status run_schedule(const LapackProblem& problem, const LapackOperands& operands, const Schedule& s) {
  using R = lapack::Real<T>;
  Rest<T> rest(problem, operands);
  const R scale[2] = {static_cast<R>(s.scale), static_cast<R>(1 / s.scale)};
  if (s.scale != 1) {
    for (std::int64_t j = 0; j < rest.n; ++j)
      for (std::int64_t i = j; i < rest.n; ++i) rest.at(i, j) *= scale[0];
    rest.scale = scale;
  }
  for (std::size_t i = 0; i < s.panels.size(); ++i) {
    const int next = s.begins && i + 1 < s.panels.size() ? s.panels[i + 1] : 0;
    if (Status status = reduce_panel(rest, s.panels[i], s.blocks, next); !status.ok()) return status;
  }
  if (!s.on_chip) {
    if (rest.unit != nullptr) *rest.unit = *rest.unit_value;
    LapackProblem left = problem;
    left.n = rest.n;
    const bool ran = run(lapack_cpu(), left,
                         {.a = rest.corner(),
                          .d = rest.lowest(rest.d, rest.n),
                          .e = rest.lowest(rest.e, rest.n - 1),
                          .tau = rest.lowest(rest.tau, rest.n - 1)});
    return ran ? Status{} : Status{ONEPASS_STATUS_EXECUTION_FAILED, "the cpu backend wrote where it may not"};
  }
  const auto on_chip = [&](int steps) {
    return s.in_registers == 6 ? reduce_on_chip<T, 6>(rest, steps, s.blocks)
                               : reduce_on_chip<T, 4>(rest, steps, s.blocks);
  };
  for (const int steps : s.steps)
    if (Status status = on_chip(steps); !status.ok()) return status;
  return s.one_block ? reduce_by_one_block(rest) : on_chip(static_cast<int>(rest.n) - 1);
}

inline LapackBackend scheduled() {
  return {.id = BackendId::sim,
          .plan = [](const LapackProblem& problem, int) { return LapackPlan{.problem = problem}; },
          .run =
              [](const LapackPlan& plan, const LapackOperands& operands, void*) {
                Status status = lapack::by_type(
                    plan.problem.type, [&]<class T>(T) { return run_schedule<T>(plan.problem, operands, schedule()); });
                EXPECT_TRUE(status.ok()) << status.text;
                return status;
              }};
}

template <class T>
Reduction<T> reduce(Uplo uplo, std::int64_t n, const Schedule& s, const sim::SimOptions& options,
                    verify::Pattern pattern = verify::Pattern::random) {
  schedule() = s;
  sim::options() = options;
  Reduction<T> reduction(scheduled(), {.uplo = uplo, .n = n, .lda = n + 3}, pattern);
  sim::options() = {};
  return reduction;
}

// Instantiated in a file of their own for each type (CMakeLists.txt).
extern template Status run_schedule<float>(const LapackProblem&, const LapackOperands&, const Schedule&);
extern template Status run_schedule<double>(const LapackProblem&, const LapackOperands&, const Schedule&);
extern template Status run_schedule<std::complex<float>>(const LapackProblem&, const LapackOperands&, const Schedule&);
extern template Status run_schedule<std::complex<double>>(const LapackProblem&, const LapackOperands&, const Schedule&);

}  // namespace onepass::test
