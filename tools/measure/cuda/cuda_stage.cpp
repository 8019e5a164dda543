// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/cuda/cuda_stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "measure/cuda/ceilings.hpp"
#include "measure/cuda/cublas_peer.hpp"
#include "measure/cuda/device.hpp"
#include "measure/cuda/graph.hpp"
#include "measure/cuda/host_time.hpp"
#include "measure/cuda/kernels.hpp"
#include "measure/onepass_provider.hpp"
#include "measure/pool_layout.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

constexpr std::size_t most_launches = 256;  // of a graph: beyond that, capturing takes longer than measuring
constexpr double replay_seconds = 1.5e-3;   // wanted of a replay, as far as that bound allows

class CudaStage final : public Stage {
 public:
  explicit CudaStage(const Backend& backend)
      : onepass_(backend.id()), cublas_(stream_.get()), flush_(3 * l2_bytes()), sink_(256) {
    must(onepassSetStream(onepass_.handle(), stream_.get()));
    fill_random(flush_, Type::s);
    must(cudaMemset(sink_.data(), 0, sink_.bytes()), "cudaMemset");
    providers_ = {&onepass_, &cublas_};
  }

  std::vector<Fact> facts() const override {
    return {{"device", device_name()},
            {"driver", driver_version()},
            {"toolkit", toolkit_version()},
            {"multiprocessors", std::to_string(multiprocessors())},
            {"L2", fmt::format("{} KiB", l2_bytes() >> 10)},
            {"peer cuBLAS", cublas_.version()}};
  }

  std::vector<Constant> constants() override {
    const DeviceCeilings& found = known_ceilings();
    return {{"empty kernel", found.empty_kernel * 1e6, "us"},
            {"shortest read", found.memory.empty_seconds * 1e6, "us"},
            {"fixed part of a launch", found.memory.launch_seconds * 1e6, "us"},
            {"read bandwidth, memory", found.memory.bytes_per_second / 1e9, "GB/s"},
            {"read bandwidth, L2", found.cache.bytes_per_second / 1e9, "GB/s"},
            {"host time of an empty launch", host_seconds_per_call(stream_, [&] { launch_empty(stream_.get()); }) * 1e6,
             "us"},
            {"host time per call, Onepass sgemv 64x64", host_seconds(onepass_) * 1e6, "us"},
            {"host time per call, cuBLAS sgemv 64x64", host_seconds(cublas_) * 1e6, "us"}};
  }

  std::vector<Constant> ceilings() override { return constants(); }

  std::vector<std::string> providers() const override {
    std::vector<std::string> names;
    for (const HostProvider* provider : providers_) names.push_back(provider->name());
    return names;
  }

  std::string prepare(const Point& point) override {
    const Gemv& p = point.problem;
    if (p.m == 0 || p.n == 0) return "the matrix is empty";
    replays_.clear();
    point_ = point;
    bytes_ = cost(p).bytes();
    launches_ = std::clamp<std::size_t>(static_cast<std::size_t>(replay_seconds / floor()), 4, most_launches);
    layout_ = lay_out(point, 3 * l2_bytes(), launches_);
    const std::size_t held = inputs_.bytes() + outputs_.bytes();
    const std::size_t needed = layout_.input_bytes() + layout_.output_bytes();
    if (static_cast<double>(needed) > 0.9 * static_cast<double>(free_device_memory() + held))
      return fmt::format("needs {:.1f} GB of device memory", static_cast<double>(needed) / 1e9);
    fill(p.type_a);
    for (HostProvider* provider : providers_) replays_.push_back(provider->serves(p) ? capture(*provider) : nullptr);
    return {};
  }

  bool serves(std::size_t provider) const override { return replays_[provider] != nullptr; }

  std::string level() const override { return in_cache() ? "L2" : "memory"; }

