// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Which kernel makes V = Q Z of matrices of n rows.
#pragma once

#include <iterator>

#include "kernels/lapack/batch_back.hpp"
#include "kernels/lapack/batch_back_blocks.hpp"

namespace onepass::kernels {

// The largest of each kernel.
inline constexpr int batch_back_orders[] = {64, 128, 192, 256, 384, 512};

constexpr std::size_t batch_back_bytes(std::int64_t n, std::size_t element, std::size_t real) {
  return batch_applies_blocks(real) ? batch_block_shared_bytes(batch_block_shape(n, element), element)
                                    : batch_back_shared_bytes(n, element);
}

// What f makes of it.
template <class A, std::size_t i = 0, class F>
auto with_back(std::int64_t n, F f) {
  constexpr int most = batch_back_orders[i];
  if constexpr (i + 1 < std::size(batch_back_orders))
    if (n > most) return with_back<A, i + 1>(n, f);
  if constexpr (batch_applies_blocks(sizeof(RealOf<A>))) {
    constexpr BatchBlockShape shape = batch_block_shape(most, sizeof(A));
    return f.template operator()<BatchBackBlocks<A, shape.tiles, shape.shares>>();
  } else {
    return f.template operator()<BatchBack<A, batch_back_slots(most)>>();
  }
}

}  // namespace onepass::kernels
