// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/gpu/reductions/gehrd.hpp"

#include <algorithm>
#include <limits>

#include "kernels/lapack/reductions/stream_shared.hpp"
#include "lapack/check.hpp"
#include "lapack/gpu/arena.hpp"
#include "lapack/gpu/matrix_ref.hpp"
#include "lapack/gpu/reductions/bidiagonal_stages.hpp"
#include "lapack/gpu/reductions/scaling.hpp"

namespace onepass::lapack {
namespace {

using kernels::stream_columns;

struct Memory {
  void *products, *counters, *largest, *scale, *matrix, *yvz, *t, *g, *one, *two;
  void *column, *row_sums, *norms, *left_dots, *dots;
  void *exchange, *around;
  std::int64_t ld;  // of the matrix, V and Y
  std::size_t bytes;

  // Of panels the first has the longest columns; on the chip there is one stage at most.
  Memory(const GehrdPlan& plan, void* data) {
    const std::int64_t element = size_of(plan.problem.type), real = size_of_real(plan.problem.type), n = plan.problem.n;
    const HessenbergStage& first = plan.stages.front();
    const bool panels = has_panels(plan);
    const std::int64_t blocks = most_blocks_of_panels(plan.stages), pitch = panels ? kernels::stream_pitch(first.m) : 0;
    const std::int64_t nb = panels ? stream_columns : 0;
    ld = aligned_rows(n);
    Arena arena(data);
    products = arena.take(uses_products(plan) ? static_cast<std::int64_t>(product_workspace_bytes) : 0, 1);
    counters = arena.take(static_cast<std::int64_t>(plan.stages.size()), sizeof(std::uint32_t));
    largest = arena.take(plan.scale_blocks, real);
    scale = arena.take(2, real);
    matrix = arena.take(plan.copies ? ld * n : 0, element);
    yvz = arena.take(ld * 3 * nb, element);
    t = arena.take(nb * nb, element);
    g = arena.take(nb * nb, element);
    one = arena.take(ld * nb, element);
    two = arena.take(ld * nb, element);
    column = arena.take(2 * pitch, element);
    row_sums = arena.take(pitch * blocks, element);
    norms = arena.take(blocks, real);
    left_dots = arena.take(blocks * nb, element);
    dots = arena.take(blocks * nb, element);
    const HessenbergStage& last = plan.stages.back();
    exchange = arena.take(last.is_panel() ? 0 : 6 * std::int64_t{rows_of(plan.problem.type, last)}, element);
    around =
        arena.take(static_cast<std::int64_t>(std::max(plan.above.workspace_bytes, plan.behind.workspace_bytes)), 1);
    bytes = arena.bytes();
  }

  static int rows_of(Type type, const HessenbergStage& stage) {
    return hessenberg_shapes.of(type)[static_cast<std::size_t>(stage.shape)].rows();
  }
};

class Steps {
 public:
  Steps(const GehrdPlan& plan, const LapackOperands& o, void* workspace, Queue& queue)
      : plan_(plan),
        problem_(plan.problem),
        o_(o),
        element_(size_of(plan.problem.type)),
        memory_(plan, workspace),
        a_(plan.copies ? matrix_ref(memory_.matrix, memory_.ld, element_)
                       : matrix_ref(o.a, plan.problem.lda, element_)),
        y_(matrix_ref(memory_.yvz, memory_.ld, element_)),
        queue_(queue) {}

