// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/batch_svd_steps.hpp"

#include <algorithm>

#include "lapack/check.hpp"

namespace onepass::lapack {
namespace {

constexpr std::int64_t most_blocks = std::int64_t{1} << 30;

std::int64_t rows_of(const LapackProblem& p) { return std::max(p.m, p.n); }
std::int64_t columns_of(const LapackProblem& p) { return std::min(p.m, p.n); }
bool wants_vectors(const BatchSvdPlan& plan) { return plan.problem.job == Job::vectors; }

// Elements that a block has in the workspace.
std::int64_t off_chip(const BatchSvdPlan& plan) {
  const std::int64_t rows = rows_of(plan.problem), columns = columns_of(plan.problem);
  return rows * (columns - plan.m_on_chip) + (wants_vectors(plan) ? columns * (columns - plan.v_on_chip) : 0);
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

Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, BatchSvdPlan* plan) {
  const std::int64_t rows = rows_of(problem), columns = columns_of(problem);
  if (rows > kernels::batch_svd_most_rows)
    return {ONEPASS_STATUS_TOO_LARGE, std::string(problem.m == rows ? "m" : "n") + " = " + std::to_string(rows) +
                                          ": matrices of a batch have at most " +
                                          std::to_string(kernels::batch_svd_most_rows) +
                                          " rows and columns on cuda; gesvd solves larger ones one by one"};
  BatchSvdPlan made = {.problem = problem};
  if (columns > 0 && problem.batch_count > 0) {
    const auto most_bytes = static_cast<std::size_t>(traits.shared_bytes_per_sm - 1024);
    const auto shape = [&](bool whole) {
      made.whole = whole;
      made.slots = whole ? kernels::batch_svd_slots(kernels::batch_svd_whole_length(rows, columns, wants_vectors(made)))
                         : std::max(4, kernels::batch_svd_slots(rows));
      made.warps = kernels::batch_svd_warps(
          columns, kernels::batch_svd_pairs(made.slots, static_cast<std::size_t>(size_of(problem.type))));
      made.m_on_chip = static_cast<int>(columns);
      made.v_on_chip = wants_vectors(made) ? made.m_on_chip : 0;
      return shared_bytes(made) <= most_bytes;
    };
    if (!kernels::batch_svd_is_whole(rows, columns, wants_vectors(made)) || !shape(true)) {
      // As many columns as there is room for: of M, which every step needs, first.
      bool fits = shape(false);
      for (int* here : {&made.v_on_chip, &made.m_on_chip})
        for (; !fits && *here > 0; fits = shared_bytes(made) <= most_bytes) --*here;
    }
    const std::int64_t outside = off_chip(made);
    made.blocks = static_cast<int>(
        std::min(problem.batch_count, outside == 0 ? most_blocks : static_cast<std::int64_t>(traits.sm_count)));
    made.workspace_bytes = static_cast<std::size_t>(made.blocks * outside * size_of(problem.type));
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
  const int pairs = kernels::batch_svd_pairs(plan.slots, static_cast<std::size_t>(size_of(p.type)));
  text += "  Jacobi rotations: a block of " + std::to_string(32 * plan.warps) + " threads for each, " +
          std::to_string(2 * pairs) + " columns in the registers of a warp\n";
  if (off_chip(plan) == 0) return text + "  all columns in shared memory\n";
  text += "  in shared memory " + std::to_string(plan.m_on_chip) + " of " + std::to_string(columns_of(p)) + " columns";
  if (wants_vectors(plan)) text += ", and " + std::to_string(plan.v_on_chip) + " of singular vectors";
  return text + "; " + std::to_string(plan.blocks) + " blocks\n";
}

Status run_batch(const BatchSvdPlan& plan, const LapackOperands& o, void* workspace, BatchSvdDevice& device) {
  const LapackProblem& p = plan.problem;
  if (p.batch_count == 0) return {};
  if (plan.slots == 0) return device.clear(o.info, p.batch_count);
  return device.solve(plan, {.a = o.a,
                             .u = o.u,
                             .vt = o.vt,
                             .pointer_arrays = p.batch == Batch::pointers,
                             .lda = p.lda,
                             .stride_a = p.stride_a,
                             .ldu = p.ldu,
                             .stride_u = p.stride_u,
                             .ldvt = p.ldvt,
                             .stride_vt = p.stride_vt,
                             .s = o.w,
                             .stride_s = p.stride_w,
                             .info = o.info,
                             .count = p.batch_count,
                             .m = static_cast<int>(p.m),
                             .n = static_cast<int>(p.n),
                             .vectors = wants_vectors(plan),
                             .plain_v = p.plain_v,
                             .info_of_failure = static_cast<int>(info_of_failure(p)),
                             .off_chip = workspace,
                             .m_on_chip = plan.m_on_chip,
                             .v_on_chip = plan.v_on_chip});
}

}  // namespace onepass::lapack
