// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/gpu/solvers/gesvd.hpp"

#include <algorithm>

#include "lapack/check.hpp"
#include "lapack/gpu/arena.hpp"
#include "lapack/gpu/matrix_ref.hpp"
#include "lapack/gpu/words.hpp"

namespace onepass::lapack {
namespace {

// Below, workspaces are small whatever they are.
constexpr std::int64_t least_limited = 512;
constexpr double most_elements = 2.5;  // of m n

std::int64_t least(const LapackProblem& p) { return std::min(p.m, p.n); }
bool wants_vectors(const LapackProblem& p) { return p.job != Job::values; }
bool is_wide(const LapackProblem& p) { return p.m < p.n; }
// R is where A was if A^H is factored, and beside A otherwise.
std::int64_t triangle_ld(const LapackProblem& p) { return is_wide(p) ? p.lda : aligned_rows(p.n); }
// Of A, or of A^H.
std::int64_t factored_ld(const LapackProblem& p) { return is_wide(p) ? aligned_rows(p.n) : p.lda; }

struct Memory {
  void *d, *e, *tauq, *taup;
  void *tau, *adjoint, *triangle;  // of the QR factorisation
  void* shared;                    // by all steps, one after the other
  void *x, *yt, *stage;            // those of the bidiagonal matrix; X and Y^T of real types lie in U and V^H
  std::size_t kept;                // bytes before what is shared
  std::size_t bytes;

  Memory(const GesvdPlan& plan, void* data) {
    const LapackProblem& p = plan.problem;
    const std::int64_t k = least(p), element = size_of(p.type), real = size_of_real(p.type);
    const std::int64_t square = wants_vectors(p) && is_complex_type(p.type) ? aligned_rows(k) * k : 0;
    Arena arena(data);
    d = arena.take(k, real);
    e = arena.take(k, real);
    tauq = arena.take(k, element);
    taup = arena.take(k, element);
    tau = arena.take(plan.has_qr ? k : 0, element);
    adjoint = arena.take(plan.has_qr && is_wide(p) ? factored_ld(p) * p.m : 0, element);
    triangle = arena.take(plan.has_qr && !is_wide(p) ? triangle_ld(p) * p.n : 0, element);
    kept = arena.bytes();
    shared = arena.take(0, 1);
    Arena of_stage(shared);
    x = of_stage.take(square, real);
    yt = of_stage.take(square, real);
    stage = of_stage.take(static_cast<std::int64_t>(plan.vectors.workspace_bytes), 1);
    bytes =
        kept + std::max({plan.qr.workspace_bytes, plan.reduction.workspace_bytes, of_stage.bytes(),
                         plan.apply_u.workspace_bytes, plan.apply_vt.workspace_bytes, plan.apply_qr.workspace_bytes});
  }
};

class Steps {
 public:
  Steps(const GesvdPlan& plan, const LapackOperands& o, void* workspace, Queue& queue)
      : plan_(plan),
        problem_(plan.problem),
        o_(o),
        memory_(plan, workspace),
        factored_(is_wide(problem_) ? memory_.adjoint : o.a),
        reduced_(plan.has_qr && !is_wide(problem_) ? memory_.triangle : o.a),
        queue_(queue) {}

  Status run() const {
    if (plan_.has_qr)
      if (Status bad = factor(); !bad.ok()) return bad;
    const LapackOperands reduced = {
        .a = reduced_, .d = memory_.d, .e = memory_.e, .tau = memory_.tauq, .taup = memory_.taup};
    if (Status bad = lapack::run(plan_.reduction, reduced, memory_.shared, queue_); !bad.ok()) return bad;
    if (!wants_vectors(problem_))
      return lapack::run(plan_.values, {.d = memory_.d, .e = memory_.e, .s = o_.w, .info = o_.info}, queue_);
    if (Status bad = start_vectors(); !bad.ok()) return bad;
    const bool of_adjoint = plan_.has_qr && is_wide(problem_);
    void *const tau_u = of_adjoint ? memory_.taup : memory_.tauq, *const tau_vt =
                                                                      of_adjoint ? memory_.tauq : memory_.taup;
    if (Status bad = apply(plan_.apply_u, reduced_, tau_u, o_.u); !bad.ok()) return bad;
    if (Status bad = apply(plan_.apply_vt, reduced_, tau_vt, o_.vt); !bad.ok()) return bad;
    return plan_.has_qr ? apply(plan_.apply_qr, factored_, memory_.tau, of_adjoint ? o_.vt : o_.u) : Status{};
  }

