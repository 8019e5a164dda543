// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels written in place: a lambda of exec::Sim, run on memory that the test describes.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "backends/sim/counters.hpp"
#include "backends/sim/exec.hpp"
#include "backends/sim/launcher.hpp"
#include "backends/sim/memory/grid_memory.hpp"
#include "backends/sim/memory/memory_map.hpp"

namespace onepass::sim {

template <class Body>
struct Lambda {
  static void run(exec::Sim ex, const Body& body) { body(ex); }
};

struct Shape {
  Grid grid = {};
  int threads = 32;
  std::size_t shared_bytes = 0;
};

// Without the grid-dependency wait. Instructions are counted.
template <class Body>
Status run_unwaited(const Shape& shape, MemoryMap memory, const Body& body) {
  SimOptions counted = options();
  counted.count_instructions = true;
  const WithOptions as_counted(counted);
  return SimLauncher{&memory}.run<Lambda<Body>>(shape.grid, shape.threads, shape.shared_bytes, body);
}

template <class Body>
Status run(const Shape& shape, const MemoryMap& memory, const Body& body) {
  return run_unwaited(shape, memory, [&body](exec::Sim ex) {
    ex.grid_dependency_wait();
    body(ex);
  });
}

// All blocks on the device at once.
template <class Body>
Status run_together(const Shape& shape, GridMemory& memory, const Body& body) {
  return SimLauncher{&memory}.run<Lambda<Body>>(shape.grid, shape.threads, shape.shared_bytes, body);
}

// The hazard's name begins the text of the status.
inline ::testing::AssertionResult meets(HazardKind kind, const Status& status) {
  const std::string begin = std::string(name(kind)) + ": ";
  if (status.code == ONEPASS_STATUS_EXECUTION_FAILED && status.text.compare(0, begin.size(), begin) == 0)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "expected \"" << begin << "...\", met \"" << status.text << "\"";
}

}  // namespace onepass::sim