  Status run() const {
    const std::int64_t n = problem_.n;
    if (uses_products(plan_))
      if (Status bad = queue_.use(memory_.products); !bad.ok()) return bad;
    if (plan_.copies)
      if (Status bad = copy({.a = o_.a, .lda = problem_.lda, .b = a_.data, .ldb = a_.ld, .rows = n, .columns = n});
          !bad.ok())
        return bad;
    const kernels::ScaleArgs scaling = {.a = a_.data,
                                        .row_step = 1,
                                        .col_step = a_.ld,
                                        .m = static_cast<int>(n),
                                        .n = static_cast<int>(n),
                                        .largest = memory_.largest,
                                        .scale = memory_.scale,
                                        .counters = static_cast<std::uint32_t*>(memory_.counters),
                                        .counter_count = static_cast<int>(plan_.stages.size())};
    if (Status bad = scale(queue_, problem_.type, scaling, plan_.scale_blocks); !bad.ok()) return bad;
    for (std::size_t i = 0; i < plan_.stages.size(); ++i) {
      if (!plan_.stages[i].is_panel()) {
        if (Status bad = reduce_on_chip(i); !bad.ok()) return bad;
        continue;
      }
      if (Status bad = reduce_panel(i); !bad.ok()) return bad;
      if (Status bad = update_above(plan_.stages[i]); !bad.ok()) return bad;
      if (Status bad = update_below(plan_.stages[i]); !bad.ok()) return bad;
      if (Status bad = update_behind(plan_.stages[i]); !bad.ok()) return bad;
    }
    if (Status bad =
            queue_.launch<Step::rescale_hessenberg>({.type = problem_.type, .blocks = plan_.scale_blocks}, scaling);
        !bad.ok())
      return bad;
    if (!plan_.copies) return {};
    return copy({.a = a_.data, .lda = a_.ld, .b = o_.a, .ldb = problem_.lda, .rows = n, .columns = n});
  }

 private:
  // And its Q on the rows above and the columns behind.
  Status reduce_on_chip(std::size_t index) const {
    const HessenbergStage& s = plan_.stages[index];
    void *const a = a_.at(s.first, s.first), *const tau = matrix_ref(o_.tau, 0, element_).at(s.first, 0);
    if (Status bad = queue_.launch<Step::hessenberg_on_chip>(
            work(s), {.a = a,
                      .lda = a_.ld,
                      .n = s.m + 1,
                      .tau = tau,
                      .lines = s.lines,
                      .exchange = memory_.exchange,
                      .barrier = static_cast<std::uint32_t*>(memory_.counters) + index,
                      .timed_out = queue_.timed_out()});
        !bad.ok())
      return bad;
    const LapackOperands above = {.a = a, .tau = tau, .c = a_.at(0, s.first)};
    if (Status bad = lapack::run(plan_.above, above, memory_.around, queue_); !bad.ok()) return bad;
    const LapackOperands behind = {.a = a, .tau = tau, .c = a_.at(s.first, problem_.ihi)};
    return lapack::run(plan_.behind, behind, memory_.around, queue_);
  }

  Status reduce_panel(std::size_t index) const {
    const HessenbergStage& stage = plan_.stages[index];
    return queue_.launch<Step::hessenberg_panel>(work(stage),
                                                 {.a = a_.at(stage.first + 1, stage.first + 1),
                                                  .lda = a_.ld,
                                                  .m = stage.m,
                                                  .columns = stage.columns,
                                                  .parts = stage.parts,
                                                  .tau = matrix_ref(o_.tau, 0, element_).at(stage.first, 0),
                                                  .v = y_.at(0, stage.columns),
                                                  .y = y_.data,
                                                  .ld = memory_.ld,
                                                  .t = memory_.t,
                                                  .t_ld = stream_columns,
                                                  .column = memory_.column,
                                                  .row_sums = memory_.row_sums,
                                                  .norms = memory_.norms,
                                                  .left_dots = memory_.left_dots,
                                                  .dots = memory_.dots,
                                                  .barrier = static_cast<std::uint32_t*>(memory_.counters) + index,
                                                  .timed_out = queue_.timed_out()});
  }

  // The rows above: Y is made here, then A := A - Y V^H, in all columns behind the first of the panel.
  Status update_above(const HessenbergStage& s) const {
    const std::int64_t above = s.first + 1, k = s.columns;
    const MatrixRef av = whole(memory_.one), y = whole(memory_.two);
    if (Status bad = multiply(above, k, s.m, {.data = a_.at(0, s.first + 1), .ld = a_.ld}, v(s), av.data); !bad.ok())
      return bad;
    if (Status bad = multiply(above, k, k, factor(av.data), t(), y.data); !bad.ok()) return bad;
    return subtract(above, s.m, k, factor(y.data), adjoint(v(s)), a_.at(0, s.first + 1));
  }

