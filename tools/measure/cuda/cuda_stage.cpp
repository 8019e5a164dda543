// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/cuda/cuda_stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "measure/alone.hpp"
#include "measure/cuda/ceilings.hpp"
#include "measure/cuda/cublas_peer.hpp"
#include "measure/cuda/device.hpp"
#include "measure/cuda/found_peers.hpp"
#include "measure/cuda/gpu_condition.hpp"
#include "measure/cuda/graph.hpp"
#include "measure/cuda/host_time.hpp"
#include "measure/cuda/kernels.hpp"
#include "measure/onepass_provider.hpp"
#include "measure/pool_layout.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

// The constants of the floor, by the names under which a record keeps them.
constexpr const char* empty_kernel_name = "empty kernel";
constexpr const char* shortest_name = "shortest read";
constexpr const char* fixed_name = "fixed part of a launch";
constexpr const char* memory_name = "read bandwidth, memory";
constexpr const char* cache_name = "read bandwidth, L2";
constexpr const char* between_name = "kernel between two calls";
constexpr const char* shortest_alone_name = "shortest read, alone";
constexpr const char* fixed_alone_name = "fixed part of a launch, alone";
constexpr const char* memory_alone_name = "read bandwidth, alone";

class CudaStage final : public Stage {
 public:
  CudaStage(const Backend& backend, const StageOptions& options)
      : options_(options), onepass_(backend.id()), flush_(3 * l2_bytes()), sink_(256) {
    must(onepassSetStream(onepass_.handle(), stream_.get()));
    fill_random(flush_, Type::s);
    must(cudaMemsetAsync(sink_.data(), 0, sink_.bytes(), stream_.get()), "cudaMemsetAsync");
    if (options.who != Who::peers) providers_ = {&onepass_};
    if (options.others) others_ = options.others(stream_.get());
    for (const auto& other : others_) providers_.push_back(other.get());
    if (options.who == Who::onepass) return;
    cublas_.emplace(stream_.get());
    peers_ = open_cublas(cublas_->get());
    found_ = open_found_peers(stream_.get());
    for (const auto& peer : peers_) providers_.push_back(peer.get());
    for (const auto& peer : found_) providers_.push_back(peer.get());
  }

  std::vector<Fact> facts() const override {
    std::vector<Fact> facts = {{"device", device_name()},
                               {"driver", driver_version()},
                               {"toolkit", toolkit_version()},
                               {"multiprocessors", std::to_string(multiprocessors())},
                               {"L2", fmt::format("{} KiB", l2_bytes() >> 10)},
                               {"peer cuBLAS", cublas_version()}};
    for (const auto& peer : found_) facts.push_back({"peer " + peer->name(), peer->version()});
    return facts;
  }

  std::vector<Constant> constants() override {
    const DeviceCeilings& found = known_ceilings();
    return {{empty_kernel_name, found.empty_kernel * 1e6, "us"},
            {shortest_name, found.memory.empty_seconds * 1e6, "us"},
            {fixed_name, found.memory.launch_seconds * 1e6, "us"},
            {memory_name, found.memory.bytes_per_second / 1e9, "GB/s"},
            {cache_name, found.cache.bytes_per_second / 1e9, "GB/s"},
            {between_name, found.between * 1e6, "us"},
            {shortest_alone_name, found.alone.empty_seconds * 1e6, "us"},
            {fixed_alone_name, found.alone.launch_seconds * 1e6, "us"},
            {memory_alone_name, found.alone.bytes_per_second / 1e9, "GB/s"},
            {peak_bandwidth_name, peak_bytes_per_second() / 1e9, "GB/s"},
            {peak_single_name, peak_flops(Type::s) / 1e9, "GFLOP/s"},
            {peak_double_name, peak_flops(Type::d) / 1e9, "GFLOP/s"},
            {"host time of an empty launch", host_seconds_per_call(stream_, [&] { launch_empty(stream_.get()); }) * 1e6,
             "us"},
            {"host time per call, Onepass sgemv 64x64", host_seconds(onepass_) * 1e6, "us"}};
  }

  std::vector<Constant> peer_constants() override {
    if (peers_.empty()) return {};
    return {{"host time per call, cuBLAS sgemv 64x64", host_seconds(*peers_[0]) * 1e6, "us"}};
  }

