// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/batch_svd_steps.hpp"

#include <algorithm>
#include <limits>

#include "lapack/check.hpp"
#include "lapack/cuda/room.hpp"

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

// Rounds of angles, of which the last one must leave nothing.
constexpr int most_rounds = 3;

// Of one piece. What the eigenproblems need, the angles and what rotations need follow each other in one place.
struct RefineMemory {
  kernels::RefineArgs args;
  void *values = nullptr, *shared = nullptr;
  int* info = nullptr;
  std::size_t bytes = 0;

  RefineMemory(const BatchSvdPlan& plan, void* data) {
    const std::int64_t p = rows_of(plan.problem), q = columns_of(plan.problem), count = plan.piece;
    const std::int64_t element = size_of(plan.problem.type), real = size_of_real(plan.problem.type);
    Room room(data);
    for (void*& x : args.x) x = room.take(count * (p + q) * q, element);
    args.scale = room.take(count, real);
    args.state = static_cast<int*>(room.take(count, sizeof(int)));
    values = room.take(count * q, real);
    info = static_cast<int*>(room.take(count, sizeof(int)));
    shared = room.take(0, 1);
    Room angles(shared);
    args.t = angles.take(count * q * q, element);
    args.exponential = angles.take(count * q * q, element);
    const auto rotations = static_cast<std::size_t>(plan.blocks * off_chip(plan) * element);
    bytes = room.bytes() + std::max({angles.bytes(), plan.eigen.workspace_bytes, rotations});
  }
};

// Likewise of matrices of up to 32 rows.
struct SmallMemory {
  kernels::RefineSmallArgs args;
  std::size_t bytes = 0;

  SmallMemory(const BatchSvdPlan& plan, void* data) {
    const std::int64_t q = columns_of(plan.problem);
    Room room(data);
    args.v = room.take(plan.piece * q * q, size_of(plan.problem.type));
    args.state = static_cast<int*>(room.take(plan.piece, sizeof(int)));
    bytes = room.bytes();
  }
};

LapackProblem eigenproblems(const LapackProblem& p, std::int64_t count) {
  const std::int64_t rows = rows_of(p), columns = columns_of(p);
  return {.routine = LapackRoutine::syevd,
          .type = p.type,
          .n = columns,
          .lda = rows + columns,
          .job = Job::vectors,
          .batch = Batch::strided,
          .batch_count = count,
          .stride_a = (rows + columns) * columns,
          .stride_w = columns};
}

// Matrices of a piece, in pieces of equal size, if one needs so many bytes.
std::int64_t piece_of(const BatchSvdPlan& plan, std::size_t each, const DeviceTraits& traits, std::int64_t most_bytes) {
  const std::int64_t count = plan.problem.batch_count,
                     most = std::max<std::int64_t>(most_bytes / static_cast<std::int64_t>(each), traits.sm_count),
                     pieces = (count + most - 1) / most;
  return (count + pieces - 1) / pieces;
}

void plan_small(const DeviceTraits& traits, std::int64_t most_bytes, BatchSvdPlan* plan) {
  plan->lanes = kernels::batch_small_lanes(static_cast<int>(rows_of(plan->problem)));
  plan->piece = 256;  // arrays begin on multiples of so many bytes
  plan->piece = piece_of(*plan, SmallMemory(*plan, nullptr).bytes / 256, traits, most_bytes);
  plan->blocks = static_cast<int>(std::min<std::int64_t>(plan->blocks, plan->piece));
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
    if (rows <= kernels::refine_small_most)
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
  const int pairs = kernels::batch_svd_pairs(plan.slots, static_cast<std::size_t>(size_of(p.type)));
  text += "  Jacobi rotations: a block of " + std::to_string(32 * plan.warps) + " threads for each, " +
          std::to_string(2 * pairs) + " columns in the registers of a warp\n";
  if (off_chip(plan) == 0) return text + "  all columns in shared memory\n";
  text += "  in shared memory " + std::to_string(plan.m_on_chip) + " of " + std::to_string(columns_of(p)) + " columns";
  if (wants_vectors(plan)) text += ", and " + std::to_string(plan.v_on_chip) + " of singular vectors";
  return text + "; " + std::to_string(plan.blocks) + " blocks\n";
}

namespace {

class Steps {
 public:
  Steps(const BatchSvdPlan& plan, const LapackOperands& o, void* workspace, BatchSvdDevice& device)
      : plan_(plan), problem_(plan.problem), o_(o), workspace_(workspace), device_(device) {}

