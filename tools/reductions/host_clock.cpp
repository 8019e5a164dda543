// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <thread>

#include "problem/status.hpp"
#include "reductions/clock.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

class HostClock final : public ReductionClock {
 public:
  void load(std::int64_t n, std::size_t element, std::size_t real, const std::vector<std::byte>& matrix) override {
    original_ = matrix;
    a_.resize(matrix.size());
    d_.resize(static_cast<std::size_t>(n) * real);
    e_.resize(d_.size());
    tau_.resize(static_cast<std::size_t>(n) * element);
  }
  double onepass(onepassLapackHandle_t handle, const onepassLapackProblem_t& problem) override {
    a_ = original_;
    const onepassLapackOperands_t operands = {a_.data(), d_.data(), e_.data(), tau_.data(), nullptr, nullptr};
    const auto start = std::chrono::steady_clock::now();
    require({onepassLapackRun(handle, &problem, &operands, nullptr, 0), onepassLapackLastErrorMessage()});
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }
  double peer(const onepassLapackProblem_t&) override { return 0; }
  std::string peer_name() const override { return ""; }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {{"threads", std::to_string(std::thread::hardware_concurrency())}};
  }

 private:
  std::vector<std::byte> original_, a_, d_, e_, tau_;
};

}  // namespace

std::unique_ptr<ReductionClock> make_host_clock() { return std::make_unique<HostClock>(); }

#if !defined(ONEPASS_LAPACK_CUDA)
std::unique_ptr<ReductionClock> make_cuda_clock() { return nullptr; }
#endif

}  // namespace onepass::tools
