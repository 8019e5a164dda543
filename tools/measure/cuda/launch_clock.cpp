// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/cuda/launch_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>

#include "backends/registry.hpp"
#include "measure/agreement.hpp"
#include "measure/alone.hpp"
#include "measure/cuda/ceilings.hpp"
#include "measure/cuda/device.hpp"
#include "measure/cuda/graph.hpp"
#include "measure/cuda/kernels.hpp"
#include "measure/onepass_provider.hpp"
#include "measure/pool_layout.hpp"
#include "plan/gemv.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

constexpr double replay_seconds = 0.3e-3;  // of a graph's launches, if they are short
constexpr std::size_t least_launches = 2, most_launches = 48;
constexpr int launches_of_ruler = 8;
constexpr double least_part = 0.25;  // of the time in a queue, that a call alone takes whatever a clock says
// Elements of a matrix that the host multiplies in less time than the device is asked.
constexpr std::int64_t few_elements = 1 << 16;

class CudaLaunchClock final : public LaunchClock {
 public:
  explicit CudaLaunchClock(bool alone)
      : only_alone_(alone), backend_(cuda_backend()), flush_(3 * l2_bytes()), sink_(256) {
    require(backend_.warm_up());
    require(backend_.allocate_workspace(largest_workspace, &workspace_));
    fill_random(flush_, Type::s);
    must(cudaMemsetAsync(sink_.data(), 0, sink_.bytes(), stream_.get()), "cudaMemsetAsync");
    // What stays in the L2: bound by the clock of the chip, not by its memory.
    const std::size_t bytes = std::max<std::size_t>(l2_bytes() / 8 / 256 * 256, 256);
    ruler_ = std::make_unique<Replay>(
        stream_.get(), [&] { read(bytes); },
        [&] {
          for (int i = 0; i < launches_of_ruler; ++i) read(bytes);
        });
    ruler_->run();
  }
  ~CudaLaunchClock() override { backend_.release(workspace_); }
  CudaLaunchClock(const CudaLaunchClock&) = delete;
  CudaLaunchClock& operator=(const CudaLaunchClock&) = delete;

  const DeviceTraits& traits() const override { return backend_.traits(); }
  std::vector<Fact> facts() const override {
    return {{"device", device_name()}, {"driver", driver_version()}, {"toolkit", toolkit_version()}};
  }

  std::string prepare(const Problem& p, std::span<const Plan> plans) override {
    replays_.clear();
    failures_.clear();
    expected_.clear();
    problem_ = p;
    plans_.assign(plans.begin(), plans.end());
    const double floor = floor_seconds(traits().ceilings, cost(p).bytes());
    launches_ = std::clamp(static_cast<std::size_t>(replay_seconds / floor), least_launches, most_launches);
    const PoolLayout layout =
        lay_out({.problem = p, .cache = Cache::cold}, flush_.bytes(), launches_, least_sets_of_graph);
    const std::size_t held = inputs_.bytes() + outputs_.bytes(), needed = layout.input_bytes() + layout.output_bytes();
    const bool grows = layout.input_bytes() > inputs_.bytes() || layout.output_bytes() > outputs_.bytes();
    if (grows && static_cast<double>(needed) > 0.9 * static_cast<double>(free_device_memory() + held))
      return fmt::format("needs {:.1f} GB of device memory", static_cast<double>(needed) / 1e9);
    const bool grown = inputs_.reserve(layout.input_bytes());
    if (grown || filled_ != p.type_a) fill_random(inputs_, p.type_a);
    filled_ = p.type_a;
    outputs_.reserve(layout.output_bytes());
    operands_ = operands_of(layout, inputs_.data(), outputs_.data());
    for (const Plan& plan : plans_) make_ready(plan);
    return "";
  }

  std::string check(std::size_t i) override {
    if (!failures_[i].empty()) return failures_[i];
    const auto bytes = static_cast<std::size_t>(problem_.batch * length_y(problem_) * size_of(problem_.type_y));
    must(cudaMemsetAsync(operands_[0].y, 0xff, bytes, stream_.get()), "cudaMemsetAsync");
    run(plans_[i], operands_[0]);
    stream_.synchronize();
    std::vector<std::byte> y = copied(operands_[0].y, bytes);
    if (expected_.empty())
      expected_ = few_elements >= problem_.batch * problem_.lda * stored(problem_).cols ? reference() : y;
    std::string why = why_different(problem_, y, expected_, print(plans_[i]));
    // Partial sums that were left in mailboxes would spoil the launches to come.
    if (!why.empty()) require(backend_.zero(workspace_, largest_workspace, stream_.get()));
    return why;
  }

