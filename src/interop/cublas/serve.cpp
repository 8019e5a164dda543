// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/cublas/serve.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace onepass::cublas {
namespace {

enum class Mode { off, on, log };

Mode mode_of_environment() {
  const char* text = std::getenv("ONEPASS_INTERPOSE");
  const std::string_view value = text == nullptr ? "on" : text;
  return value == "off" ? Mode::off : value == "log" ? Mode::log : Mode::on;
}

const Mode mode = mode_of_environment();

class Log {
 public:
  Log() = default;
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log() {
    if (mode != Mode::log) return;
    for (const auto& [line, calls] : lines_)
      std::fprintf(stderr, "onepass: %s: %lld\n", line.c_str(), static_cast<long long>(calls));
    if (lines_.empty()) std::fprintf(stderr, "onepass: no call of cuBLAS came here\n");
  }
  void count(const char* name, const char* what) {
    if (mode != Mode::log) return;
    const std::lock_guard lock(mutex_);
    ++lines_[std::string(name) + " " + what];
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::int64_t> lines_;
};

Log log;  // NOLINT: one per process, said at its end

// A cuBLAS that Python loaded is not in the scope that RTLD_NEXT looks through, but it is loaded.
void* cublas_library() {
  for (const int flags : {RTLD_LAZY | RTLD_NOLOAD, RTLD_LAZY})
    for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"})
      if (void* found = dlopen(name, flags); found != nullptr) return found;
  return nullptr;
}

constexpr int most_devices = 64;
using Handles = std::array<onepassHandle_t, most_devices>;

// Handles that a thread left behind serve the next one. They are never destroyed: a graph may use their workspaces.
std::mutex idle_mutex;
std::vector<Handles> idle;

struct OfThread {
  Handles handles{};
  OfThread() {
    const std::lock_guard lock(idle_mutex);
    if (idle.empty()) return;
    handles = idle.back();
    idle.pop_back();
  }
  OfThread(const OfThread&) = delete;
  OfThread& operator=(const OfThread&) = delete;
  ~OfThread() {
    const std::lock_guard lock(idle_mutex);
    idle.push_back(handles);
  }
};

// This thread's handle on the current device, or null where Onepass has no GPU to work with.
onepassHandle_t handle_here() {
  thread_local OfThread mine;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess || device >= most_devices) return nullptr;
  onepassHandle_t& handle = mine.handles[static_cast<std::size_t>(device)];
  if (handle == nullptr && onepassCreateOn(&handle, "cuda") != ONEPASS_STATUS_SUCCESS) return nullptr;
  return handle;
}

onepassStatus_t run(onepassHandle_t handle, const onepassGemvProblem_t& problem, const Pointers& p) {
  return onepassGemv(handle, &problem, p.alpha, p.a, p.x, p.beta, p.y);
}
onepassStatus_t run(onepassHandle_t handle, const onepassSymvProblem_t& problem, const Pointers& p) {
  return onepassSymv(handle, &problem, p.alpha, p.a, p.x, p.beta, p.y);
}

template <class Problem>
bool take_any(const char* name, cublasHandle_t cublas, Problem problem, const Pointers& pointers) {
  const auto decline = [&](const char* why) {
    pass_on(name, why);
    return false;
  };
  if (mode == Mode::off) return false;
  if (cublas == nullptr) return decline("a null handle");
  static auto* const get_stream = reinterpret_cast<decltype(&cublasGetStream_v2)>(next_symbol("cublasGetStream_v2"));
  static auto* const get_mode =
      reinterpret_cast<decltype(&cublasGetPointerMode_v2)>(next_symbol("cublasGetPointerMode_v2"));
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  if (get_stream == nullptr || get_mode == nullptr || get_stream(cublas, &stream) != CUBLAS_STATUS_SUCCESS ||
      get_mode(cublas, &pointer_mode) != CUBLAS_STATUS_SUCCESS)
    return decline("a handle that cuBLAS does not know");
  problem.scalars =
      pointer_mode == CUBLAS_POINTER_MODE_DEVICE ? ONEPASS_POINTER_MODE_DEVICE : ONEPASS_POINTER_MODE_HOST;
  onepassHandle_t handle = handle_here();
  if (handle == nullptr) return decline("no GPU for Onepass");
  if (onepassSetStream(handle, stream) != ONEPASS_STATUS_SUCCESS) return decline("no workspace for the stream");
  if (const onepassStatus_t status = run(handle, problem, pointers); status != ONEPASS_STATUS_SUCCESS)
    return decline(onepassStatusName(status));
  log.count(name, "taken");
  return true;
}

}  // namespace

void* next_symbol(const char* name) {
  if (void* found = dlsym(RTLD_NEXT, name); found != nullptr) return found;
  static void* const library = cublas_library();
  return library == nullptr ? nullptr : dlsym(library, name);
}

bool take(const char* name, cublasHandle_t handle, onepassGemvProblem_t problem, const Pointers& pointers) {
  return take_any(name, handle, problem, pointers);
}
bool take(const char* name, cublasHandle_t handle, onepassSymvProblem_t problem, const Pointers& pointers) {
  return take_any(name, handle, problem, pointers);
}

void pass_on(const char* name, const char* reason) {
  if (mode == Mode::log) log.count(name, (std::string("passed on, ") + reason).c_str());
}

}  // namespace onepass::cublas
