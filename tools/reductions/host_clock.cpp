// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <chrono>
#include <cstring>
#include <memory>

#include "measure/host/machine.hpp"
#include "reductions/clock.hpp"
#include "reductions/lapack_peer.hpp"

namespace onepass::tools {
namespace {

class HostClock final : public ReductionClock {
 public:
  explicit HostClock(int threads) : threads_(threads), peer_(open_lapack(threads)) {}
  void* memory(Room room, std::size_t bytes) override {
    std::vector<std::byte>& found = memory_[static_cast<std::size_t>(room)];
    if (found.size() < bytes + alignment) {
      require_memory(static_cast<double>(bytes + alignment));
      found.resize(bytes + alignment);
    }
    void* aligned = found.data();
    std::size_t left = found.size();
    return std::align(alignment, bytes, aligned, left);
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  double milliseconds(const std::function<void()>& body) override {
    const auto start = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }
  const ReductionPeer* peer() const override { return peer_.get(); }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {{"device", processor_name()}, {"threads", std::to_string(threads_)}};
  }

 private:
  static constexpr std::size_t alignment = 256;  // of a workspace
  std::array<std::vector<std::byte>, rooms> memory_;
  int threads_;
  std::unique_ptr<ReductionPeer> peer_;
};

}  // namespace

std::unique_ptr<ReductionClock> make_host_clock(int threads) { return std::make_unique<HostClock>(threads); }

#if !defined(ONEPASS_LAPACK_CUDA)
std::unique_ptr<ReductionClock> make_cuda_clock(Beside) { return nullptr; }
#endif

}  // namespace onepass::tools
