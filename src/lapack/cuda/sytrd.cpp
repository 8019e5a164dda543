// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/sytrd.hpp"

#include <algorithm>

#include "kernels/lapack/tridiagonal_shared.hpp"
#include "lapack/cuda/element.hpp"
#include "lapack/cuda/room.hpp"
#include "lapack/cuda/scale_kernels.hpp"
#include "lapack/cuda/scaling.hpp"
#include "lapack/cuda/tridiagonal_kernels.hpp"

namespace onepass::lapack {
namespace {

struct Memory {
  void *counters, *largest, *scale, *exchange, *cublas = nullptr;
  void *w = nullptr, *x = nullptr, *norms = nullptr, *squares = nullptr, *dots = nullptr, *row_sums = nullptr,
       *column_sums = nullptr;
  std::size_t bytes;

  Memory(const SytrdPlan& plan, void* data) {
    const std::int64_t element = size_of(plan.problem.type), real = size_of_real(plan.problem.type), n = plan.problem.n;
    Room room(data);
    counters = room.take(static_cast<std::int64_t>(plan.stages.size()), sizeof(std::uint32_t));
    largest = room.take(plan.scale_blocks, real);
    scale = room.take(2, real);
    int rows = 0;
    for (const TridiagonalStage& stage : plan.stages)
      if (stage.shape >= 0) rows = std::max(rows, on_chip_shape(plan.problem.type, stage.shape).rows());
    exchange = room.take(4 * std::int64_t{rows}, element);
    if (plan.has_panels()) {
      const TridiagonalStage& first = plan.stages.front();
      const kernels::PanelTiles tiles = tiles_of(plan.problem.type, first);
      cublas = room.take(static_cast<std::int64_t>(cublas_workspace_bytes), 1);
      w = room.take(n * first.steps, element);
      x = room.take(2 * n, element);
      norms = room.take(first.blocks, real);
      squares = room.take(first.blocks, real);
      dots = room.take(std::int64_t{4} * kernels::panel_columns, element);
      row_sums = room.take(std::int64_t{tiles.count()} * most_pieces(plan) * kernels::panel_tile, element);
      column_sums = room.take(std::int64_t{tiles.count()} * kernels::panel_tile, element);
    }
    bytes = room.bytes();
  }