 private:
  Status factor() const {
    const LapackProblem& p = problem_;
    const std::int64_t k = least(p);
    if (is_wide(p)) {
      const kernels::MatrixCopy copy = {
          .a = o_.a, .lda = p.lda, .b = factored_, .ldb = factored_ld(p), .rows = p.m, .columns = p.n};
      const std::size_t shared_bytes = kernels::adjoint_shared_bytes(element());
      if (Status bad = queue_.launch<Step::adjoint>(work(copy.tiles(), shared_bytes), copy); !bad.ok()) return bad;
    }
    const LapackOperands factored = {.a = factored_, .tau = memory_.tau};
    if (Status bad = lapack::run(plan_.qr, factored, memory_.shared, queue_); !bad.ok()) return bad;
    return queue_.launch<Step::copy_triangle>(
        work(k),
        {.a = factored_, .lda = factored_ld(p), .b = reduced_, .ldb = triangle_ld(p), .rows = k, .columns = k});
  }
  Status apply(const QPlan& plan, void* a, void* tau, void* c) const {
    return lapack::run(plan, {.a = a, .tau = tau, .c = c}, memory_.shared, queue_);
  }

  // U and V^H, but for Q and P.
  Status start_vectors() const {
    const LapackProblem& p = problem_;
    const std::int64_t k = least(p);
    const bool complex = is_complex_type(p.type);
    void *const x = complex ? memory_.x : o_.u, *const yt = complex ? memory_.yt : o_.vt;
    if (Status bad =
            lapack::run(plan_.vectors, {.d = memory_.d, .e = memory_.e, .s = o_.w, .u = x, .vt = yt, .info = o_.info},
                        memory_.stage, queue_);
        !bad.ok())
      return bad;
    if (complex) {
      const std::int64_t ld = plan_.vectors.problem.ldu;
      for (const kernels::MatrixCopy& copy :
           {kernels::MatrixCopy{.a = x, .lda = ld, .b = o_.u, .ldb = p.ldu, .rows = k, .columns = k},
            kernels::MatrixCopy{.a = yt, .lda = ld, .b = o_.vt, .ldb = p.ldvt, .rows = k, .columns = k}})
        if (Status bad = queue_.launch<Step::widen>(work(k), copy); !bad.ok()) return bad;
    }
    if (is_wide(p)) {
      const kernels::ExchangeArgs both = {.a = o_.u, .lda = p.ldu, .b = o_.vt, .ldb = p.ldvt, .n = k};
      const std::size_t shared_bytes = kernels::exchange_shared_bytes(element());
      if (Status bad = queue_.launch<Step::exchange>(work(both.tiles(), shared_bytes), both); !bad.ok()) return bad;
    }
    if (Status bad = extend(o_.u, p.ldu, p.m, columns_of_u(p)); !bad.ok()) return bad;
    return extend(o_.vt, p.ldvt, rows_of_vt(p), p.n);
  }
  Status extend(void* a, std::int64_t lda, std::int64_t rows, std::int64_t columns) const {
    const std::int64_t k = least(problem_);
    if (rows == k && columns == k) return {};
    // Columns that are there already, where no rows are missing, are not looked at.
    const kernels::SetIdentityArgs rest = {.a = a,
                                           .lda = lda,
                                           .rows = {0, rows},
                                           .columns = {rows == k ? k : 0, columns},
                                           .kept_rows = {0, k},
                                           .kept_columns = {0, k}};
    return queue_.launch<Step::set_identity>(work(columns - rest.columns.begin), rest);
  }
  std::size_t element() const { return static_cast<std::size_t>(size_of(problem_.type)); }
  Work work(std::int64_t blocks, std::size_t shared_bytes = 0) const {
    return {.type = problem_.type,
            .blocks = static_cast<int>(std::min<std::int64_t>(blocks, plan_.grid)),
            .shared_bytes = shared_bytes};
  }

  const GesvdPlan& plan_;
  const LapackProblem& problem_;
  const LapackOperands& o_;
  Memory memory_;
  void *factored_, *reduced_;
  Queue& queue_;
};

// op(Q) C or C op(Q), C of m x n: Q from the left, and Q^H or P^H from the right.
LapackProblem applied(const LapackProblem& p, LapackRoutine routine, Vect vect, Side side, std::int64_t m,
                      std::int64_t n, std::int64_t other, std::int64_t lda) {
  return {.routine = routine,
          .type = p.type,
          .vect = vect,
          .side = side,
          .op = side == Side::left        ? Op::n
                : is_complex_type(p.type) ? Op::c
                                          : Op::t,
          .m = m,
          .n = n,
          .k = other,
          .lda = lda,
          .ldc = side == Side::left ? p.ldu : p.ldvt};
}

struct Applied {
  LapackProblem u, vt, qr;

