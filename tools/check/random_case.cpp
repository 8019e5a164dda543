// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "check/random_case.hpp"

#include <algorithm>
#include <cmath>

#include "problem/check.hpp"
#include "problem/combinations.hpp"
#include "problem/names.hpp"
#include "verify/output.hpp"
#include "verify/random.hpp"

namespace onepass::tools {
namespace {

using verify::Case;
using verify::Random;

template <class T>
const T& pick(Random& random, const std::vector<T>& list) {
  return list[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(list.size())))];
}

// The types that a routine takes.
std::vector<std::string> types_of(Routine routine, const CaseLimits& limits) {
  std::vector<std::string> types = limits.types;
  std::erase_if(types, [&](const std::string& type) {
    Problem p{.routine = routine};
    return !set_types(p, type) || check(p).code == ONEPASS_STATUS_INVALID_TYPES;
  });
  return types;
}

// "c or z", of "cz".
std::string any_of(std::string_view letters) {
  std::string text;
  for (std::size_t i = 0; i < letters.size(); ++i)
    text += (i == 0 ? "" : i + 1 == letters.size() ? " or " : ", ") + std::string(1, letters[i]);
  return text;
}

// Sizes whose product is at most max^2: log-uniform in area and in aspect, with a few exact edges.
void pick_shape(Random& random, double max, Problem& p) {
  const double log_area = random.unit() * 2 * std::log2(max);
  const double log_aspect = random.one_in(3) ? 0 : random.symmetric() * log_area;
  p.m = std::llround(std::exp2((log_area + log_aspect) / 2));
  p.n = std::llround(std::exp2((log_area - log_aspect) / 2));
  if (random.one_in(4)) p.m = std::max<std::int64_t>(1, p.m / 32 * 32);
  if (random.one_in(4)) p.n = std::max<std::int64_t>(1, p.n / 32 * 32);
  if (random.one_in(40)) p.m = 0;
  if (random.one_in(40)) p.n = 0;
}

std::int64_t pick_increment(Random& random) {
  if (!random.one_in(3)) return 1;
  constexpr std::int64_t choices[] = {-1, 2, -2, 3, -3, 7};
  return choices[random.below(6)];
}

// The sequence is the same as without this where there is nothing to choose.
void pick_accumulate(Random& random, const CaseLimits& limits, Problem& p) {
  std::vector<Accumulate> offered = limits.accumulates;
  std::erase_if(offered, [&](Accumulate accumulate) {
    Problem one = p;
    one.accumulate = accumulate;
    return find_combination(one) == nullptr || (accumulate != Accumulate::standard && !row(p).accumulates);
  });
  if (!offered.empty()) p.accumulate = offered.size() == 1 ? offered[0] : pick(random, offered);
}

// Likewise.
void pick_order(Random& random, const CaseLimits& limits, Problem& p) {
  std::vector<Order> offered = limits.orders;
  if (!has_canonical_order(p) || !row(p).accumulates) std::erase(offered, Order::canonical);
  if (!offered.empty()) p.order = offered.size() == 1 ? offered[0] : pick(random, offered);
}

std::complex<double> pick_scalar(Random& random, Type type) {
  constexpr double choices[] = {0, 1, 1, -1, 0.5, 2};
  const std::int64_t pick = random.below(8);
  // Multiples of 1/64 print and parse back exactly.
  const double re = pick < 6 ? choices[pick] : std::round(random.symmetric() * 128) / 64;
  if (!is_pair_type(type) || !random.one_in(2)) return re;
  const double other = std::round(random.symmetric() * 128) / 64;
  return {re, type == Type::w ? re * other * 0x1p-55 : other};
}

void pick_batch(Random& random, Problem& p) {
  p.batch = random.one_in(20) ? 0 : 2 + random.below(random.one_in(4) ? 40 : 5);
  const Stored s = stored(p);
  // A batch of large matrices teaches no more than a batch of smaller ones.
  while (p.batch > 2 && p.batch * s.rows * s.cols > 1'000'000) --p.batch;
  if (random.one_in(3)) {
    p.pointer_array = true;
    return;
  }
  const auto vector = [&](std::int64_t length, std::int64_t inc) { return length * std::abs(inc) + random.below(4); };
  // What is only read may be shared by all products.
  const bool updates = verify::writes_a(p);
  p.stride_a = !updates && random.one_in(5) ? 0 : p.lda * s.cols + random.below(4);
  p.stride_x = random.one_in(5) ? 0 : vector(length_x(p), p.incx);
  p.stride_y = updates && random.one_in(5) ? 0 : vector(length_y(p), p.incy);
}

}  // namespace

void drop_routines_without_types(CaseLimits& limits) {
  std::erase_if(limits.routines, [&](Routine routine) { return types_of(routine, limits).empty(); });
}

std::string why_impossible(const CaseLimits& limits) {
  for (const Routine routine : limits.routines)
    if (types_of(routine, limits).empty())
      return std::string("--routine ") + row(routine).name + ": --type must have " + any_of(row(routine).types);
  return {};
}

Case random_case(std::uint64_t seed, std::uint64_t index, const CaseLimits& limits) {
  Random random(seed * 0x2545f4914f6cdd1du + index);
  Case c{.fill = verify::Fill::reals};
  Problem& p = c.problem;
  p.routine = pick(random, limits.routines);
  set_types(p, pick(random, types_of(p.routine, limits)));
  if (row(p).selector == Selector::op) p.op = static_cast<Op>(random.below(3));
  if (row(p).selector == Selector::uplo) p.uplo = static_cast<Uplo>(random.below(2));
  p.layout = random.one_in(3) ? Layout::row : Layout::column;
  pick_shape(random, static_cast<double>(limits.max_size), p);
  if (is_triangle(p)) p.m = p.n = std::min(std::max(p.m, p.n), limits.max_size);
  p.lda = std::max<std::int64_t>(1, stored(p).rows) + (random.one_in(2) ? 0 : random.below(9));
  p.incx = pick_increment(random);
  p.incy = pick_increment(random);
  if (random.one_in(4)) pick_batch(random, p);
  pick_accumulate(random, limits, p);
  if (p.accumulate == Accumulate::twice && p.batch == 1 && !p.pointer_array && random.one_in(3))
    p.tails = random.one_in(2) ? Tails::xy : Tails::x;
  pick_order(random, limits, p);
  p.scalars = random.one_in(4) ? Scalars::device : Scalars::host;
  if (random.one_in(2)) c.offset_a = random.below(9), c.offset_x = random.below(9), c.offset_y = random.below(9);
  c.alpha = pick_scalar(random, p.type_a);
  c.beta = row(p).has_beta ? pick_scalar(random, p.type_a) : 0.0;
  c.nan_output = row(p).has_beta && c.beta == 0.0 && random.one_in(2);
  c.seed = random.bits() >> 32;
  return c;
}

}  // namespace onepass::tools
