// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Products whose sums have more digits than their elements. Threads own outputs, a few rows at a time, whose sums a
// thread keeps: the bits of y do not depend on how many threads there are.
#include <algorithm>
#include <cstring>

#include "backends/cpu/plan.hpp"
#include "backends/cpu/run.hpp"
#include "backends/cpu/team.hpp"
#include "problem/elements.hpp"

namespace onepass::cpu {
namespace {

constexpr std::int64_t grain = 64;  // outputs that are summed together

// A fused multiply-add is an instruction on nearly every processor, but not of the plain x86-64 that a library is
// compiled for: there it is a call. All that is called is compiled into run_fused().
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__FMA__)
#define ONEPASS_FUSED __attribute__((target("avx2,fma"), flatten))
bool has_fused() {
  static const bool has = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return has;
}
#else
#define ONEPASS_FUSED
bool has_fused() { return false; }
#endif

// Complex numbers of the host may be aligned to a component only.
template <class T>
T load(const T* p) {
  T value;
  std::memcpy(static_cast<void*>(&value), static_cast<const void*>(p), sizeof(T));
  return value;
}

template <class E, class Y>
class Product {
 public:
  using A = typename E::A;
  using Factor = typename E::Factor;
  using XFactor = typename E::XFactor;
  using S = typename E::Sum;

  Product(const Problem& p, const Operands& o, std::int64_t index)
      : p_(p),
        stored_(stored(p)),
        a_(static_cast<const A*>(operand(o.a, p.stride_a * static_cast<std::int64_t>(sizeof(A)), index))),
        x_(static_cast<const A*>(operand(o.x, p.stride_x * static_cast<std::int64_t>(sizeof(A)), index)) +
           first_element(length_x(p), p.incx)),
        x_tail_(tail<A>(o.x_tail, first_element(length_x(p), p.incx))),
        y_(static_cast<Y*>(const_cast<void*>(operand(o.y, p.stride_y * static_cast<std::int64_t>(sizeof(Y)), index))) +
           first_element(length_y(p), p.incy)),
        y_tail_(tail<Y>(o.y_tail, first_element(length_y(p), p.incy))),
        alpha_(load(static_cast<const Scalar*>(o.alpha))),
        beta_(load(static_cast<const Scalar*>(o.beta))) {}

  void run(Range outputs) const { has_fused() ? run_fused(outputs) : run_plainly(outputs); }

 private:
  ONEPASS_FUSED void run_fused(Range outputs) const { run_plainly(outputs); }
  void run_plainly(Range outputs) const {
    S sums[grain] = {};
    const std::int64_t count = outputs.size();
    if (!(alpha_ == Scalar{})) {
      if (is_triangle(p_)) {
        add_rows(outputs, sums);
        add_columns(outputs, sums);
      } else if (stored_.transposed) {
        for (std::int64_t i = 0; i < count; ++i) sums[i] = dot(S{}, outputs.begin + i, 0, stored_.rows, false);
      } else {
        for (std::int64_t c = 0; c < stored_.cols; ++c) {
          const XFactor x = x_at(c);
          for (std::int64_t i = 0; i < count; ++i)
            sums[i] = settled(multiply_add(sums[i], a_at(outputs.begin + i, c), x));
        }
      }
    }
    for (std::int64_t i = 0; i < count; ++i) write((outputs.begin + i) * p_.incy, sums[i]);
  }

  using Scalar = typename E::Scalar;
  static constexpr bool has_tails = is_head_tail<typename E::X>;

  // Null where there is none; those of single products alone.
  template <class T>
  static T* tail(const void* base, std::int64_t first) {
    return base == nullptr ? nullptr : static_cast<T*>(const_cast<void*>(base)) + first;
  }
  const void* operand(const void* base, std::int64_t stride_bytes, std::int64_t index) const {
    if (base == nullptr) return nullptr;
    if (p_.pointer_array) return static_cast<const void* const*>(base)[index];
    return static_cast<const char*>(base) + index * stride_bytes;
  }
  Factor a_at(std::int64_t r, std::int64_t c) const {
    return conjugate_if(stored_.conjugate, as<Factor>(load(a_ + r + c * p_.lda)));
  }
  XFactor x_at(std::int64_t i) const {
    if constexpr (has_tails)
      return as<XFactor>(HeadTail<A>{load(x_ + i * p_.incx), load(x_tail_ + i * p_.incx)});
    else
      return as<XFactor>(load(x_ + i * p_.incx));
  }

  // sum + A(begin..end, c) . x(begin..end), or with the conjugate of A
  S dot(S sum, std::int64_t c, std::int64_t begin, std::int64_t end, bool conjugate) const {
    for (std::int64_t r = begin; r < end; ++r)
      sum = settled(multiply_add(sum, conjugate_if(conjugate, a_at(r, c)), x_at(r)));
    return sum;
  }

