// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Whether a launch may load its matrix while another still runs: which bytes they read and write, as far as their
// operands tell, and whether that pays.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "plan/plan.hpp"
#include "problem/cost.hpp"
#include "problem/problem.hpp"
#include "problem/row_step.hpp"

namespace onepass {

// From `begin` to before `end`.
struct Reach {
  std::uintptr_t begin = 0, end = 0;

  bool meets(const Reach& other) const { return begin < other.end && other.begin < end; }
};

// Both, and what lies between them.
inline Reach hull(const Reach& one, const Reach& other) {
  return {.begin = std::min(one.begin, other.begin), .end = std::max(one.end, other.end)};
}

inline constexpr Reach anywhere{.begin = 0, .end = std::numeric_limits<std::uintptr_t>::max()};

// Some reaches, and what lies between those that are nearest to each other if there are more than `most`.
class Reaches {
 public:
  static constexpr std::size_t most = 16;

  void add(Reach reach) {
    const auto first = std::ranges::find_if(list_, [&](const Reach& r) { return r.end >= reach.begin; });
    auto next = first;
    for (; next != list_.end() && next->begin <= reach.end; ++next) reach = hull(reach, *next);
    list_.insert(list_.erase(first, next), reach);
    if (list_.size() <= most) return;
    auto nearest = list_.begin();
    for (auto r = nearest; r + 1 != list_.end(); ++r)
      if ((r + 1)->begin - r->end < (nearest + 1)->begin - nearest->end) nearest = r;
    *nearest = hull(*nearest, *(nearest + 1));
    list_.erase(nearest + 1);
  }
  bool meets(const Reach& other) const {
    return std::ranges::any_of(list_, [&](const Reach& r) { return r.meets(other); });
  }

 private:
  std::vector<Reach> list_;  // rising, none of which touch
};

// `last`: how far the last element lies behind the first, in elements, of one product and of the batch.
inline Reach reach_of(const void* first, std::int64_t last, std::int64_t size) {
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  return {.begin = begin, .end = begin + static_cast<std::uintptr_t>((last + 1) * size)};
}

inline Reach reach_of_a(const Problem& p, const Operands& o) {
  if (p.pointer_array || p.stride_a < 0) return anywhere;
  const Stored s = stored(p);
  return reach_of(o.a, (p.batch - 1) * p.stride_a + (s.cols - 1) * p.lda + s.rows - 1, size_of(p.type_a));
}

inline Reach reach_of_x(const Problem& p, const Operands& o) {
  if (p.pointer_array || p.stride_x < 0 || o.x_tail != nullptr) return anywhere;
  return reach_of(o.x, (p.batch - 1) * p.stride_x + (length_x(p) - 1) * std::abs(p.incx), size_of(p.type_x));
}

// A of an update, else y. Partial sums go to a workspace, which is nobody's operand.
inline Reach reach_of_result(const Problem& p, const Operands& o) {
  if (row(p).a == Access::update) return reach_of_a(p, o);
  if (p.pointer_array || p.stride_y < 0 || o.y_tail != nullptr) return anywhere;
  return reach_of(o.y, (p.batch - 1) * p.stride_y + (length_y(p) - 1) * std::abs(p.incy), size_of(p.type_y));
}
inline Reach reach_of_result(const RowStep& s) {
  return reach_of(s.y, (s.rows - 1) * s.ld_y + s.n - 1, size_of(s.type));
}

// Whether loads before the grid-dependency wait pay. `held`: the blocks of the plan that the device holds at a time. On
// an H200, time where A and x are settled over time behind the wait, from 64 MB to 1.6 GB: gemv_n and gemv_t 0.80
// to 1.00. But two launches of half as many blocks as the device holds, or fewer, run side by side and end together,
// with twice the loads in flight: gemv_n 0.79 to 0.91 at 67 MB, 1.06 to 1.28 from 230 MB on, but 0.82 to 0.94 where
// columns start on 64 bytes. gemv_t_once of s 0.81 from 4 to 8 MB, 1.11 to 1.17 from 68 MB on; of d 0.91 at 40 MB and
// 0.96 to 1.00 at 140, of z 0.86 to 0.98.
inline bool early_pays(const Plan& plan, std::int64_t held) {
  const Problem& p = plan.problem;
  const bool four = size_of(p.type_a) == 4 || p.type_a == Type::c;
  const double bytes = cost(p).matrix_bytes;
  switch (plan.kernel.variant) {
    case Variant::gemv_n: {
      const GemvParams& g = params<GemvParams>(plan);
      return bytes < 120e6 || 5 * g.tiles * g.splits > 3 * held || p.lda * size_of(p.type_a) % 64 == 0;
    }
    case Variant::gemv_t_once: return size_of(p.type_a) >= 8 || bytes < 10e6;
    // As their kind without an order, which was timed.
    case Variant::gemv_n_canonical:
    case Variant::gemv_t_canonical: return bytes < (four ? 100e6 : 200e6);
    default: return true;
  }
}

}  // namespace onepass
