// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/sytrd.hpp"

#include "lapack/gpu/elements.hpp"
#include "lapack/cuda/scale_kernels.hpp"
#include "lapack/cuda/tridiagonal_kernels.hpp"

namespace onepass::lapack {
namespace {

// A call, stage by stage. uplo = U from the last column to the first is the lower triangle of the matrix turned around.
template <class A>
class Reduction {
  using R = RealOf<A>;
  using Kernels = TridiagonalKernels<A>;

 public:
  Reduction(const SytrdPlan& plan, const DeviceCall& call)
      : plan_(plan),
        call_(call),
        problem_(plan.problem),
        memory_(plan, call.workspace),
        lower_(problem_.uplo == Uplo::lower),
        sign_(lower_ ? 1 : -1) {
    const LapackOperands& o = call_.operands;
    const std::int64_t n = problem_.n;
    left_ = {.a = static_cast<A*>(o.a) + (lower_ ? 0 : (n - 1) * (problem_.lda + 1)),
             .row_step = sign_,
             .col_step = sign_ * problem_.lda,
             .d = static_cast<R*>(o.d) + (lower_ ? 0 : n - 1),
             .e = static_cast<R*>(o.e) + (lower_ ? 0 : n - 2),
             .tau = static_cast<A*>(o.tau) + (lower_ ? 0 : n - 2),
             .vector_step = sign_,
             .scale = memory_.scale,
             .barrier = static_cast<std::uint32_t*>(memory_.counters),
             .timed_out = call_.timed_out};
  }

  Status run() {
    if (Status bad = scale(); !bad.ok()) return bad;
    if (uses_cublas(plan_))
      if (Status bad = call_.cublas->use(call_.stream, memory_.cublas, cublas_workspace_bytes); !bad.ok()) return bad;
    for (std::size_t i = 0; i < plan_.stages.size(); ++i) {
      const TridiagonalStage& stage = plan_.stages[i];
      const bool is_panel = stage.kind == TridiagonalKind::panel;
      if (Status bad = is_panel ? panel(stage) : on_chip(stage); !bad.ok()) return bad;
      if (is_panel)
        if (Status bad = update(stage, plan_.stages[i + 1]); !bad.ok()) return bad;
      advance(stage.steps);
    }
    return {};
  }

 private:
  // Also sets the barriers' counters to zero.
  Status scale() {
    const kernels::ScaleArgs args = {.a = left_.a,
                                     .row_step = left_.row_step,
                                     .col_step = left_.col_step,
                                     .m = static_cast<int>(problem_.n),
                                     .n = static_cast<int>(problem_.n),
                                     .lower = true,
                                     .largest = memory_.largest,
                                     .scale = memory_.scale,
                                     .counters = left_.barrier,
                                     .counter_count = static_cast<int>(plan_.stages.size())};
    return ScaleKernels<A>::run(args, plan_.scale_blocks, call_.stream);
  }

  Status on_chip(const TridiagonalStage& stage) {
    kernels::TridiagonalArgs args{left_};
    args.n = stage.n;
    args.steps = stage.steps;
    args.lines = stage.lines;
    args.exchange = memory_.exchange;
    left_.unit = nullptr;
    return Kernels::on_chip(stage, args, call_.stream);
  }

  // Elements from a column of W to the next, and its first element in the order of the panel.
  static std::int64_t w_column(const TridiagonalStage& stage) { return SytrdMemory::w_column(stage.n, sizeof(A)); }
  A* first_of_w(const TridiagonalStage& stage) const {
    A* const w = static_cast<A*>(memory_.w);
    return lower_ ? w : w + w_column(stage) * (stage.steps - 1) + stage.n - 1;
  }

  Status panel(const TridiagonalStage& stage) {
    A* const a = static_cast<A*>(left_.a);
    kernels::TridiagonalPanelArgs args{left_};
    args.m = stage.n;
    args.columns = stage.steps;
    args.kept_sixteenths = stage.kept_sixteenths;
    args.w = first_of_w(stage);
    args.w_col_step = sign_ * w_column(stage);
    args.x = memory_.x;
    args.norms = memory_.norms;
    args.sums = memory_.sums;
    args.dots = memory_.dots;
    args.squares = memory_.squares;
    if (Status bad = Kernels::panel(stage, args, call_.stream); !bad.ok()) return bad;
    left_.unit = a + stage.steps * left_.row_step + (stage.steps - 1) * left_.col_step;
    left_.unit_value = static_cast<R*>(left_.e) + (stage.steps - 1) * sign_;
    return {};
  }

