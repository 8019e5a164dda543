// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/gpu/solvers/syevd.hpp"

#include <algorithm>
#include <cstddef>

#include "lapack/check.hpp"
#include "lapack/gpu/arena.hpp"
#include "lapack/gpu/matrix_ref.hpp"
#include "lapack/gpu/words.hpp"

namespace onepass::lapack {
namespace {

// Below, workspaces are small whatever they are.
constexpr std::int64_t least_limited = 512;
constexpr double most_elements = 2.5;  // of n^2

bool wants_vectors(const LapackProblem& p) { return p.job == Job::vectors; }

struct Memory {
  void *d, *e, *tau, *v;
  void* w;           // all of them, where some are wanted with their eigenvectors
  void* shared;      // by all steps, one after the other
  void *z, *divide;  // those of divide and conquer; Z of real types is V
  std::size_t kept;  // bytes before what is shared
  std::size_t bytes;

  Memory(const SyevdPlan& plan, void* data) {
    const LapackProblem& p = plan.problem;
    const std::int64_t element = size_of(p.type), real = size_of_real(p.type);
    const std::int64_t whole = wants_vectors(p) ? aligned_rows(p.n) * p.n : 0;
    const std::int64_t kept_columns = is_complex_type(p.type) ? count_wanted(p) : p.n;
    Arena arena(data);
    d = arena.take(p.n, real);
    e = arena.take(p.n, real);
    tau = arena.take(p.n, element);
    v = arena.take(wants_vectors(p) ? aligned_rows(p.n) * kept_columns : 0, element);
    w = arena.take(wants_vectors(p) && p.wanted == Wanted::by_index ? p.n : 0, real);
    kept = arena.bytes();
    shared = arena.take(0, 1);
    Arena of_divide(shared);
    z = is_complex_type(p.type) ? of_divide.take(whole, real) : v;
    divide = of_divide.take(static_cast<std::int64_t>(plan.divide.workspace_bytes), 1);
    bytes = kept + std::max({plan.reduction.workspace_bytes, of_divide.bytes(), plan.apply.workspace_bytes});
  }
};

class Steps {
 public:
  Steps(const SyevdPlan& plan, const LapackOperands& o, void* workspace, Queue& queue)
      : plan_(plan), problem_(plan.problem), o_(o), memory_(plan, workspace), queue_(queue) {}

  Status run() const {
    const LapackOperands reduced = {.a = o_.a, .d = memory_.d, .e = memory_.e, .tau = memory_.tau};
    if (Status bad = lapack::run(plan_.reduction, reduced, memory_.shared, queue_); !bad.ok()) return bad;
    if (!wants_vectors(problem_)) {
      int* const found = problem_.wanted == Wanted::by_value ? o_.found : nullptr;
      return lapack::run(plan_.values, {.d = memory_.d, .e = memory_.e, .w = o_.w, .found = found, .info = o_.info},
                         queue_);
    }
    if (Status bad = find_vectors(); !bad.ok()) return bad;
    const std::int64_t n = problem_.n, ld = aligned_rows(n), count = count_wanted(problem_);
    void* const z = moved(memory_.z, first_wanted(problem_) * ld * size_of_real(problem_.type));
    void* const v = memory_.z == memory_.v ? z : memory_.v;
    if (v != z) {
      const kernels::MatrixCopy widened = {.a = z, .lda = ld, .b = v, .ldb = ld, .rows = n, .columns = count};
      const Work work = {.type = problem_.type, .blocks = plan_.widen_blocks};
      if (Status bad = queue_.launch<Step::widen>(work, widened); !bad.ok()) return bad;
    }
    const LapackOperands applied = {.a = o_.a, .tau = memory_.tau, .c = v};
    if (Status bad = lapack::run(plan_.apply, applied, memory_.shared, queue_); !bad.ok()) return bad;
    return queue_.copy(problem_.type, {.a = v, .lda = ld, .b = o_.a, .ldb = problem_.lda, .rows = n, .columns = count});
  }

 private:
  static void* moved(void* data, std::int64_t bytes) { return static_cast<std::byte*>(data) + bytes; }

