// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/host/host_stage.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "measure/host/host_condition.hpp"
#include "measure/host/machine.hpp"
#include "measure/host/provider.hpp"
#include "measure/host/read_sweep.hpp"
#include "measure/onepass_provider.hpp"
#include "measure/pool_layout.hpp"
#include "measure/random_block.hpp"
#include "problem/cost.hpp"
#include "problem/names.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

using Clock = std::chrono::steady_clock;

// Sets of operands that the samples of a hot point use in turn. Which lines of a cache two pages share depends on where
// they happen to lie: one and the same product of 2 MB took 40 us in one run and 49 in the next, with spreads of 0.3 %.
constexpr std::size_t hot_places = 7;

// Memory that only grows, in pages of 2 MiB where the system gives them. Of small ones it depends on the process which
// lines of a cache they share: d N 1024x1024 took 160 us in some runs and 180 in others, with spreads of 1 %.
class Arena {
 public:
  // Whether it had to grow, and so lost what was in it.
  bool reserve(std::size_t bytes) {
    if (bytes <= bytes_) return false;
    data_.reset();
    bytes_ = 0;
    constexpr std::size_t page = std::size_t{2} << 20;
    const std::size_t rounded = (bytes + page - 1) / page * page;
    data_.reset(static_cast<std::byte*>(std::aligned_alloc(page, rounded)));
    if (data_ != nullptr) (void)madvise(data_.get(), rounded, MADV_HUGEPAGE);
    if (data_ == nullptr) throw Failure(Exit::failed, fmt::format("no {} bytes of memory", rounded));
    bytes_ = rounded;
    return true;
  }
  std::byte* data() const { return data_.get(); }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(std::byte* data) const { std::free(data); }
  };
  std::unique_ptr<std::byte, Free> data_;
  std::size_t bytes_ = 0;
};

class HostStage final : public Stage {
 public:
  HostStage(const Backend& backend, const StageOptions& options) : backend_(backend), caches_(cache_sizes()) {
    if (options.who != Who::peers) providers_.push_back(std::make_unique<OnepassProvider>(backend.id()));
    if (options.others)
      for (auto& other : options.others(nullptr)) providers_.push_back(std::move(other));
    if (options.who == Who::onepass) return;
    for (HostPeer& peer : open_host_peers()) {
      facts_.push_back({"peer " + peer.name, peer.detail});
      if (peer.provider != nullptr) providers_.push_back(std::move(peer.provider));
    }
  }

  std::vector<Fact> facts() const override {
    std::vector<Fact> facts = {{"device", processor_name()},
                               {"threads", std::to_string(std::thread::hardware_concurrency())},
                               {"features", backend_.traits().features}};
    for (std::size_t i = 0; i < caches_.size(); ++i)
      facts.push_back({fmt::format("L{}", i + 1), fmt::format("{} KiB", caches_[i] >> 10)});
    facts.insert(facts.end(), facts_.begin(), facts_.end());
    return facts;
  }

  std::vector<Constant> constants() override { return {}; }
  std::vector<Constant> peer_constants() override { return {}; }
  void adopt(const std::vector<Constant>&) override {}

  // Sizes from the first cache to eight times the last, each four times the one before; what a call costs besides.
  std::vector<Constant> ceilings() override {
    std::vector<Constant> found;
    const std::size_t largest = 8 * caches_.back();
    fill(Type::s, largest);
    const int all = static_cast<int>(std::thread::hardware_concurrency());
    for (const int threads : all > 1 ? std::vector<int>{1, all} : std::vector<int>{1})
      for (std::size_t bytes = caches_.front() / 2; bytes <= largest; bytes *= 4) {
        const std::string where =
            fmt::format("{} KiB in {}, {} thread{}", bytes >> 10, level_of(bytes), threads, threads == 1 ? "" : "s");
        const ReadPool pool{.data = inputs_.data(), .set_bytes = bytes, .sets = 1};
        const double read = least_seconds([&] { return read_seconds(pool, threads, 0.01); });
        const double copy = least_seconds([&] { return copy_seconds(inputs_.data(), bytes, threads, 0.01); });
        found.push_back({"read " + where, static_cast<double>(bytes) / read / 1e9, "GB/s"});
        found.push_back({"copy " + where, static_cast<double>(bytes) / copy / 1e9, "GB/s"});
      }
    for (const int threads : all > 1 ? std::vector<int>{1, all} : std::vector<int>{1})
      found.push_back({"time per call, Onepass sgemv 1x1," + threads_text(threads), call_seconds(threads) * 1e6, "us"});
    return found;
  }

