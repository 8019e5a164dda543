// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What tests of a stage of a solver on a GPU share, below the C interface: cuBLAS.
#pragma once

#include <memory>

#include "gpu.hpp"
#include "lapack/cuda/cublas.hpp"

namespace onepass::test {

inline lapack::Cublas* cublas() {
  static const std::unique_ptr<lapack::Cublas> opened = [] {
    std::unique_ptr<lapack::Cublas> made;
    const Status status = lapack::Cublas::open(&made);
    EXPECT_TRUE(status.ok()) << status.text;
    return made;
  }();
  return opened.get();
}

}  // namespace onepass::test