  // A launch that wins in a queue and loses alone is no winner: the mean of both counts, unless only one was asked for.
  double sample(std::size_t i) override {
    const double queue = replays_[i][0]->run() / static_cast<double>(launches_);
    const double alone = seconds_alone(replays_[i][1]->run(), launches_, between_);
    const double at_least = std::max(alone, least_part * queue);
    return only_alone_ ? at_least : std::sqrt(queue * at_least);
  }
  double ruler() override { return ruler_->run() / launches_of_ruler; }
  double elapsed() const override {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  // A plan that this device refuses must not cost the others.
  void make_ready(const Plan& plan) try {
    replays_.emplace_back();
    failures_.emplace_back();
    run(plan, operands_[0]);  // what loads or fails on first use does so here
    stream_.synchronize();
    for (const bool alone : {false, true})
      replays_.back()[alone ? 1 : 0] = std::make_unique<Replay>(
          stream_.get(), [&] { read(flush_.bytes()); },
          [&] {
            for (std::size_t i = 0; i < launches_; ++i) {
              run(plan, operands_[i % operands_.size()]);
              if (alone) launch_between(stream_.get());
            }
          });
  } catch (const Failure& failure) {
    failures_.back() = print(plan) + ": " + failure.what();
  }

  void run(const Plan& plan, const Vectors& v) const {
    const Type sum = scalar_type(problem_.type_a);
    require(backend_.launch(plan, {.alpha = one_of(sum), .a = v.a, .x = v.x, .beta = zero_of(sum), .y = v.y},
                            {workspace_, largest_workspace}, stream_.get()));
  }

  void read(std::size_t bytes) const {
    launch_read(flush_.data(), bytes, {.threads = 512, .blocks = 4 * multiprocessors()},
                reinterpret_cast<unsigned*>(sink_.data()), stream_.get());
  }

  static std::vector<std::byte> copied(const void* from, std::size_t bytes) {
    std::vector<std::byte> host(bytes);
    must(cudaMemcpy(host.data(), from, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy to the host");
    return host;
  }

  std::vector<std::byte> reference() const {
    const Problem& p = problem_;
    const auto bytes = [&](std::int64_t elements, Type type) {
      return static_cast<std::size_t>(p.batch * elements * size_of(type));
    };
    const std::vector<std::byte> a = copied(operands_[0].a, bytes(p.lda * stored(p).cols, p.type_a));
    const std::vector<std::byte> x = copied(operands_[0].x, bytes(length_x(p), p.type_x));
    std::vector<std::byte> y(bytes(length_y(p), p.type_y));
    const Type sum = scalar_type(p.type_a);
    const Operands operands{.alpha = one_of(sum), .a = a.data(), .x = x.data(), .beta = zero_of(sum), .y = y.data()};
    require(reference_backend().launch(reference_backend().plan(p, 1), operands, {}, nullptr));
    return y;
  }

  bool only_alone_;
  const Backend& backend_;
  CudaStream stream_;
  CudaMemory flush_, sink_, inputs_, outputs_;
  void* workspace_ = nullptr;
  std::unique_ptr<Replay> ruler_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::optional<Type> filled_;
  Problem problem_;
  std::vector<Plan> plans_;
  std::vector<Vectors> operands_;
  std::vector<std::byte> expected_;  // y of the cell, from the host or from the first plan
  std::size_t launches_ = 1;
  double between_ = measure_between(stream_);
  std::vector<std::array<std::unique_ptr<Replay>, 2>> replays_;  // in a queue and alone; null for a plan that failed
  std::vector<std::string> failures_;
};

}  // namespace

std::unique_ptr<LaunchClock> make_cuda_launch_clock(bool alone) { return std::make_unique<CudaLaunchClock>(alone); }

}  // namespace onepass::tools
