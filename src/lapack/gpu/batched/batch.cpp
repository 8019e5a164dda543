// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/gpu/batched/batch.hpp"

#include <algorithm>

#include "lapack/check.hpp"
#include "lapack/gpu/arena.hpp"
#include "lapack/gpu/solvers/form_shape.hpp"

namespace onepass::lapack {
namespace {

constexpr std::int64_t most_rows = 512;
constexpr std::int64_t most_leaf = kernels::batch_leaf_lanes;
constexpr std::int64_t most_blocks = std::int64_t{1} << 30;

std::int64_t blocks_for(std::int64_t count, std::int64_t each) { return (count + each - 1) / each; }
// The reflectors of a matrix are applied eight at a time, by the tensor cores.
bool applies_blocks(const LapackProblem& problem) {
  return kernels::batch_applies_blocks(static_cast<std::size_t>(size_of_real(problem.type)));
}
std::int64_t blocks_of_back(const LapackProblem& problem) {
  const auto element = static_cast<std::size_t>(size_of(problem.type));
  if (!applies_blocks(problem)) return kernels::batch_back_tiles(problem.n, element);
  return blocks_for(problem.n, kernels::batch_block_columns(kernels::batch_block_shape(problem.n, element)));
}
int packed_threads(const LapackProblem& problem) {
  return kernels::batch_packed_threads(static_cast<std::size_t>(size_of(problem.type)));
}
kernels::BatchHeldShape held_shape(const LapackProblem& problem) {
  return kernels::batch_held_shape(problem.n, static_cast<std::size_t>(size_of(problem.type)));
}
// Into the shared memory of a multiprocessor, as one block.
bool fits(std::size_t bytes, const DeviceTraits& traits) {
  return bytes + 1024 <= static_cast<std::size_t>(traits.shared_bytes_per_sm);
}
// Whether blocks keep a matrix in registers while they reduce it.
bool holds(const LapackProblem& problem, const DeviceTraits& traits) {
  const kernels::BatchHeldShape shape = held_shape(problem);
  if (shape.rows == 0) return false;
  const std::size_t bytes = kernels::batch_held_shared_bytes(shape, static_cast<std::size_t>(size_of(problem.type)),
                                                             static_cast<std::size_t>(size_of_real(problem.type)));
  return fits(bytes, traits) && traits.registers_per_sm >= kernels::batch_held_registers &&
         (shape.blocks == 1 || traits.arch >= 90);
}
std::int64_t blocks_of_reduction(const BatchPlan& plan) { return plan.held ? held_shape(plan.problem).blocks : 1; }
bool wants_vectors(const BatchPlan& plan) { return plan.problem.job == Job::vectors; }

// The workspace, which has one piece.
struct Memory {
  kernels::BatchTridiagonalArgs reduction;
  void *values = nullptr, *z = nullptr, *q = nullptr, *u = nullptr, *factors = nullptr;
  int* failed = nullptr;
  kernels::DivideLevelArgs level;
  std::size_t bytes = 0;

  Memory(const BatchPlan& plan, void* data) {
    const std::int64_t n = plan.problem.n, count = plan.piece, rows = plan.rows, all = count * rows;
    const std::int64_t element = size_of(plan.problem.type), real = size_of_real(plan.problem.type);
    Arena arena(data);
    const auto reals = [&](std::int64_t number) { return arena.take(number, real); };
    const auto ints = [&](std::int64_t number) { return static_cast<int*>(arena.take(number, sizeof(int))); };
    reduction.rows = plan.rows;
    reduction.leaf = plan.leaf;
    reduction.off_chip = plan.off_chip;
    reduction.d = reals(all);
    reduction.e = reals(all);
    reduction.not_finite = ints(count);
    if (wants_vectors(plan) || plan.off_chip > 0) reduction.v = arena.take(count * n * n, element);
    if (wants_vectors(plan)) {
      reduction.tau = arena.take(count * n, element);
      if (applies_blocks(plan.problem))
        factors = arena.take(
            count * kernels::batch_panels(static_cast<int>(n)) * kernels::batch_panel * kernels::batch_panel, element);
      else
        reduction.coupling = arena.take(count * n, element);
      reduction.back = reals(2 * count);
      values = reals(all);
      failed = ints(count << plan.levels);
      z = reals(all * rows);
      q = reals(all * (rows / 2));
      u = reals(all * rows);
      for (void** array :
           {&level.sorted_d, &level.sorted_z, &level.live_d, &level.live_z, &level.live_norm, &level.live_moved,
            &level.row_weight, &level.pole_d, &level.pole_z, &level.found, &level.shift, &level.z_hat})
        *array = reals(all);
      for (int** array : {&level.sorted_row, &level.live_row, &level.live_head, &level.row_live, &level.row_pole,
                          &level.pole_count, &level.origin, &level.deflated, &level.order})
        *array = ints(all);
      level.e = reduction.e;
      level.values = values;
      level.u = u;
    }
    bytes = arena.bytes();
  }
};

class Steps {
 public:
  Steps(const BatchPlan& plan, const LapackOperands& o, void* workspace, Queue& queue)
      : plan_(plan), problem_(plan.problem), o_(o), memory_(plan, workspace), queue_(queue) {}