  // A -= V W^H + W V^H, in the order of memory.
  Status update(const TridiagonalStage& stage, const TridiagonalStage& next) {
    A *const a = static_cast<A*>(left_.a), *const w = static_cast<A*>(memory_.w);
    const std::int64_t ldw = w_column(stage);
    const int rest = next.n;
    A* const corner = lower_ ? a + stage.steps * (problem_.lda + 1) : a - (stage.n - 1) * (problem_.lda + 1);
    const A *const v = lower_ ? a + stage.steps : corner + rest * problem_.lda, *const w_rest =
                                                                                    lower_ ? w + stage.steps : w;
    if (uses_cublas(plan_))
      return call_.cublas->rank_2k(problem_.type, problem_.uplo, rest, stage.steps, v, problem_.lda, w_rest, ldw,
                                   corner, problem_.lda);
    kernels::Rank2kArgs args = {.v = v,
                                .ldv = problem_.lda,
                                .w = w_rest,
                                .ldw = ldw,
                                .c = corner,
                                .ldc = problem_.lda,
                                .m = rest,
                                .n = rest,
                                .k = stage.steps,
                                .lower = lower_};
    if constexpr (Kernels::begins_panels)
      if (next.begun) {
        if (Status bad = next_column(stage, next); !bad.ok()) return bad;
        args.x = memory_.x;
        args.sums = memory_.sums;
        args.pitch = panel_tiles(next, problem_.type).pitch();
        args.skipped = next.steps;
      }
    return Kernels::rank_2k(args, kernels::columns_aligned(args, sizeof(A)), call_.stream);
  }

  // Column 0 of the next panel.
  Status next_column(const TridiagonalStage& stage, const TridiagonalStage& next) {
    const A* const below = static_cast<const A*>(left_.a) + stage.steps * left_.row_step;
    return Kernels::next_column({.a = below + stage.steps * left_.col_step,
                                 .row_step = left_.row_step,
                                 .col_step = left_.col_step,
                                 .v = below,
                                 .w = first_of_w(stage) + stage.steps * left_.row_step,
                                 .w_col_step = sign_ * w_column(stage),
                                 .m = next.n,
                                 .terms = stage.steps,
                                 .d = static_cast<R*>(left_.d) + stage.steps * sign_,
                                 .scale = left_.scale,
                                 .x = memory_.x,
                                 .x_end = panel_tiles(next, problem_.type).x_pitch(next.steps),
                                 .norms = memory_.norms},
                                next.blocks, call_.stream);
  }

  void advance(int steps) {
    left_.a = static_cast<A*>(left_.a) + steps * (left_.row_step + left_.col_step);
    left_.d = static_cast<R*>(left_.d) + steps * sign_;
    left_.e = static_cast<R*>(left_.e) + steps * sign_;
    left_.tau = static_cast<A*>(left_.tau) + steps * sign_;
    ++left_.barrier;
  }

  const SytrdPlan& plan_;
  const DeviceCall& call_;
  const LapackProblem& problem_;
  const SytrdMemory memory_;
  const bool lower_;
  const std::int64_t sign_;
  kernels::TridiagonalOperands left_;
};

}  // namespace

Status load(const SytrdPlan& plan) {
  return by_device_type(plan.problem.type, []<class A>() {
    const Status loaded = ScaleKernels<A>::load();
    return loaded.ok() ? TridiagonalKernels<A>::load() : loaded;
  });
}

Status run(const SytrdPlan& plan, const DeviceCall& call) {
  if (plan.problem.n == 0) return {};
  return by_device_type(plan.problem.type, [&]<class A>() { return Reduction<A>(plan, call).run(); });
}

}  // namespace onepass::lapack
