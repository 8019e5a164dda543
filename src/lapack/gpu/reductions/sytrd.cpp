// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/gpu/reductions/sytrd.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "kernels/lapack/reductions/tridiagonal_shared.hpp"
#include "lapack/check.hpp"
#include "lapack/gpu/arena.hpp"
#include "lapack/gpu/matrix_ref.hpp"
#include "lapack/gpu/reductions/scaling.hpp"

namespace onepass::lapack {
namespace {

const ChipShape& shape_of(const SytrdPlan& plan, const TridiagonalStage& stage) {
  return tridiagonal_shapes.of(plan.problem.type)[static_cast<std::size_t>(stage.shape)];
}
kernels::PanelTiles panel_tiles(const TridiagonalStage& stage, Type type) {
  const int element = static_cast<int>(size_of(type)),
            slabs = kernels::panel_tile * kernels::panel_tile * element / 16384;
  return {stage.n - stage.steps, slabs, kernels::panel_row_parts(element), stage.blocks};
}
// Smaller panels have fewer tiles, whose rows more blocks share. Those of the update before are of smaller tiles.
std::int64_t most_sums(const SytrdPlan& plan) {
  const LapackProblem& p = plan.problem;
  const kernels::Rank2kShape shape(static_cast<int>(size_of(p.type)), static_cast<int>(size_of_real(p.type)));
  std::int64_t most = 0;
  for (const TridiagonalStage& stage : plan.stages)
    if (stage.is_panel()) {
      const kernels::PanelTiles tiles = panel_tiles(stage, p.type);
      int slots = tiles.slots();
      if (stage.begun) slots = std::max(slots, kernels::Rank2kTiles(stage.n, shape, true).slots());
      most = std::max(most, std::int64_t{slots} * tiles.pitch());
    }
  return most;
}

// Elements from a column of W to the next, which begins at a multiple of 16 bytes.
std::int64_t w_column(std::int64_t n, std::int64_t element) {
  const std::int64_t vector = 16 / element;
  return (n + vector - 1) / vector * vector;
}

// Without memory its bytes.
struct Memory {
  void *counters, *largest, *scale, *exchange, *products = nullptr;
  void *w = nullptr, *x = nullptr, *norms = nullptr, *squares = nullptr, *dots = nullptr, *sums = nullptr;
  std::size_t bytes;

  Memory(const SytrdPlan& plan, void* data) {
    const std::int64_t element = size_of(plan.problem.type), real = size_of_real(plan.problem.type), n = plan.problem.n;
    Arena arena(data);
    counters = arena.take(static_cast<std::int64_t>(plan.stages.size()), sizeof(std::uint32_t));
    largest = arena.take(plan.scale_blocks, real);
    scale = arena.take(2, real);
    int rows = 0;
    for (const TridiagonalStage& stage : plan.stages)
      if (stage.shape >= 0) rows = std::max(rows, shape_of(plan, stage).rows());
    exchange = arena.take(4 * std::int64_t{rows}, element);
    if (has_panels(plan)) {
      const TridiagonalStage& first = plan.stages.front();
      products = arena.take(uses_products(plan) ? static_cast<std::int64_t>(product_workspace_bytes) : 0, 1);
      w = arena.take(w_column(n, element) * first.steps, element);
      x = arena.take(2 * (n + kernels::panel_tile), element);
      norms = arena.take(first.blocks, real);
      squares = arena.take(first.blocks, real);
      dots = arena.take(std::int64_t{4} * kernels::panel_columns, element);
      sums = arena.take(most_sums(plan), element);
    }
    bytes = arena.bytes();
  }
};

// U from the last column to the first is the lower triangle of the matrix turned around: of rows, columns and elements
// of vectors in that order, which the kernels have by negative steps.
class Steps {
 public:
  Steps(const SytrdPlan& plan, const LapackOperands& o, void* workspace, Queue& queue)
      : plan_(plan),
        problem_(plan.problem),
        o_(o),
        element_(size_of(plan.problem.type)),
        real_(size_of_real(plan.problem.type)),
        memory_(plan, workspace),
        lower_(plan.problem.uplo == Uplo::lower),
        sign_(lower_ ? 1 : -1),
        a_(matrix_ref(o.a, plan.problem.lda, element_)),
        queue_(queue) {}

