// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The operands of one rank-1 update, and the update of a few adjacent elements.
#pragma once

#include "kernels/blocks/operand.hpp"
#include "kernels/ger/ger_args.hpp"

namespace onepass::kernels {

// The operands of product b: at strides, or behind pointers.
template <class E>
struct GerOperands {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  A* a = nullptr;
  const X *along = nullptr, *across = nullptr;
  S alpha{};

  // alpha across(c), the factor of a column
  template <class Ex>
  ONEPASS_DEVICE S factor(Ex ex, const GerArgs& g, std::int64_t c) const {
    return factor_of(ex.load_cached(across + c * g.inc_across), g);
  }
  template <class Ex>
  ONEPASS_DEVICE S term(Ex ex, const GerArgs& g, std::int64_t r) const {
    return conjugate_if(g.conjugate_along, static_cast<S>(widen(ex.load_cached(along + r * g.inc_along))));
  }
  // Likewise where indices and increments have 31 bits: an address is one instruction.
  template <class Ex>
  ONEPASS_DEVICE S near_factor(Ex ex, const GerArgs& g, std::uint32_t c) const {
    return factor_of(ex.load_cached(across + near(c, g.inc_across)), g);
  }
  template <class Ex>
  ONEPASS_DEVICE S near_term(Ex ex, const GerArgs& g, std::uint32_t r) const {
    return conjugate_if(g.conjugate_along, static_cast<S>(widen(ex.load_cached(along + near(r, g.inc_along)))));
  }

 private:
  static ONEPASS_DEVICE std::int64_t near(std::uint32_t i, std::int64_t increment) {
    return std::int64_t{static_cast<std::int32_t>(i)} * static_cast<std::int32_t>(increment);
  }
  ONEPASS_DEVICE S factor_of(X value, const GerArgs& g) const {
    return alpha * conjugate_if(g.conjugate_across, static_cast<S>(widen(value)));
  }
};

template <class E, Form F, class Ex>
ONEPASS_DEVICE GerOperands<E> ger_operands(Ex ex, const GerArgs& g, std::int64_t b, typename E::Sum alpha) {
  using A = typename E::A;
  using X = typename E::X;
  if constexpr (F == Form::general) {
    if (g.pointer_array)
      return {.a = ex.load_cached(static_cast<A* const*>(g.a) + b),
              .along = ex.load_cached(static_cast<const X* const*>(g.along) + b) + g.first_along,
              .across = ex.load_cached(static_cast<const X* const*>(g.across) + b) + g.first_across,
              .alpha = alpha};
  }
  return {.a = static_cast<A*>(g.a) + b * g.stride_a,
          .along = static_cast<const X*>(g.along) + b * g.stride_along,
          .across = static_cast<const X*>(g.across) + b * g.stride_across,
          .alpha = alpha};
}

// The elements of a slot, as one load and one store move them.
template <class A>
struct alignas(sizeof(A) * ger_slot(sizeof(A))) GerSlot {
  static constexpr int width = ger_slot(sizeof(A));
  A element[width];
};

// a + term factor
template <class E>
ONEPASS_DEVICE typename E::A updated(typename E::A a, typename E::Sum term, typename E::Sum factor) {
  using S = typename E::Sum;
  return narrow<typename E::A>(multiply_add(static_cast<S>(widen(a)), term, factor));
}

// How far an address lies past the beginning of its cache line, in elements.
template <class A>
ONEPASS_DEVICE int offset_in_line(const A* p) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(p) / sizeof(A)) & (ger_line(sizeof(A)) - 1);
}

}  // namespace onepass::kernels
