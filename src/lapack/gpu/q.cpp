// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/gpu/q.hpp"

#include <algorithm>

#include "lapack/check.hpp"
#include "lapack/cuda/cublas.hpp"
#include "lapack/gpu/chip_shapes.hpp"
#include "lapack/gpu/place.hpp"
#include "lapack/gpu/room.hpp"
#include "lapack/reflectors.hpp"

namespace onepass::lapack {
namespace {

using kernels::Range;

struct Memory {
  void *products, *v, *x, *gram, *t, *w;
  std::int64_t ldv;
  std::size_t bytes;

  Memory(const QPlan& plan, void* data) {
    const LapackProblem& p = plan.problem;
    const Reflectors q = reflectors(p);
    const std::int64_t element = size_of(p.type), lines = plan.width * plan.blocks, square = plan.width * plan.width;
    const std::int64_t rows = std::max<std::int64_t>(0, q.last_row(q.count) - q.first_row(0));
    const std::int64_t others = generates(p.routine) ? lines_made(p) : p.side == Side::left ? p.n : p.m;
    ldv = q.by_rows ? lines : (rows + 15) / 16 * 16;
    Room room(data);
    products = room.take(static_cast<std::int64_t>(product_workspace_bytes), 1);
    v = room.take(ldv * (q.by_rows ? rows : lines), element);
    x = room.take(ldv * (q.by_rows ? rows : lines), element);
    gram = room.take(square * plan.blocks, element);
    t = room.take(square * plan.blocks, element);
    w = room.take(plan.width * others, element);
    bytes = room.bytes();
  }
};

class Steps {
 public:
  Steps(const QPlan& plan, const LapackOperands& o, void* workspace, Queue& queue)
      : plan_(plan),
        q_(reflectors(plan.problem)),
        element_(size_of(plan.problem.type)),
        memory_(plan, workspace),
        a_(place(o.a, plan.problem.lda, element_)),
        tau_(place(o.tau, 0, element_)),
        queue_(queue) {
    // P^H is made by rows: P^H = E (I - V T^H V^H) ...
    const bool made = generates(plan.problem.routine);
    side_ = made ? (q_.by_rows ? Side::right : Side::left) : plan.problem.side;
    adjoint_ = made ? q_.by_rows : plan.problem.op != Op::n;
  }

  // C := op(Q) C or C op(Q)
  Status apply(Place c) const {
    const LapackProblem& p = plan_.problem;
    return for_each_group([&](const ReflectorBlock& group) {
      return for_each_block(group, [&](const ReflectorBlock& block) {
        const bool left = side_ == Side::left;
        return apply_block(group, block, left ? p.n : p.m, left ? c.at(block.row, 0) : c.at(0, block.row), c.ld);
      });
    });
  }

  // A := Q, its first lines
  Status generate() const {
    const std::int64_t lines = lines_made(plan_.problem), behind = q_.unit + q_.count;
    // What no reflector has as its own, and some change.
    if (!q_.backward)
      if (Status bad = set_identity({behind, q_.end}, {behind, std::min(lines, q_.end)}, {}, {}); !bad.ok()) return bad;
    Status status = for_each_group([&](const ReflectorBlock& group) -> Status {
      const std::int64_t first = q_.unit + group.first, last = first + group.count;
      const Range rows = {group.row, group.row + group.rows}, changed = {group.row, std::min(lines, rows.end)};
      const Range done_rows = q_.backward ? Range{0, first} : Range{last, rows.end};
      const Range done_lines = q_.backward ? Range{0, first} : Range{last, changed.end};
      if (Status bad = set_identity(rows, changed, done_rows, done_lines); !bad.ok()) return bad;
      return for_each_block(group, [&](const ReflectorBlock& block) {
        const std::int64_t others = std::min(lines, block.row + block.rows) - block.row;
        return apply_block(group, block, others, a_.at(block.row, block.row), a_.ld);
      });
    });
    if (!status.ok()) return status;
    const Range changed = {q_.first_row(0), q_.last_row(q_.count)};
    return set_identity({0, q_.order}, {0, lines}, changed, {changed.begin, std::min(lines, changed.end)});
  }

 private:
  bool ascending() const { return first_comes_first(q_, side_, adjoint_); }

  template <class F>
  Status for_each_group(F f) const {
    if (q_.count == 0) return {};
    const std::int64_t lines = plan_.width * plan_.blocks, count = block_count(q_, lines);
    for (std::int64_t step = 0; step < count; ++step) {
      const ReflectorBlock group = reflector_block(q_, ascending() ? step : count - 1 - step, lines);
      if (Status bad = prepare(group); !bad.ok()) return bad;
      if (Status bad = f(group); !bad.ok()) return bad;
    }
    return {};
  }
  template <class F>
  Status for_each_block(const ReflectorBlock& group, F f) const {
    const std::int64_t first = group.first / plan_.width, count = blocks_of(group);
    for (std::int64_t step = 0; step < count; ++step) {
      const std::int64_t index = first + (ascending() ? step : count - 1 - step);
      if (Status bad = f(reflector_block(q_, index, plan_.width)); !bad.ok()) return bad;
    }
    return {};
  }
  std::int64_t blocks_of(const ReflectorBlock& group) const { return (group.count + plan_.width - 1) / plan_.width; }
  int grid(std::int64_t wanted) const { return static_cast<int>(std::min<std::int64_t>(wanted, plan_.grid)); }

