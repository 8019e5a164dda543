// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/gpu/solvers/divide_tree.hpp"

#include <algorithm>
#include <utility>

#include "lapack/gpu/arena.hpp"
#include "lapack/gpu/matrix_ref.hpp"
#include "lapack/gpu/solvers/form_shape.hpp"

namespace onepass::lapack {
namespace {

using kernels::divide_warps;

// More would not fit into an int as the number of a warp's rows.
constexpr std::int64_t most_n = std::int64_t{1} << 28;

// From the first row of a node of a level to that of the next; level 0 has the leaves.
std::int64_t node_rows(const DivideTree& tree, int level) { return static_cast<std::int64_t>(tree.leaf) << level; }
std::int64_t blocks_for(std::int64_t count, std::int64_t each) { return (count + each - 1) / each; }
bool bidiagonal(const DivideTree& tree) { return tree.form == kernels::Form::bidiagonal; }

struct Memory {
  void* products = nullptr;
  void *q = nullptr, *vt = nullptr, *u = nullptr;
  void *scaled_d = nullptr, *scaled_e = nullptr, *scale = nullptr, *values = nullptr;
  int *not_finite = nullptr, *failed = nullptr;
  kernels::DivideLevelArgs level;
  std::size_t bytes = 0;

  Memory(const DivideTree& tree, void* data) {
    const std::int64_t n = tree.n, element = size_of(tree.type);
    Arena arena(data);
    const auto reals = [&](std::int64_t count) { return arena.take(count, element); };
    const auto ints = [&](std::int64_t count) { return static_cast<int*>(arena.take(count, sizeof(int))); };
    scaled_d = reals(n);
    scaled_e = reals(n);
    scale = reals(2);
    values = reals(n);
    not_finite = ints(1);
    failed = ints(blocks_for(n, tree.leaf));
    if (tree.levels > 0) {
      // Of the two halves of the last merge, and the columns of its U, half of them at a time.
      const std::int64_t half = node_rows(tree, tree.levels - 1);
      products = arena.take(static_cast<std::int64_t>(product_workspace_bytes), 1);
      q = reals(n * half);
      u = reals(aligned_rows(n) * half);
      for (void** array :
           {&level.sorted_d, &level.sorted_z, &level.live_d, &level.live_z, &level.live_norm, &level.live_moved,
            &level.row_weight, &level.pole_d, &level.pole_z, &level.found, &level.shift, &level.z_hat})
        *array = reals(n);
      for (int** array : {&level.sorted_row, &level.live_row, &level.live_head, &level.row_live, &level.row_pole,
                          &level.pole_count, &level.origin, &level.deflated, &level.order})
        *array = ints(n);
      if (bidiagonal(tree)) {
        vt = reals(n * half);
        for (void** array : {&level.null_first, &level.null_second}) *array = reals(n);
      }
      level.n = static_cast<int>(n);
      level.d = scaled_d;
      level.e = scaled_e;
      level.values = values;
    }
    bytes = arena.bytes();
  }
};

class Steps {
 public:
  Steps(const DivideTree& tree, const DivideMatrices& matrices, void* workspace, Queue& queue)
      : tree_(tree),
        matrices_(matrices),
        n_(tree.n),
        element_(size_of(tree.type)),
        memory_(tree, workspace),
        queue_(queue) {}

  Status run() const {
    const int n = static_cast<int>(n_), leaves = static_cast<int>(blocks_for(n_, tree_.leaf));
    if (tree_.levels > 0)
      if (Status bad = queue_.use(memory_.products); !bad.ok()) return bad;
    if (Status bad = queue_.launch<Step::divide_setup>(work(1, kernels::divide_setup_shared_bytes(element())),
                                                       {.d = matrices_.d,
                                                        .e = matrices_.e,
                                                        .scaled_d = memory_.scaled_d,
                                                        .scaled_e = memory_.scaled_e,
                                                        .scale = memory_.scale,
                                                        .not_finite = memory_.not_finite,
                                                        .n = n,
                                                        .leaf = tree_.leaf});
        !bad.ok())
      return bad;
    const Nodes q = nodes(0, Side::q), vt = bidiagonal(tree_) ? nodes(0, Side::vt) : Nodes{};
    const std::size_t leaf_bytes = bidiagonal(tree_) ? kernels::bidiagonal_leaf_shared_bytes(tree_.leaf, element())
                                                     : kernels::divide_leaf_shared_bytes(tree_.leaf, element());
    if (Status bad = queue_.launch<Step::divide_leaves>(work(leaves, leaf_bytes),
                                                        {.d = memory_.scaled_d,
                                                         .e = memory_.scaled_e,
                                                         .values = memory_.values,
                                                         .q = q.q.data,
                                                         .q_ld = q.q.ld,
                                                         .q_stride = q.stride,
                                                         .vt = vt.q.data,
                                                         .vt_ld = vt.q.ld,
                                                         .vt_stride = vt.stride,
                                                         .descending = bidiagonal(tree_) && tree_.levels == 0,
                                                         .failed = memory_.failed,
                                                         .n = n,
                                                         .leaf = tree_.leaf});
        !bad.ok())
      return bad;
    for (int level = 0; level < tree_.levels; ++level)
      if (Status bad = merge(level); !bad.ok()) return bad;
    return queue_.launch<Step::divide_finish>(work(static_cast<int>(std::min<std::int64_t>(tree_.grid, n_))),
                                              {.values = memory_.values,
                                               .scale = memory_.scale,
                                               .not_finite = memory_.not_finite,
                                               .failed = memory_.failed,
                                               .leaves = leaves,
                                               .w = matrices_.w,
                                               .z = matrices_.q,
                                               .ldz = matrices_.ldq,
                                               .vt = matrices_.vt,
                                               .ldvt = matrices_.ldvt,
                                               .info = matrices_.info,
                                               .failure = matrices_.failure,
                                               .n = n});
  }

