// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/gpu/reductions/geqrf.hpp"

#include <algorithm>

#include "lapack/check.hpp"
#include "lapack/gpu/arena.hpp"
#include "lapack/gpu/matrix_ref.hpp"
#include "lapack/gpu/reductions/chip_shapes.hpp"

namespace onepass::lapack {
namespace {

constexpr int panel_width = 32, widest_panel = 64;

struct Memory {
  void *products, *counters, *largest, *dots, *row, *v, *gram, *t, *w, *z;
  std::int64_t ldv;
  std::size_t bytes;

  Memory(const GeqrfPlan& plan, void* data) {
    const LapackProblem& p = plan.problem;
    const std::int64_t element = size_of(p.type), real = size_of_real(p.type);
    const QrStage& first = plan.stages.front();
    std::int64_t numbers = 0;
    for (const QrStage& stage : plan.stages)
      numbers = std::max<std::int64_t>(numbers, std::int64_t{stage.blocks} * stage.width);
    const std::int64_t width = uses_products(plan) ? plan.block_width : 0, behind = p.n - first.columns;
    ldv = aligned_rows(p.m);
    Arena arena(data);
    products = arena.take(uses_products(plan) ? static_cast<std::int64_t>(product_workspace_bytes) : 0, 1);
    counters = arena.take(static_cast<std::int64_t>(plan.stages.size()), sizeof(std::uint32_t));
    largest = arena.take(numbers, real);
    dots = arena.take(2 * numbers, element);
    row = arena.take(2 * std::int64_t{first.width}, element);
    v = arena.take(ldv * width, element);
    gram = arena.take(width * width, element);
    t = arena.take(width * width, element);
    w = arena.take(width * behind, element);
    z = arena.take(width * behind, element);
    bytes = arena.bytes();
  }
};

class Steps {
 public:
  Steps(const GeqrfPlan& plan, const LapackOperands& o, void* workspace, Queue& queue)
      : plan_(plan),
        problem_(plan.problem),
        element_(size_of(plan.problem.type)),
        memory_(plan, workspace),
        a_(matrix_ref(o.a, plan.problem.lda, element_)),
        tau_(matrix_ref(o.tau, 0, element_)),
        v_(matrix_ref(memory_.v, memory_.ldv, element_)),
        queue_(queue) {}

  Status run() const {
    if (uses_products(plan_))
      if (Status bad = queue_.use(memory_.products); !bad.ok()) return bad;
    if (Status bad = queue_.clear(counters(), plan_.stages.size() * sizeof(std::uint32_t)); !bad.ok()) return bad;
    for (std::size_t i = 0; i < plan_.stages.size(); ++i) {
      const QrStage& s = plan_.stages[i];
      if (Status bad = factor_panel(i); !bad.ok()) return bad;
      const bool is_block = s.ends_block && s.first == s.block;
      const std::int64_t end = s.first + s.columns, columns_of_block = end_of_block(i) - end;
      if (is_block) {
        if (Status bad = update(s.first, s.first, s.columns, problem_.n - end); !bad.ok()) return bad;
      } else {
        if (Status bad = update(s.block, s.first, s.columns, columns_of_block); !bad.ok()) return bad;
        if (s.ends_block)
          if (Status bad = update_behind_block(s.block, end - s.block, problem_.n - end); !bad.ok()) return bad;
      }
    }
    return {};
  }

 private:
  std::uint32_t* counters() const { return static_cast<std::uint32_t*>(memory_.counters); }
  std::int64_t end_of_block(std::size_t stage) const {
    while (!plan_.stages[stage].ends_block) ++stage;
    return plan_.stages[stage].first + plan_.stages[stage].columns;
  }