  void adopt(const std::vector<Constant>& constants) override {
    const auto find = [&](std::string_view wanted) -> std::optional<double> {
      for (const Constant& c : constants)
        if (c.name == wanted) return c.value;
      return std::nullopt;
    };
    const auto value = [&](std::string_view wanted) {
      if (const std::optional<double> found = find(wanted)) return *found;
      throw Failure(Exit::failed, fmt::format("the record has no constant \"{}\", so its floor is not known", wanted));
    };
    Ceilings memory{.empty_seconds = value(shortest_name) * 1e-6,
                    .launch_seconds = value(fixed_name) * 1e-6,
                    .bytes_per_second = value(memory_name) * 1e9};
    Ceilings cache = memory;
    cache.bytes_per_second = value(cache_name) * 1e9;
    // Records from before calls were timed alone have none of these.
    const Ceilings alone = find(memory_alone_name) ? Ceilings{.empty_seconds = value(shortest_alone_name) * 1e-6,
                                                              .launch_seconds = value(fixed_alone_name) * 1e-6,
                                                              .bytes_per_second = value(memory_alone_name) * 1e9}
                                                   : nominal_alone;
    const std::optional<double> between = find(between_name);
    ceilings_ = {.empty_kernel = value(empty_kernel_name) * 1e-6,
                 .between = between ? *between * 1e-6 : measure_between(stream_),
                 .memory = memory,
                 .cache = cache,
                 .alone = alone};
  }

  std::vector<Constant> ceilings() override {
    std::vector<Constant> found = constants();
    for (const Bandwidth& b : measure_bandwidths(stream_)) {
      found.push_back({fmt::format("read {} KiB", b.bytes >> 10), b.read / 1e9, "GB/s"});
      found.push_back({fmt::format("copy {} KiB", b.bytes >> 10), b.copy / 1e9, "GB/s"});
    }
    return found;
  }

  std::vector<std::string> remarks() override { return condition_->remarks(); }

  std::vector<std::string> providers() const override {
    std::vector<std::string> names;
    for (const HostProvider* provider : providers_) names.push_back(provider->name());
    return names;
  }

  std::string prepare(const Point& point) override {
    const Problem& p = point.problem;
    if (p.m == 0 || p.n == 0) return "the matrix is empty";
    if (point.cache == Cache::chain && row(p).a == Access::update) return "its result is no vector";
    captured_ = nullptr;
    replay_.reset();
    served_.clear();
    point_ = point;
    bytes_ = cost(p).bytes();
    // A large product is a good sample by itself; two alternate, so that neither finds its operands in the L2.
    launches_ =
        std::clamp<std::size_t>(static_cast<std::size_t>(options_.replay_seconds / floor()), 2, options_.most_launches);
    layout_ = lay_out(point, 3 * l2_bytes(), launches_, least_sets_of_graph);
    const std::size_t held = inputs_.bytes() + outputs_.bytes();
    const std::size_t needed = layout_.input_bytes() + layout_.output_bytes();
    // Asking for the free memory takes longer than many a product.
    const bool grows = layout_.input_bytes() > inputs_.bytes() || layout_.output_bytes() > outputs_.bytes();
    if (grows && static_cast<double>(needed) > 0.9 * static_cast<double>(free_device_memory() + held))
      return fmt::format("needs {:.1f} GB of device memory", static_cast<double>(needed) / 1e9);
    fill(p.type_a);
    place_operands(p);
    for (HostProvider* provider : providers_) served_.push_back(provider->takes(p) && answers(*provider));
    return {};
  }

  bool serves(std::size_t provider) const override { return served_[provider]; }

  // One graph at a time: beside a second one, that of a peer, each launch of either took 0.3 us longer in most points
  // of a mesh on an H200 (s T up to 0.3 MB in a queue: 0.80 of the floor in place of 0.96).
  bool one_by_one() const override { return true; }

  std::string level() const override { return in_cache() ? "L2" : "memory"; }

  // At least one replay; its length was chosen when it was captured.
  double sample(std::size_t provider, double seconds) override {
    if (captured_ != providers_[provider] && !begin(provider)) return std::nan("");
    double total = 0;
    int replays = 0;
    do {
      total += replay_->run();
      ++replays;
    } while (total < 0.5 * seconds && replays < 1000);
    const double replay = total / replays;
    if (!is_alone()) return replay / static_cast<double>(launches_);
    const double seconds_of_call = seconds_alone(replay, launches_, known_ceilings().between);
    if (!(seconds_of_call > 0)) throw Failure(Exit::failed, "the calls took less time than the kernels between them");
    return seconds_of_call;
  }