  // Of a triangle, what is stored in the rows of these outputs, with the diagonal.
  void add_rows(Range outputs, S* sums) const {
    const bool lower = stored_.uplo == Uplo::lower;
    for (std::int64_t c = lower ? 0 : outputs.begin; c < (lower ? outputs.end : p_.n); ++c) {
      const XFactor x = x_at(c);
      const std::int64_t from = lower ? std::max(outputs.begin, c) : outputs.begin;
      const std::int64_t to = lower ? outputs.end : std::min(outputs.end, c + 1);
      for (std::int64_t r = from; r < to; ++r) {
        Factor a = a_at(r, c);
        if constexpr (is_complex<Factor>) a.im = row(p_).hermitian && r == c ? 0 : a.im;
        S& sum = sums[r - outputs.begin];
        sum = settled(multiply_add(sum, a, x));
      }
    }
  }
  // And what is stored in their columns.
  void add_columns(Range outputs, S* sums) const {
    for (std::int64_t c = outputs.begin; c < outputs.end; ++c) {
      const bool lower = stored_.uplo == Uplo::lower;
      S& sum = sums[c - outputs.begin];
      sum = dot(sum, c, lower ? c + 1 : 0, lower ? p_.n : c, row(p_).hermitian);
    }
  }

  // y = alpha sum + beta y; with beta = 1 no product: 0i times an infinity is NaN
  void write(std::int64_t at, S sum) const {
    S value = alpha_ == Scalar{} ? S{} : scaled(alpha_, sum);
    const auto add = [&](auto old) {
      value = beta_ == Scalar{1} ? value + as<S>(old) : multiply_add(value, as<Factor>(beta_), old);
    };
    const bool reads_y = !(beta_ == Scalar{});
    if constexpr (has_tails) {
      if (p_.tails == Tails::xy) {
        if (reads_y) add(as<XFactor>(HeadTail<Y>{load(y_ + at), load(y_tail_ + at)}));
        const HeadTail<Y> result = split<Y>(value);
        std::memcpy(static_cast<void*>(y_ + at), &result.head, sizeof(Y));
        std::memcpy(static_cast<void*>(y_tail_ + at), &result.tail, sizeof(Y));
        return;
      }
    }
    if (reads_y) add(as<Factor>(load(y_ + at)));
    const Y result = rounded<Y>(value);
    std::memcpy(static_cast<void*>(y_ + at), &result, sizeof(Y));
  }

  const Problem& p_;
  Stored stored_;
  const A *a_, *x_, *x_tail_;
  Y *y_, *y_tail_;
  Scalar alpha_, beta_;
};

template <class E, class Y>
void run(const Plan& plan, const Operands& o) {
  const Problem& p = plan.problem;
  const std::int64_t pieces = (length_y(p) + grain - 1) / grain;
  fork(plan.threads, [&](Team team) {
    team.each(pieces * p.batch, [&](std::int64_t piece) {
      const std::int64_t begin = piece % pieces * grain;
      Product<E, Y>(p, o, piece / pieces).run({.begin = begin, .end = std::min(begin + grain, length_y(p))});
    });
  });
}

}  // namespace

Plan accurate_shape(const Problem& p, int threads) {
  return {.problem = p,
          .backend = BackendId::cpu,
          .kernel = {.variant = Variant::cpu_accurate},
          .threads = threads,
          .params = HostParams{}};
}

Plan plan_accurate(const Problem& p, int threads) {
  constexpr std::int64_t enough = 4096;  // products of elements for a thread
  const std::int64_t work = p.batch * length_x(p) * length_y(p), pieces = (length_y(p) + grain - 1) / grain * p.batch;
  return accurate_shape(p, static_cast<int>(std::clamp<std::int64_t>(std::min(work / enough, pieces), 1, threads)));
}

void run_accurate(const Plan& plan, const Operands& o, void*) {
  const Problem& p = plan.problem;
  const auto try_one = [&]<class Combination>() {
    if (elements_of(p) != Combination::id) return;
    using E = typename Combination::Elements;
    if constexpr (!std::is_same_v<typename E::Factor, typename E::Scalar> ||
                  !std::is_same_v<typename E::Sum, typename E::Factor> || std::is_same_v<typename E::A, DoubleDouble>) {
      if (p.type_y == p.type_a)
        run<E, typename E::Y>(plan, o);
      else
        run<E, typename E::Scalar>(plan, o);
    }
  };
  [&]<class... Combinations>(ElementsList<Combinations...>) {
    (try_one.template operator()<Combinations>(), ...);
  }(all_elements);
}

}  // namespace onepass::cpu
