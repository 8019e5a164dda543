// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the reductions take of cuBLAS, which is looked for when it is first needed: a program that stays on the host
// does not load it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "lapack/gpu/queue.hpp"
#include "lapack/problem.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

// cuBLAS's handle for the current device. One caller at a time.
class Cublas {
 public:
  static Status open(std::unique_ptr<Cublas>* made);
  ~Cublas();
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  // For the calls that follow.
  Status use(void* stream, void* workspace, std::size_t bytes);

  // One or several, or the update of a triangle.
  Status gemm(Type type, const Product& product);

 private:
  Cublas() = default;
  Status rank_2k(Type type, const Product& product);
  void* handle_ = nullptr;
};

}  // namespace onepass::lapack