  static kernels::PanelTiles tiles_of(Type type, const TridiagonalStage& stage) {
    const int slabs = kernels::panel_tile * kernels::panel_tile * static_cast<int>(size_of(type)) / 16384;
    return {stage.n - stage.steps, slabs, stage.blocks};
  }
  // Smaller panels have fewer tiles, of more pieces.
  static std::int64_t most_pieces(const SytrdPlan& plan) {
    std::int64_t most = 1;
    for (const TridiagonalStage& stage : plan.stages)
      if (stage.shape < 0) most = std::max<std::int64_t>(most, tiles_of(plan.problem.type, stage).pieces());
    return most;
  }
};

template <class A>
Status reduce(const SytrdPlan& plan, const DeviceCall& call) {
  using R = RealOf<A>;
  using Kernels = TridiagonalKernels<A>;
  const LapackProblem& p = plan.problem;
  const LapackOperands& o = call.operands;
  const Memory memory(plan, call.workspace);
  // uplo = U from the last column to the first is the lower triangle of the matrix turned around.
  const bool lower = p.uplo == Uplo::lower;
  const std::int64_t n = p.n, sign = lower ? 1 : -1;
  kernels::TridiagonalArgs g;
  g.row_step = sign;
  g.col_step = sign * p.lda;
  g.vector_step = sign;
  A* a = static_cast<A*>(o.a) + (lower ? 0 : (n - 1) * (p.lda + 1));
  R* d = static_cast<R*>(o.d) + (lower ? 0 : n - 1);
  R* e = static_cast<R*>(o.e) + (lower ? 0 : n - 2);
  A* tau = static_cast<A*>(o.tau) + (lower ? 0 : n - 2);
  auto* counters = static_cast<std::uint32_t*>(memory.counters);

  const kernels::ScaleArgs scaling = {.a = a,
                                      .row_step = g.row_step,
                                      .col_step = g.col_step,
                                      .m = static_cast<int>(n),
                                      .n = static_cast<int>(n),
                                      .lower = true,
                                      .largest = memory.largest,
                                      .scale = memory.scale,
                                      .counters = counters,
                                      .counter_count = static_cast<int>(plan.stages.size())};
  if (Status bad = ScaleKernels<A>::run(scaling, plan.scale_blocks, call.stream); !bad.ok()) return bad;
  if (plan.has_panels())
    if (Status bad = call.cublas->use(call.stream, memory.cublas, cublas_workspace_bytes); !bad.ok()) return bad;

  g.scale = memory.scale;
  g.exchange = memory.exchange;
  g.timed_out = call.timed_out;
  for (const TridiagonalStage& stage : plan.stages) {
    g.a = a;
    g.d = d;
    g.e = e;
    g.tau = tau;
    g.n = stage.n;
    g.steps = stage.steps;
    g.shared_columns = stage.shared_columns;
    g.barrier = counters++;
    if (stage.shape >= 0) {
      if (Status bad = Kernels::on_chip(stage, g, call.stream); !bad.ok()) return bad;
      g.unit = nullptr;
    } else {
      const int rest = stage.n - stage.steps;
      kernels::TridiagonalPanelArgs panel;
      panel.a = a;
      panel.row_step = g.row_step;
      panel.col_step = g.col_step;
      panel.d = d;
      panel.e = e;
      panel.tau = tau;
      panel.vector_step = sign;
      panel.m = stage.n;
      panel.columns = stage.steps;
      A* const w = static_cast<A*>(memory.w);
      panel.w = lower ? w : w + std::int64_t{stage.n} * stage.steps - 1;
      panel.w_col_step = sign * stage.n;
      panel.x = memory.x;
      panel.norms = memory.norms;
      panel.squares = memory.squares;
      panel.dots = memory.dots;
      panel.row_sums = memory.row_sums;
      panel.column_sums = memory.column_sums;
      panel.unit = g.unit;
      panel.unit_value = g.unit_value;
      panel.barrier = g.barrier;
      panel.scale = memory.scale;
      panel.timed_out = call.timed_out;
      if (Status bad = Kernels::panel(stage, panel, call.stream); !bad.ok()) return bad;
      // A -= V W^H + W V^H, in the order of memory.
      A* const corner = lower ? a + stage.steps * (p.lda + 1) : a - (stage.n - 1) * (p.lda + 1);
      const A* const v = lower ? a + stage.steps : corner + rest * p.lda;
      if (Status bad = call.cublas->rank_2k(p.type, p.uplo, rest, stage.steps, v, p.lda, lower ? w + stage.steps : w,
                                            stage.n, corner, p.lda);
          !bad.ok())
        return bad;
      g.unit = a + stage.steps * g.row_step + (stage.steps - 1) * g.col_step;
      g.unit_value = e + (stage.steps - 1) * sign;
    }
    a += stage.steps * (g.row_step + g.col_step);
    d += stage.steps * sign;
    e += stage.steps * sign;
    tau += stage.steps * sign;
  }
  return {};
}

}  // namespace

Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, SytrdPlan* plan) {
  SytrdPlan made;
  made.problem = problem;
  std::string why;
  made.stages = tridiagonal_stages(problem.type, problem.n, traits, &why);
  if (!why.empty()) return {ONEPASS_STATUS_TOO_LARGE, why};
  made.scale_blocks = scale_blocks(problem.n, traits);
  made.workspace_bytes = Memory(made, nullptr).bytes;
  *plan = std::move(made);
  return {};
}

Status load(const SytrdPlan& plan) {
  return by_device_type(plan.problem.type, []<class A>() {
    const Status loaded = ScaleKernels<A>::load();
    return loaded.ok() ? TridiagonalKernels<A>::load() : loaded;
  });
}

Status run(const SytrdPlan& plan, const DeviceCall& call) {
  if (plan.problem.n == 0) return {};
  return by_device_type(plan.problem.type, [&]<class A>() { return reduce<A>(plan, call); });
}

}  // namespace onepass::lapack
