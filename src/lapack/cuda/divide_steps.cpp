// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/divide_steps.hpp"

#include <algorithm>

#include "lapack/cuda/cublas.hpp"
#include "lapack/cuda/place.hpp"
#include "lapack/cuda/room.hpp"

namespace onepass::lapack {
namespace {

using kernels::divide_warps;

// More would not fit into an int as the number of a warp's rows.
constexpr std::int64_t most_n = std::int64_t{1} << 28;

// Rows of every node of a level but the last; level 0 has the leaves.
std::int64_t node_rows(const DividePlan& plan, int level) { return static_cast<std::int64_t>(plan.leaf) << level; }
std::int64_t blocks_for(std::int64_t count, std::int64_t each) { return (count + each - 1) / each; }

struct Memory {
  void* products = nullptr;
  void *q = nullptr, *u = nullptr;
  void *scaled_d = nullptr, *scaled_e = nullptr, *scale = nullptr, *values = nullptr;
  int *not_finite = nullptr, *failed = nullptr;
  kernels::DivideLevelArgs level;
  std::size_t bytes = 0;

  Memory(const DividePlan& plan, void* data) {
    const std::int64_t n = plan.problem.n, element = size_of(plan.problem.type);
    Room room(data);
    const auto reals = [&](std::int64_t count) { return room.take(count, element); };
    const auto ints = [&](std::int64_t count) { return static_cast<int*>(room.take(count, sizeof(int))); };
    scaled_d = reals(n);
    scaled_e = reals(n);
    scale = reals(2);
    values = reals(n);
    not_finite = ints(1);
    failed = ints(blocks_for(n, plan.leaf));
    if (plan.levels > 0) {
      // Of the two halves of the last merge, and the columns of its U, half of them at a time.
      const std::int64_t half = node_rows(plan, plan.levels - 1);
      products = room.take(static_cast<std::int64_t>(cublas_workspace_bytes), 1);
      q = reals(n * half);
      u = reals(aligned_rows(n) * half);
      for (void** array :
           {&level.sorted_d, &level.sorted_z, &level.live_d, &level.live_z, &level.live_norm, &level.live_moved,
            &level.row_weight, &level.pole_d, &level.pole_z, &level.found, &level.shift, &level.z_hat})
        *array = reals(n);
      for (int** array : {&level.sorted_row, &level.live_row, &level.live_head, &level.row_live, &level.row_pole,
                          &level.pole_count, &level.origin, &level.deflated, &level.order})
        *array = ints(n);
      level.n = static_cast<int>(n);
      level.e = scaled_e;
      level.values = values;
    }
    bytes = room.bytes();
  }
};

class Steps {
 public:
  Steps(const DividePlan& plan, const DivideOperands& operands, void* workspace, DivideDevice& device)
      : plan_(plan),
        operands_(operands),
        n_(plan.problem.n),
        element_(size_of(plan.problem.type)),
        memory_(plan, workspace),
        device_(device) {}

  Status run() const {
    const int n = static_cast<int>(n_), leaves = static_cast<int>(blocks_for(n_, plan_.leaf));
    if (Status bad = device_.set_up({.d = operands_.d,
                                     .e = operands_.e,
                                     .scaled_d = memory_.scaled_d,
                                     .scaled_e = memory_.scaled_e,
                                     .scale = memory_.scale,
                                     .not_finite = memory_.not_finite,
                                     .n = n,
                                     .leaf = plan_.leaf});
        !bad.ok())
      return bad;
    const Nodes first = nodes(0);
    if (Status bad = device_.solve_leaves({.d = memory_.scaled_d,
                                           .e = memory_.scaled_e,
                                           .values = memory_.values,
                                           .q = first.q.data,
                                           .q_ld = first.q.ld,
                                           .q_stride = first.stride,
                                           .failed = memory_.failed,
                                           .n = n,
                                           .leaf = plan_.leaf},
                                          leaves);
        !bad.ok())
      return bad;
    for (int level = 0; level < plan_.levels; ++level)
      if (Status bad = merge(level); !bad.ok()) return bad;
    return device_.finish({.values = memory_.values,
                           .scale = memory_.scale,
                           .not_finite = memory_.not_finite,
                           .failed = memory_.failed,
                           .leaves = leaves,
                           .w = operands_.w,
                           .z = operands_.z,
                           .ldz = plan_.problem.ldz,
                           .info = operands_.info,
                           .n = n},
                          static_cast<int>(std::min<std::int64_t>(plan_.grid, n_)));
  }

 private:
  // Q of each node of a level: blocks on the diagonal of Z, or one behind the other in the workspace, in turns, so that
  // the last merge writes Z.
  struct Nodes {
    Place q;
    std::int64_t stride;
    void* at(std::int64_t node) const { return q.at(node * stride, 0); }
  };
  Nodes nodes(int level) const {
    const std::int64_t rows = node_rows(plan_, level), ldz = plan_.problem.ldz;
    if ((plan_.levels - level) % 2 == 0) return {place(operands_.z, ldz, element_), rows * (ldz + 1)};
    return {place(memory_.q, rows, element_), rows * rows};
  }

