// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "ladder/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "bench/runner.hpp"
#include "ladder/problem.hpp"
#include "ladder/providers.hpp"
#include "ladder/simulate.hpp"
#include "measure/onepass_provider.hpp"
#include "measure/random_block.hpp"
#include "problem/cost.hpp"
#include "support/buffer.hpp"

#ifdef ONEPASS_TOOLS_CUDA
#include "backends/cuda/instances.hpp"
#include "ladder/gpu/cuda_ladder.hpp"
#endif

namespace onepass::tools::ladder {
namespace {

Floats random_floats(std::int64_t count) {
  const std::vector<std::byte> block = random_block(Type::s);
  Floats values(count);
  for (std::size_t at = 0; at < values.bytes(); at += block.size())
    std::memcpy(reinterpret_cast<std::byte*>(values.data()) + at, block.data(),
                std::min(block.size(), values.bytes() - at));
  return values;
}

struct Operands32 {
  Shape shape;
  Floats a = random_floats(shape.m * shape.n), x = random_floats(shape.n);
};

// |y - A x| <= 2 n eps |A| |x|: whatever the order of a sum of n products.
void require_right(std::string_view step, const Operands32& o, const std::vector<float>& y) {
  for (std::int64_t row = 0; row < o.shape.m; ++row) {
    double sum = 0, size = 0;
    for (std::int64_t col = 0; col < o.shape.n; ++col) {
      const double term = static_cast<double>(o.a.data()[row * o.shape.n + col]) * static_cast<double>(o.x.data()[col]);
      sum += term;
      size += std::abs(term);
    }
    const double error = std::abs(static_cast<double>(y[static_cast<std::size_t>(row)]) - sum);
    if (!(error <= 2 * static_cast<double>(o.shape.n) * 6e-8 * size))
      throw Failure(Exit::failed, fmt::format("the step \"{}\" computed a wrong y[{}]", step, row));
  }
}

std::vector<std::byte> bytes_of(const float* values, std::size_t bytes) {
  std::vector<std::byte> copy(bytes);
  std::memcpy(copy.data(), values, bytes);
  return copy;
}

// The steps, and Onepass last.
void check_steps(const Backend& backend, const Operands32& o, int threads) {
  const Buffer a(backend, bytes_of(o.a.data(), o.a.bytes())), x(backend, bytes_of(o.x.data(), o.x.bytes()));
  std::vector<float> y(static_cast<std::size_t>(o.shape.m));
  std::vector<std::unique_ptr<HostProvider>> all = providers(backend.id(), nullptr);
  all.push_back(std::make_unique<OnepassProvider>(backend.id()));
  all.back()->set_threads(threads);
  for (const auto& provider : all) {
    std::fill(y.begin(), y.end(), std::nanf(""));
    const Buffer there(backend, bytes_of(y.data(), y.size() * sizeof(float)));
    provider->call(problem_of(o.shape), {.a = a.data(), .x = x.data(), .y = there.data()});
    require(backend.synchronize(nullptr));
    std::memcpy(y.data(), there.read().data(), y.size() * sizeof(float));
    require_right(provider->name(), o, y);
  }
}

void simulate_steps(Result& result, Shape counted) {
  result.counted = counted;
  const Operands32 o{.shape = result.counted};
  for (std::size_t i = 0; i < result.steps.size(); ++i) {
    StepResult& step = result.steps[i];
    const bool own = i + 1 == result.steps.size();
    const auto found = own ? simulate_onepass(o.shape, o.a, o.x) : simulate(static_cast<Rung>(i), o.shape, o.a, o.x);
    if (!found) return;
    require_right(step.step.name, o, found->y);
    step.traffic = found->traffic;
  }
}

void time_steps(Result& result, const Backend& backend, const RunOptions& options) {
  const std::unique_ptr<Stage> stage =
      make_stage(backend, {.who = options.peers ? Who::all : Who::onepass,
                           .others = [&](Stream stream) { return providers(backend.id(), stream); }});
  result.facts = stage->facts();
  stage->constants();
  const Effort effort{.rounds = 9, .seconds_per_point = options.seconds};
  measure(*stage, backend, std::span(&result.point, 1), effort, {},
          {.before = [](std::size_t, const Point&) { return true; },
           .after =
               [&](const PointResult& measured) {
                 if (!measured.skipped.empty()) throw Failure(Exit::failed, measured.skipped);
                 result.floor = measured.floor;
                 for (StepResult& step : result.steps)
                   if (const ProviderResult* found = measured.find(step.step.name)) step.time = found->time;
                 for (const ProviderResult& p : measured.providers)
                   if (std::ranges::none_of(result.steps, [&](const StepResult& s) { return s.step.name == p.name; }))
                     result.peers.push_back(p);
               }});
  result.remarks = stage->remarks();
}

#ifdef ONEPASS_TOOLS_CUDA
void inspect_steps(Result& result, const Backend& backend) {
  for (std::size_t i = 0; i < result.steps.size(); ++i) {
    cuda::Compiled found;
    const bool own = i + 1 == result.steps.size();
    require(
        own ? cuda::Instances<ElementsS, Family::gemv>::inspect(backend.plan(aligned(result.point.problem), 0), &found)
            : inspect(static_cast<Rung>(i), &found));
    result.steps[i].compiled = found;
  }
}
#endif

}  // namespace

Result run(const Backend& backend, const RunOptions& options) {
  const bool loops = backend.id() == BackendId::cpu;
  const Problem problem = problem_of(options.shape);
  Result result{.backend = name(backend.id()),
                .shape = options.shape,
                .point = {.problem = problem, .cache = options.cache, .threads = loops ? options.threads : 0},
                .bytes = cost(problem).bytes(),
                .flops = cost(problem).flops};
  for (const Step& step : loops ? host_steps() : gpu_steps()) result.steps.push_back({.step = step});
  const bool simulated = backend.id() == BackendId::sim;
  if (simulated || (!loops && !options.check))
    simulate_steps(result, options.check ? options.shape : simulated_shape(options.shape));
  if (!simulated) {
    constexpr std::int64_t checked_rows = 67;
    const std::int64_t rows = options.check ? options.shape.m : std::min(options.shape.m, checked_rows);
    check_steps(backend, {.shape = {rows, options.shape.n}}, loops ? options.threads : 0);
  }
  result.checked = options.check;
  if (simulated || options.check) return result;
  time_steps(result, backend, options);
#ifdef ONEPASS_TOOLS_CUDA
  if (backend.id() == BackendId::cuda) inspect_steps(result, backend);
#endif
  return result;
}

}  // namespace onepass::tools::ladder
