// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>

#include "lapack/check.hpp"
#include "lapack/gpu/batched/batch_svd.hpp"
#include "lapack/gpu/batched/batch_svd_memory.hpp"

namespace onepass::lapack {
namespace {

constexpr std::int64_t most_blocks = std::int64_t{1} << 30;

LapackProblem eigenproblems(const LapackProblem& p, std::int64_t count) {
  const kernels::RefineShape shape = shape_of(p);
  return {.routine = LapackRoutine::syevd,
          .type = p.type,
          .n = shape.q,
          .lda = shape.ld,
          .job = Job::vectors,
          .batch = Batch::strided,
          .batch_count = count,
          .stride_a = shape.of_x(),
          .stride_w = shape.q};
}

// Matrices of a piece, in pieces of equal size, if one needs so many bytes.
std::int64_t piece_of(const BatchSvdPlan& plan, std::size_t each, const DeviceTraits& traits, std::int64_t most_bytes) {
  const std::int64_t count = plan.problem.batch_count,
                     most = std::max<std::int64_t>(most_bytes / static_cast<std::int64_t>(each), traits.sm_count),
                     pieces = (count + most - 1) / most;
  return (count + pieces - 1) / pieces;
}

// Few matrices are left to rotations, if any: most blocks have nothing to do but look for them.
void look_for_what_is_left(const DeviceTraits& traits, BatchSvdPlan* plan) {
  constexpr std::int64_t looked_at = 16;
  const std::int64_t some = std::max((plan->piece + looked_at - 1) / looked_at, looked_at * traits.sm_count);
  plan->blocks = static_cast<int>(std::min({static_cast<std::int64_t>(plan->blocks), plan->piece, some}));
}

// Whether blocks keep matrices in registers on the way to their singular values. Columns that a square has more than
// the matrix cost as much as others, while there are rows.
bool holds(const BatchSvdPlan& plan, const DeviceTraits& traits) {
  const LapackProblem& p = plan.problem;
  const std::int64_t rows = rows_of(p), columns = columns_of(p);
  const auto element = static_cast<std::size_t>(size_of(p.type));
  const kernels::BatchHeldShape shape = kernels::batch_bidiagonal_shape(rows, element);
  if (wants_vectors(plan) || columns < kernels::batch_bidiagonal_least || rows > 2 * columns || shape.rows == 0)
    return false;
  const std::size_t bytes =
      kernels::batch_bidiagonal_shared_bytes(shape, element, static_cast<std::size_t>(size_of_real(p.type)));
  return bytes + 1024 <= static_cast<std::size_t>(traits.shared_bytes_per_sm) &&
         traits.registers_per_sm >= kernels::batch_held_registers;
}

void plan_bidiagonal(const DeviceTraits& traits, std::int64_t most_bytes, BatchSvdPlan* plan) {
  const LapackProblem& p = plan->problem;
  plan->bidiagonal_rows = kernels::batch_bidiagonal_shape(rows_of(p), static_cast<std::size_t>(size_of(p.type))).rows;
  plan->piece = 256;  // arrays begin on multiples of so many bytes
  plan->piece =
      std::min(piece_of(*plan, BidiagonalMemory(*plan, nullptr).bytes / 256, traits, most_bytes), most_blocks);
  plan->workspace_bytes = BidiagonalMemory(*plan, nullptr).bytes;
}

void plan_pairs(const DeviceTraits& traits, std::int64_t most_bytes, BatchSvdPlan* plan) {
  plan->pair_rows = kernels::batch_svd_rows_of_pairs(rows_of(plan->problem));
  plan->piece = piece_of(*plan, sizeof(int), traits, most_bytes);
  plan->workspace_bytes = static_cast<std::size_t>(plan->piece) * sizeof(int);
  look_for_what_is_left(traits, plan);
}

void plan_small(const DeviceTraits& traits, std::int64_t most_bytes, BatchSvdPlan* plan) {
  plan->lanes = kernels::batch_small_lanes(static_cast<int>(rows_of(plan->problem)));
  plan->piece = 256;  // arrays begin on multiples of so many bytes
  plan->piece = piece_of(*plan, SmallMemory(*plan, nullptr).bytes / 256, traits, most_bytes);
  look_for_what_is_left(traits, plan);
  plan->workspace_bytes = SmallMemory(*plan, nullptr).bytes;
}

Status plan_refined(const DeviceTraits& traits, std::int64_t most_bytes, BatchSvdPlan* plan) {
  const auto of = [&](std::int64_t piece) {
    plan->piece = piece;
    return make_plan(eigenproblems(plan->problem, piece), traits, &plan->eigen,
                     std::numeric_limits<std::int64_t>::max());
  };
  plan->refined = true;
  if (Status bad = of(1); !bad.ok()) return bad;
  const std::int64_t blocks = plan->blocks;
  plan->blocks = 0;
  if (Status bad = of(piece_of(*plan, RefineMemory(*plan, nullptr).bytes, traits, most_bytes)); !bad.ok()) return bad;
  plan->blocks = static_cast<int>(std::min(blocks, plan->piece));
  plan->workspace_bytes = RefineMemory(*plan, nullptr).bytes;
  return {};
}

}  // namespace

std::size_t shared_bytes(const BatchSvdPlan& plan) {
  const LapackProblem& p = plan.problem;
  const std::int64_t rows = rows_of(p), columns = columns_of(p);
  const std::int64_t elements = plan.whole
                                    ? columns * kernels::batch_svd_whole_length(rows, columns, wants_vectors(plan))
                                    : rows * plan.m_on_chip + columns * plan.v_on_chip;
  const auto count = [](std::int64_t number) { return static_cast<std::size_t>(number); };
  const auto element = count(size_of(p.type));
  return kernels::batch_svd_shared_bytes(count(elements), plan.whole, count(columns),
                                         count(kernels::batch_svd_pairs(plan.slots, element)), count(plan.warps),
                                         element, count(size_of_real(p.type)));
}

Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, BatchSvdPlan* plan,
                 std::int64_t most_bytes) {
  const std::int64_t rows = rows_of(problem), columns = columns_of(problem);
  if (rows > kernels::batch_svd_most_rows)
    return {ONEPASS_STATUS_TOO_LARGE, std::string(problem.m == rows ? "m" : "n") + " = " + std::to_string(rows) +
                                          ": matrices of a batch have at most " +
                                          std::to_string(kernels::batch_svd_most_rows) +
                                          " rows and columns on cuda; gesvd solves larger ones one by one"};
  BatchSvdPlan made;
  made.problem = problem;
  if (columns > 0 && problem.batch_count > 0) {
    const auto on_chip_bytes = static_cast<std::size_t>(traits.shared_bytes_per_sm - 1024);
    const auto shape = [&](bool whole) {
      made.whole = whole;
      made.slots = whole ? kernels::batch_svd_slots(kernels::batch_svd_whole_length(rows, columns, wants_vectors(made)))
                         : std::max(4, kernels::batch_svd_slots(rows));
      made.warps = kernels::batch_svd_warps(
          columns, kernels::batch_svd_pairs(made.slots, static_cast<std::size_t>(size_of(problem.type))));
      made.m_on_chip = static_cast<int>(columns);
      made.v_on_chip = wants_vectors(made) ? made.m_on_chip : 0;
      return shared_bytes(made) <= on_chip_bytes;
    };
    if (!kernels::batch_svd_is_whole(rows, columns, wants_vectors(made)) || !shape(true)) {
      // As many columns as there is room for: of M, which every step needs, first.
      bool fits = shape(false);
      for (int* here : {&made.v_on_chip, &made.m_on_chip})
        for (; !fits && *here > 0; fits = shared_bytes(made) <= on_chip_bytes) --*here;
    }
    const std::int64_t outside = off_chip(made);
    made.blocks = static_cast<int>(
        std::min(problem.batch_count, outside == 0 ? most_blocks : static_cast<std::int64_t>(traits.sm_count)));
    made.workspace_bytes = static_cast<std::size_t>(made.blocks * outside * size_of(problem.type));
    made.piece = problem.batch_count;
    if (holds(made, traits))
      plan_bidiagonal(traits, most_bytes, &made);
    else if (kernels::batch_svd_rotates_pairs(rows, columns, static_cast<std::size_t>(size_of(problem.type)),
                                              wants_vectors(made)))
      plan_pairs(traits, most_bytes, &made);
    else if (rows <= kernels::refine_small_most)
      plan_small(traits, most_bytes, &made);
    else if (columns > kernels::batch_small_most)
      if (Status bad = plan_refined(traits, most_bytes, &made); !bad.ok()) return bad;
  }
  *plan = made;
  return {};
}