  std::vector<std::string> remarks() override { return condition_->remarks(); }

  std::vector<std::string> providers() const override {
    std::vector<std::string> names;
    for (const auto& provider : providers_) names.push_back(provider->name());
    return names;
  }

  std::string prepare(const Point& point) override {
    const Problem& p = point.problem;
    if (p.m == 0 || p.n == 0) return "the matrix is empty";
    const double bytes = cost(p).bytes();
    const std::size_t pool = 3 * caches_.back();
    layout_ = lay_out(point, pool, SIZE_MAX);
    if (point.cache == Cache::hot)
      layout_.sets = std::clamp<std::size_t>(pool / std::max<std::size_t>(layout_.input_stride(), 1), 1, hot_places);
    // The floor reads the bytes of y too, from the inputs.
    read_ = {.data = nullptr, .set_bytes = round_to_256(static_cast<std::int64_t>(bytes)), .sets = layout_.sets};
    const std::size_t inputs = std::max(layout_.input_bytes(), read_.set_bytes * read_.sets);
    const std::size_t growth = inputs + layout_.output_bytes() - std::min(inputs, inputs_.bytes());
    if (growth > available_memory() / 10 * 8)
      return fmt::format("needs {:.1f} GB more memory than is free", static_cast<double>(growth) / 1e9);
    fill(p.type_a, inputs);
    if (outputs_.reserve(layout_.output_bytes())) std::memset(outputs_.data(), 0, outputs_.bytes());
    operands_ = operands_of(layout_, inputs_.data(), outputs_.data());
    pointers_ = pointers_of(p, operands_);
    if (p.pointer_array)
      for (std::size_t i = 0; i < operands_.size(); ++i) operands_[i] = in_array(p, pointers_.data(), i);
    read_.data = inputs_.data();
    point_ = point;
    calls_.assign(providers_.size(), 0);
    turns_.assign(providers_.size() + 1, 0);
    next_set_ = 0;
    for (const auto& provider : providers_) provider->set_threads(point.threads);
    return {};
  }

  bool serves(std::size_t provider) const override { return providers_[provider]->takes(point_.problem); }

  bool one_by_one() const override { return false; }

  std::string level() const override {
    return point_.cache == Cache::cold ? "memory" : level_of(static_cast<std::size_t>(cost(point_.problem).bytes()));
  }

  double sample(std::size_t provider, double seconds) override {
    if (point_.threads != 1) {
      wait_for_idle_threads();
      wake_threads(*providers_[provider]);
    }
    if (point_.cache == Cache::hot) {
      next_set_ = turns_[provider]++ % layout_.sets;
      timed_calls(*providers_[provider], passes_into_cache());
    }
    std::size_t& calls = calls_[provider];
    if (calls == 0) calls = calibrate(*providers_[provider], seconds);
    return timed_calls(*providers_[provider], calls) / static_cast<double>(calls);
  }

  double sample_floor(double seconds) override {
    condition_->look();
    if (point_.threads != 1) wait_for_idle_threads();
    ReadPool pool = read_;
    if (point_.cache == Cache::hot) {
      pool.sets = 1;
      pool.data += turns_.back()++ % layout_.sets * pool.set_bytes;
    }
    const double one = read_seconds(pool, 1, point_.threads > 1 ? seconds / 2 : seconds);
    // A few lines are read sooner by one core than by several.
    return point_.threads > 1 ? std::min(one, read_seconds(pool, point_.threads, seconds / 2)) : one;
  }