  Work work(int blocks) const { return {.type = plan_.problem.type, .blocks = blocks}; }
  Status multiply(const Product& product) const { return queue_.multiply(plan_.problem.type, product); }

  // V or X of a block in those of its group, from one of its rows on; or its adjoint.
  ProductOperand part(const void* v, const ReflectorBlock& group, const ReflectorBlock& block, bool adjoint) const {
    const std::int64_t line = block.first - group.first, row = block.row - group.row;
    const Place at = place(v, memory_.ldv, element_);
    return {.op = adjoint == q_.by_rows ? Op::n : Op::c,
            .data = q_.by_rows ? at.at(line, row) : at.at(row, line),
            .ld = memory_.ldv,
            .stride = plan_.width * (q_.by_rows ? 1 : memory_.ldv)};
  }

  // V, T and X of the blocks of a group. The last block is filled up with zeros: all have the same shape.
  Status prepare(const ReflectorBlock& group) const {
    const std::int64_t w = plan_.width, blocks = blocks_of(group), lines = blocks * w;
    const std::int64_t first = q_.line + group.first;
    if (Status bad =
            queue_.launch<Step::copy_reflectors>(work(grid(q_.by_rows ? group.rows : lines)),
                                                 {.a = q_.by_rows ? a_.at(first, group.row) : a_.at(group.row, first),
                                                  .lda = a_.ld,
                                                  .v = memory_.v,
                                                  .ldv = memory_.ldv,
                                                  .rows = group.rows,
                                                  .lines = lines,
                                                  .count = group.count,
                                                  .unit = q_.unit + group.first - group.row,
                                                  .backward = q_.backward,
                                                  .by_rows = q_.by_rows});
        !bad.ok())
      return bad;
    if (Status bad = multiply_in_parts({.m = w,
                                        .n = w,
                                        .k = group.rows,
                                        .a = part(memory_.v, group, group, true),
                                        .b = part(memory_.v, group, group, false),
                                        .c = memory_.gram,
                                        .ldc = w,
                                        .stride_c = w * w,
                                        .batch = blocks},
                                       element_, [&](const Product& part) { return multiply(part); });
        !bad.ok())
      return bad;
    const int width_of_part = static_cast<int>(w / plan_.parts);
    Work factor = work(static_cast<int>(blocks * plan_.parts));
    factor.shared_bytes = kernels::triangular_factor_shared_bytes(width_of_part, static_cast<int>(element_));
    if (Status bad =
            queue_.launch<Step::triangular_factor>(factor, {.products = memory_.gram,
                                                            .tau = tau_.at(first_tau(plan_.problem) + group.first, 0),
                                                            .t = memory_.t,
                                                            .width = width_of_part,
                                                            .parts = plan_.parts,
                                                            .count = group.count,
                                                            .upper = !q_.backward});
        !bad.ok())
      return bad;
    if (plan_.parts == 2)
      if (Status bad = join_parts(blocks); !bad.ok()) return bad;
    // X = V op(T), or, by rows, X^H = op(T)^H V^H
    const ProductOperand v = part(memory_.v, group, group, q_.by_rows);
    const ProductOperand t = {
        .op = adjoint_ == q_.by_rows ? Op::n : Op::c, .data = memory_.t, .ld = w, .stride = w * w};
    return multiply({.m = q_.by_rows ? w : group.rows,
                     .n = q_.by_rows ? group.rows : w,
                     .k = w,
                     .a = q_.by_rows ? t : v,
                     .b = q_.by_rows ? v : t,
                     .c = memory_.x,
                     .ldc = memory_.ldv,
                     .stride_c = v.stride,
                     .batch = blocks});
  }

  // Between the two parts of each T: -T1 (V1^H V2) T2, or, of a lower one, -T2 (V2^H V1) T1. G has room for what is in
  // the middle where the product that is not needed stands.
  Status join_parts(std::int64_t blocks) const {
    const std::int64_t w = plan_.width, half = w / 2, row = q_.backward ? half : 0, column = half - row;
    const Place g = place(memory_.gram, w, element_), t = place(memory_.t, w, element_);
    const auto operand = [&](const Place& from, std::int64_t i, std::int64_t j) {
      return ProductOperand{.data = from.at(i, j), .ld = w, .stride = w * w};
    };
    const auto product = [&](double alpha, ProductOperand a, ProductOperand b, void* c) {
      return multiply({.m = half,
                       .n = half,
                       .k = half,
                       .alpha = alpha,
                       .a = a,
                       .b = b,
                       .c = c,
                       .ldc = w,
                       .stride_c = w * w,
                       .batch = blocks});
    };
    if (Status bad = product(1, operand(g, row, column), operand(t, column, column), g.at(column, row)); !bad.ok())
      return bad;
    return product(-1, operand(t, row, row), operand(g, column, row), t.at(row, column));
  }