  // All merges of nodes of a level.
  Status merge(int level) const {
    const Nodes from = nodes(level);
    const std::int64_t half = node_rows(plan_, level), both = 2 * half, merges = blocks_for(n_, both);
    kernels::DivideLevelArgs args = memory_.level;
    args.half = static_cast<int>(half);
    args.q = from.q.data;
    args.q_ld = from.q.ld;
    args.q_stride = from.stride;
    if (Status bad = device_.deflate(args, both > kernels::deflate_few_rows, static_cast<int>(merges)); !bad.ok())
      return bad;
    const int blocks = static_cast<int>(blocks_for(n_, divide_warps));
    if (Status bad = device_.find_roots(args, blocks); !bad.ok()) return bad;
    if (Status bad = device_.order(args, blocks); !bad.ok()) return bad;
    args.u = memory_.u;
    args.u_ld = both < n_ ? both : aligned_rows(n_);
    args.u_stride = both * both;
    // The last U is as large as Z, and made in two pieces.
    const std::int64_t width = both < n_ ? both : half;
    for (std::int64_t first = 0; first < std::min(both, n_); first += width) {
      args.first_column = static_cast<int>(first);
      args.end_column = static_cast<int>(std::min({first + width, both, n_}));
      const std::int64_t columns = args.end_column - args.first_column;
      if (Status bad = device_.make_columns(args, static_cast<int>(blocks_for(merges * columns, divide_warps)));
          !bad.ok())
        return bad;
      if (Status bad = multiply(level, args); !bad.ok()) return bad;
    }
    return {};
  }

  // Q := diag(Q1, Q2) U, of all merges with as many rows as there can be, and of the last if it has less.
  Status multiply(int level, const kernels::DivideLevelArgs& args) const {
    const std::int64_t both = 2 * static_cast<std::int64_t>(args.half), full = n_ / both;
    if (Status bad = multiply(level, args, 0, full, both); !bad.ok()) return bad;
    return multiply(level, args, full, n_ % both > 0 ? 1 : 0, n_ % both);
  }
  Status multiply(int level, const kernels::DivideLevelArgs& args, std::int64_t first, std::int64_t count,
                  std::int64_t rows) const {
    const Nodes from = nodes(level), to = nodes(level + 1);
    const std::int64_t left = std::min<std::int64_t>(args.half, rows);
    const std::int64_t columns = std::min<std::int64_t>(args.end_column, rows) - args.first_column;
    if (count == 0 || columns <= 0) return {};
    for (const bool upper : {true, false}) {
      const std::int64_t above = upper ? 0 : left, here = upper ? left : rows - left;
      if (here == 0) continue;
      const Place u = place(args.u, args.u_ld, element_), q = place(to.at(first), to.q.ld, element_);
      if (Status bad = device_.multiply(
              {.m = here,
               .n = columns,
               .k = here,
               .a = {.data = from.at(2 * first + (upper ? 0 : 1)), .ld = from.q.ld, .stride = 2 * from.stride},
               .b = {.data = u.at(above + first * args.u_stride, 0), .ld = u.ld, .stride = args.u_stride},
               .c = q.at(above, args.first_column),
               .ldc = q.ld,
               .stride_c = to.stride,
               .batch = count});
          !bad.ok())
        return bad;
    }
    return {};
  }

  const DividePlan& plan_;
  const DivideOperands& operands_;
  std::int64_t n_, element_;
  Memory memory_;
  DivideDevice& device_;
};

Status wrong(onepassStatus_t code, const char* name, std::int64_t value, const std::string& right) {
  return {code, std::string(name) + " = " + std::to_string(value) + ": must be " + right};
}

}  // namespace

Status make_plan(const DivideProblem& p, const DeviceTraits& traits, DividePlan* made, int most_leaf) {
  if (p.type != Type::s && p.type != Type::d)
    return {ONEPASS_STATUS_INVALID_TYPES, "type: a tridiagonal matrix is real, s or d"};
  if (p.n < 0 || p.n > most_n) return wrong(ONEPASS_STATUS_INVALID_SIZE, "n", p.n, "0 to " + std::to_string(most_n));
  const std::int64_t least = std::max<std::int64_t>(1, p.n), most = std::int64_t{1} << 30;
  if (p.ldz < least || p.ldz > most)
    return wrong(ONEPASS_STATUS_INVALID_LD, "ldz", p.ldz, std::to_string(least) + " to " + std::to_string(most));
  DividePlan& plan = *made;
  plan = {.problem = p, .grid = 2 * traits.sm_count};
  most_leaf = std::min(most_leaf, kernels::divide_most_leaf);
  if (p.n == 0) return {};
  while (blocks_for(p.n, std::int64_t{1} << plan.levels) > most_leaf) ++plan.levels;
  plan.leaf = static_cast<int>(blocks_for(p.n, std::int64_t{1} << plan.levels));
  plan.workspace_bytes = Memory(plan, nullptr).bytes;
  return {};
}

std::string explain(const DividePlan& plan) {
  const std::int64_t n = plan.problem.n;
  if (n == 0) return "  no eigenvectors\n";
  return "  divide and conquer: " + std::to_string(blocks_for(n, plan.leaf)) + " leaves of " +
         std::to_string(plan.leaf) + " rows, " + std::to_string(plan.levels) + " levels of merges, workspace " +
         std::to_string(plan.workspace_bytes) + " bytes\n";
}

Status run_divide(const DividePlan& plan, const DivideOperands& operands, void* workspace, DivideDevice& device) {
  if (plan.problem.n == 0) return {};
  return Steps(plan, operands, workspace, device).run();
}

void* products_workspace(const DividePlan& plan, void* workspace) { return Memory(plan, workspace).products; }

}  // namespace onepass::lapack