  // The rows below, up to ihi: A := (I - V T^H V^H) (A - Y V^H) = A - (Y, V) (V, Z)^H in one product, where
  // Z = (A^H V - V (Y^H V)) T with the rows of V that belong to these columns.
  Status update_below(const HessenbergStage& s) const {
    const std::int64_t k = s.columns, columns = s.m - k + 1;
    const MatrixRef vectors = whole(v(s).data);
    const ProductOperand of_columns = factor(vectors.at(k - 1, 0)),
                         a = {.data = a_.at(s.first + 1, s.first + k), .ld = a_.ld};
    const ProductOperand g = {.data = memory_.g, .ld = stream_columns};
    if (Status bad = multiply(k, k, s.m, adjoint(factor(y_.data)), v(s), memory_.g, stream_columns); !bad.ok())
      return bad;
    if (Status bad = multiply(columns, k, s.m, adjoint(a), v(s), memory_.one); !bad.ok()) return bad;
    if (Status bad = subtract(columns, k, k, of_columns, g, memory_.one, memory_.ld); !bad.ok()) return bad;
    if (Status bad = multiply(columns, k, k, factor(memory_.one), t(), vectors.at(k - 1, k)); !bad.ok()) return bad;
    return subtract(s.m, columns, 2 * k, factor(y_.data), adjoint(of_columns), a_.at(s.first + 1, s.first + k));
  }

  // The columns behind ihi: A := A - V T^H (V^H A)
  Status update_behind(const HessenbergStage& s) const {
    const std::int64_t k = s.columns, columns = problem_.n - problem_.ihi;
    if (columns == 0) return {};
    void* const rest = a_.at(s.first + 1, problem_.ihi);
    if (Status bad = multiply(k, columns, s.m, adjoint(v(s)), {.data = rest, .ld = a_.ld}, memory_.one, stream_columns);
        !bad.ok())
      return bad;
    const ProductOperand products = {.data = memory_.one, .ld = stream_columns},
                         z = {.data = memory_.two, .ld = stream_columns};
    if (Status bad = multiply(k, columns, k, adjoint(t()), products, memory_.two, stream_columns); !bad.ok())
      return bad;
    return subtract(s.m, columns, k, v(s), z, rest);
  }

  Work work(const HessenbergStage& s) const {
    return {.type = problem_.type,
            .shape = s.is_panel() ? s.vectors : s.shape,
            .blocks = s.blocks,
            .shared_bytes = s.shared_bytes,
            .together = true};
  }
  Status copy(const kernels::MatrixCopy& c) const { return queue_.copy(problem_.type, c); }
  // C := A B
  Status multiply(std::int64_t m, std::int64_t n, std::int64_t k, ProductOperand a, ProductOperand b, void* c,
                  std::int64_t ldc = 0) const {
    return queue_.multiply(problem_.type,
                           {.m = m, .n = n, .k = k, .a = a, .b = b, .c = c, .ldc = ldc == 0 ? memory_.ld : ldc});
  }
  // C := C - A B
  Status subtract(std::int64_t m, std::int64_t n, std::int64_t k, ProductOperand a, ProductOperand b, void* c,
                  std::int64_t ldc = 0) const {
    return queue_.multiply(
        problem_.type,
        {.m = m, .n = n, .k = k, .alpha = -1, .a = a, .b = b, .beta = 1, .c = c, .ldc = ldc == 0 ? a_.ld : ldc});
  }
  static ProductOperand adjoint(ProductOperand f) {
    f.op = Op::c;
    return f;
  }
  ProductOperand factor(const void* data) const { return {.data = data, .ld = memory_.ld}; }
  ProductOperand t() const { return {.data = memory_.t, .ld = stream_columns}; }
  // V of a stage is right of its Y, and Z right of V.
  ProductOperand v(const HessenbergStage& s) const { return factor(y_.at(0, s.columns)); }
  MatrixRef whole(const void* data) const { return matrix_ref(data, memory_.ld, element_); }

