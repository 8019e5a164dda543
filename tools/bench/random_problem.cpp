// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/random_problem.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/pairs.hpp"
#include "problem/names.hpp"

namespace onepass::tools {
namespace {

using verify::Random;

template <class T>
const T& pick(Random& random, const std::vector<T>& list) {
  return list[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(list.size())))];
}

std::int64_t round_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }

std::int64_t pick_unit(Random& random) { return std::int64_t{2} << random.below(5); }

std::int64_t pick_side(Random& random, double about) {
  const std::int64_t side = std::max<std::int64_t>(std::llround(about), 1);
  return random.one_in(2) ? round_up(side, pick_unit(random)) : side;
}

}  // namespace

double log_uniform(Random& random, double least, double most) {
  return least * std::pow(std::max(most / least, 1.0), random.unit());
}

Problem random_problem(const Axes& axes, std::uint64_t index) {
  constexpr double shortest = 16;
  Random mixed(axes.seed), random(mixed.bits() + index);
  Problem p{.routine = axes.routine, .layout = axes.layout};
  set_types(p, pick(random, axes.types));
  p = pick(random, forms(axes, p));
  p.accumulate = pick(random, axes.accumulates);
  p.order = pick(random, axes.orders);
  const double elements = log_uniform(random, axes.min_bytes, axes.max_bytes) / static_cast<double>(size_of(p.type_a));
  if (is_triangle(p)) {
    p.m = p.n = pick_side(random, std::sqrt(2 * elements));
  } else {
    p.m = pick_side(random, log_uniform(random, shortest, elements / shortest));
    p.n = pick_side(random, elements / static_cast<double>(p.m));
  }
  lay_tight(p, axes.pad, Batching::one, 1);
  if (random.one_in(4)) p.lda = round_up(p.lda, pick_unit(random));
  return p;
}

Problem random_neighbour(const Axes& axes, std::uint64_t index, const Problem& p) {
  Random mixed(~axes.seed), random(mixed.bits() + index);
  return pick(random, neighbours(p));
}

}  // namespace onepass::tools