  Status run() const {
    if (Status bad = scale_matrix(); !bad.ok()) return bad;
    if (uses_products(plan_))
      if (Status bad = queue_.use(memory_.products); !bad.ok()) return bad;
    for (std::size_t i = 0; i < plan_.stages.size(); ++i) {
      if (!plan_.stages[i].is_panel()) {
        if (Status bad = reduce_on_chip(i); !bad.ok()) return bad;
        continue;
      }
      if (Status bad = reduce_panel(i); !bad.ok()) return bad;
      if (Status bad = update(i); !bad.ok()) return bad;
    }
    return {};
  }

 private:
  // Also sets the barriers' counters to zero.
  Status scale_matrix() const {
    return scale(queue_, problem_.type,
                 {.a = a(0, 0),
                  .row_step = sign_,
                  .col_step = sign_ * problem_.lda,
                  .m = static_cast<int>(problem_.n),
                  .n = static_cast<int>(problem_.n),
                  .lower = true,
                  .largest = memory_.largest,
                  .scale = memory_.scale,
                  .counters = static_cast<std::uint32_t*>(memory_.counters),
                  .counter_count = static_cast<int>(plan_.stages.size())},
                 plan_.scale_blocks);
  }

  Status reduce_on_chip(std::size_t index) const {
    const TridiagonalStage& stage = plan_.stages[index];
    kernels::TridiagonalArgs args{operands(index)};
    args.n = stage.n;
    args.steps = stage.steps;
    args.lines = stage.lines;
    args.exchange = memory_.exchange;
    if (stage.kind == TridiagonalKind::one_block)
      return queue_.launch<Step::tridiagonal_one_block>(work(stage, 0, false), args);
    return queue_.launch<Step::tridiagonal_on_chip>(work(stage, stage.shape, true), args);
  }

  // Of column 0 alone, if the update before has begun it; then of the others.
  Status reduce_panel(std::size_t index) const {
    const TridiagonalStage& stage = plan_.stages[index];
    kernels::TridiagonalPanelArgs args{operands(index)};
    args.m = stage.n;
    args.columns = stage.steps;
    args.kept_sixteenths = stage.kept_sixteenths;
    args.w = w(stage, 0, 0);
    args.w_col_step = sign_ * ldw(stage);
    args.x = memory_.x;
    args.norms = memory_.norms;
    args.sums = memory_.sums;
    args.dots = memory_.dots;
    args.squares = memory_.squares;
    const auto launch = [&](kernels::PanelPart part, bool together) {
      return queue_.launch<Step::tridiagonal_panel>(work(stage, static_cast<int>(part), together), args);
    };
    if (!stage.begun) return launch(kernels::PanelPart::all, true);
    if (Status bad = launch(kernels::PanelPart::first_column, false); !bad.ok()) return bad;
    return launch(kernels::PanelPart::others, true);
  }