  const GehrdPlan& plan_;
  const LapackProblem& problem_;
  const LapackOperands& o_;
  std::int64_t element_;
  Memory memory_;
  MatrixRef a_, y_;
  Queue& queue_;
};

std::optional<HessenbergStage> on_chip(Type type, int first, int m, const DeviceTraits& traits) {
  const int element = static_cast<int>(size_of(type)), real = static_cast<int>(size_of_real(type));
  const auto fit = fit_on_chip(hessenberg_shapes.of(type), m + 1, traits, [&](const ChipShape& shape, int lines) {
    return kernels::hessenberg_chip_bytes(shape.rows(), lines, shape.columns_in_registers, shape.rows_in_registers,
                                          element, real);
  });
  if (!fit) return {};
  return HessenbergStage{*fit, first, m, m};
}

// A panel begins below the diagonal, so its columns begin within a vector.
constexpr std::int64_t most_rows_below(Type type) { return bidiagonal_most_rows(type) - (16 / size_of(type) - 1); }

Status panel(const LapackProblem& problem, int first, int m, const DeviceTraits& traits, HessenbergStage* stage) {
  const int element = static_cast<int>(size_of(problem.type));
  const kernels::StreamShape shape = kernels::stream_shape(m, element, false, false);
  const std::size_t shared_bytes = kernels::hessenberg_shared_bytes(element);
  if (shape.parts == 0)
    return {ONEPASS_STATUS_TOO_LARGE, lapack_name(problem) + ": ihi - ilo = " + std::to_string(m) + ": at most " +
                                          std::to_string(most_rows_below(problem.type)) +
                                          " of this type on the cuda backend"};
  if (shared_bytes + reserved_shared_bytes > static_cast<std::size_t>(traits.shared_bytes_per_sm))
    return {ONEPASS_STATUS_TOO_LARGE, lapack_name(problem) + ": panels need " + std::to_string(shared_bytes) +
                                          " bytes of shared memory for a block: this device has " +
                                          std::to_string(traits.shared_bytes_per_sm)};
  *stage = {{.blocks = bidiagonal_blocks(m, traits.sm_count) / shape.parts * shape.parts, .shared_bytes = shared_bytes},
            first,
            m,
            std::min(m, stream_columns),
            shape.vectors,
            shape.parts};
  return {};
}

// Q of the stage on the chip, which reduces rows and columns from `first` to ihi.
Status plan_around(GehrdPlan& plan, std::int64_t first, std::int64_t lda, const DeviceTraits& traits) {
  const LapackProblem& p = plan.problem;
  const std::int64_t order = p.ihi - first;
  LapackProblem q = {.routine = LapackRoutine::ormhr, .type = p.type, .ihi = order, .lda = lda, .ldc = lda};
  q.side = Side::right;
  q.m = first;
  q.n = order;
  if (Status bad = make_plan(q, traits, &plan.above); !bad.ok()) return bad;
  q.side = Side::left;
  q.op = Op::c;
  q.m = order;
  q.n = p.n - p.ihi;
  return make_plan(q, traits, &plan.behind);
}

}  // namespace

Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, GehrdPlan* plan, int most_on_chip) {
  GehrdPlan made;
  made.problem = problem;
  *plan = made;
  if (problem.n == 0 || problem.ihi <= problem.ilo) return {};
  const std::int64_t most_rows = std::numeric_limits<int>::max();  // which are too many, too
  for (std::int64_t first = problem.ilo - 1; first < problem.ihi - 1; first += made.stages.back().columns) {
    const int m = static_cast<int>(std::min(problem.ihi - 1 - first, most_rows));
    HessenbergStage stage;
    const auto fit = on_chip(problem.type, static_cast<int>(first), m, traits);
    if (fit && m < most_on_chip)
      stage = *fit;
    else if (Status bad = panel(problem, static_cast<int>(first), m, traits, &stage); !bad.ok())
      return bad;
    made.stages.push_back(stage);
  }
  const std::int64_t element = size_of(problem.type);
  made.copies = has_panels(made) && problem.lda * element % stream_alignment != 0;
  const std::int64_t most = std::numeric_limits<int>::max() / (made.copies ? element : 1);
  if (problem.lda > most)
    return {ONEPASS_STATUS_TOO_LARGE,
            "lda = " + std::to_string(problem.lda) + ": at most " + std::to_string(most) + " on the cuda backend"};
  if (const HessenbergStage& last = made.stages.back(); !last.is_panel())
    if (Status bad = plan_around(made, last.first, made.copies ? aligned_rows(problem.n) : problem.lda, traits);
        !bad.ok())
      return bad;
  made.scale_blocks = scale_blocks(problem.n, traits);
  made.workspace_bytes = Memory(made, nullptr).bytes;
  *plan = std::move(made);
  return {};
}

