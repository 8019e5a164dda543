// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/gpu/reductions/gebrd.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "lapack/check.hpp"
#include "lapack/gpu/arena.hpp"
#include "lapack/gpu/matrix_ref.hpp"
#include "lapack/gpu/reductions/scaling.hpp"

namespace onepass::lapack {
namespace {

struct Memory {
  void *counters, *largest, *scale, *matrix, *p, *q;
  void *column, *row_sums, *row, *column_norms, *row_norms, *p_dots, *q_dots;
  void* exchange;
  std::int64_t matrix_ld, p_ld, q_ld;
  std::size_t bytes;

  // The first stage is the largest, of panels and of shapes on the chip.
  Memory(const GebrdPlan& plan, void* data) {
    const std::int64_t element = size_of(plan.problem.type), real = size_of_real(plan.problem.type);
    const BidiagonalStage first = plan.stages.empty() ? BidiagonalStage{} : plan.stages.front();
    const bool panels = has_panels(plan);
    const std::int64_t blocks = most_blocks_of_panels(plan.stages), pitch = panels ? kernels::stream_pitch(first.m) : 0;
    matrix_ld = aligned_rows(first.m);
    p_ld = panels ? matrix_ld : 0;
    q_ld = panels ? aligned_rows(first.n) : 0;
    Arena arena(data);
    counters = arena.take(static_cast<std::int64_t>(plan.stages.size()), sizeof(std::uint32_t));
    largest = arena.take(plan.scale_blocks, real);
    scale = arena.take(2, real);
    matrix = arena.take(plan.reduced == Reduced::in_place ? 0 : matrix_ld * first.n, element);
    p = arena.take(p_ld * 2 * kernels::stream_columns, element);
    q = arena.take(q_ld * 2 * kernels::stream_columns, element);
    column = arena.take(pitch, element);
    row_sums = arena.take(pitch * blocks, element);
    row = arena.take(panels ? first.n : 0, element);
    column_norms = arena.take(blocks, real);
    row_norms = arena.take(blocks, real);
    p_dots = arena.take(blocks * 2 * kernels::stream_columns, element);
    q_dots = arena.take(blocks * 2 * kernels::stream_columns, element);
    exchange = arena.take(4 * std::int64_t{most_rows(plan)}, element);
    bytes = arena.bytes();
  }

  // Of the shapes on the chip.
  static int most_rows(const GebrdPlan& plan) {
    int most = 0;
    for (const BidiagonalStage& stage : plan.stages)
      if (!stage.is_panel())
        most = std::max(most, bidiagonal_shapes.of(plan.problem.type)[static_cast<std::size_t>(stage.shape)].rows());
    return most;
  }
};

class Steps {
 public:
  Steps(const GebrdPlan& plan, const LapackOperands& o, void* workspace, Queue& queue)
      : plan_(plan),
        o_(o),
        element_(size_of(plan.problem.type)),
        memory_(plan, workspace),
        a_(plan.reduced == Reduced::in_place ? matrix_ref(o.a, plan.problem.lda, element_)
                                             : matrix_ref(memory_.matrix, memory_.matrix_ld, element_)),
        queue_(queue) {}

  Status run() const {
    const LapackProblem& p = plan_.problem;
    const BidiagonalStage& first = plan_.stages.front();
    if (Status bad = transfer({.a = o_.a, .lda = p.lda, .b = a_.data, .ldb = a_.ld, .rows = p.m, .columns = p.n});
        !bad.ok())
      return bad;
    if (Status bad = scale(queue_, p.type,
                           {.a = a_.data,
                            .row_step = 1,
                            .col_step = a_.ld,
                            .m = first.m,
                            .n = first.n,
                            .largest = memory_.largest,
                            .scale = memory_.scale,
                            .counters = static_cast<std::uint32_t*>(memory_.counters),
                            .counter_count = static_cast<int>(plan_.stages.size())},
                           plan_.scale_blocks);
        !bad.ok())
      return bad;
    for (std::size_t i = 0; i < plan_.stages.size(); ++i)
      if (Status bad = reduce(i); !bad.ok()) return bad;
    return transfer({.a = a_.data, .lda = a_.ld, .b = o_.a, .ldb = p.lda, .rows = first.m, .columns = first.n});
  }

 private:
  Status transfer(const kernels::MatrixCopy& copy) const {
    switch (plan_.reduced) {
      case Reduced::copy: return queue_.copy(plan_.problem.type, copy);
      case Reduced::adjoint:
        return queue_.launch<Step::adjoint>(
            {.type = plan_.problem.type,
             .blocks = static_cast<int>(std::min<std::int64_t>(copy.tiles(), plan_.copy_blocks)),
             .shared_bytes = kernels::adjoint_shared_bytes(static_cast<std::size_t>(element_))},
            copy);
      default: return {};
    }
  }