  double sample_floor(double) override {
    condition_->look();
    return floor();
  }

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

  bool is_alone() const { return setting(point_.cache) == Setting::alone; }

  double floor() {
    const DeviceCeilings& known = known_ceilings();
    return floor_seconds(is_alone() ? known.alone : in_cache() ? known.cache : known.memory, bytes_);
  }

  void fill(Type type) {
    const bool grown = inputs_.reserve(layout_.input_bytes());
    if (grown || filled_type_ != type) fill_random(inputs_, type);
    filled_type_ = type;
    if (outputs_.reserve(layout_.output_bytes())) fill_random(outputs_, type);
  }

  void place_operands(const Problem& p) {
    operands_ = operands_of(layout_, inputs_.data(), outputs_.data());
    if (!p.pointer_array) return;
    const std::vector<void*> pointers = pointers_of(p, operands_);
    const std::size_t bytes = pointers.size() * sizeof(void*);
    pointers_.reserve(bytes);
    must(cudaMemcpyAsync(pointers_.data(), pointers.data(), bytes, cudaMemcpyHostToDevice, stream_.get()),
         "cudaMemcpyAsync of the pointers");
    stream_.synchronize();
    auto** on_device = reinterpret_cast<void**>(pointers_.data());
    for (std::size_t i = 0; i < operands_.size(); ++i) operands_[i] = in_array(p, on_device, i);
  }

  // Whether a call outside of a graph succeeds; what loads on first use does so here. A peer may refuse, Onepass must
  // not.
  bool answers(HostProvider& provider) {
    try {
      provider.call(point_.problem, operands_[0]);
      stream_.synchronize();
      return true;
    } catch (const Failure&) {
      if (&provider == &onepass_) throw;
      (void)cudaGetLastError();  // else the next launch would find the peer's error
      return false;
    }
  }

  // The graph of a provider in place of the last one's; false if a peer does not work in a graph, and is not asked
  // again.
  bool begin(std::size_t provider) {
    captured_ = nullptr;
    replay_.reset();
    try {
      replay_ = capture(*providers_[provider]);
      captured_ = providers_[provider];
      return true;
    } catch (const Failure&) {
      if (providers_[provider] == &onepass_) throw;
      (void)cudaGetLastError();
      served_[provider] = false;
      return false;
    }
  }

  std::unique_ptr<Replay> capture(HostProvider& provider) {
    auto replay = std::make_unique<Replay>(
        stream_.get(), [&] { flush(); },
        [&] {
          for (std::size_t i = 0; i < launches_; ++i) {
            provider.call(point_.problem, operands_[i % operands_.size()]);
            if (is_alone()) launch_between(stream_.get());
          }
        });
    replay->run();
    return replay;
  }

  void flush() {
    if (from_memory(point_.cache))
      launch_read(flush_.data(), flush_.bytes(), {.threads = 512, .blocks = 4 * multiprocessors()},
                  reinterpret_cast<unsigned*>(sink_.data()), stream_.get());
  }

  double host_seconds(HostProvider& provider) {
    Problem p{.m = 64, .n = 64, .lda = 64};
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

  StageOptions options_;
  CudaStream stream_;
  OnepassProvider onepass_;
  std::optional<CublasHandle> cublas_;
  std::vector<std::unique_ptr<HostProvider>> peers_, found_, others_;
  std::vector<HostProvider*> providers_;
  CudaMemory flush_, sink_, inputs_, outputs_, pointers_;
  std::unique_ptr<Condition> condition_ = make_gpu_condition();
  std::optional<DeviceCeilings> ceilings_;
  std::optional<Type> filled_type_;
  Point point_;
  PoolLayout layout_;
  std::vector<Vectors> operands_;  // of each set
  double bytes_ = 0;
  std::size_t launches_ = 1;
  std::vector<bool> served_;                // by provider
  const HostProvider* captured_ = nullptr;  // whose calls replay_ has
  std::unique_ptr<Replay> replay_;
};

}  // namespace

std::vector<std::string> cuda_peer_names() {
  std::vector<std::string> names;
  for (const auto& peer : open_cublas(nullptr)) names.push_back(peer->name());
  for (std::string& name : found_peer_names()) names.push_back(std::move(name));
  return names;
}

std::unique_ptr<Stage> make_cuda_stage(const Backend& backend, const StageOptions& options) {
  return std::make_unique<CudaStage>(backend, options);
}

}  // namespace onepass::tools