  // All of them, in T's terms; the values that are wanted go to their place.
  Status find_vectors() const {
    const bool some = problem_.wanted == Wanted::by_index;
    const DivideOperands operands = {
        .d = memory_.d, .e = memory_.e, .w = some ? memory_.w : o_.w, .z = memory_.z, .info = o_.info};
    if (Status bad = lapack::run(plan_.divide, operands, memory_.divide, queue_); !bad.ok() || !some) return bad;
    const std::int64_t count = count_wanted(problem_);
    return queue_.copy(real_type(problem_.type),
                       {.a = moved(memory_.w, first_wanted(problem_) * size_of_real(problem_.type)),
                        .lda = count,
                        .b = o_.w,
                        .ldb = count,
                        .rows = count,
                        .columns = 1});
  }

  const SyevdPlan& plan_;
  const LapackProblem& problem_;
  const LapackOperands& o_;
  Memory memory_;
  Queue& queue_;
};

Status plan_vectors(const DeviceTraits& traits, SyevdPlan* plan) {
  const LapackProblem& p = plan->problem;
  const std::int64_t ld = std::max<std::int64_t>(1, aligned_rows(p.n));
  const DivideProblem divide = {.type = real_type(p.type), .n = p.n, .ldz = ld};
  if (Status bad = make_plan(divide, traits, &plan->divide); !bad.ok()) return bad;
  const std::int64_t count = count_wanted(p);
  plan->widen_blocks = static_cast<int>(std::clamp<std::int64_t>(count, 1, 2 * std::int64_t{traits.sm_count}));
  LapackProblem q = p;
  q.routine = LapackRoutine::ormtr;
  q.m = p.n;
  q.n = count;
  q.ldc = ld;
  const Memory without(*plan, nullptr);
  const double most = most_elements * static_cast<double>(p.n * p.n * size_of(p.type)) -
                      static_cast<double>(without.kept) + static_cast<double>(product_workspace_bytes);
  QBlocking blocking;
  do {
    if (Status bad = make_plan(q, traits, &plan->apply, blocking); !bad.ok()) return bad;
  } while (p.n >= least_limited && static_cast<double>(plan->apply.workspace_bytes) > most && --blocking.blocks > 0);
  return {};
}

std::string wanted_of(const LapackProblem& p) {
  if (p.wanted == Wanted::by_value) return " in (" + std::to_string(p.vl) + ", " + std::to_string(p.vu) + "]";
  return p.wanted == Wanted::by_index ? " " + std::to_string(p.il) + " to " + std::to_string(p.iu) : "";
}

}  // namespace

Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, SyevdPlan* plan) {
  SyevdPlan made;
  made.problem = problem;
  LapackProblem reduction = problem;
  reduction.routine = LapackRoutine::sytrd;
  if (Status bad = make_plan(reduction, traits, &made.reduction); !bad.ok()) return bad;
  if (wants_vectors(problem)) {
    if (Status bad = plan_vectors(traits, &made); !bad.ok()) return bad;
  } else {
    const TridiagonalValuesProblem values = {.type = real_type(problem.type),
                                             .n = problem.n,
                                             .wanted = problem.wanted,
                                             .il = problem.il,
                                             .iu = problem.iu,
                                             .vl = problem.vl,
                                             .vu = problem.vu};
    if (Status bad = make_plan(values, &made.values); !bad.ok()) return bad;
  }
  made.workspace_bytes = problem.n == 0 ? 0 : Memory(made, nullptr).bytes;
  *plan = std::move(made);
  return {};
}

std::string explain(const SyevdPlan& plan) {
  const LapackProblem& p = plan.problem;
  std::string text = lapack_name(p) + " n = " + std::to_string(p.n) + " on cuda, " +
                     (wants_vectors(p) ? "eigenvalues and eigenvectors" : "eigenvalues") + wanted_of(p) + ", " +
                     shared_workspace(plan.workspace_bytes, p.n * p.n, size_of(p.type), "n^2");
  if (p.n == 0) return text;
  text += indented(explain(plan.reduction));
  if (!wants_vectors(p)) return text + indented(explain(plan.values));
  text += indented(explain(plan.divide));
  return text + indented(explain(plan.apply));
}

Status run(const SyevdPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue) {
  if (plan.problem.n == 0) {
    const Status cleared = queue.clear(operands.info, sizeof(int));
    return cleared.ok() && plan.problem.wanted == Wanted::by_value ? queue.clear(operands.found, sizeof(int)) : cleared;
  }
  return Steps(plan, operands, workspace, queue).run();
}

}  // namespace onepass::lapack