std::string explain(const BatchSvdPlan& plan) {
  const LapackProblem& p = plan.problem;
  std::string text = lapack_name(p) + " " + std::to_string(p.m) + " x " + std::to_string(p.n) + " of " +
                     std::to_string(p.batch_count) + " matrices on cuda, " +
                     (wants_vectors(plan) ? "singular values and vectors" : "singular values") + ", workspace " +
                     std::to_string(plan.workspace_bytes) + " bytes\n";
  if (plan.slots == 0) return text;
  if (plan.piece < p.batch_count) text += "  " + std::to_string(plan.piece) + " matrices at a time\n";
  const std::string gram = p.m < p.n ? "A A^H" : "A^H A";
  if (plan.pair_rows > 0)
    text += "  Jacobi rotations of columns in registers, " +
            std::to_string(kernels::batch_svd_lanes(plan.pair_rows, static_cast<std::size_t>(size_of(p.type)))) +
            " lanes for each\n";
  if (plan.lanes > 0)
    text += "  " + std::to_string(32 / plan.lanes) + (plan.lanes == 32 ? " matrix" : " matrices") +
            " in a warp: eigenvectors of " + gram + ", then products\n";
  if (plan.bidiagonal_rows > 0) {
    const kernels::BatchHeldShape shape =
        kernels::batch_bidiagonal_shape(plan.bidiagonal_rows, static_cast<std::size_t>(size_of(p.type)));
    return text + "  bidiagonal form: a block of " + std::to_string(shape.threads) +
           " threads for each, which has it in registers" +
           (shape.kept > 0 ? " but for the first columns, in shared memory" : "") +
           "\n  bisection: a block for each, a thread for each singular value\n";
  }
  if (plan.refined) {
    const std::string steps = explain(plan.eigen);
    text += "  eigenvectors of " + gram + ":\n" + steps.substr(steps.find('\n') + 1) +
            "  W = A V, W^H W, and W and V times what makes it diagonal: tiles of " +
            std::to_string(kernels::refine_tile) + " x " + std::to_string(kernels::refine_tile) + "\n";
  }
  const int pairs = kernels::batch_svd_pairs(plan.slots, static_cast<std::size_t>(size_of(p.type)));
  text += std::string("  Jacobi rotations") +
          (plan.refined || plan.lanes > 0 || plan.pair_rows > 0 ? " of what is left" : "") + ": a block of " +
          std::to_string(32 * plan.warps) + " threads for each, " + std::to_string(2 * pairs) +
          " columns in the registers of a warp\n";
  if (off_chip(plan) == 0) return text + "  all columns in shared memory\n";
  text += "  in shared memory " + std::to_string(plan.m_on_chip) + " of " + std::to_string(columns_of(p)) + " columns";
  if (wants_vectors(plan)) text += ", and " + std::to_string(plan.v_on_chip) + " of singular vectors";
  return text + "; " + std::to_string(plan.blocks) + " blocks\n";
}

}  // namespace onepass::lapack