 private:
  // Of three: a ceiling is what can be reached.
  template <class Seconds>
  static double least_seconds(const Seconds& seconds) {
    double least = seconds();
    for (int round = 1; round < 3; ++round) least = std::min(least, seconds());
    return least;
  }

  double call_seconds(int threads) {
    prepare({.problem = {.m = 1, .n = 1, .lda = 1}, .cache = Cache::hot, .threads = threads});
    return sample(0, 0.02);
  }

  std::string level_of(std::size_t bytes) const {
    for (std::size_t i = 0; i < caches_.size(); ++i)
      if (bytes <= caches_[i]) return fmt::format("L{}", i + 1);
    return "memory";
  }

  void fill(Type type, std::size_t bytes) {
    const bool grown = inputs_.reserve(bytes);
    if (!grown && filled_ && filled_type_ == type) return;
    const std::vector<std::byte> block = random_block(type);
    for (std::size_t at = 0; at < inputs_.bytes(); at += block.size())
      std::memcpy(inputs_.data() + at, block.data(), std::min(block.size(), inputs_.bytes() - at));
    filled_ = true;
    filled_type_ = type;
  }

  // Calls that bring the next set into the cache. One does not: a last cache keeps what was read often, the set of the
  // round before, and the provider with the first turn of a round would pay for all.
  std::size_t passes_into_cache() const {
    const auto bytes = static_cast<std::size_t>(cost(point_.problem).bytes());
    return caches_.front() < bytes && bytes <= caches_.back() ? 8 : 1;
  }

  // Threads that slept through the other providers' turns take milliseconds to come back on a virtual
  // machine: calls until they are all at work, for every provider alike.
  void wake_threads(HostProvider& provider) {
    constexpr double wake_seconds = 10e-3;
    for (double elapsed = 0; elapsed < wake_seconds;) elapsed += timed_calls(provider, 1);
  }

  // How many calls fill the time. It warms up as well.
  std::size_t calibrate(HostProvider& provider, double seconds) {
    for (std::size_t calls = 1;;) {
      const double elapsed = timed_calls(provider, calls);
      const double fit = static_cast<double>(calls) * seconds / std::max(elapsed, 1e-9);
      if (elapsed >= seconds / 4) return std::max<std::size_t>(1, static_cast<std::size_t>(fit));
      calls = std::min(16 * calls, static_cast<std::size_t>(fit) + 1);
    }
  }

  double timed_calls(HostProvider& provider, std::size_t calls) {
    const auto start = Clock::now();
    for (std::size_t i = 0; i < calls; ++i) {
      provider.call(point_.problem, operands_[next_set_]);
      if (point_.cache == Cache::cold && ++next_set_ == layout_.sets) next_set_ = 0;
    }
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  const Backend& backend_;
  std::vector<std::size_t> caches_;
  std::vector<std::unique_ptr<HostProvider>> providers_;
  std::vector<Fact> facts_;
  std::unique_ptr<Condition> condition_ = make_host_condition();
  Arena inputs_, outputs_;
  bool filled_ = false;
  Type filled_type_ = Type::s;
  Point point_;
  PoolLayout layout_;
  std::vector<Vectors> operands_;  // of each set
  std::vector<void*> pointers_;    // of all sets, where the batch has an array of them
  ReadPool read_;
  std::vector<std::size_t> calls_;  // per sample of each provider; 0: not yet known
  std::vector<std::size_t> turns_;  // samples so far of each provider, and of the floor
  std::size_t next_set_ = 0;
};

}  // namespace

std::unique_ptr<Stage> make_host_stage(const Backend& backend, const StageOptions& options) {
  return std::make_unique<HostStage>(backend, options);
}

}  // namespace onepass::tools
