// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/journey.hpp"

#include <chrono>
#include <functional>
#include <vector>

#include "bench/result.hpp"
#include "measure/point.hpp"
#include "measure/pool_layout.hpp"
#include "support/buffer.hpp"
#include "support/digits.hpp"

namespace onepass::tools {
namespace {

double microseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return four_digits(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
}

}  // namespace

Journey measure_journey(const Backend& backend, const Problem& problem) {
  const PoolLayout layout = lay_out({.problem = problem, .cache = Cache::hot}, 0, 1);
  // An update brings A back.
  const std::size_t output_bytes = layout.reads_y ? layout.a_bytes : layout.output_bytes();
  std::vector<std::byte> inputs(layout.input_bytes(), std::byte{0}), outputs(output_bytes);
  Buffer inputs_there, outputs_there;
  Journey journey;
  journey.allocate = microseconds([&] {
    inputs_there = Buffer(backend, inputs.size());
    outputs_there = Buffer(backend, outputs.size());
  });
  journey.to_device = microseconds([&] { inputs_there.write(inputs); });
  journey.from_device = microseconds([&] { outputs = outputs_there.read(); });
  return journey;
}

}  // namespace onepass::tools
