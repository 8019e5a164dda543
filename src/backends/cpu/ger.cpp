// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Rank-1 updates on the host: each thread adds multiples of one vector to its columns, or to its rows of all columns.
#include <algorithm>
#include <array>
#include <utility>

#include "backends/cpu/plan.hpp"
#include "backends/cpu/product.hpp"
#include "backends/cpu/run.hpp"
#include "backends/cpu/team.hpp"
#include "problem/cost.hpp"

namespace onepass::cpu {
namespace {

// Rows that are kept in a packed piece of a vector with gaps.
constexpr std::int64_t packed_rows = 1024;

// a(r) += term(r) factor; both in components.
template <class T>
void add_multiple(Component<T>* __restrict a, const Component<T>* __restrict term, std::int64_t rows, T factor) {
  if constexpr (is_complex<T>) {
    const auto re = factor.re, im = factor.im;
#pragma GCC ivdep
    for (std::int64_t r = 0; r < rows; ++r) {
      const auto term_re = term[2 * r], term_im = term[2 * r + 1];
      a[2 * r] += term_re * re - term_im * im;
      a[2 * r + 1] += term_re * im + term_im * re;
    }
  } else {
#pragma GCC ivdep
    for (std::int64_t r = 0; r < rows; ++r) a[r] += term[r] * factor;
  }
}

// A as it is stored: element (r, c) += alpha along(r) across(c). Increments and distances in components.
template <class T>
struct Update {
  Component<T>* a = nullptr;
  const Component<T>*along = nullptr, *across = nullptr;
  std::int64_t lda = 0, inc_along = 0, inc_across = 0;
  T alpha{};
  bool conjugate_along = false, conjugate_across = false;

  void columns(const Component<T>* term, Range rows, Range columns) const {
    for (std::int64_t c = columns.begin; c < columns.end; ++c) {
      const T factor = alpha * conjugate_if(conjugate_across, get<T>(across + c * inc_across));
      add_multiple<T>(a + c * lda + rows.begin * components<T>, term, rows.size(), factor);
    }
  }
  void run(Range rows, Range columns_) const {
    if (inc_along == components<T> && !conjugate_along) return columns(along + rows.begin * inc_along, rows, columns_);
    std::array<Component<T>, packed_rows * components<T>> piece;
    for (std::int64_t begin = rows.begin; begin < rows.end; begin += packed_rows) {
      const Range part{.begin = begin, .end = std::min(begin + packed_rows, rows.end)};
      for (std::int64_t r = 0; r < part.size(); ++r)
        put<T>(piece.data() + r * components<T>,
               conjugate_if(conjugate_along, get<T>(along + (part.begin + r) * inc_along)));
      columns(piece.data(), part, columns_);
    }
  }
};

// Whole columns for each thread, as long as there are enough of them.
bool shares_columns(const Plan& plan) { return stored(plan.problem).cols >= 2 * host(plan).tiles; }

template <class T>
Update<T> update_of(const Problem& p, const Operands& o, std::int64_t product) {
  constexpr std::int64_t size = components<T>;
  const auto at = [&](const void* data, std::int64_t stride, std::int64_t first) {
    const auto* base = p.pointer_array
                           ? static_cast<const Component<T>*>(static_cast<const void* const*>(data)[product])
                           : static_cast<const Component<T>*>(data) + product * stride * size;
    return base + first * size;
  };
  Update<T> update{
      .a = const_cast<Component<T>*>(at(o.a, p.stride_a, 0)),
      .along = at(o.x, p.stride_x, first_element(p.m, p.incx)),
      .across = at(o.y, p.stride_y, first_element(p.n, p.incy)),
      .lda = p.lda * size,
      .inc_along = p.incx * size,
      .inc_across = p.incy * size,
      .alpha = get<T>(static_cast<const Component<T>*>(o.alpha)),
      .conjugate_across = row(p).hermitian,
  };
  if (p.layout == Layout::row) {
    std::swap(update.along, update.across);
    std::swap(update.inc_along, update.inc_across);
    std::swap(update.conjugate_along, update.conjugate_across);
  }
  return update;
}

template <class T>
void run(const Plan& plan, const Operands& operands) {
  const Problem& p = plan.problem;
  const Stored a = stored(p);
  run_batch(plan, {}, nullptr, [&](std::int64_t product, Team team, std::byte*) {
    const Update<T> update = update_of<T>(p, operands, product);
    if (update.alpha == T{}) return;
    const std::int64_t parts = host(plan).tiles;
    team.each(parts, [&](std::int64_t part) {
      if (shares_columns(plan)) return update.run({0, a.rows}, share(a.cols, parts, part, 1));
      update.run(share(a.rows, parts, part, 64), {0, a.cols});
    });
  });
}

}  // namespace

Plan plan_ger(const Problem& p, int threads) {
  const double bytes = cost(p).matrix_bytes;
  threads = useful_threads(bytes, threads);
  if (shares_products(p, bytes, threads))
    return ger_shape(p, static_cast<int>(std::min<std::int64_t>(threads, p.batch)), 1);
  const Stored a = stored(p);
  const std::int64_t most = std::max<std::int64_t>({1, a.cols / 2, a.rows / 64});
  threads = static_cast<int>(std::min<std::int64_t>(threads, most));
  return ger_shape(p, threads, threads);
}

Plan ger_shape(const Problem& p, int threads, std::int64_t tiles) {
  return {.problem = p,
          .backend = BackendId::cpu,
          .kernel = {.variant = Variant::cpu_ger},
          .threads = threads,
          .params = HostParams{.tiles = tiles}};
}

void run_ger(const Plan& plan, const Operands& operands, void*) {
  switch (plan.problem.type_a) {
    case Type::s: return run<float>(plan, operands);
    case Type::d: return run<double>(plan, operands);
    case Type::c: return run<Complex<float>>(plan, operands);
    case Type::z: return run<Complex<double>>(plan, operands);
    default: return;  // no such types are offered
  }
}

}  // namespace onepass::cpu
