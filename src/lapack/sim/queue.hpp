// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The queue of a routine's work on the simulator: launches with the memory of each described exactly, products and
// copies as loops.
#pragma once

#include <functional>

#include "backends/sim/memory/grid_memory.hpp"
#include "lapack/gpu/queue.hpp"

namespace onepass::lapack {

// A launch that has ended; `memory` counts its loads.
struct Simulated {
  Step step;
  const Work& work;
  const void* args;
  const sim::GridMemory& memory;

  template <Step of>
  const ArgsOf<of>& given() const {
    return *static_cast<const ArgsOf<of>*>(args);
  }
};

class SimQueue final : public Queue {
 public:
  using Seen = std::function<void(const Simulated&)>;
  explicit SimQueue(Seen seen = {}) : Queue(nullptr), seen_(std::move(seen)) {}

  Status multiply(Type type, const Product& product) override;
  Status copy(Type type, const kernels::MatrixCopy& copy) override;
  Status clear(void* data, std::size_t bytes) override;
  Status use(void*) override { return {}; }

  int launches = 0, products = 0;

 private:
  Status launch_step(Step step, const Work& work, const void* args) override;

  Seen seen_;
};

}  // namespace onepass::lapack
