// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The merges of a batch: launches on the simulator, with the memory of each described as for a single matrix.
#pragma once

#include <gtest/gtest.h>

#include "backends/sim/grid_memory.hpp"
#include "backends/sim/launcher.hpp"
#include "launch/lapack/divide.hpp"

namespace onepass::test {

// lanes: of a root, pole or column.
template <class R, int lanes>
class SimulatedDivide {
 public:
  using Level = kernels::DivideLevelArgs;

  Status deflate(const Level& g, int blocks) {
    constexpr int threads = kernels::deflate_few_threads;
    return launch<lapack::Step::divide_deflate, threads>(blocks, kernels::divide_deflate_shared_bytes(threads), g);
  }
  Status find_roots(const Level& g, int blocks) { return launch<lapack::Step::divide_roots, lanes>(blocks, 0, g); }
  Status order(const Level& g, int blocks) { return launch<lapack::Step::divide_order, lanes>(blocks, 0, g); }
  Status make_columns(const Level& g, int blocks) { return launch<lapack::Step::divide_columns, lanes>(blocks, 0, g); }

 private:
  template <lapack::Step step, int number>
  static Status launch(int blocks, std::size_t shared_bytes, const Level& args) {
    using Kernels = lapack::KernelsOf<step>;
    constexpr int shape = lapack::form_shape(kernels::Form::tridiagonal, number);
    const lapack::Work work = {.blocks = blocks, .shared_bytes = shared_bytes};
    sim::GridMemory memory;
    Kernels::template regions<R, shape>(args, work, memory);
    Status status =
        lapack::launch_work<typename Kernels::template Kernel<R, shape>>(sim::SimLauncher{&memory}, work, args);
    EXPECT_TRUE(status.ok()) << status.text;
    return status;
  }
};

}  // namespace onepass::test
