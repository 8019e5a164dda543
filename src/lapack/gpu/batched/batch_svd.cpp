// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/gpu/batched/batch_svd.hpp"

#include <algorithm>

#include "lapack/gpu/batched/batch_svd_memory.hpp"

namespace onepass::lapack {
namespace {

constexpr std::int64_t most_blocks = std::int64_t{1} << 30;
// Rounds of angles, of which the last one must leave nothing. The first one does of nearly all matrices, but for large
// ones in single precision.
int rounds_of(const LapackProblem& p) {
  return size_of_real(p.type) == 8 || columns_of(p) <= kernels::refine_tile ? 2 : 3;
}

class Steps {
 public:
  Steps(const BatchSvdPlan& plan, const LapackOperands& o, void* workspace, Queue& queue)
      : plan_(plan), problem_(plan.problem), o_(o), workspace_(workspace), queue_(queue) {}

  Status run() const {
    for (std::int64_t first = 0; first < problem_.batch_count; first += plan_.piece) {
      kernels::BatchSvdArgs piece = batch(first, std::min(plan_.piece, problem_.batch_count - first));
      if (plan_.bidiagonal_rows > 0) {
        if (Status bad = bisect(piece); !bad.ok()) return bad;
        continue;
      }
      piece.off_chip = workspace_;
      if (plan_.pair_rows > 0)
        if (Status bad = rotate_pairs(&piece); !bad.ok()) return bad;
      if (plan_.lanes > 0)
        if (Status bad = refine_small(&piece); !bad.ok()) return bad;
      if (plan_.refined)
        if (Status bad = refine(&piece); !bad.ok()) return bad;
      if (Status bad = rotate(piece); !bad.ok()) return bad;
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

  Status bisect(const kernels::BatchSvdArgs& piece) const {
    kernels::BatchBidiagonalArgs args = BidiagonalMemory(plan_, workspace_).args;
    args.svd = piece;
    const kernels::BatchHeldShape shape = kernels::batch_bidiagonal_shape(plan_.bidiagonal_rows, element_);
    const std::size_t bytes = kernels::batch_bidiagonal_shared_bytes(shape, element_, real_);
    if (Status bad = queue_.launch<Step::batch_bidiagonal>(work(piece.count, bytes, shape.rows), args); !bad.ok())
      return bad;
    const kernels::BatchArgs values = {.w = piece.s,
                                       .stride_w = piece.stride_s,
                                       .info = piece.info,
                                       .count = piece.count,
                                       .n = static_cast<int>(columns_of(problem_)),
                                       .info_of_failure = piece.info_of_failure};
    return find_values(real_type(problem_.type),
                       {.batch = values,
                        .d = args.d,
                        .e = args.e,
                        .rows = args.order,
                        .order = args.order,
                        .form = kernels::Form::bidiagonal},
                       queue_);
  }
  Status rotate(const kernels::BatchSvdArgs& piece) const {
    Work rotations = work(plan_.blocks, shared_bytes(plan_), kernels::batch_svd_shape(plan_.slots, plan_.whole));
    rotations.threads = 32 * plan_.warps;
    return queue_.launch<Step::batch_svd>(rotations, piece);
  }
  // All but what is left to rotations in shared memory, of which `piece` tells then.
  Status rotate_pairs(kernels::BatchSvdArgs* piece) const {
    const kernels::BatchSvdPairsArgs args = {.svd = *piece, .state = static_cast<int*>(workspace_)};
    piece->state = args.state;
    const int rows = plan_.pair_rows;
    return queue_.launch<Step::batch_svd_pairs>(
        work(blocks_of_small(*piece, kernels::batch_svd_lanes(rows, element_)),
             kernels::batch_svd_pairs_shared_bytes(rows, element_, real_), rows),
        args);
  }
  // Likewise.
  Status refine_small(kernels::BatchSvdArgs* piece) const {
    kernels::RefineSmallArgs args = SmallMemory(plan_, workspace_).args;
    args.svd = *piece;
    const int lanes = plan_.lanes;
    const std::int64_t blocks = blocks_of_small(*piece, lanes);
    const std::size_t start_bytes = kernels::refine_small_start_bytes(lanes, element_, real_);
    if (Status bad = queue_.launch<Step::refine_small_start>(work(blocks, start_bytes, lanes), args); !bad.ok())
      return bad;
    piece->state = args.state;
    return queue_.launch<Step::refine_small>(work(blocks, kernels::refine_small_bytes(lanes, element_, real_), lanes),
                                             args);
  }
  Status refine(kernels::BatchSvdArgs* piece) const {
    using enum kernels::RefineProduct;
    const RefineMemory memory(plan_, workspace_);
    kernels::RefineArgs args = memory.args;
    args.svd = *piece;
    const std::int64_t blocks = piece->count;
    const auto columns = static_cast<std::size_t>(columns_of(problem_));
    const kernels::RefineShape shape = shape_of(problem_);
    const auto multiply = [&](kernels::RefineProduct which) {
      const std::int64_t tiles = kernels::refine_product_tiles(which, shape, piece->vectors);
      const std::size_t bytes = kernels::refine_product_bytes(element_, element_ == real_);
      return queue_.launch<Step::refine_product>(work(blocks * tiles, bytes, static_cast<int>(which)), args);
    };
    if (Status bad = queue_.launch<Step::refine_begin>(work(blocks, kernels::refine_begin_bytes), args); !bad.ok())
      return bad;
    if (Status bad = multiply(gram); !bad.ok()) return bad;
    BatchPlan eigen = plan_.eigen;
    eigen.problem.batch_count = piece->count;
    const LapackOperands operands = {.a = static_cast<std::byte*>(args.x[0]) + shape.of_v * size_of(problem_.type),
                                     .w = memory.values,
                                     .info = memory.info};
    if (Status bad = lapack::run(eigen, operands, memory.shared, queue_); !bad.ok()) return bad;
    if (Status bad = multiply(start); !bad.ok()) return bad;
    const int rounds = rounds_of(problem_);
    for (args.round = 0; args.round < rounds; ++args.round) {
      args.last_round = args.round == rounds - 1;
      if (Status bad = multiply(again); !bad.ok()) return bad;
      if (Status bad =
              queue_.launch<Step::refine_angles>(work(blocks, kernels::refine_angles_bytes(columns, real_)), args);
          !bad.ok())
        return bad;
      if (Status bad = multiply(square); !bad.ok()) return bad;
      if (!args.last_round)
        if (Status bad = multiply(fourth); !bad.ok()) return bad;
      if (Status bad = multiply(apply); !bad.ok()) return bad;
    }
    piece->state = args.state;
    piece->begun[0] = args.x[0];
    piece->begun[1] = args.x[1];
    piece->scale = args.scale;
    piece->off_chip = memory.shared;
    return queue_.launch<Step::refine_end>(work(blocks, kernels::refine_finish_bytes(columns, element_, real_)), args);
  }

  // A warp has as many matrices as fit with so many lanes.
  static std::int64_t blocks_of_small(const kernels::BatchSvdArgs& piece, int lanes) {
    const std::int64_t together = 32 / lanes;
    return std::min((piece.count + together - 1) / together, most_blocks);
  }
  Work work(std::int64_t blocks, std::size_t shared_bytes, int shape = 0) const {
    return {.type = problem_.type, .shape = shape, .blocks = static_cast<int>(blocks), .shared_bytes = shared_bytes};
  }

  const BatchSvdPlan& plan_;
  const LapackProblem& problem_;
  const LapackOperands& o_;
  void* workspace_;
  std::size_t element_ = static_cast<std::size_t>(size_of(problem_.type)),
              real_ = static_cast<std::size_t>(size_of_real(problem_.type));
  Queue& queue_;
};

}  // namespace

Status run(const BatchSvdPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue) {
  const std::int64_t count = plan.problem.batch_count;
  if (count == 0) return {};
  if (plan.slots == 0) return queue.clear(operands.info, static_cast<std::size_t>(count) * sizeof(int));
  return Steps(plan, operands, workspace, queue).run();
}

}  // namespace onepass::lapack