  Status run() const {
    if (plan_.lanes > 0)
      return queue_.launch<Step::batch_small>(
          work(plan_.blocks, kernels::batch_small_shared_bytes(plan_.lanes, element_, real_), plan_.lanes),
          batch(0, problem_.batch_count));
    for (std::int64_t first = 0; first < problem_.batch_count; first += plan_.piece) {
      const kernels::BatchArgs piece = batch(first, std::min(plan_.piece, problem_.batch_count - first));
      if (Status bad = solve(piece); !bad.ok()) return bad;
    }
    return {};
  }

 private:
  // `count` matrices from `first` on.
  kernels::BatchArgs batch(std::int64_t first, std::int64_t count) const {
    const bool pointers = problem_.batch == Batch::pointers;
    const std::int64_t apart =
        pointers ? static_cast<std::int64_t>(sizeof(void*)) : problem_.stride_a * size_of(problem_.type);
    return {.a = static_cast<std::byte*>(o_.a) + first * apart,
            .pointer_array = pointers,
            .lda = problem_.lda,
            .stride_a = problem_.stride_a,
            .w = static_cast<std::byte*>(o_.w) + first * problem_.stride_w * size_of_real(problem_.type),
            .stride_w = problem_.stride_w,
            .info = o_.info + first,
            .count = count,
            .n = static_cast<int>(problem_.n),
            .lower = problem_.uplo == Uplo::lower,
            .vectors = wants_vectors(plan_),
            .info_of_failure = static_cast<int>(info_of_failure(problem_))};
  }

  Status solve(const kernels::BatchArgs& piece) const {
    kernels::BatchTridiagonalArgs reduction = memory_.reduction;
    reduction.batch = piece;
    if (Status bad = reduce(reduction); !bad.ok()) return bad;
    if (!wants_vectors(plan_))
      return find_values(real_type(problem_.type),
                         {.batch = piece, .d = reduction.d, .e = reduction.e, .rows = plan_.rows, .order = piece.n},
                         queue_);
    if (Status bad = divide(piece.count); !bad.ok()) return bad;
    const kernels::BatchBackArgs back = {.batch = piece,
                                         .v = reduction.v,
                                         .tau = reduction.tau,
                                         .coupling = reduction.coupling,
                                         .back = reduction.back,
                                         .factors = memory_.factors,
                                         .not_finite = reduction.not_finite,
                                         .values = memory_.values,
                                         .z = memory_.z,
                                         .failed = memory_.failed,
                                         .rows = plan_.rows,
                                         .leaves = 1 << plan_.levels};
    if (memory_.factors != nullptr) {
      constexpr std::int64_t each = kernels::batch_factors_threads / 32;
      const std::int64_t panels = piece.count * kernels::batch_panels(piece.n);
      if (Status bad = queue_.launch<Step::batch_factors>(work(blocks_for(panels, each)), back); !bad.ok()) return bad;
    }
    return queue_.launch<Step::batch_back>(
        work(piece.count * blocks_of_back(problem_), kernels::batch_back_bytes(piece.n, element_, real_),
             kernels::batch_back_order(piece.n)),
        back);
  }
  Status reduce(const kernels::BatchTridiagonalArgs& args) const {
    const std::int64_t n = problem_.n, count = args.batch.count;
    if (!plan_.held)
      return queue_.launch<Step::batch_packed>(
          work(count, kernels::batch_packed_shared_bytes(n, args.off_chip, element_, real_),
               kernels::batch_packed_rows(n, args.off_chip)),
          args);
    const kernels::BatchHeldShape shape = held_shape(problem_);
    Work held = work(count * shape.blocks, kernels::batch_held_shared_bytes(shape, element_, real_), shape.rows);
    held.cluster = shape.blocks;
    return queue_.launch<Step::batch_held>(held, args);
  }

