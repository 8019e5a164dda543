// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Products that one launch can have: of one x, with matrices of the same rows, none of which needs another's result.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/gemv/args.hpp"
#include "launch/reach.hpp"
#include "plan/gemv_shape.hpp"

namespace onepass {

class JoinedProducts {
 public:
  struct Product {
    Plan plan;          // as it would have alone
    Operands operands;  // without scalars
  };

  JoinedProducts() = default;
  // One product; none if it is of a kind that is not joined.
  JoinedProducts(const Plan& plan, const Operands& o) {
    if (!is_joined(plan, o)) return;
    std::memcpy(alpha_.bytes, o.alpha, scalar_bytes(plan.problem));
    std::memcpy(beta_.bytes, o.beta, scalar_bytes(plan.problem));
    add(plan, o);
  }

  const std::vector<Product>& all() const { return products_; }
  // Whether this product, called behind these, may be computed with them: nobody reads or writes another's result, and
  // each keeps the order of its sums, that of its lanes.
  bool can_take(const Plan& plan, const Operands& o) const {
    if (products_.empty() || products_.size() == kernels::gemv_most_joined || !is_joined(plan, o)) return false;
    const Problem& p = plan.problem;
    const Plan& first = products_[0].plan;
    if ((is_tensor(plan) || is_tensor(first)) && !is_launched_alike(plan, first)) return false;
    if (o.x != products_[0].operands.x || with_outputs(p, length_y(first.problem)) != first.problem ||
        std::memcmp(o.alpha, alpha_.bytes, scalar_bytes(p)) != 0 ||
        std::memcmp(o.beta, beta_.bytes, scalar_bytes(p)) != 0)
      return false;
    const Reach a = reach_of_a(p, o), x = reach_of_x(p, o), y = reach_of_result(p, o);
    return !y.meets(x) && std::ranges::none_of(products_, [&](const Product& other) {
      const Reach result = reach_of_result(other.plan.problem, other.operands);
      return result.meets(a) || result.meets(x) || result.meets(y) ||
             y.meets(reach_of_a(other.plan.problem, other.operands));
    });
  }
  void add(const Plan& plan, const Operands& o) {
    products_.push_back({plan, o});
    products_.back().operands.alpha = products_.back().operands.beta = nullptr;
  }

  Operands operands(std::size_t i) const {
    Operands o = products_[i].operands;
    o.alpha = alpha_.bytes;
    o.beta = beta_.bytes;
    return o;
  }
  // That of all of them, if they have the same one; else the one that can do the work of the others.
  KernelId kernel() const {
    const KernelId first = products_[0].plan.kernel;
    const auto same = [&](const Product& product) { return product.plan.kernel == first; };
    return std::ranges::all_of(products_, same)
               ? first
               : KernelId{.variant = Variant::gemv_t, .form = Form::plain, .loads = Loads::many};
  }
  // The launch of one of them by that kernel, in blocks of as many threads as all have.
  Plan part(std::size_t i) const {
    int threads = 0;
    for (const Product& product : products_) threads = std::max(threads, product.plan.threads);
    const Plan& alone = products_[i].plan;
    if (is_tensor(alone)) return alone;
    return shape_gemv(alone.problem, {.variant = kernel().variant,
                                      .loads = kernel().loads,
                                      .threads = threads,
                                      .lanes = params<GemvParams>(alone).lanes});
  }

 private:
  static bool is_tensor(const Plan& plan) { return plan.kernel.variant == Variant::gemv_t_tensor; }
  // In blocks of one kernel; their lanes may differ.
  static bool is_launched_alike(const Plan& one, const Plan& other) {
    return one.kernel == other.kernel && one.threads == other.threads;
  }
  // Sums along columns on 16-byte boundaries: in any of two kernels, which add them in the same order, or by the tensor
  // cores.
  static bool is_joined(const Plan& plan, const Operands& o) {
    const Problem& p = plan.problem;
    if (is_tensor(plan)) return is_all_aligned(plan, o.x);
    return (plan.kernel.variant == Variant::gemv_t || plan.kernel.variant == Variant::gemv_t_once) && is_plain(p) &&
           !is_accurate(p) && size_of(p.type_a) == 2 && vectors_fit(p) && params<GemvParams>(plan).splits == 1;
  }
  static Problem with_outputs(Problem p, std::int64_t outputs) {
    (p.op == Op::n ? p.m : p.n) = outputs;
    return p;
  }
  static std::size_t scalar_bytes(const Problem& p) { return static_cast<std::size_t>(size_of_scalar(p.type_a)); }

  kernels::Scalar alpha_, beta_;
  std::vector<Product> products_;
};

}  // namespace onepass
