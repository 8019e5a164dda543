// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Many letters for one sum, several of them looked for at a time.
#pragma once

#include "kernels/symv_args.hpp"

namespace onepass::kernels {

// The letters in boxes box(k) for k = from, from + step, ... below `end`, which are left empty. Where there are
// fewer than are looked for at a time, one of them is looked at again: a branch around a load would wait for it.
template <class S, class X, class Box>
ONEPASS_DEVICE S add_letters(X ex, S* boxes, int from, int end, int step, Box box) {
  S total{};
#pragma unroll 1
  for (int k = from; k < end; k += symv_letters * step) {
    exec::Letter<S> letter[symv_letters];
    bool missing;
    do {
      missing = false;
#pragma unroll
      for (int u = 0; u < symv_letters; ++u) letter[u] = ex.peek(boxes + box(k + u * step < end ? k + u * step : k));
#pragma unroll
      for (int u = 0; u < symv_letters; ++u) missing = missing || !letter[u].there;
    } while (ex.wait_again(missing));
#pragma unroll
    for (int u = 0; u < symv_letters; ++u) {
      if (k + u * step < end) {
        ex.clear(boxes + box(k + u * step));
        total = total + letter[u].value;
      }
    }
  }
  return total;
}

}  // namespace onepass::kernels