  // Q of the nodes of a level, in turns, so that the last merge writes Z.
  void* nodes(int level) const { return (plan_.levels - level) % 2 == 0 ? memory_.z : memory_.q; }

  Status divide(std::int64_t count) const {
    const std::int64_t leaf = plan_.leaf, all = count * plan_.rows;
    if (Status bad = queue_.launch<Step::batch_leaves>(real_work(blocks_for(count << plan_.levels, 32 / most_leaf),
                                                                 kernels::batch_leaf_shared_bytes(plan_.leaf, real_)),
                                                       {.d = memory_.reduction.d,
                                                        .e = memory_.reduction.e,
                                                        .values = memory_.values,
                                                        .q = nodes(0),
                                                        .q_ld = leaf,
                                                        .q_stride = leaf * leaf,
                                                        .failed = memory_.failed,
                                                        .n = static_cast<int>(all),
                                                        .leaf = plan_.leaf});
        !bad.ok())
      return bad;
    for (int level = 0; level < plan_.levels; ++level)
      if (Status bad = merge(level, all); !bad.ok()) return bad;
    return {};
  }
  Status merge(int level, std::int64_t all) const {
    const std::int64_t half = static_cast<std::int64_t>(plan_.leaf) << level, both = 2 * half, merges = all / both;
    kernels::DivideLevelArgs args = memory_.level;
    args.n = static_cast<int>(all);
    args.half = static_cast<int>(half);
    args.q = nodes(level);
    args.q_ld = half;
    args.q_stride = half * half;
    args.u_ld = both;
    args.u_stride = both * both;
    args.end_column = static_cast<int>(both);
    constexpr int threads = kernels::deflate_few_threads, lanes = kernels::batch_merge_lanes;
    const Work deflation = real_work(merges, kernels::divide_deflate_shared_bytes(threads),
                                     form_shape(kernels::Form::tridiagonal, threads));
    const Work each =
        real_work(blocks_for(all, kernels::divide_threads / lanes), 0, form_shape(kernels::Form::tridiagonal, lanes));
    if (Status bad = queue_.launch<Step::batch_deflate>(deflation, args); !bad.ok()) return bad;
    if (Status bad = queue_.launch<Step::batch_roots>(each, args); !bad.ok()) return bad;
    if (Status bad = queue_.launch<Step::batch_order>(each, args); !bad.ok()) return bad;
    if (Status bad = queue_.launch<Step::batch_columns>(each, args); !bad.ok()) return bad;
    return queue_.launch<Step::batch_product>(
        real_work(2 * merges * kernels::batch_product_tiles(half), kernels::batch_product_shared_bytes(real_)),
        {.q = args.q, .u = args.u, .to = nodes(level + 1), .merges = merges, .half = args.half});
  }

  Work work(std::int64_t blocks, std::size_t shared_bytes = 0, int shape = 0) const {
    return {.type = problem_.type, .shape = shape, .blocks = static_cast<int>(blocks), .shared_bytes = shared_bytes};
  }
  Work real_work(std::int64_t blocks, std::size_t shared_bytes = 0, int shape = 0) const {
    return {.type = real_type(problem_.type),
            .shape = shape,
            .blocks = static_cast<int>(blocks),
            .shared_bytes = shared_bytes};
  }

