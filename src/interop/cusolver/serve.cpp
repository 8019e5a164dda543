// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/cusolver/serve.hpp"

#include <algorithm>
#include <cstdint>

#include "interop/cusolver/lapack.hpp"
#include "interop/cusolver/log.hpp"
#include "interop/thread_handles.hpp"
#include "onepass/onepass.h"

namespace onepass::cusolver {
namespace {

constexpr std::size_t alignment = 256;  // of a workspace of Onepass; a program's may begin anywhere

bool make_handle(onepassLapackHandle_t* handle) {
  return lapack()->create_on(handle, "cuda") == ONEPASS_STATUS_SUCCESS;
}

struct Needs {
  const char* declined = nullptr;
  bool earlier_failed = false;
  std::size_t bytes = 0;
};

Needs needs(onepassLapackHandle_t handle, const onepassLapackProblem_t& problem) {
  Needs found;
  const onepassStatus_t status = lapack()->workspace(handle, &problem, &found.bytes);
  if (status == ONEPASS_STATUS_SUCCESS) return found;
  found.declined = onepassStatusName(status);
  // A handle tells of an earlier call that failed on the device once: the next answer is of this problem alone.
  found.earlier_failed = status == ONEPASS_STATUS_EXECUTION_FAILED &&
                         lapack()->workspace(handle, &problem, &found.bytes) == ONEPASS_STATUS_SUCCESS;
  return found;
}

bool stream_of(cusolverDnHandle_t handle, cudaStream_t* stream) {
  static auto* const get = reinterpret_cast<decltype(&cusolverDnGetStream)>(next_symbol("cusolverDnGetStream"));
  return get != nullptr && get(handle, stream) == CUSOLVER_STATUS_SUCCESS;
}

// What is left of a workspace behind the first address that Onepass can use.
Work aligned(const Work& work) {
  const auto past = reinterpret_cast<std::uintptr_t>(work.data) % alignment;
  const std::size_t skipped = past == 0 ? 0 : alignment - past;
  if (work.data == nullptr || work.bytes < skipped) return {};
  return {.data = static_cast<std::byte*>(work.data) + skipped, .bytes = work.bytes - skipped};
}

// Singular vectors on their way to the place of A.
struct Beside {
  std::size_t rows = 0, columns = 0, element = 0;  // bytes of an element