  // V of a block is m - block x its columns, and a panel's begins where the panel does.
  Status factor_panel(std::size_t index) const {
    const QrStage& s = plan_.stages[index];
    const int offset = s.first - s.block;
    const bool has_v = problem_.n > s.first + s.columns;
    const Work work = {.type = problem_.type,
                       .shape = s.width,
                       .blocks = s.blocks,
                       .shared_bytes = s.shared_bytes,
                       .together = s.blocks > 1};
    return queue_.launch<Step::qr_panel>(work, {.a = a_.at(s.first, s.first),
                                                .lda = a_.ld,
                                                .m = static_cast<int>(problem_.m) - s.first,
                                                .columns = s.columns,
                                                .rows_of_block = s.rows_of_block,
                                                .rows_on_chip = s.rows_on_chip,
                                                .tau = tau_.at(s.first, 0),
                                                .v = has_v ? v_.at(offset, offset) : nullptr,
                                                .ldv = v_.ld,
                                                .zeros_above = offset,
                                                .t = s.has_t ? memory_.t : nullptr,
                                                .ldt = s.columns,
                                                .largest = memory_.largest,
                                                .dots = memory_.dots,
                                                .row = memory_.row,
                                                .barrier = counters() + index,
                                                .timed_out = queue_.timed_out()});
  }

  // By the reflectors of the panel at `first`, of the block at `block`: the columns behind it.
  Status update(std::int64_t block, std::int64_t first, std::int64_t k, std::int64_t columns) const {
    return apply(first, k, v_.at(first - block, first - block), columns);
  }

  // By all reflectors of a block.
  Status update_behind_block(std::int64_t block, std::int64_t k, std::int64_t columns) const {
    if (columns == 0) return {};
    const ProductOperand v = {.data = v_.data, .ld = v_.ld};
    if (Status bad = multiply_in_parts(
            {.m = k, .n = k, .k = problem_.m - block, .a = adjoint(v), .b = v, .c = memory_.gram, .ldc = k},
            size_of(problem_.type), [&](const Product& part) { return multiply(part); });
        !bad.ok())
      return bad;
    const int width = static_cast<int>(k);
    const Work work = {.type = problem_.type,
                       .shared_bytes = kernels::triangular_factor_shared_bytes(width, static_cast<int>(element_))};
    if (Status bad = queue_.launch<Step::triangular_factor>(
            work, {.products = memory_.gram, .tau = tau_.at(block, 0), .t = memory_.t, .width = width, .count = k});
        !bad.ok())
      return bad;
    return apply(block, k, v_.data, columns);
  }

  // C := C - V (T^H (V^H C)), C the rows from `first` on and so many columns behind column first + k.
  Status apply(std::int64_t first, std::int64_t k, void* v_data, std::int64_t columns) const {
    if (columns == 0) return {};
    const std::int64_t rows = problem_.m - first;
    const ProductOperand v = {.data = v_data, .ld = v_.ld}, t = {.data = memory_.t, .ld = k};
    const ProductOperand w = {.data = memory_.w, .ld = k}, z = {.data = memory_.z, .ld = k};
    void* const c = a_.at(first, first + k);
    if (Status bad = multiply({.m = k,
                               .n = columns,
                               .k = rows,
                               .a = adjoint(v),
                               .b = {.data = c, .ld = a_.ld},
                               .c = memory_.w,
                               .ldc = k});
        !bad.ok())
      return bad;
    if (Status bad = multiply({.m = k, .n = columns, .k = k, .a = adjoint(t), .b = w, .c = memory_.z, .ldc = k});
        !bad.ok())
      return bad;
    return multiply({.m = rows, .n = columns, .k = k, .alpha = -1, .a = v, .b = z, .beta = 1, .c = c, .ldc = a_.ld});
  }
  Status multiply(const Product& product) const { return queue_.multiply(problem_.type, product); }
  static ProductOperand adjoint(ProductOperand f) {
    f.op = Op::c;
    return f;
  }