 private:
  // What has vectors as its columns, Z or U, or as its rows, V^T.
  enum class Side : int { q, vt };

  // Q of each node of a level: blocks on the diagonal of Z, or one behind the other in the workspace, in turns, so that
  // the last merge writes Z.
  struct Nodes {
    MatrixRef q = {nullptr, 0, 0};
    std::int64_t stride = 0;
    void* at(std::int64_t node) const { return q.at(node * stride, 0); }
  };
  Nodes nodes(int level, Side side) const {
    const std::int64_t rows = node_rows(tree_, level);
    const bool of_vt = side == Side::vt;
    if ((tree_.levels - level) % 2 == 0) {
      const std::int64_t ld = of_vt ? matrices_.ldvt : matrices_.ldq;
      return {matrix_ref(of_vt ? matrices_.vt : matrices_.q, ld, element_), rows * (ld + 1)};
    }
    return {matrix_ref(of_vt ? memory_.vt : memory_.q, rows, element_), rows * rows};
  }

  // All merges of nodes of a level.
  Status merge(int level) const {
    const Nodes from = nodes(level, bidiagonal(tree_) ? Side::vt : Side::q);
    const std::int64_t half = node_rows(tree_, level), both = 2 * half, merges = blocks_for(n_, both);
    kernels::DivideLevelArgs args = memory_.level;
    args.half = static_cast<int>(half);
    args.q = from.q.data;
    args.q_ld = from.q.ld;
    args.q_stride = from.stride;
    args.descending = bidiagonal(tree_) && level == tree_.levels - 1;
    const int threads = both > tree_.few_rows ? kernels::deflate_many_threads : kernels::deflate_few_threads;
    if (Status bad = queue_.launch<Step::divide_deflate>(
            work(static_cast<int>(merges), kernels::divide_deflate_shared_bytes(threads), threads), args);
        !bad.ok())
      return bad;
    const Work of_values = by_warps(n_);
    if (Status bad = queue_.launch<Step::divide_roots>(of_values, args); !bad.ok()) return bad;
    if (Status bad = queue_.launch<Step::divide_order>(of_values, args); !bad.ok()) return bad;
    if (Status bad = multiply_vectors(level, args, Side::q); !bad.ok() || !bidiagonal(tree_)) return bad;
    return multiply_vectors(level, args, Side::vt);
  }

  // Q := diag(Q1, Q2) U, or V^T := U^T diag(V1, V2)^T. The last U is as large as Z, and made in two pieces.
  Status multiply_vectors(int level, kernels::DivideLevelArgs args, Side side) const {
    const std::int64_t half = args.half, both = 2 * half, merges = blocks_for(n_, both);
    args.right = side == Side::vt;
    args.u = memory_.u;
    args.u_ld = both < n_ ? both : aligned_rows(n_);
    args.u_stride = both * both;
    const std::int64_t width = both < n_ ? both : half;
    for (std::int64_t first = 0; first < std::min(both, n_); first += width) {
      args.first_column = static_cast<int>(first);
      args.end_column = static_cast<int>(std::min({first + width, both, n_}));
      const std::int64_t columns = args.end_column - args.first_column;
      if (Status bad = queue_.launch<Step::divide_columns>(by_warps(merges * columns), args); !bad.ok()) return bad;
      if (Status bad = multiply(level, args, side); !bad.ok()) return bad;
    }
    return {};
  }