std::string explain(const GehrdPlan& plan) {
  const LapackProblem& p = plan.problem;
  std::string text = lapack_name(p) + " n = " + std::to_string(p.n) + " on cuda, workspace " +
                     std::to_string(plan.workspace_bytes) + " bytes\n";
  if (plan.stages.empty()) return text;
  const HessenbergStage& first = plan.stages.front();
  if (plan.copies)
    text += "  a copy is reduced in the workspace, whose columns are multiples of " + std::to_string(stream_alignment) +
            " bytes apart; lda = " + std::to_string(p.lda) + "\n";
  const HessenbergStage& last = plan.stages.back();
  const std::size_t panels = plan.stages.size() - (last.is_panel() ? 0 : 1);
  if (panels > 0)
    text += "  " + std::to_string(panels) + (panels == 1 ? " panel of " : " panels of ") +
            std::to_string(first.columns) + " columns, with " + std::to_string(first.m) +
            " rows at first: " + std::to_string(first.blocks) + " blocks" +
            (first.parts > 1 ? ", " + std::to_string(first.parts) + " of them for a column" : "") +
            ", 3 grid barriers a column, the rows below once a column; 8 products by cuBLAS for each\n";
  if (last.is_panel()) return text;
  text += "  " + std::to_string(last.columns) + " columns of " + std::to_string(last.m + 1) +
          " rows on the chip, by columns and by rows: " + std::to_string(last.blocks) +
          " blocks, 1 grid barrier a column\n";
  for (const auto& [q, what] : {std::pair{&plan.above, " rows above"}, {&plan.behind, " columns behind"}})
    if (!is_empty(q->problem))
      text += "  its reflectors in blocks of " + std::to_string(q->width) + " on " +
              std::to_string(q->problem.side == Side::right ? q->problem.m : q->problem.n) + what + ", by cuBLAS\n";
  return text;
}

Status run(const GehrdPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue) {
  const LapackProblem& p = plan.problem;
  // Rows and columns that are reduced already have no reflectors.
  const std::int64_t element = size_of(p.type);
  const MatrixRef tau = matrix_ref(operands.tau, 0, element);
  const std::int64_t reflectors = std::max<std::int64_t>(0, p.n - 1), first = std::min(p.ilo - 1, reflectors),
                     end = std::clamp<std::int64_t>(p.ihi - 1, first, reflectors);
  for (const auto& [begin, count] : {std::pair{std::int64_t{0}, first}, {end, reflectors - end}})
    if (count > 0)
      if (Status bad = queue.clear(tau.at(begin, 0), static_cast<std::size_t>(count * element)); !bad.ok()) return bad;
  return plan.stages.empty() ? Status{} : Steps(plan, operands, workspace, queue).run();
}

}  // namespace onepass::lapack
