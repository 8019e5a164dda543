// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "reductions/run.hpp"

#include <algorithm>

#include "measure/host/machine.hpp"
#include "problem/names.hpp"
#include "reductions/random_matrix.hpp"
#include "verify/lapack_reduction.hpp"

namespace onepass::tools {

ReductionRun::ReductionRun(const ReductionHandle& handle, int threads, Beside beside)
    : handle_(handle), clock_(handle.on_device() ? make_cuda_clock(beside) : make_host_clock(threads)) {}

void ReductionRun::load(const LapackProblem& reduction, const LapackProblem& problem) {
  problem_ = problem;
  const auto real = static_cast<std::size_t>(size_of_real(problem.type));
  const auto element = static_cast<std::size_t>(size_of(problem.type));
  std::vector<std::byte> matrix;
  require_memory(2.0 * static_cast<double>(reduction.m) * static_cast<double>(reduction.n * problem.batch_count) *
                 static_cast<double>(element));
  for (std::int64_t i = 0; i < problem.batch_count; ++i) {
    const std::vector<std::byte> one =
        random_matrix(problem.type, reduction.m, reduction.n,
                      reduction.routine == LapackRoutine::sytrd || reduction.routine == LapackRoutine::syevd,
                      static_cast<std::uint64_t>(i));
    matrix.insert(matrix.end(), one.begin(), one.end());
  }
  matrix_bytes_ = matrix.size();
  const verify::ReductionVectors vectors = verify::vectors_of(reduction);
  const auto room = [&](Room which, std::int64_t count, std::size_t size) {
    return clock_->memory(which, static_cast<std::size_t>(count) * size);
  };
  operands_ = {.a = clock_->memory(Room::a, matrix_bytes_),
               .d = room(Room::d, vectors.d, real),
               .e = room(Room::e, vectors.e, real),
               .tau = room(Room::tau, vectors.tau, element),
               .taup = room(Room::taup, vectors.taup, element),
               .w = room(Room::w, problem.n * problem.batch_count, real),
               .info = static_cast<int*>(room(Room::info, problem.batch_count, sizeof(int)))};
  if (problem.routine == LapackRoutine::gesvd) {
    // A peer of batches may be given room for vectors that nobody asked for: with none gesvdaStridedBatched of 4096
    // matrices of 32 rows ended in an illegal access.
    const bool batched = is_batched(problem);
    const std::int64_t k = batched ? std::min(problem.m, problem.n) : columns_of_u(problem);
    const std::int64_t ldu = batched ? std::max(problem.ldu, problem.m) : problem.ldu;
    const std::int64_t ldvt = batched ? std::max(problem.ldvt, problem.n) : problem.ldvt;
    operands_.u = room(Room::u, ldu * k * problem.batch_count, element);
    operands_.vt = room(Room::vt, ldvt * problem.n * problem.batch_count, element);
  }
  void* const original = clock_->memory(Room::original, matrix_bytes_);
  clock_->copy(original, matrix.data(), matrix_bytes_);
  if (applies(problem.routine)) {
    operands_.c = clock_->memory(Room::c, matrix_bytes_);
    clock_->copy(clock_->memory(Room::original_c, matrix_bytes_), matrix.data(), matrix_bytes_);
  }
  if (problem.routine == reduction.routine) return;
  clock_->copy(operands_.a, matrix.data(), matrix_bytes_);
  const std::size_t bytes = handle_.workspace_bytes(reduction);
  handle_.run(reduction, operands_, clock_->memory(Room::workspace, bytes), bytes);
  clock_->copy(original, operands_.a, matrix_bytes_);
}

double ReductionRun::timed(std::size_t workspace_bytes, const std::function<void(void* workspace)>& call) {
  void* const workspace = clock_->memory(Room::workspace, workspace_bytes);
  clock_->copy(operands_.a, clock_->memory(Room::original, matrix_bytes_), matrix_bytes_);
  if (operands_.c != nullptr) clock_->copy(operands_.c, clock_->memory(Room::original_c, matrix_bytes_), matrix_bytes_);
  return clock_->milliseconds([&] { call(workspace); });
}

double ReductionRun::onepass() {
  const std::size_t bytes = handle_.workspace_bytes(problem_);
  return timed(bytes, [&](void* workspace) { handle_.run(problem_, operands_, workspace, bytes); });
}

double ReductionRun::peer() {
  const ReductionPeer& peer = *clock_->peer();
  const std::size_t bytes = peer.workspace_bytes(problem_, operands_);
  return timed(bytes, [&](void* workspace) { peer.run(problem_, operands_, workspace, bytes); });
}

}  // namespace onepass::tools