  // At least one replay; its length was chosen when it was captured.
  double sample(std::size_t provider, double seconds) override {
    double total = 0;
    int replays = 0;
    do {
      total += replays_[provider]->run();
      ++replays;
    } while (total < 0.5 * seconds && replays < 1000);
    return total / replays / static_cast<double>(launches_);
  }

  double sample_floor(double) override { return floor(); }

 private:
  static void must(onepassStatus_t status) {
    if (status != ONEPASS_STATUS_SUCCESS) require({status, onepassLastErrorMessage()});
  }
  static void must(cudaError_t error, const char* what) { tools::must(error, what); }

  const DeviceCeilings& known_ceilings() {
    if (!ceilings_) ceilings_ = measure_ceilings(stream_);
    return *ceilings_;
  }

  // Half of the L2: what surely stays there, whichever part of the chip reads it.
  bool in_cache() const { return point_.cache == Cache::hot && bytes_ <= 0.5 * static_cast<double>(l2_bytes()); }

  double floor() { return floor_seconds(in_cache() ? known_ceilings().cache : known_ceilings().memory, bytes_); }

  void fill(Type type) {
    const bool grown = inputs_.reserve(layout_.input_bytes());
    if (grown || filled_type_ != type) fill_random(inputs_, type);
    filled_type_ = type;
    if (outputs_.reserve(layout_.output_bytes())) fill_random(outputs_, type);
  }

  Vectors set(std::size_t i) const {
    const std::byte* inputs = inputs_.data() + i * layout_.input_stride();
    return {.a = inputs, .x = inputs + layout_.a_bytes, .y = outputs_.data() + i * layout_.y_bytes};
  }

  // Null where a peer refuses the problem; Onepass must not.
  std::unique_ptr<Replay> capture(HostProvider& provider) {
    // One call outside: what loads or fails on first use does so here.
    try {
      provider.call(point_.problem, set(0));
    } catch (const Failure&) {
      if (&provider == &onepass_) throw;
      return nullptr;
    }
    stream_.synchronize();
    const auto flush = [&] {
      if (point_.cache == Cache::cold)
        launch_read(flush_.data(), flush_.bytes(), {.threads = 512, .blocks = 4 * multiprocessors()},
                    reinterpret_cast<unsigned*>(sink_.data()), stream_.get());
    };
    const auto launches = [&] {
      for (std::size_t i = 0; i < launches_; ++i) provider.call(point_.problem, set(i % layout_.sets));
    };
    auto replay = std::make_unique<Replay>(stream_.get(), flush, launches);
    replay->run();
    return replay;
  }

  double host_seconds(HostProvider& provider) {
    Gemv p{.m = 64, .n = 64, .lda = 64};
    CudaMemory operands(std::size_t{64} << 10);
    fill_random(operands, Type::s);
    const std::byte* a = operands.data();
    const Vectors v{.a = a, .x = a + (16 << 10), .y = operands.data() + (32 << 10)};
    if (&provider != &onepass_) return host_seconds_per_call(stream_, [&] { provider.call(p, v); });
    const float one = 1, zero = 0;
    return host_seconds_per_call(stream_, [&] {
      must(onepassSgemv(onepass_.handle(), ONEPASS_OP_N, p.m, p.n, &one, static_cast<const float*>(v.a), p.lda,
                        static_cast<const float*>(v.x), 1, &zero, static_cast<float*>(v.y), 1));
    });
  }

  CudaStream stream_;
  OnepassProvider onepass_;
  CublasProvider cublas_;
  std::vector<HostProvider*> providers_;
  CudaMemory flush_, sink_, inputs_, outputs_;
  std::optional<DeviceCeilings> ceilings_;
  std::optional<Type> filled_type_;
  Point point_;
  PoolLayout layout_;
  double bytes_ = 0;
  std::size_t launches_ = 1;
  std::vector<std::unique_ptr<Replay>> replays_;  // null where a provider does not serve the point
};

}  // namespace

std::unique_ptr<Stage> make_cuda_stage(const Backend& backend) { return std::make_unique<CudaStage>(backend); }

}  // namespace onepass::tools
