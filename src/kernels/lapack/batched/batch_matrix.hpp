// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One matrix of a batch of eigenproblems, as its kernels see it, and arithmetic that they share.
#pragma once

#include <limits>

#include "kernels/lapack/batched/batch_args.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

template <class A, class Ex>
ONEPASS_DEVICE A* matrix_of(Ex ex, const BatchArgs& g, std::int64_t index) {
  return g.pointer_array ? ex.load_cached(static_cast<A* const*>(g.a) + index)
                         : static_cast<A*>(g.a) + index * g.stride_a;
}

// The larger of both parts; NaN and infinity are more than any number.
template <class A>
ONEPASS_DEVICE RealOf<A> magnitude(A v) {
  using R = RealOf<A>;
  const R re = absolute(real_part(v)), im = absolute(imaginary_part(v));
  constexpr R most = std::numeric_limits<R>::max();
  return re <= most && im <= most ? larger(re, im) : std::numeric_limits<R>::infinity();
}

template <class A>
ONEPASS_DEVICE A times_real(RealOf<A> factor, A v) {
  if constexpr (is_complex<A>)
    return {factor * v.re, factor * v.im};
  else
    return factor * v;
}

// The largest of a block of W warps, of which `numbers` has one for each from at * W on.
template <int W, class R, class Ex>
ONEPASS_DEVICE R block_largest(Ex ex, const typename Ex::template Shared<R>& numbers, R value, int at = 0) {
  for (int mask = 16; mask > 0; mask /= 2) value = larger(value, ex.shuffle_xor(value, mask));
  if ((ex.thread() & 31) == 0) numbers.put(at * W + (ex.thread() >> 5), value);
  ex.sync();
  for (int i = 0; i < W; ++i) value = larger(value, numbers.get(at * W + i));
  return value;
}

// The reflector of a column of a matrix whose largest element is about 1. A column that has no square beside that is
// taken for zero: the error is far below a rounding of that element. What x alone has lost is nothing beside alpha
// then.
template <class A, class Ex>
ONEPASS_DEVICE Reflector<A> reflector_of_scaled(Ex ex, A alpha, RealOf<A> norm2) {
  const bool nothing = !(norm2 + abs2(alpha) >= smallest_square<RealOf<A>>());
  return reflector(ex, nothing ? A{} : alpha, nothing ? RealOf<A>{0} : norm2);
}

}  // namespace onepass::kernels
