// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the routines of a GPU are written against: a queue of launches, products and copies, which run in this order. It
// is a stream of CUDA, or the simulator.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/lapack/matrices_args.hpp"
#include "lapack/gpu/product.hpp"
#include "lapack/gpu/step.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

// How a step is launched.
struct Work {
  Type type = Type::d;  // the kernel's
  int shape = 0;        // which of the kernels that were compiled for the step
  int blocks = 1;
  std::size_t shared_bytes = 0;  // of a block
  bool together = false;         // all blocks are on the device at once, and may meet at grid barriers
  int cluster = 1;               // blocks of a cluster
  int threads = 0;               // of a block; 0: as many as the kernel may have

  bool operator==(const Work&) const = default;
};

class Queue {
 public:
  // `timed_out`: set by a kernel that gave up waiting; may be null.
  explicit Queue(std::uint32_t* timed_out) : timed_out_(timed_out) {}
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  virtual ~Queue() = default;

  template <Step step>
  Status launch(const Work& work, const ArgsOf<step>& args) {
    return launch_step(step, work, &args);
  }
  virtual Status multiply(Type type, const Product& product) = 0;
  virtual Status copy(Type type, const kernels::MatrixCopy& copy) = 0;
  virtual Status clear(void* data, std::size_t bytes) = 0;
  // The memory of the products that follow, of product_workspace_bytes.
  virtual Status use(void* workspace) = 0;

  std::uint32_t* timed_out() const { return timed_out_; }

 private:
  virtual Status launch_step(Step step, const Work& work, const void* args) = 0;

  std::uint32_t* timed_out_;
};

// Bytes of workspace that products are given, so that cuBLAS allocates none.
inline constexpr std::size_t product_workspace_bytes = std::size_t{4} << 20;

}  // namespace onepass::lapack