  explicit Applied(const GesvdPlan& plan) {
    const LapackProblem& p = plan.problem;
    const std::int64_t k = least(p), columns = columns_of_u(p), rows = rows_of_vt(p);
    const auto ormbr = LapackRoutine::ormbr, ormqr = LapackRoutine::ormqr;
    if (!plan.has_qr) {
      u = applied(p, ormbr, Vect::q, Side::left, p.m, columns, p.n, p.lda);
      vt = applied(p, ormbr, Vect::p, Side::right, rows, p.n, p.m, p.lda);
    } else if (is_wide(p)) {
      u = applied(p, ormbr, Vect::p, Side::left, k, k, k, triangle_ld(p));
      vt = applied(p, ormbr, Vect::q, Side::right, k, k, k, triangle_ld(p));
      qr = applied(p, ormqr, Vect::q, Side::right, rows, p.n, k, factored_ld(p));
    } else {
      u = applied(p, ormbr, Vect::q, Side::left, k, k, k, triangle_ld(p));
      vt = applied(p, ormbr, Vect::p, Side::right, k, k, k, triangle_ld(p));
      qr = applied(p, ormqr, Vect::q, Side::left, p.m, columns, k, factored_ld(p));
    }
  }
};

Status plan_vectors(const DeviceTraits& traits, GesvdPlan* plan) {
  const LapackProblem& p = plan->problem;
  const std::int64_t ld = std::max<std::int64_t>(1, aligned_rows(least(p)));
  const bool complex = is_complex_type(p.type);
  if (Status bad = make_plan(
          {.type = real_type(p.type), .n = least(p), .ldu = complex ? ld : p.ldu, .ldvt = complex ? ld : p.ldvt},
          traits, &plan->vectors);
      !bad.ok())
    return bad;
  const Applied applied(*plan);
  const double most = most_elements * static_cast<double>(p.m * p.n * size_of(p.type)) -
                      static_cast<double>(Memory(*plan, nullptr).kept) + static_cast<double>(product_workspace_bytes);
  const auto fit = [&](const LapackProblem& problem, QPlan* made) {
    QBlocking blocking;
    do {
      if (Status bad = make_plan(problem, traits, made, blocking); !bad.ok()) return bad;
    } while (least(p) >= least_limited && static_cast<double>(made->workspace_bytes) > most && --blocking.blocks > 0);
    return Status{};
  };
  if (Status bad = fit(applied.u, &plan->apply_u); !bad.ok()) return bad;
  if (Status bad = fit(applied.vt, &plan->apply_vt); !bad.ok()) return bad;
  return plan->has_qr ? fit(applied.qr, &plan->apply_qr) : Status{};
}

// The reduction of A or, behind that of A or of A^H into factors, of R.
Status plan_reduction(const DeviceTraits& traits, GesvdPlan* plan) {
  LapackProblem p = plan->problem;
  if (plan->has_qr) {
    const std::int64_t k = least(p);
    p.routine = LapackRoutine::geqrf;
    p.m = std::max(p.m, p.n);
    p.n = k;
    p.lda = factored_ld(plan->problem);
    if (Status bad = make_plan(p, traits, &plan->qr); !bad.ok()) return bad;
    p.m = k;
    p.lda = triangle_ld(plan->problem);
  }
  p.routine = LapackRoutine::gebrd;
  return make_plan(p, traits, &plan->reduction);
}

}  // namespace

Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, GesvdPlan* plan) {
  GesvdPlan made;
  made.problem = problem;
  made.grid = 4 * traits.sm_count;
  // gebrd has a limit of rows.
  const std::int64_t most = std::max(problem.m, problem.n);
  made.has_qr = !is_empty(problem) && (takes_qr_step(problem.m, problem.n) ||
                                       (most > bidiagonal_most_rows(problem.type) && problem.m != problem.n));
  if (Status bad = plan_reduction(traits, &made); !bad.ok()) return bad;
  if (wants_vectors(problem)) {
    if (Status bad = plan_vectors(traits, &made); !bad.ok()) return bad;
  } else if (Status bad = make_plan({.type = real_type(problem.type), .n = least(problem)}, &made.values); !bad.ok()) {
    return bad;
  }
  made.workspace_bytes = is_empty(problem) ? 0 : Memory(made, nullptr).bytes;
  *plan = std::move(made);
  return {};
}

std::string explain(const GesvdPlan& plan) {
  const LapackProblem& p = plan.problem;
  static constexpr const char* jobs[] = {"singular values", "singular values and vectors",
                                         "singular values and all vectors"};
  std::string text = lapack_name(p) + " m = " + std::to_string(p.m) + ", n = " + std::to_string(p.n) + " on cuda, " +
                     jobs[static_cast<int>(p.job)] + ", " +
                     shared_workspace(plan.workspace_bytes, p.m * p.n, size_of(p.type), "m n");
  if (is_empty(p)) return text;
  if (plan.has_qr) text += indented(explain(plan.qr));
  text += indented(explain(plan.reduction));
  if (!wants_vectors(p)) return text + indented(explain(plan.values));
  text += indented(explain(plan.vectors) + explain(plan.apply_u) + explain(plan.apply_vt));
  return plan.has_qr ? text + indented(explain(plan.apply_qr)) : text;
}

Status run(const GesvdPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue) {
  if (is_empty(plan.problem)) return queue.clear(operands.info, sizeof(int));
  return Steps(plan, operands, workspace, queue).run();
}

}  // namespace onepass::lapack