  Status reduce(std::size_t index) const {
    const BidiagonalStage& stage = plan_.stages[index];
    const std::int64_t done = plan_.stages.front().n - stage.n, real = size_of_real(plan_.problem.type);
    const bool adjoint = plan_.reduced == Reduced::adjoint;
    const kernels::BidiagonalOperands operands = {
        .a = a_.at(done, done),
        .lda = a_.ld,
        .m = stage.m,
        .n = stage.n,
        .columns = stage.columns,
        .d = matrix_ref(o_.d, 0, real).at(done, 0),
        .e = matrix_ref(o_.e, 0, real).at(done, 0),
        .tauq = matrix_ref(adjoint ? o_.taup : o_.tau, 0, element_).at(done, 0),
        .taup = matrix_ref(adjoint ? o_.tau : o_.taup, 0, element_).at(done, 0),
        .barrier = static_cast<std::uint32_t*>(memory_.counters) + index,
        .scale = memory_.scale,
        .timed_out = queue_.timed_out()};
    if (stage.is_panel()) return reduce_panel(stage, operands);
    kernels::BidiagonalArgs args{operands};
    args.lines = stage.lines;
    args.exchange = memory_.exchange;
    return queue_.launch<Step::bidiagonal_on_chip>(work(stage), args);
  }

  // A panel, and A := A - P Q^H from its last row and column on.
  Status reduce_panel(const BidiagonalStage& stage, const kernels::BidiagonalOperands& operands) const {
    const MatrixRef p = matrix_ref(memory_.p, memory_.p_ld, element_),
                    q = matrix_ref(memory_.q, memory_.q_ld, element_);
    kernels::BidiagonalPanelArgs args{operands};
    args.parts = stage.parts;
    args.kept_sixteenths = stage.kept_sixteenths;
    args.p = p.data;
    args.p_ld = p.ld;
    args.q = q.data;
    args.q_ld = q.ld;
    args.column = memory_.column;
    args.row_sums = memory_.row_sums;
    args.row = memory_.row;
    args.column_norms = memory_.column_norms;
    args.row_norms = memory_.row_norms;
    args.p_dots = memory_.p_dots;
    args.q_dots = memory_.q_dots;
    if (Status bad = queue_.launch<Step::bidiagonal_panel>(work(stage), args); !bad.ok()) return bad;
    if (!stage.has_rest()) return {};
    const MatrixRef rest = matrix_ref(operands.a, a_.ld, element_);
    return update({.v = p.at(stage.columns, 0),
                   .ldv = p.ld,
                   .w = q.at(stage.columns, 0),
                   .ldw = q.ld,
                   .c = rest.at(stage.columns, stage.columns),
                   .ldc = a_.ld,
                   .m = stage.m - stage.columns,
                   .n = stage.n - stage.columns,
                   .k = 2 * stage.columns});
  }

  Status update(const kernels::Rank2kArgs& args) const {
    const int element = static_cast<int>(element_), real = static_cast<int>(size_of_real(plan_.problem.type));
    return queue_.launch<Step::rank_k_update>(
        {.type = plan_.problem.type,
         .shape = kernels::columns_aligned(args, element) ? kernels::rank_2k_aligned : 0,
         .blocks = kernels::RankKTiles(args.m, args.n, {element, real}).count(),
         .shared_bytes = kernels::rank_2k_shared_bytes(element, real, false)},
        args);
  }

  Work work(const BidiagonalStage& s) const {
    const int of_panel = s.parts > 1 ? -s.vectors : s.vectors;
    return {.type = plan_.problem.type,
            .shape = s.is_panel() ? of_panel : s.shape,
            .blocks = s.blocks,
            .shared_bytes = s.shared_bytes,
            .together = true,
            .cluster = s.parts};
  }