  const GeqrfPlan& plan_;
  const LapackProblem& problem_;
  std::int64_t element_;
  Memory memory_;
  MatrixRef a_, tau_, v_;
  Queue& queue_;
};

// Rows of a panel that the shared memory of a block holds.
std::int64_t rows_that_fit(int width, bool has_t, int element, const DeviceTraits& traits) {
  const auto bytes =
      static_cast<std::int64_t>(traits.shared_bytes_per_sm) - static_cast<std::int64_t>(reserved_shared_bytes);
  const auto fixed = static_cast<std::int64_t>(kernels::qr_panel_shared_bytes(width, has_t, 0, element));
  return std::max<std::int64_t>(0, (bytes - fixed) / (std::int64_t{width} * element));
}

// As many as T of their reflectors can be found for in the shared memory of a block.
int panels_of_block(int element, const DeviceTraits& traits, const QrBlocking& blocking) {
  int panels = blocking.panels;
  while (panels > 1 && kernels::triangular_factor_shared_bytes(panels * panel_width, element) + reserved_shared_bytes >
                           static_cast<std::size_t>(traits.shared_bytes_per_sm))
    --panels;
  return panels;
}

// How a launch shares `m` rows.
void share_rows(std::int64_t m, int element, const DeviceTraits& traits, const QrBlocking& blocking, QrStage* s) {
  const std::int64_t most = rows_that_fit(s->width, s->has_t, element, traits);
  const bool alone = m <= most && m * s->width * element <= blocking.alone;
  const std::int64_t blocks =
      alone ? 1 : std::clamp<std::int64_t>((m + blocking.rows - 1) / blocking.rows, 1, traits.sm_count);
  const std::int64_t rows = ((m + blocks - 1) / blocks + 31) / 32 * 32;
  s->rows_of_block = static_cast<int>(rows);
  s->blocks = static_cast<int>((m + rows - 1) / rows);
  s->rows_on_chip = static_cast<int>(std::min(rows, most));
  s->shared_bytes = kernels::qr_panel_shared_bytes(s->width, s->has_t, s->rows_on_chip, element);
}

}  // namespace

Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, GeqrfPlan* plan, QrBlocking blocking) {
  GeqrfPlan made;
  made.problem = problem;
  *plan = made;
  if (is_empty(problem)) return {};
  if (Status bad = fits_cublas(problem); !bad.ok()) return bad;
  const std::int64_t least = std::min(problem.m, problem.n);
  const int element = static_cast<int>(size_of(problem.type));
  // All of it in one launch, if the rows of the wider panel do.
  const bool whole = problem.n == least && problem.n > panel_width && problem.n <= blocking.whole &&
                     problem.m <= traits.sm_count * rows_that_fit(widest_panel, false, element, traits);
  const int width = whole ? widest_panel : panel_width;
  made.block_width = std::min<std::int64_t>(
      problem.n > blocking.many ? panels_of_block(element, traits, blocking) * width : width, least);
  for (std::int64_t first = 0; first < least; first += made.stages.back().columns) {
    const std::int64_t block = first / made.block_width * made.block_width;
    QrStage s = {
        .first = static_cast<int>(first),
        .columns = static_cast<int>(std::min<std::int64_t>(width, std::min(least, block + made.block_width) - first)),
        .width = width,
        .block = static_cast<int>(block)};
    const std::int64_t end = first + s.columns;
    s.ends_block = end == least || end == block + made.block_width;
    s.has_t = end < problem.n && !(s.ends_block && s.first > s.block);
    share_rows(problem.m - first, element, traits, blocking, &s);
    made.stages.push_back(s);
  }
  made.workspace_bytes = Memory(made, nullptr).bytes;
  *plan = std::move(made);
  return {};
}

std::string explain(const GeqrfPlan& plan) {
  const LapackProblem& p = plan.problem;
  std::string text = lapack_name(p) + " m = " + std::to_string(p.m) + " n = " + std::to_string(p.n) +
                     " on cuda, workspace " + std::to_string(plan.workspace_bytes) + " bytes\n";
  if (plan.stages.empty()) return text;
  const QrStage& s = plan.stages.front();
  text +=
      "  " + std::to_string(plan.stages.size()) + (plan.stages.size() == 1 ? " panel of " : " panels of ") +
      std::to_string(s.columns) + " columns, at first " + std::to_string(p.m) + " rows in " + std::to_string(s.blocks) +
      (s.blocks == 1 ? " block" : " blocks") + ": " + (s.blocks == 1 ? "no grid barrier" : "1 grid barrier a column") +
      ", " +
      (s.rows_on_chip >= s.rows_of_block ? "the panel in shared memory"
                                         : std::to_string(s.rows_on_chip) + " of " + std::to_string(s.rows_of_block) +
                                               " rows of a block in shared memory, the others once a column") +
      "\n";
  if (!uses_products(plan)) return text;
  text += "  the columns behind each: 3 products by cuBLAS\n";
  if (plan.block_width > s.columns)
    text += "  in blocks of " + std::to_string(plan.block_width) + " columns, with 4 products for the columns behind\n";
  return text;
}

Status run(const GeqrfPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue) {
  return plan.stages.empty() ? Status{} : Steps(plan, operands, workspace, queue).run();
}

}  // namespace onepass::lapack
