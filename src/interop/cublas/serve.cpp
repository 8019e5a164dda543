// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/cublas/serve.hpp"

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <string_view>

#include "api/problem_from_c.hpp"
#include "backends/cuda/current_device.hpp"
#include "backends/cuda/pin_bandwidth.hpp"
#include "interop/cublas/estimate.hpp"
#include "interop/thread_handles.hpp"
#include "plan/device_traits.hpp"

namespace onepass::cublas {
namespace {

void* cublas_library() {
  static void* const found = real_library("libcublas", {"13", "12", "11"});
  return found;
}
void* cublas_lt_library() {
  static void* const found = real_library("libcublasLt", {"13", "12", "11"});
  return found;
}

bool make_handle(onepassHandle_t* handle) { return onepassCreateOn(handle, "cuda") == ONEPASS_STATUS_SUCCESS; }

// Asked for at each call: PyTorch sets the stream before each, and cuBLAS answers from its handle (both questions: 10
// to 20 ns).
bool read_settings(cublasHandle_t cublas, Settings* settings) {
  static auto* const get_stream = reinterpret_cast<decltype(&cublasGetStream_v2)>(next_symbol("cublasGetStream_v2"));
  static auto* const get_mode =
      reinterpret_cast<decltype(&cublasGetPointerMode_v2)>(next_symbol("cublasGetPointerMode_v2"));
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  if (get_stream == nullptr || get_mode == nullptr || get_stream(cublas, &settings->stream) != CUBLAS_STATUS_SUCCESS ||
      get_mode(cublas, &pointer_mode) != CUBLAS_STATUS_SUCCESS)
    return false;
  if (pointer_mode == CUBLAS_POINTER_MODE_DEVICE) settings->scalars = ONEPASS_POINTER_MODE_DEVICE;
  return true;
}

// Of a device's memory, in bytes per second: what it is clocked for, less what an H200 loses of that. Where it does not
// say, that of an H200. A device is asked once: the clock alone takes CUDA half a millisecond to find out.
double bandwidth_of(int device) {
  constexpr double of_pins = 0.966;
  static std::array<std::atomic<double>, cuda::most_devices> found{};  // 0: not asked yet
  std::atomic<double>& bandwidth = found[static_cast<std::size_t>(device)];
  if (bandwidth.load(std::memory_order_relaxed) == 0) {
    const double pins = cuda::pin_bandwidth(device);
    bandwidth.store(pins > 0 ? of_pins * pins : h200_bytes_per_second, std::memory_order_relaxed);
  }
  return bandwidth.load(std::memory_order_relaxed);
}

onepassStatus_t run(onepassHandle_t handle, const onepassGemvProblem_t& problem, const Pointers& p) {
  return onepassGemv(handle, &problem, p.alpha, p.a, p.x, p.beta, p.y);
}
onepassStatus_t run(onepassHandle_t handle, const onepassSymvProblem_t& problem, const Pointers& p) {
  return onepassSymv(handle, &problem, p.alpha, p.a, p.x, p.beta, p.y);
}

template <class Problem>
bool take_with(const char* name, const Stopwatch& all, const Settings& settings, Problem problem,
               const Pointers& pointers) {
  const auto decline = [&](const char* why) {
    pass_on(name, why);
    return false;
  };
  const auto [handle, device] = handle_here<onepassHandle_t>(make_handle);
  if (handle == nullptr) return decline("no GPU for Onepass");
  if (onepassSetStream(handle, settings.stream) != ONEPASS_STATUS_SUCCESS)
    return decline("no workspace for the stream");
  problem.scalars = settings.scalars;
  const Stopwatch in_onepass;
  if (const onepassStatus_t status = run(handle, problem, pointers); status != ONEPASS_STATUS_SUCCESS)
    return decline(onepassStatusName(status));
  if (mode == Mode::log) {
    const HostTime time{.all = all.passed(), .in_onepass = in_onepass.passed()};
    taken(name, time, estimate(problem_from_c(problem), bandwidth_of(device)));
  }
  return true;
}

template <class Problem>
bool take_of(const char* name, cublasHandle_t cublas, const Problem& problem, const Pointers& pointers) {
  if (mode == Mode::off) return false;
  const Stopwatch all;
  Settings settings;
  if (cublas == nullptr || !read_settings(cublas, &settings)) {
    pass_on(name, cublas == nullptr ? "a null handle" : "a handle that cuBLAS does not know");
    return false;
  }
  return take_with(name, all, settings, problem, pointers);
}

}  // namespace

void* next_symbol(const char* name) {
  if (void* found = dlsym(RTLD_NEXT, name); found != nullptr) return found;
  void* const from = std::string_view(name).starts_with("cublasLt") ? cublas_lt_library() : cublas_library();
  return from == nullptr ? nullptr : dlsym(from, name);
}

bool take(const char* name, cublasHandle_t handle, onepassGemvProblem_t problem, const Pointers& pointers) {
  return take_of(name, handle, problem, pointers);
}
bool take(const char* name, cublasHandle_t handle, onepassSymvProblem_t problem, const Pointers& pointers) {
  return take_of(name, handle, problem, pointers);
}
bool take(const char* name, const Stopwatch& all, const Settings& settings, onepassGemvProblem_t problem,
          const Pointers& pointers) {
  return mode != Mode::off && take_with(name, all, settings, problem, pointers);
}

}  // namespace onepass::cublas