  // A -= V W^H + W V^H, in the order of memory.
  Status update(std::size_t index) const {
    const TridiagonalStage& stage = plan_.stages[index];
    const int rest = stage.n - stage.steps, element = static_cast<int>(element_), real = static_cast<int>(real_);
    const std::int64_t first = done(stage) + stage.steps;
    kernels::Rank2kArgs args = {.v = lower_ ? a(first, done(stage)) : a_.at(0, rest),
                                .ldv = problem_.lda,
                                .w = lower_ ? w(stage, stage.steps, 0) : memory_.w,
                                .ldw = ldw(stage),
                                .c = lower_ ? a(first, first) : a_.data,
                                .ldc = problem_.lda,
                                .m = rest,
                                .n = rest,
                                .k = stage.steps,
                                .lower = lower_};
    if (uses_products(plan_))
      return queue_.multiply(problem_.type, {.m = rest,
                                             .n = rest,
                                             .k = stage.steps,
                                             .alpha = -1,
                                             .a = {.data = args.v, .ld = args.ldv},
                                             .b = {.op = Op::c, .data = args.w, .ld = args.ldw},
                                             .beta = 1,
                                             .c = args.c,
                                             .ldc = args.ldc,
                                             .triangle = problem_.uplo});
    const bool begins = index + 1 < plan_.stages.size() && plan_.stages[index + 1].begun;
    if (begins) {
      const TridiagonalStage& next = plan_.stages[index + 1];
      if (Status bad = next_column(stage, next); !bad.ok()) return bad;
      args.x = memory_.x;
      args.sums = memory_.sums;
      args.pitch = panel_tiles(next, problem_.type).pitch();
      args.skipped = next.steps;
    }
    return queue_.launch<Step::rank_2k_update>(
        {.type = problem_.type,
         .shape = (kernels::columns_aligned(args, element) ? kernels::rank_2k_aligned : 0) +
                  (begins ? kernels::rank_2k_multiplies : 0),
         .blocks = kernels::Rank2kTiles(rest, {element, real}, lower_).count(),
         .shared_bytes = kernels::rank_2k_shared_bytes(element, real, begins)},
        args);
  }

  // Column 0 of the next panel.
  Status next_column(const TridiagonalStage& stage, const TridiagonalStage& next) const {
    const std::int64_t first = done(next);
    return queue_.launch<Step::tridiagonal_next_column>(
        {.type = problem_.type,
         .blocks = next.blocks,
         .shared_bytes = kernels::next_column_shared_bytes(static_cast<int>(element_), static_cast<int>(real_))},
        {.a = a(first, first),
         .row_step = sign_,
         .col_step = sign_ * problem_.lda,
         .v = a(first, done(stage)),
         .w = w(stage, stage.steps, 0),
         .w_col_step = sign_ * ldw(stage),
         .m = next.n,
         .terms = stage.steps,
         .d = along(o_.d, real_, problem_.n, first),
         .scale = memory_.scale,
         .x = memory_.x,
         .x_end = panel_tiles(next, problem_.type).x_pitch(next.steps),
         .norms = memory_.norms});
  }

  kernels::TridiagonalOperands operands(std::size_t index) const {
    const std::int64_t n = problem_.n, first = done(plan_.stages[index]);
    const bool behind_panel = index > 0 && plan_.stages[index - 1].is_panel();
    return {.a = a(first, first),
            .row_step = sign_,
            .col_step = sign_ * problem_.lda,
            .d = along(o_.d, real_, n, first),
            .e = along(o_.e, real_, n - 1, first),
            .tau = along(o_.tau, element_, n - 1, first),
            .vector_step = sign_,
            .unit = behind_panel ? a(first, first - 1) : nullptr,
            .unit_value = behind_panel ? along(o_.e, real_, n - 1, first - 1) : nullptr,
            .scale = memory_.scale,
            .barrier = static_cast<std::uint32_t*>(memory_.counters) + index,
            .timed_out = queue_.timed_out()};
  }

  Work work(const TridiagonalStage& stage, int shape, bool together) const {
    return {.type = problem_.type,
            .shape = shape,
            .blocks = stage.blocks,
            .shared_bytes = stage.shared_bytes,
            .together = together};
  }
  std::int64_t done(const TridiagonalStage& stage) const { return problem_.n - stage.n; }
  std::int64_t ldw(const TridiagonalStage& stage) const { return w_column(stage.n, element_); }
  void* a(std::int64_t i, std::int64_t j) const {
    return lower_ ? a_.at(i, j) : a_.at(problem_.n - 1 - i, problem_.n - 1 - j);
  }
  void* w(const TridiagonalStage& stage, std::int64_t i, std::int64_t j) const {
    const MatrixRef whole = matrix_ref(memory_.w, ldw(stage), element_);
    return lower_ ? whole.at(i, j) : whole.at(stage.n - 1 - i, stage.steps - 1 - j);
  }
  void* along(void* vector, std::int64_t size, std::int64_t length, std::int64_t i) const {
    return matrix_ref(vector, 0, size).at(lower_ ? i : length - 1 - i, 0);
  }

