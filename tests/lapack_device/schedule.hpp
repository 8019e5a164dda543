// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// sytrd on the simulator by plans of tests' own, and what its launches load.
#pragma once

#include <string>
#include <vector>

#include "kernels/lapack/reductions/tridiagonal_shared.hpp"
#include "lapack/element.hpp"
#include "lapack/gpu/reductions/sytrd.hpp"
#include "on_sim.hpp"
#include "orders.hpp"
#include "reduction.hpp"

namespace onepass::test {

struct Schedule {
  int blocks = 1;
  std::vector<int> panels = {};  // columns of each, of the first the most
  bool begins = false;           // in double precision, the update behind a panel begins the next one
  std::vector<int> steps = {};   // then on the chip, before the last launch
  bool on_chip = true;           // the rest; else by the cpu backend
  int shape = 0;                 // of launches on the chip
  bool one_block = false;        // has the last launch
  double scale = 1;              // by which A is multiplied, as if its largest element had asked for it
};
// Of this thread's next run.
inline Schedule& schedule() {
  thread_local Schedule instance;
  return instance;
}

inline lapack::SytrdPlan plan_of(const LapackProblem& p, const Schedule& s) {
  using lapack::TridiagonalKind;
  const int element = static_cast<int>(size_of(p.type)), real = static_cast<int>(size_of_real(p.type));
  const lapack::ChipShape& shape = lapack::tridiagonal_shapes.of(p.type)[static_cast<std::size_t>(s.shape)];
  std::vector<lapack::TridiagonalStage> stages;
  int left = static_cast<int>(p.n);
  const auto add = [&](const lapack::ChipLaunch& launch, TridiagonalKind kind, int steps) {
    stages.push_back({launch, kind, left, steps, kind == TridiagonalKind::panel && s.begins && !stages.empty()});
    left -= steps;
  };
  const auto on_chip = [&](int steps) {
    const int lines = (left + s.blocks - 1) / s.blocks;
    add({.shape = s.shape,
         .blocks = s.blocks,
         .lines = lines,
         .shared_bytes =
             kernels::tridiagonal_shared_bytes(shape.rows(), lines, shape.columns_in_registers, element, real)},
        TridiagonalKind::on_chip, steps);
  };
  for (const int columns : s.panels)
    add({.blocks = s.blocks, .shared_bytes = kernels::panel_shared_bytes(element, real)}, TridiagonalKind::panel,
        columns);
  for (const int steps : s.steps) on_chip(steps);
  if (s.one_block)
    add({.blocks = 1,
         .shared_bytes = kernels::one_block_shared_bytes(kernels::one_block_rows_of_lane(element), size_of(p.type))},
        TridiagonalKind::one_block, left - 1);
  else if (s.on_chip)
    on_chip(left - 1);
  DeviceTraits traits = h200_traits();
  traits.sm_count = 3;
  return lapack::make_plan(p, traits, std::move(stages));
}

// Behind the kernels that would have done so.
inline void scale_by(double factor, Type type, const kernels::ScaleArgs& g) {
  static_cast<void>(lapack::by_type(type, [&]<class T>(T) {
    using R = lapack::Real<T>;
    for (std::int64_t j = 0; j < g.n; ++j)
      for (std::int64_t i = j; i < g.n; ++i)
        static_cast<T*>(g.a)[i * g.row_step + j * g.col_step] *= static_cast<R>(factor);
    static_cast<R*>(g.scale)[0] = static_cast<R>(factor);
    static_cast<R*>(g.scale)[1] = static_cast<R>(1 / factor);
    return Status{};
  }));
}

// Element (i, j) of the triangle that is left.
inline const void* element_of(const kernels::TridiagonalOperands& g, Type type, std::int64_t i, std::int64_t j) {
  return static_cast<const std::byte*>(g.a) + (i * g.row_step + j * g.col_step) * size_of(type);
}

// The matrix is loaded before the first barrier alone: each triangle once, and column 0 by every block for its
// Householder vector.
inline void expect_one_pass(const lapack::Simulated& launch) {
  const auto& g = launch.given<lapack::Step::tridiagonal_on_chip>();
  EXPECT_EQ(sim::last_counters().grid_barriers, g.steps);
  for (std::int64_t j = 0; j < g.n; ++j)
    for (std::int64_t i = j; i < g.n; ++i) {
      const void* const at = element_of(g, launch.work.type, i, j);
      EXPECT_EQ(launch.memory.loads(at), launch.memory.loads(at, 0)) << i << ", " << j;
      if (j > 0) {
        EXPECT_EQ(launch.memory.loads(at), i == j ? 1 : 2) << i << ", " << j;
      } else if (i > 1) {
        EXPECT_EQ(launch.memory.loads(at), 2 + launch.work.blocks) << i;
      }
    }
}

// Behind the first barrier of each column every element of the rest is loaded once, and nowhere else. Column 0 of a
// panel that the update has begun has a launch of its own, which loads none of it.
inline void expect_one_pass_a_column(const lapack::Simulated& launch) {
  const auto& g = launch.given<lapack::Step::tridiagonal_panel>();
  const auto part = static_cast<kernels::PanelPart>(launch.work.shape);
  const int barriers = part == kernels::PanelPart::first_column ? 0
                       : part == kernels::PanelPart::others     ? 2 * (g.columns - 1)
                                                                : 2 * g.columns;
  EXPECT_EQ(sim::last_counters().grid_barriers, barriers);
  for (std::int64_t j = g.columns; j < g.m; ++j)
    for (std::int64_t i = j; i < g.m; ++i)
      for (int interval = 0; interval <= barriers; ++interval)
        EXPECT_EQ(launch.memory.loads(element_of(g, launch.work.type, i, j), static_cast<std::size_t>(interval)),
                  interval % 2)
            << "element " << i << ", " << j << " behind barrier " << interval;
}

inline void expect_every_element_once(const lapack::Simulated& launch) {
  const auto& g = launch.given<lapack::Step::rank_2k_update>();
  for (std::int64_t j = 0; j < g.n; ++j)
    for (std::int64_t i = g.lower ? j : 0; i < (g.lower ? g.n : j + 1); ++i)
      EXPECT_EQ(launch.memory.loads(static_cast<const std::byte*>(g.c) + (i + j * g.ldc) * size_of(launch.work.type)),
                1)
          << i << ", " << j;
}

inline void expect_loads(const lapack::Simulated& launch) {
  switch (launch.step) {
    case lapack::Step::scale_matrix:
      if (schedule().scale != 1)
        scale_by(schedule().scale, launch.work.type, launch.given<lapack::Step::scale_matrix>());
      break;
    case lapack::Step::tridiagonal_on_chip: expect_one_pass(launch); break;
    case lapack::Step::tridiagonal_one_block: EXPECT_EQ(sim::last_counters().grid_barriers, 0); break;
    case lapack::Step::tridiagonal_panel: expect_one_pass_a_column(launch); break;
    case lapack::Step::rank_2k_update: expect_every_element_once(launch); break;
    default: break;
  }
}

// The columns behind the panels, by the cpu backend.
template <class T>
Status finish(const LapackProblem& problem, const LapackOperands& o, std::int64_t columns) {
  using R = lapack::Real<T>;
  const bool lower = problem.uplo == Uplo::lower;
  const std::int64_t n = problem.n, lda = problem.lda, first = lower ? columns : 0;
  T* const a = static_cast<T*>(o.a);
  R* const e = static_cast<R*>(o.e);
  // The unit element of the last panel.
  if (lower)
    a[columns + (columns - 1) * lda] = e[columns - 1];
  else
    a[n - 1 - columns + (n - columns) * lda] = e[n - 1 - columns];
  LapackProblem left = problem;
  left.n = n - columns;
  const bool ran = run(lapack_cpu(), left,
                       {.a = a + first * (lda + 1),
                        .d = static_cast<R*>(o.d) + first,
                        .e = e + first,
                        .tau = static_cast<T*>(o.tau) + first});
  return ran ? Status{} : Status{ONEPASS_STATUS_EXECUTION_FAILED, "the cpu backend wrote where it may not"};
}

inline LapackBackend scheduled() {
  return {.id = BackendId::sim,
          .plan =
              [](const LapackProblem& problem, int) {
                return LapackPlan{.problem = problem, .workspace_bytes = plan_of(problem, schedule()).workspace_bytes};
              },
          .run =
              [](const LapackPlan& plan, const LapackOperands& operands, void* workspace) {
                const lapack::SytrdPlan own = plan_of(plan.problem, schedule());
                Status status = run_on_sim(own, operands, workspace, expect_loads);
                if (!status.ok() || schedule().on_chip || schedule().one_block) return status;
                const lapack::TridiagonalStage& last = own.stages.back();
                status = lapack::by_type(plan.problem.type, [&]<class T>(T) {
                  return finish<T>(plan.problem, operands, plan.problem.n - last.n + last.steps);
                });
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

}  // namespace onepass::test
