// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Where LAPACK keeps the reflectors of a factor Q or P, the same for those who make, generate and apply it.
//
//      columns, forward          columns, backward         rows, forward
//      sytrd L, gehrd, Q, geqrf  sytrd U                   P
//      .                         .  x  x  x                .  1  x  x  x
//      1  .                      .  1  x  x                .  .  1  x  x
//      x  1  .                      .  1  x                .  .  .  1  x
//      x  x  1  .                      .  1
#pragma once

#include <algorithm>
#include <cstdint>

#include "lapack/problem.hpp"

namespace onepass::lapack {

// Q = H(0) H(1) ... or, backward, ... H(1) H(0). H(i) has its 1, which is not stored, in element unit + i; the rest of
// it are the elements behind that up to `end`, or, backward, those before it. They lie in column line + i of A, or in
// row line + i, conjugated.
struct Reflectors {
  std::int64_t order = 0;  // of Q
  std::int64_t count = 0;
  std::int64_t unit = 0, line = 0, end = 0;
  bool backward = false, by_rows = false;

  // The elements that H(first) ... H(last - 1) change.
  constexpr std::int64_t first_row(std::int64_t first) const { return backward ? 0 : unit + first; }
  constexpr std::int64_t last_row(std::int64_t last) const { return backward ? unit + last : end; }
};

// Reflectors first ... first + count - 1, which are applied as one, and the elements that they change.
struct ReflectorBlock {
  std::int64_t first = 0, count = 0;
  std::int64_t row = 0, rows = 0;
};

constexpr std::int64_t block_count(const Reflectors& q, std::int64_t width) { return (q.count + width - 1) / width; }
// `width` reflectors in each, the last may have fewer.
constexpr ReflectorBlock reflector_block(const Reflectors& q, std::int64_t index, std::int64_t width) {
  const std::int64_t first = index * width, last = std::min(q.count, first + width), row = q.first_row(first);
  return {.first = first, .count = last - first, .row = row, .rows = q.last_row(last) - row};
}

// Whether H(0) is applied first for op(Q) C or C op(Q): Q C begins with the factor of Q that stands last, and each of
// the three turns that round.
constexpr bool first_comes_first(const Reflectors& q, Side side, bool adjoint) {
  return ((side == Side::right) != adjoint) != q.backward;
}

// Those of Q or P of gebrd: `order` is its own, `other` that of the other factor. The factor on the longer side has a
// reflector for each of `other`; the first of the shorter side's leaves its first element alone. P of a square matrix
// is on the shorter side.
constexpr Reflectors bidiagonal_reflectors(Vect vect, std::int64_t order, std::int64_t other) {
  const bool longer = vect == Vect::q ? order >= other : order > other;
  return {.order = order,
          .count = std::max<std::int64_t>(0, longer ? other : order - 1),
          .unit = longer ? 0 : 1,
          .end = order,
          .by_rows = vect == Vect::p};
}

// Those that orgtr, ormtr and the like find in A.
constexpr Reflectors reflectors(const LapackProblem& p) {
  const bool of_rows = is_rectangular(p.routine) && !(p.routine == LapackRoutine::orgbr && p.vect == Vect::p);
  const std::int64_t order = applies(p.routine) ? order_applied(p) : of_rows ? p.m : p.n;
  switch (p.routine) {
    case LapackRoutine::orgbr:
    case LapackRoutine::ormbr: return bidiagonal_reflectors(p.vect, order, p.k);
    case LapackRoutine::geqrf: return {.order = order, .count = std::min(p.m, p.n), .end = order};
    case LapackRoutine::orgqr:
    case LapackRoutine::ormqr: return {.order = order, .count = p.k, .end = order};
    case LapackRoutine::orghr:
    case LapackRoutine::ormhr:
      return {.order = order,
              .count = std::max<std::int64_t>(0, p.ihi - p.ilo),
              .unit = p.ilo,
              .line = p.ilo - 1,
              .end = p.ihi};
    default: {
      const bool backward = p.uplo == Uplo::upper;
      return {.order = order,
              .count = std::max<std::int64_t>(0, order - 1),
              .unit = backward ? 0 : 1,
              .line = backward ? 1 : 0,
              .end = order,
              .backward = backward};
    }
  }
}

// tau of the first of them: those of gehrd have places for columns that were not reduced, too.
constexpr std::int64_t first_tau(const LapackProblem& p) {
  return p.routine == LapackRoutine::orghr || p.routine == LapackRoutine::ormhr ? p.ilo - 1 : 0;
}

// Columns of Q that orgtr and the like make, or rows of P^H: "lines" of A, which have `order` elements each.
constexpr std::int64_t lines_made(const LapackProblem& p) { return reflectors(p).by_rows ? p.m : p.n; }

}  // namespace onepass::lapack