  // C := C - X (V^H C), C of block.rows x others, or C - (C X) V^H, C of others x block.rows
  Status apply_block(const ReflectorBlock& group, const ReflectorBlock& block, std::int64_t others, void* c,
                     std::int64_t ldc) const {
    const bool left = side_ == Side::left;
    const ProductOperand c_in = {.data = c, .ld = ldc};
    const ProductOperand w = {.data = memory_.w, .ld = left ? plan_.width : others};
    const auto v = [&](bool adjoint) { return part(memory_.v, group, block, adjoint); };
    const ProductOperand x = part(memory_.x, group, block, false);
    if (Status bad = multiply({.m = left ? plan_.width : others,
                               .n = left ? others : plan_.width,
                               .k = block.rows,
                               .a = left ? v(true) : c_in,
                               .b = left ? c_in : x,
                               .c = memory_.w,
                               .ldc = w.ld});
        !bad.ok())
      return bad;
    return multiply({.m = left ? block.rows : others,
                     .n = left ? others : block.rows,
                     .k = plan_.width,
                     .alpha = -1,
                     .a = left ? x : w,
                     .b = left ? w : v(true),
                     .beta = 1,
                     .c = c,
                     .ldc = ldc});
  }

  // Elements of lines, outside of those that are kept. Of columns and rows alike: the unit matrix is symmetric.
  Status set_identity(Range elements, Range lines, Range kept_elements, Range kept_lines) const {
    if (elements.begin >= elements.end || lines.begin >= lines.end) return {};
    kernels::SetIdentityArgs args = {.a = a_.data,
                                     .lda = a_.ld,
                                     .rows = elements,
                                     .columns = lines,
                                     .kept_rows = kept_elements,
                                     .kept_columns = kept_lines};
    if (q_.by_rows) {
      std::swap(args.rows, args.columns);
      std::swap(args.kept_rows, args.kept_columns);
    }
    return queue_.launch<Step::set_identity>(work(grid(args.columns.end - args.columns.begin)), args);
  }

  const QPlan& plan_;
  Reflectors q_;
  std::int64_t element_;
  Memory memory_;
  Place a_, tau_;
  Queue& queue_;
  Side side_ = Side::left;
  bool adjoint_ = false;
};

}  // namespace

Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, QPlan* made, QBlocking blocking) {
  if (Status bad = fits_cublas(problem); !bad.ok()) return bad;
  QPlan& plan = *made;
  plan = {.problem = problem, .grid = 4 * traits.sm_count};
  const std::int64_t count = reflectors(problem).count;
  if (count == 0 || is_empty(problem)) return {};
  const int element = static_cast<int>(size_of(problem.type));
  plan.width = std::min(blocking.part, count);
  while (kernels::triangular_factor_shared_bytes(static_cast<int>(plan.width), element) + reserved_shared_bytes >
         static_cast<std::size_t>(traits.shared_bytes_per_sm))
    plan.width = (plan.width - 1) / 16 * 16;
  if (count > blocking.many) plan.parts = 2;
  plan.width *= plan.parts;
  plan.blocks =
      std::min(std::max<std::int64_t>(1, blocking.blocks / plan.parts), (count + plan.width - 1) / plan.width);
  plan.workspace_bytes = Memory(plan, nullptr).bytes;
  return {};
}

std::string explain(const QPlan& plan) {
  const LapackProblem& p = plan.problem;
  std::string text = lapack_name(p) + (has_m(p.routine) ? " m = " + std::to_string(p.m) : "") +
                     " n = " + std::to_string(p.n) + " on cuda, workspace " + std::to_string(plan.workspace_bytes) +
                     " bytes\n";
  if (plan.width == 0) return text + "  no reflectors\n";
  const std::int64_t count = reflectors(p).count, blocks = block_count(reflectors(p), plan.width);
  return text + "  " + std::to_string(count) + " reflectors in " + std::to_string(blocks) + " blocks of " +
         std::to_string(plan.width) + (plan.parts == 2 ? ", T in two parts" : "") + ": V, T and V T of " +
         std::to_string(plan.blocks) + " at a time, then 2 products by cuBLAS for each\n";
}

Status run(const QPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue) {
  if (is_empty(plan.problem)) return {};
  if (uses_products(plan))
    if (Status bad = queue.use(Memory(plan, workspace).products); !bad.ok()) return bad;
  const Steps steps(plan, operands, workspace, queue);
  if (generates(plan.problem.routine)) return steps.generate();
  return steps.apply(place(operands.c, plan.problem.ldc, size_of(plan.problem.type)));
}

}  // namespace onepass::lapack