  Status run() const {
    for (std::int64_t first = 0; first < problem_.batch_count; first += plan_.piece) {
      kernels::BatchSvdArgs piece = batch(first, std::min(plan_.piece, problem_.batch_count - first));
      piece.off_chip = workspace_;
      if (plan_.lanes > 0)
        if (Status bad = refine_small(&piece); !bad.ok()) return bad;
      if (plan_.refined)
        if (Status bad = refine(&piece); !bad.ok()) return bad;
      if (Status bad = device_.rotate(plan_, piece); !bad.ok()) return bad;
    }
    return {};
  }

 private:
  // `count` matrices from `first` on.
  kernels::BatchSvdArgs batch(std::int64_t first, std::int64_t count) const {
    const LapackProblem& p = problem_;
    const bool pointers = p.batch == Batch::pointers;
    const auto at = [&](void* array, std::int64_t stride) -> void* {
      if (array == nullptr) return nullptr;
      return static_cast<std::byte*>(array) +
             first * (pointers ? static_cast<std::int64_t>(sizeof(void*)) : stride * size_of(p.type));
    };
    return {.a = at(o_.a, p.stride_a),
            .u = at(o_.u, p.stride_u),
            .vt = at(o_.vt, p.stride_vt),
            .pointer_arrays = pointers,
            .lda = p.lda,
            .stride_a = p.stride_a,
            .ldu = p.ldu,
            .stride_u = p.stride_u,
            .ldvt = p.ldvt,
            .stride_vt = p.stride_vt,
            .s = static_cast<std::byte*>(o_.w) + first * p.stride_w * size_of_real(p.type),
            .stride_s = p.stride_w,
            .info = o_.info + first,
            .count = count,
            .m = static_cast<int>(p.m),
            .n = static_cast<int>(p.n),
            .vectors = wants_vectors(plan_),
            .plain_v = p.plain_v,
            .info_of_failure = static_cast<int>(info_of_failure(p)),
            .m_on_chip = plan_.m_on_chip,
            .v_on_chip = plan_.v_on_chip};
  }

  // All but what is left to rotations, of which `piece` tells then.
  Status refine_small(kernels::BatchSvdArgs* piece) const {
    kernels::RefineSmallArgs args = SmallMemory(plan_, workspace_).args;
    args.svd = *piece;
    const int together = 32 / plan_.lanes;
    const auto blocks = static_cast<int>(std::min((piece->count + together - 1) / together, most_blocks));
    if (Status bad = device_.start_small(args, plan_.lanes, blocks); !bad.ok()) return bad;
    piece->state = args.state;
    return device_.refine_small(args, plan_.lanes, blocks);
  }
  Status refine(kernels::BatchSvdArgs* piece) const {
    using enum kernels::RefineProduct;
    const RefineMemory memory(plan_, workspace_);
    kernels::RefineArgs args = memory.args;
    args.svd = *piece;
    const int blocks = static_cast<int>(piece->count);
    const auto multiply = [&](kernels::RefineProduct which) {
      const std::int64_t tiles =
          kernels::refine_product_tiles(which, rows_of(problem_), columns_of(problem_), piece->vectors);
      return device_.multiply(which, args, static_cast<int>(piece->count * tiles));
    };
    if (Status bad = device_.begin(args, blocks); !bad.ok()) return bad;
    if (Status bad = multiply(gram); !bad.ok()) return bad;
    BatchPlan eigen = plan_.eigen;
    eigen.problem.batch_count = piece->count;
    const LapackOperands operands = {
        .a = static_cast<std::byte*>(args.x[0]) + rows_of(problem_) * size_of(problem_.type),
        .w = memory.values,
        .info = memory.info};
    if (Status bad = run_batch(eigen, operands, memory.shared, device_.eigen()); !bad.ok()) return bad;
    if (Status bad = multiply(start); !bad.ok()) return bad;
    for (args.round = 0; args.round < most_rounds; ++args.round) {
      args.last_round = args.round == most_rounds - 1;
      if (Status bad = multiply(again); !bad.ok()) return bad;
      if (Status bad = device_.find_angles(args, blocks); !bad.ok()) return bad;
      if (Status bad = multiply(square); !bad.ok()) return bad;
      if (Status bad = multiply(apply); !bad.ok()) return bad;
    }
    piece->state = args.state;
    piece->begun[0] = args.x[0];
    piece->begun[1] = args.x[1];
    piece->scale = args.scale;
    piece->off_chip = memory.shared;
    return device_.finish(args, blocks);
  }

  const BatchSvdPlan& plan_;
  const LapackProblem& problem_;
  const LapackOperands& o_;
  void* workspace_;
  BatchSvdDevice& device_;
};

}  // namespace

Status run_batch(const BatchSvdPlan& plan, const LapackOperands& operands, void* workspace, BatchSvdDevice& device) {
  if (plan.problem.batch_count == 0) return {};
  if (plan.slots == 0) return device.clear(operands.info, plan.problem.batch_count);
  return Steps(plan, operands, workspace, device).run();
}

}  // namespace onepass::lapack