  // Of all merges with as many rows as there can be, and of the last if it has less.
  Status multiply(int level, const kernels::DivideLevelArgs& args, Side side) const {
    const std::int64_t both = 2 * static_cast<std::int64_t>(args.half), full = n_ / both;
    if (Status bad = multiply(level, args, side, 0, full, both); !bad.ok()) return bad;
    return multiply(level, args, side, full, n_ % both > 0 ? 1 : 0, n_ % both);
  }
  Status multiply(int level, const kernels::DivideLevelArgs& args, Side side, std::int64_t first, std::int64_t count,
                  std::int64_t rows) const {
    const Nodes from = nodes(level, side), to = nodes(level + 1, side);
    const std::int64_t left = std::min<std::int64_t>(args.half, rows);
    const std::int64_t columns = std::min<std::int64_t>(args.end_column, rows) - args.first_column;
    if (count == 0 || columns <= 0) return {};
    for (const bool upper : {true, false}) {
      const std::int64_t above = upper ? 0 : left, here = upper ? left : rows - left;
      if (here == 0) continue;
      const MatrixRef u = matrix_ref(args.u, args.u_ld, element_), q = matrix_ref(to.at(first), to.q.ld, element_);
      Product product = {
          .m = here,
          .n = columns,
          .k = here,
          .a = {.data = from.at(2 * first + (upper ? 0 : 1)), .ld = from.q.ld, .stride = 2 * from.stride},
          .b = {.data = u.at(above + first * args.u_stride, 0), .ld = u.ld, .stride = args.u_stride},
          .c = q.at(above, args.first_column),
          .ldc = q.ld,
          .stride_c = to.stride,
          .batch = count};
      if (side == Side::vt) {
        product.b.op = Op::t;
        std::swap(product.m, product.n);
        std::swap(product.a, product.b);
        product.c = q.at(args.first_column, above);
      }
      if (Status bad = queue_.multiply(tree_.type, product); !bad.ok()) return bad;
    }
    return {};
  }

  std::size_t element() const { return static_cast<std::size_t>(element_); }
  Work work(int blocks, std::size_t shared_bytes = 0, int number = 0) const {
    return {
        .type = tree_.type, .shape = form_shape(tree_.form, number), .blocks = blocks, .shared_bytes = shared_bytes};
  }
  // A warp for each.
  Work by_warps(std::int64_t count) const {
    return work(static_cast<int>(blocks_for(count, divide_warps)), 0, kernels::divide_lanes);
  }

  const DivideTree& tree_;
  const DivideMatrices& matrices_;
  std::int64_t n_, element_;
  Memory memory_;
  Queue& queue_;
};

}  // namespace

Status make_tree(kernels::Form form, Type type, std::int64_t n, const DeviceTraits& traits, int most_leaf,
                 DivideTree* tree) {
  const bool of_b = form == kernels::Form::bidiagonal;
  if (type != Type::s && type != Type::d)
    return {ONEPASS_STATUS_INVALID_TYPES,
            std::string("type: a ") + (of_b ? "bidiagonal" : "tridiagonal") + " matrix is real, s or d"};
  if (n < 0 || n > most_n)
    return {ONEPASS_STATUS_INVALID_SIZE, "n = " + std::to_string(n) + ": must be 0 to " + std::to_string(most_n)};
  *tree = {.form = form, .type = type, .n = n, .grid = 2 * traits.sm_count, .few_rows = kernels::deflate_few_rows};
  if (n == 0) return {};
  // The row behind a node of B belongs to a merge; there is none behind the last node.
  const std::int64_t rows = of_b ? n + 1 : n;
  const int most = std::min(of_b ? most_leaf + 1 : most_leaf, kernels::divide_most_leaf);
  while (blocks_for(rows, std::int64_t{1} << tree->levels) > most) ++tree->levels;
  tree->leaf = static_cast<int>(blocks_for(rows, std::int64_t{1} << tree->levels));
  return {};
}

Status check_leading_dimension(const char* name, std::int64_t ld, std::int64_t n) {
  const std::int64_t least = std::max<std::int64_t>(1, n), most = std::int64_t{1} << 30;
  if (ld >= least && ld <= most) return {};
  return {ld < least ? ONEPASS_STATUS_INVALID_LD : ONEPASS_STATUS_TOO_LARGE,
          std::string(name) + " = " + std::to_string(ld) + ": must be " + std::to_string(least) + " to " +
              std::to_string(most)};
}

std::size_t workspace_bytes(const DivideTree& tree) { return tree.n == 0 ? 0 : Memory(tree, nullptr).bytes; }

std::string explain(const DivideTree& tree) {
  return "  divide and conquer: " + std::to_string(blocks_for(tree.n, tree.leaf)) + " leaves of " +
         std::to_string(tree.leaf - (bidiagonal(tree) ? 1 : 0)) + " rows, " + std::to_string(tree.levels) +
         " levels of merges, workspace " + std::to_string(workspace_bytes(tree)) + " bytes\n";
}

Status run_tree(const DivideTree& tree, const DivideMatrices& matrices, void* workspace, Queue& queue) {
  if (tree.n == 0) return {};
  return Steps(tree, matrices, workspace, queue).run();
}

}  // namespace onepass::lapack
