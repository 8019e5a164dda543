// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "ladder/providers.hpp"

#include "ladder/cpu/by_columns.hpp"
#include "ladder/cpu/by_rows.hpp"
#include "ladder/cpu/four_rows.hpp"
#include "ladder/cpu/many_sums.hpp"
#include "ladder/steps.hpp"
#include "support/failure.hpp"

#ifdef ONEPASS_TOOLS_CUDA
#include "ladder/gpu/cuda_ladder.hpp"
#endif

namespace onepass::tools::ladder {
namespace {

class StepProvider : public HostProvider {
 public:
  explicit StepProvider(std::string_view name) : name_(name) {}
  std::string name() const override { return name_; }
  std::string version() const override { return ""; }
  bool serves(const Problem& p) const override {
    return p.routine == Routine::gemv && p.type_a == Type::s && p.type_y == Type::s && p.op == Op::n &&
           p.layout == Layout::row && p.lda == p.n && p.batch == 1;
  }
  void set_threads(int) override {}

 private:
  std::string name_;
};

class LoopProvider final : public StepProvider {
 public:
  using Loop = void (*)(const float*, const float*, float*, std::int64_t, std::int64_t);
  LoopProvider(std::string_view name, Loop loop) : StepProvider(name), loop_(loop) {}
  void call(const Problem& p, const Vectors& v) override {
    loop_(static_cast<const float*>(v.a), static_cast<const float*>(v.x), static_cast<float*>(v.y), p.m, p.n);
  }

 private:
  Loop loop_;
};

#ifdef ONEPASS_TOOLS_CUDA
class KernelProvider final : public StepProvider {
 public:
  KernelProvider(std::string_view name, Rung rung, Stream stream) : StepProvider(name), rung_(rung), stream_(stream) {}
  void call(const Problem& p, const Vectors& v) override { require(launch_on_cuda(rung_, p, v, stream_)); }

 private:
  Rung rung_;
  Stream stream_;
};
#endif

}  // namespace

std::vector<std::unique_ptr<HostProvider>> providers(BackendId backend, [[maybe_unused]] Stream stream) {
  std::vector<std::unique_ptr<HostProvider>> found;
  if (backend == BackendId::cpu) {
    constexpr LoopProvider::Loop loops[] = {by_columns, by_rows, many_sums, four_rows};
    for (std::size_t i = 0; i < std::size(loops); ++i)
      found.push_back(std::make_unique<LoopProvider>(host_steps()[i].name, loops[i]));
  }
#ifdef ONEPASS_TOOLS_CUDA
  if (backend == BackendId::cuda)
    for (const Rung rung : {Rung::naive, Rung::warp, Rung::block, Rung::vector})
      found.push_back(std::make_unique<KernelProvider>(gpu_steps()[static_cast<std::size_t>(rung)].name, rung, stream));
#endif
  return found;
}

}  // namespace onepass::tools::ladder