  const GebrdPlan& plan_;
  const LapackOperands& o_;
  std::int64_t element_;
  Memory memory_;
  MatrixRef a_;
  Queue& queue_;
};

// cuBLAS and copies of CUDA count in ints.
Status fits(const GebrdPlan& plan) {
  const LapackProblem& p = plan.problem;
  if (plan.reduced == Reduced::in_place) return fits_cublas(p);
  const std::int64_t most = std::numeric_limits<int>::max() / size_of(p.type);
  if (plan.reduced == Reduced::adjoint || p.lda <= most) return {};
  return {ONEPASS_STATUS_TOO_LARGE, "lda = " + std::to_string(p.lda) + ": at most " + std::to_string(most) +
                                        " on the cuda backend if columns are no multiple of 16 bytes apart"};
}

}  // namespace

Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, GebrdPlan* plan, int most_on_chip) {
  GebrdPlan made;
  made.problem = problem;
  std::string why;
  const std::int64_t rows = std::max(problem.m, problem.n), columns = std::min(problem.m, problem.n);
  made.stages = bidiagonal_stages(problem.type, rows, columns, true, traits, &why, most_on_chip);
  if (!why.empty()) return {ONEPASS_STATUS_TOO_LARGE, lapack_name(problem) + ": " + why};
  if (problem.m < problem.n) {
    made.reduced = Reduced::adjoint;
  } else if (has_panels(made)) {
    // Where the matrix is, it may begin anywhere.
    made.reduced = Reduced::copy;
    auto in_place = bidiagonal_stages(problem.type, rows, columns, false, traits, &why, most_on_chip);
    const auto needs_more = [&](const BidiagonalStage& stage, const BidiagonalStage& of_copy) {
      return stage.parts > of_copy.parts ||
             (stage.vectors > kernels::stream_vectors && stage.vectors > of_copy.vectors);
    };
    if (why.empty() && !in_place.empty() && !needs_more(in_place.front(), made.stages.front()) &&
        problem.lda * size_of(problem.type) % stream_alignment == 0) {
      made.reduced = Reduced::in_place;
      made.stages = std::move(in_place);
    }
  }
  if (Status bad = fits(made); !bad.ok()) return bad;
  *plan = make_plan(problem, traits, made.reduced, std::move(made.stages));
  return {};
}

GebrdPlan make_plan(const LapackProblem& problem, const DeviceTraits& traits, Reduced reduced,
                    std::vector<BidiagonalStage> stages) {
  GebrdPlan made;
  made.problem = problem;
  made.reduced = reduced;
  made.stages = std::move(stages);
  made.scale_blocks = scale_blocks(std::min(problem.m, problem.n), traits);
  made.copy_blocks = 4 * traits.sm_count;
  made.workspace_bytes = made.stages.empty() ? 0 : Memory(made, nullptr).bytes;
  return made;
}

std::string explain(const GebrdPlan& plan) {
  const LapackProblem& p = plan.problem;
  std::string text = lapack_name(p) + " m = " + std::to_string(p.m) + " n = " + std::to_string(p.n) +
                     " on cuda, workspace " + std::to_string(plan.workspace_bytes) + " bytes\n";
  if (plan.stages.empty()) return text;
  if (plan.reduced == Reduced::adjoint) text += "  A^H is reduced in the workspace, since m < n\n";
  if (plan.reduced == Reduced::copy)
    text += "  a copy is reduced in the workspace, whose columns are multiples of " + std::to_string(stream_alignment) +
            " bytes apart; lda = " + std::to_string(p.lda) + "\n";
  const auto after_panels =
      std::find_if(plan.stages.begin(), plan.stages.end(), [](const BidiagonalStage& s) { return !s.is_panel(); });
  if (has_panels(plan)) {
    const BidiagonalStage& first = plan.stages.front();
    char megabytes[32];
    std::snprintf(megabytes, sizeof megabytes, "%.1f",
                  static_cast<double>(first.m) * first.n * static_cast<double>(size_of(p.type)) / 1e6);
    const auto count = after_panels - plan.stages.begin();
    text += "  " + std::to_string(count) + (count == 1 ? " panel of " : " panels of ") + std::to_string(first.columns) +
            " columns, from " + std::to_string(first.m) + " x " + std::to_string(first.n) +
            " on: " + std::to_string(first.blocks) + " blocks" +
            (first.parts > 1 ? ", " + std::to_string(first.parts) + " of them for a column" : "") +
            ", 2 grid barriers a column, A once a column (" + megabytes + " MB at first)" +
            (first.has_rest() ? "; rank-" + std::to_string(2 * first.columns) + " update by tensor cores\n" : "\n");
  }
  for (auto stage = after_panels; stage != plan.stages.end(); ++stage)
    text += "  " + std::to_string(stage->columns) + " columns of " + std::to_string(stage->m) + " x " +
            std::to_string(stage->n) + " on the chip, by columns and by rows: " + std::to_string(stage->blocks) +
            " blocks, 2 grid barriers a column\n";
  return text;
}

Status run(const GebrdPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue) {
  if (plan.stages.empty()) return {};
  return Steps(plan, operands, workspace, queue).run();
}

}  // namespace onepass::lapack
