// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Products that one launch can have: of one x, with matrices of the same rows, none of which needs another's result.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/args.hpp"
#include "launch/reach.hpp"

namespace onepass {

class JoinedProducts {
 public:
  struct Product {
    Problem problem;
    Operands operands;  // without scalars
  };

  JoinedProducts() = default;
  // One product; none if it is of a kind that is not joined.
  JoinedProducts(const Problem& p, const Operands& o) {
    if (!is_joined(p)) return;
    std::memcpy(alpha_.bytes, o.alpha, scalar_bytes(p));
    std::memcpy(beta_.bytes, o.beta, scalar_bytes(p));
    add(p, o);
  }

  const std::vector<Product>& all() const { return products_; }
  // Whether this product, called behind these, may be computed with them: nobody reads or writes another's result.
  bool can_take(const Problem& p, const Operands& o) const {
    if (products_.empty() || products_.size() == kernels::gemv_most_joined || !is_joined(p)) return false;
    const Product& first = products_[0];
    if (o.x != first.operands.x || with_outputs(p, length_y(first.problem)) != first.problem ||
        std::memcmp(o.alpha, alpha_.bytes, scalar_bytes(p)) != 0 ||
        std::memcmp(o.beta, beta_.bytes, scalar_bytes(p)) != 0)
      return false;
    const Reach a = reach_of_a(p, o), x = reach_of_x(p, o), y = reach_of_result(p, o);
    return !y.meets(x) && std::ranges::none_of(products_, [&](const Product& other) {
      const Reach result = reach_of_result(other.problem, other.operands);
      return result.meets(a) || result.meets(x) || result.meets(y) ||
             y.meets(reach_of_a(other.problem, other.operands));
    });
  }
  void add(const Problem& p, const Operands& o) {
    products_.push_back({p, o});
    products_.back().operands.alpha = products_.back().operands.beta = nullptr;
  }

  // One product with the outputs of all.
  Problem problem() const {
    std::int64_t outputs = 0;
    for (const Product& product : products_) outputs += length_y(product.problem);
    return with_outputs(products_[0].problem, outputs);
  }
  // Of one of them.
  Operands operands(std::size_t i) const {
    Operands o = products_[i].operands;
    o.alpha = alpha_.bytes;
    o.beta = beta_.bytes;
    return o;
  }

 private:
  static bool is_joined(const Problem& p) {
    return p.routine == Routine::gemv && is_plain(p) && !is_accurate(p) && p.order == Order::standard &&
           stored(p).transposed && size_of(p.type_a) == 2;
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
