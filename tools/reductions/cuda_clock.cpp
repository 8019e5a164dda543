// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <utility>

#include "reductions/clock.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

void need(const char* what, cudaError_t error) {
  if (error != cudaSuccess) throw Failure(Exit::failed, std::string(what) + ": " + cudaGetErrorString(error));
}

class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { cudaFree(data_); }
  void grow(std::size_t bytes) {
    if (bytes <= bytes_) return;
    cudaFree(data_);
    data_ = nullptr;
    bytes_ = 0;
    need("cudaMalloc", cudaMalloc(&data_, bytes));
    bytes_ = bytes;
  }
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// The part of cuSOLVER's interface that is timed, by the names of its documentation.
class Cusolver {
 public:
  Cusolver() {
    for (const char* name : {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"})
      if (library_ == nullptr) library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) return;
    const auto create = reinterpret_cast<int (*)(void**)>(dlsym(library_, "cusolverDnCreate"));
    if (create == nullptr || create(&handle_) != 0) handle_ = nullptr;
  }
  bool is_there() const { return handle_ != nullptr; }
  int buffer_size(const onepassLapackProblem_t& p, void* a) const {
    using Size = int (*)(void*, int, int, const void*, int, const void*, const void*, const void*, int*);
    int size = 0;
    const auto size_of = reinterpret_cast<Size>(dlsym(library_, (name(p) + "_bufferSize").c_str()));
    if (size_of == nullptr ||
        size_of(handle_, p.fill, static_cast<int>(p.n), a, static_cast<int>(p.lda), a, a, a, &size) != 0)
      throw Failure(Exit::failed, name(p) + "_bufferSize failed");
    return size;
  }
  void run(const onepassLapackProblem_t& p, void* a, void* d, void* e, void* tau, void* work, int size,
           int* info) const {
    using Run = int (*)(void*, int, int, void*, int, void*, void*, void*, void*, int, int*);
    const auto run_it = reinterpret_cast<Run>(dlsym(library_, name(p).c_str()));
    if (run_it == nullptr ||
        run_it(handle_, p.fill, static_cast<int>(p.n), a, static_cast<int>(p.lda), d, e, tau, work, size, info) != 0)
      throw Failure(Exit::failed, name(p) + " failed");
  }

 private:
  static std::string name(const onepassLapackProblem_t& p) {
    constexpr const char* names[] = {"cusolverDnSsytrd", "cusolverDnDsytrd", "cusolverDnChetrd", "cusolverDnZhetrd"};
    return names[p.type];
  }
  void* library_ = nullptr;
  void* handle_ = nullptr;
};

class CudaClock final : public ReductionClock {
 public:
  CudaClock() {
    need("cudaEventCreate", cudaEventCreate(&start_));
    need("cudaEventCreate", cudaEventCreate(&end_));
  }
  ~CudaClock() override {
    cudaEventDestroy(start_);
    cudaEventDestroy(end_);
  }

  void load(std::int64_t n, std::size_t element, std::size_t real, const std::vector<std::byte>& matrix) override {
    bytes_ = matrix.size();
    element_ = element;
    original_.grow(bytes_);
    a_.grow(bytes_);
    d_.grow(static_cast<std::size_t>(n) * real);
    e_.grow(static_cast<std::size_t>(n) * real);
    tau_.grow(static_cast<std::size_t>(n) * element);
    need("copy to the device", cudaMemcpy(original_.data(), matrix.data(), bytes_, cudaMemcpyHostToDevice));
  }
  double onepass(onepassLapackHandle_t handle, const onepassLapackProblem_t& problem) override {
    std::size_t bytes = 0;
    const auto check = [](onepassStatus_t status) { require({status, onepassLapackLastErrorMessage()}); };
    check(onepassLapackWorkspace(handle, &problem, &bytes));
    workspace_.grow(bytes);
    const onepassLapackOperands_t operands = {a_.data(), d_.data(), e_.data(), tau_.data(), nullptr, nullptr};
    return timed([&] { check(onepassLapackRun(handle, &problem, &operands, workspace_.data(), bytes)); });
  }
  double peer(const onepassLapackProblem_t& problem) override {
    if (!cusolver_.is_there()) return 0;
    const int size = cusolver_.buffer_size(problem, a_.data());
    workspace_.grow(static_cast<std::size_t>(size) * element_ + 256);
    auto* const info = static_cast<int*>(
        static_cast<void*>(static_cast<std::byte*>(workspace_.data()) + static_cast<std::size_t>(size) * element_));
    return timed(
        [&] { cusolver_.run(problem, a_.data(), d_.data(), e_.data(), tau_.data(), workspace_.data(), size, info); });
  }
  std::string peer_name() const override { return cusolver_.is_there() ? "cuSOLVER" : ""; }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    cudaDeviceProp properties{};
    int device = 0, driver = 0, runtime = 0;
    need("cudaGetDevice", cudaGetDevice(&device));
    need("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, device));
    need("cudaDriverGetVersion", cudaDriverGetVersion(&driver));
    need("cudaRuntimeGetVersion", cudaRuntimeGetVersion(&runtime));
    const auto version = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
    return {{"device", properties.name}, {"driver for CUDA", version(driver)}, {"CUDA", version(runtime)}};
  }

 private:
  template <class Body>
  double timed(Body body) {
    need("copy", cudaMemcpy(a_.data(), original_.data(), bytes_, cudaMemcpyDeviceToDevice));
    need("cudaDeviceSynchronize", cudaDeviceSynchronize());
    need("cudaEventRecord", cudaEventRecord(start_));
    body();
    need("cudaEventRecord", cudaEventRecord(end_));
    need("cudaEventSynchronize", cudaEventSynchronize(end_));
    float ms = 0;
    need("cudaEventElapsedTime", cudaEventElapsedTime(&ms, start_, end_));
    return ms;
  }

  Memory original_, a_, d_, e_, tau_, workspace_;
  std::size_t bytes_ = 0, element_ = 0;
  cudaEvent_t start_ = nullptr, end_ = nullptr;
  Cusolver cusolver_;
};

}  // namespace

std::unique_ptr<ReductionClock> make_cuda_clock() { return std::make_unique<CudaClock>(); }

}  // namespace onepass::tools