  const SytrdPlan& plan_;
  const LapackProblem& problem_;
  const LapackOperands& o_;
  std::int64_t element_, real_;
  Memory memory_;
  bool lower_;
  std::int64_t sign_;
  MatrixRef a_;
  Queue& queue_;
};

std::string number(double value, const char* format) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// Bytes of the stored triangle, which a panel loads once a column.
double triangle(const TridiagonalStage& stage, std::int64_t element) {
  return 0.5 * stage.n * (stage.n + 1.0) * static_cast<double>(element);
}

}  // namespace

Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, SytrdPlan* plan) {
  std::string why;
  std::vector<TridiagonalStage> stages = tridiagonal_stages(problem.type, problem.n, traits, &why);
  if (!why.empty()) return {ONEPASS_STATUS_TOO_LARGE, why};
  *plan = make_plan(problem, traits, std::move(stages));
  return {};
}

SytrdPlan make_plan(const LapackProblem& problem, const DeviceTraits& traits, std::vector<TridiagonalStage> stages) {
  SytrdPlan made;
  made.problem = problem;
  made.stages = std::move(stages);
  made.scale_blocks = scale_blocks(problem.n, traits);
  made.workspace_bytes = Memory(made, nullptr).bytes;
  return made;
}

std::string explain(const SytrdPlan& plan) {
  const std::int64_t element = size_of(plan.problem.type);
  std::string text = lapack_name(plan.problem) + " n = " + std::to_string(plan.problem.n) + " on cuda, workspace " +
                     std::to_string(plan.workspace_bytes) + " bytes\n";
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    const TridiagonalStage& first = plan.stages[i];
    if (first.is_panel()) {
      std::size_t last = i;
      int begun = 0;
      for (; last + 1 < plan.stages.size() && plan.stages[last + 1].kind == first.kind; ++last)
        begun += plan.stages[last + 1].begun ? 1 : 0;
      text += "  " + std::to_string(last - i + 1) + " panels of " + std::to_string(first.steps) +
              " columns, from n = " + std::to_string(first.n) + " on: " + std::to_string(first.blocks) +
              " blocks, 2 grid barriers a column, the triangle once a column (" +
              number(triangle(first, element) / 1e6, "%.1f") + " MB at first); rank-2k update by " +
              (uses_products(plan) ? "cuBLAS" : "tensor cores") +
              (begun > 0 ? ", with the first product of " + std::to_string(begun) + " panels" : std::string()) + "\n";
      i = last;
      continue;
    }
    if (first.kind == TridiagonalKind::one_block) {
      text += "  " + std::to_string(first.steps) + " columns of n = " + std::to_string(first.n) +
              " by one block, 2 of its barriers a column, the matrix in registers\n";
      continue;
    }
    const int shared = first.lines - shape_of(plan, first).columns_in_registers;
    text +=
        "  " + std::to_string(first.steps) + " columns of n = " + std::to_string(first.n) +
        " on the chip: " + std::to_string(first.blocks) + " blocks, 1 grid barrier a column, the matrix in registers" +
        (shared > 0 ? " and " + std::to_string(shared) + " columns of a block in shared memory" : std::string()) + "\n";
  }
  return text;
}

Status run(const SytrdPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue) {
  if (plan.problem.n == 0) return {};
  return Steps(plan, operands, workspace, queue).run();
}

}  // namespace onepass::lapack