  explicit Beside(const Asked& asked) {
    if (asked.in_place == InPlace::none) return;
    const onepassLapackProblem_t& p = asked.problem;
    rows = static_cast<std::size_t>(asked.in_place == InPlace::u ? p.m : p.n);
    columns = static_cast<std::size_t>(p.n);
    element = p.type == ONEPASS_TYPE_S ? 4 : p.type == ONEPASS_TYPE_Z ? 16 : 8;
  }
  std::size_t bytes() const { return (rows * columns * element + alignment - 1) / alignment * alignment; }
};

// A run that began and failed cannot be passed on: A may be written to.
cusolverStatus_t failure(onepassStatus_t status) {
  switch (status) {
    case ONEPASS_STATUS_EXECUTION_FAILED: return CUSOLVER_STATUS_EXECUTION_FAILED;
    case ONEPASS_STATUS_OUT_OF_MEMORY: return CUSOLVER_STATUS_ALLOC_FAILED;
    default: return CUSOLVER_STATUS_INTERNAL_ERROR;
  }
}

// Reductions and what is done with their Q have no way to fail.
bool writes_info(onepassLapackRoutine_t routine) {
  return routine == ONEPASS_LAPACK_SYEVD || routine == ONEPASS_LAPACK_GESVD;
}

}  // namespace

void* next_symbol(const char* name) {
  if (void* found = dlsym(RTLD_NEXT, name); found != nullptr) return found;
  static void* const library = real_library("libcusolver", {"12", "11", "10"});
  return library == nullptr ? nullptr : dlsym(library, name);
}

std::optional<cusolverStatus_t> take(const char* name, cusolverDnHandle_t handle, const Asked& asked,
                                     onepassLapackOperands_t operands, const Work& work, int* info) {
  if (mode == Mode::off) return {};
  const Stopwatch all;
  const auto decline = [&](const char* why) -> std::optional<cusolverStatus_t> {
    pass_on(name, why);
    return {};
  };
  if (asked.declined != nullptr) return decline(asked.declined);
  cudaStream_t stream = nullptr;
  if (handle == nullptr) return decline("a null handle");
  if (!stream_of(handle, &stream)) return decline("a handle that cuSOLVER does not know");
  if (info == nullptr) return decline("a null info");
  if (lapack() == nullptr) return decline("no libonepass_lapack.so");
  onepassLapackHandle_t const ours = handle_here<onepassLapackHandle_t>(make_handle).handle;
  if (ours == nullptr) return decline("no GPU for Onepass");
  const Needs needed = needs(ours, asked.problem);
  if (needed.earlier_failed) return CUSOLVER_STATUS_EXECUTION_FAILED;
  if (needed.declined != nullptr) return decline(needed.declined);
  const Beside beside(asked);
  Work room = aligned(work);
  if (room.data == nullptr || room.bytes < needed.bytes + beside.bytes())
    return decline("a workspace too small for Onepass");
  void* const for_a = room.data;
  room = {.data = static_cast<std::byte*>(room.data) + beside.bytes(), .bytes = room.bytes - beside.bytes()};
  if (asked.in_place != InPlace::none) (asked.in_place == InPlace::u ? operands.u : operands.vt) = for_a;
  if (writes_info(asked.problem.routine)) operands.info = info;
  if (lapack()->set_stream(ours, stream) != ONEPASS_STATUS_SUCCESS) return decline("no stream for Onepass");

  const Stopwatch in_onepass;
  const onepassStatus_t status = lapack()->run(ours, &asked.problem, &operands, room.data, room.bytes);
  if (status == ONEPASS_STATUS_INVALID_POINTER || status == ONEPASS_STATUS_INVALID_ALIGNMENT)
    return decline(onepassStatusName(status));  // seen before any launch
  const std::chrono::nanoseconds passed_in_onepass = in_onepass.passed();
  if (status != ONEPASS_STATUS_SUCCESS) return failure(status);
  if (beside.bytes() > 0 && cudaMemcpy2DAsync(operands.a, static_cast<std::size_t>(asked.problem.lda) * beside.element,
                                              for_a, beside.rows * beside.element, beside.rows * beside.element,
                                              beside.columns, cudaMemcpyDefault, stream) != cudaSuccess)
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  if (!writes_info(asked.problem.routine) && cudaMemsetAsync(info, 0, sizeof(int), stream) != cudaSuccess)
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  taken(name, {.all = all.passed(), .in_onepass = passed_in_onepass});
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t bytes_to_bring(const Asked& asked, std::size_t* bytes) {
  *bytes = 0;
  if (mode == Mode::off || asked.declined != nullptr || lapack() == nullptr) return CUSOLVER_STATUS_SUCCESS;
  onepassLapackHandle_t const ours = handle_here<onepassLapackHandle_t>(make_handle).handle;
  if (ours == nullptr) return CUSOLVER_STATUS_SUCCESS;
  const Needs needed = needs(ours, asked.problem);
  if (needed.earlier_failed) return CUSOLVER_STATUS_EXECUTION_FAILED;
  if (needed.declined == nullptr)
    *bytes = std::max<std::size_t>(needed.bytes, 1) + Beside(asked).bytes() + alignment - 1;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t at_least(cusolverStatus_t real, const Asked& asked, std::size_t* bytes) {
  std::size_t ours = 0;
  if (real != CUSOLVER_STATUS_SUCCESS || bytes == nullptr) return real;
  if (const cusolverStatus_t bad = bytes_to_bring(asked, &ours); bad != CUSOLVER_STATUS_SUCCESS) return bad;
  *bytes = std::max(*bytes, ours);
  return real;
}

}  // namespace onepass::cusolver
