// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table from steps to kernels, for any launcher: CUDA's, the simulator's, or one that only looks.
#pragma once

#include "ladder/gpu/block.hpp"
#include "ladder/gpu/naive.hpp"
#include "ladder/gpu/vector.hpp"
#include "ladder/gpu/warp.hpp"
#include "ladder/steps.hpp"
#include "launch/launcher.hpp"
#include "problem/status.hpp"

namespace onepass::tools::ladder {

template <class Launcher>
Status launch(const Launcher& launcher, Rung rung, const Args& g) {
  constexpr std::size_t a_number_per_warp = 8 * sizeof(float);
  switch (rung) {
    case Rung::naive:
      return launcher.template run<Naive>({.x = (g.rows + Naive::max_threads - 1) / Naive::max_threads},
                                          Naive::max_threads, 0, g);
    case Rung::warp: return launcher.template run<Warp>({.x = g.rows}, Warp::max_threads, 0, g);
    case Rung::block: return launcher.template run<Block>({.x = g.rows}, Block::max_threads, a_number_per_warp, g);
    default: return launcher.template run<Vector>({.x = g.rows}, Vector::max_threads, a_number_per_warp, g);
  }
}

}  // namespace onepass::tools::ladder