  const BatchPlan& plan_;
  const LapackProblem& problem_;
  const LapackOperands& o_;
  Memory memory_;
  std::size_t element_ = static_cast<std::size_t>(size_of(problem_.type)),
              real_ = static_cast<std::size_t>(size_of_real(problem_.type));
  Queue& queue_;
};

}  // namespace

Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, BatchPlan* plan, std::int64_t most_bytes) {
  const std::int64_t n = problem.n;
  if (n > most_rows)
    return {ONEPASS_STATUS_TOO_LARGE, "n = " + std::to_string(n) + ": matrices of a batch have at most " +
                                          std::to_string(most_rows) +
                                          " rows on cuda; syevd solves larger ones one by one"};
  BatchPlan made = {.problem = problem};
  const auto element = static_cast<std::size_t>(size_of(problem.type));
  made.held = n > 0 && holds(problem, traits);
  // Without eigenvectors QL of a matrix by its own lanes takes longer than bisection from 17 rows on.
  const std::int64_t most_small = wants_vectors(made) || !made.held ? kernels::batch_small_most : 16;
  if (n > 0 && n <= most_small) {
    made.held = false;
    made.lanes = kernels::batch_small_lanes(static_cast<int>(n));
    made.blocks = static_cast<int>(std::min(blocks_for(problem.batch_count, 32 / made.lanes), most_blocks));
  } else if (n > 0) {
    const auto real = static_cast<std::size_t>(size_of_real(problem.type));
    while (!made.held && made.off_chip < n &&
           !fits(kernels::batch_packed_shared_bytes(n, made.off_chip, element, real), traits))
      made.off_chip += kernels::batch_packed_columns;
    if (wants_vectors(made))
      while (blocks_for(n, std::int64_t{1} << made.levels) > most_leaf) ++made.levels;
    made.leaf = static_cast<int>(blocks_for(n, std::int64_t{1} << made.levels));
    made.rows = made.leaf << made.levels;
    made.piece = 1;
    const auto each = static_cast<std::int64_t>(Memory(made, nullptr).bytes);
    // Pieces of equal size: a last one of a few matrices would leave most multiprocessors idle.
    const std::int64_t count = problem.batch_count, most = std::max<std::int64_t>(most_bytes / each, traits.sm_count);
    made.piece = count == 0 ? 0 : blocks_for(count, blocks_for(count, most));
    made.workspace_bytes = problem.batch_count == 0 ? 0 : Memory(made, nullptr).bytes;
  }
  *plan = made;
  return {};
}

std::string explain(const BatchPlan& plan) {
  const LapackProblem& p = plan.problem;
  std::string text = lapack_name(p) + " n = " + std::to_string(p.n) + " of " + std::to_string(p.batch_count) +
                     " matrices on cuda, " + (wants_vectors(plan) ? "eigenvalues and eigenvectors" : "eigenvalues") +
                     ", workspace " + std::to_string(plan.workspace_bytes) + " bytes\n";
  if (p.n == 0 || p.batch_count == 0) return text;
  if (plan.lanes > 0)
    return text + "  " + std::to_string(32 / plan.lanes) +
           " matrices in a warp, in registers from first to last: Householder, implicit QL\n";
  if (plan.piece < p.batch_count) text += "  " + std::to_string(plan.piece) + " matrices at a time\n";
  const kernels::BatchHeldShape shape = held_shape(p);
  const std::int64_t blocks = blocks_of_reduction(plan);
  text += "  tridiagonal form: " + (blocks == 1 ? "a block" : "a cluster of " + std::to_string(blocks) + " blocks") +
          " of " + std::to_string(plan.held ? shape.threads : packed_threads(p)) + " threads for each, ";
  if (plan.held)
    text += shape.kept == 0 ? "which keeps it in registers\n" : "which keeps it in registers and shared memory\n";
  else
    text += (plan.off_chip == 0 ? "the triangle" : "columns from " + std::to_string(plan.off_chip) + " on") +
            " in shared memory\n";
  if (!wants_vectors(plan)) return text + "  bisection: a thread for each eigenvalue\n";
  return text + "  divide and conquer: " + std::to_string(1 << plan.levels) + " leaves of " +
         std::to_string(plan.leaf) + " rows, " + std::to_string(plan.levels) +
         (plan.levels == 1 ? " level" : " levels") +
         " of merges, 5 launches each for all matrices\n  reflectors applied: " + std::to_string(blocks_of_back(p)) +
         (applies_blocks(p) ? " on the tensor cores" : "") +
         (blocks_of_back(p) == 1 ? " block for each matrix\n" : " blocks for each matrix\n");
}

Status find_values(Type type, const kernels::BatchValuesArgs& args, Queue& queue) {
  const int n = args.batch.n;
  return queue.launch<Step::batch_values>({.type = type,
                                           .shape = form_shape(args.form),
                                           .blocks = static_cast<int>(args.batch.count),
                                           .shared_bytes = kernels::batch_values_shared_bytes(args.order, n),
                                           .threads = kernels::batch_values_threads(n)},
                                          args);
}

Status run(const BatchPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue) {
  const LapackProblem& p = plan.problem;
  if (p.batch_count == 0) return {};
  if (p.n == 0) return queue.clear(operands.info, static_cast<std::size_t>(p.batch_count) * sizeof(int));
  return Steps(plan, operands, workspace, queue).run();
}

}  // namespace onepass::lapack
