// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/sytrd_plan.hpp"

#include <algorithm>

#include "kernels/lapack/rank_2k_args.hpp"
#include "kernels/lapack/tridiagonal_shared.hpp"
#include "lapack/cuda/cublas.hpp"
#include "lapack/gpu/room.hpp"
#include "lapack/gpu/scaling.hpp"

namespace onepass::lapack {
namespace {

const ChipShape& shape_of(const SytrdPlan& plan, const TridiagonalStage& stage) {
  return tridiagonal_shapes.of(plan.problem.type)[static_cast<std::size_t>(stage.shape)];
}
// Smaller panels have fewer tiles, whose rows more blocks share. Those of the update before are of smaller tiles.
std::int64_t most_sums(const SytrdPlan& plan) {
  const LapackProblem& p = plan.problem;
  const kernels::Rank2kShape shape(static_cast<int>(size_of(p.type)), static_cast<int>(size_of_real(p.type)));
  std::int64_t most = 0;
  for (const TridiagonalStage& stage : plan.stages)
    if (stage.kind == TridiagonalKind::panel) {
      const kernels::PanelTiles tiles = panel_tiles(stage, p.type);
      int slots = tiles.slots();
      if (stage.begun) slots = std::max(slots, kernels::Rank2kTiles(stage.n, shape, true).slots());
      most = std::max(most, std::int64_t{slots} * tiles.pitch());
    }
  return most;
}

}  // namespace

kernels::PanelTiles panel_tiles(const TridiagonalStage& stage, Type type) {
  const int element = static_cast<int>(size_of(type)),
            slabs = kernels::panel_tile * kernels::panel_tile * element / 16384;
  return {stage.n - stage.steps, slabs, kernels::panel_row_parts(element), stage.blocks};
}

SytrdMemory::SytrdMemory(const SytrdPlan& plan, void* data) {
  const std::int64_t element = size_of(plan.problem.type), real = size_of_real(plan.problem.type), n = plan.problem.n;
  Room room(data);
  counters = room.take(static_cast<std::int64_t>(plan.stages.size()), sizeof(std::uint32_t));
  largest = room.take(plan.scale_blocks, real);
  scale = room.take(2, real);
  int rows = 0;
  for (const TridiagonalStage& stage : plan.stages)
    if (stage.shape >= 0) rows = std::max(rows, shape_of(plan, stage).rows());
  exchange = room.take(4 * std::int64_t{rows}, element);
  if (plan.has_panels()) {
    const TridiagonalStage& first = plan.stages.front();
    cublas = room.take(uses_cublas(plan) ? static_cast<std::int64_t>(cublas_workspace_bytes) : 0, 1);
    w = room.take(w_column(n, element) * first.steps, element);
    x = room.take(2 * (n + kernels::panel_tile), element);
    norms = room.take(first.blocks, real);
    squares = room.take(first.blocks, real);
    dots = room.take(std::int64_t{4} * kernels::panel_columns, element);
    sums = room.take(most_sums(plan), element);
  }
  bytes = room.bytes();
}

Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, SytrdPlan* plan) {
  SytrdPlan made;
  made.problem = problem;
  std::string why;
  made.stages = tridiagonal_stages(problem.type, problem.n, traits, &why);
  if (!why.empty()) return {ONEPASS_STATUS_TOO_LARGE, why};
  made.scale_blocks = scale_blocks(problem.n, traits);
  made.workspace_bytes = SytrdMemory(made, nullptr).bytes;
  *plan = std::move(made);
  return {};
}

}  // namespace onepass::lapack
