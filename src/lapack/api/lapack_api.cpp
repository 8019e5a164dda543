// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The C interface of the reductions and what is solved by them: handles, and LapackProblem -> check -> backend.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lapack/api/call.hpp"
#include "lapack/api/problem_c.hpp"
#include "lapack/backend.hpp"
#include "lapack/check.hpp"
#include "lapack/cuda/device_or_none.hpp"
#include "support/border.hpp"

using onepass::Alignment, onepass::LapackOperands, onepass::LapackPlan, onepass::LapackProblem, onepass::Status;

struct onepassLapackContext {
  const char* name = "";
  const onepass::LapackBackend* host = nullptr;  // or, if null:
  std::unique_ptr<onepass::lapack::CudaDevice> cuda;
  onepassStream_t stream = nullptr;
  int threads = 0;
  std::vector<std::byte> own;  // workspace of the host backends
};

namespace {

constinit thread_local onepass::ErrorText last_error;

Status no_handle() { return {ONEPASS_STATUS_NOT_INITIALIZED, "the handle is null"}; }
Status null_result(const char* name) { return {ONEPASS_STATUS_INVALID_ARGUMENT, std::string(name) + " is null"}; }

template <class Body>
onepassStatus_t guarded(Body body) noexcept {
  return onepass::at_border(last_error, body);
}

// Those that run on the host. The simulator is for the project's own program and tests.
constexpr std::pair<const char*, const onepass::LapackBackend& (*)()> hosts[] = {
    {"cpu", onepass::lapack_cpu},
    {"reference", onepass::lapack_reference},
#if defined(ONEPASS_LAPACK_SIM)
    {"sim", onepass::lapack_sim},
#endif
};

Status open_on(const std::string& backend, onepassLapackContext* context) {
  for (const auto& [name, host] : hosts)
    if (backend == name) {
      context->name = name;
      context->host = &host();
      return {};
    }
  if (backend == "cuda") {
    context->name = "cuda";
    if (const std::string why = onepass::lapack::why_no_device(); !why.empty())
      return {ONEPASS_STATUS_BACKEND_UNAVAILABLE, "cuda: " + why};
    return onepass::lapack::CudaDevice::open(&context->cuda);
  }
  return {ONEPASS_STATUS_BACKEND_UNAVAILABLE, "no backend is called " + backend + ": cuda, cpu or reference"};
}

Status create(onepassLapackHandle_t* handle, const char* backend) {
  if (handle == nullptr) return null_result("handle");
  *handle = nullptr;
  std::string wanted = backend == nullptr ? "" : backend;
  if (const char* named = std::getenv("ONEPASS_BACKEND"); wanted.empty() && named != nullptr) wanted = named;
  if (wanted.empty()) wanted = onepass::lapack::why_no_device().empty() ? "cuda" : "cpu";
  auto context = std::make_unique<onepassLapackContext>();
  if (Status bad = open_on(wanted, context.get()); !bad.ok()) return bad;
  *handle = context.release();
  return {};
}

Status workspace_of(onepassLapackHandle_t handle, const LapackProblem& problem, std::size_t* bytes) {
  if (handle == nullptr) return no_handle();
  if (bytes == nullptr) return null_result("bytes");
  if (const onepass::BadArgument bad = onepass::check(problem); bad.position != 0) return bad.status;
  if (handle->host == nullptr) {
    if (Status bad = handle->cuda->check(); !bad.ok()) return bad;
    return handle->cuda->workspace_bytes(problem, bytes);
  }
  *bytes = handle->host->plan(problem, handle->threads).workspace_bytes;
  return {};
}

Status run_on_host(onepassLapackHandle_t handle, const LapackProblem& problem, const LapackOperands& operands,
                   void* workspace, std::size_t bytes) {
  const std::size_t alignment = handle->host->workspace_alignment;
  const LapackPlan plan = handle->host->plan(problem, handle->threads);
  const std::size_t needed = plan.workspace_bytes;
  if (workspace == nullptr) {
    if (handle->own.size() < needed + alignment) handle->own.resize(needed + alignment);
    bytes = handle->own.size();
    workspace = handle->own.data();
    std::align(alignment, needed, workspace, bytes);
  }
  if (Status bad = onepass::check_workspace(workspace, bytes, needed, static_cast<std::int64_t>(alignment)); !bad.ok())
    return bad;
  return handle->host->run(plan, operands, workspace);
}

Status run_checked(onepassLapackHandle_t handle, const LapackProblem& problem, const LapackOperands& operands,
                   void* workspace, std::size_t bytes) {
  if (handle == nullptr) return no_handle();
  if (const onepass::BadArgument bad = onepass::check(problem); bad.position != 0) return bad.status;
  const Alignment alignment = handle->host == nullptr ? Alignment::element : handle->host->operands;
  if (const onepass::BadArgument bad = onepass::check(problem, operands, alignment); bad.position != 0)
    return bad.status;
  if (handle->host != nullptr) return run_on_host(handle, problem, operands, workspace, bytes);
  if (Status bad = handle->cuda->check(); !bad.ok()) return bad;
  return handle->cuda->run(problem, operands, workspace, bytes, handle->stream);
}

}  // namespace

onepassStatus_t onepass::lapack::call(onepassLapackHandle_t handle, const LapackProblem& problem,
                                      const LapackOperands& operands, void* workspace, std::size_t bytes) {
  return guarded([&] { return run_checked(handle, problem, operands, workspace, bytes); });
}
onepassStatus_t onepass::lapack::buffer_size(onepassLapackHandle_t handle, const LapackProblem& problem,
                                             std::size_t* bytes) {
  return guarded([&] { return workspace_of(handle, problem, bytes); });
}

onepassStatus_t onepassLapackCreate(onepassLapackHandle_t* handle) {
  return guarded([&] { return create(handle, nullptr); });
}
onepassStatus_t onepassLapackCreateOn(onepassLapackHandle_t* handle, const char* backend) {
  return guarded([&] { return backend == nullptr ? null_result("backend") : create(handle, backend); });
}
onepassStatus_t onepassLapackDestroy(onepassLapackHandle_t handle) {
  return guarded([&]() -> Status {
    delete handle;
    return {};
  });
}
const char* onepassLapackBackend(onepassLapackHandle_t handle) { return handle == nullptr ? "" : handle->name; }
onepassStatus_t onepassLapackSetStream(onepassLapackHandle_t handle, onepassStream_t stream) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    handle->stream = stream;
    return {};
  });
}
onepassStatus_t onepassLapackGetStream(onepassLapackHandle_t handle, onepassStream_t* stream) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    if (stream == nullptr) return null_result("stream");
    *stream = handle->stream;
    return {};
  });
}
onepassStatus_t onepassLapackSetThreads(onepassLapackHandle_t handle, int threads) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    if (threads < 0 || threads > 4096)
      return {ONEPASS_STATUS_INVALID_ARGUMENT,
              "threads = " + std::to_string(threads) + ": must be 0 (the default) to 4096"};
    handle->threads = threads;
    return {};
  });
}
const char* onepassLapackLastErrorMessage(void) { return last_error.c_str(); }

onepassLapackProblem_t onepassLapackProblemDefault(onepassLapackRoutine_t routine, onepassType_t type, int64_t m,
                                                   int64_t n) {
  onepassLapackProblem_t p = {};
  p.routine = routine;
  p.type = type;
  p.m = m;
  p.n = n;
  p.ilo = 1;
  p.ihi = routine == ONEPASS_LAPACK_ORMHR ? m : n;
  p.lda = std::max<int64_t>(m, 1);
  p.ldc = std::max<int64_t>(m, 1);
  p.ldu = std::max<int64_t>(m, 1);
  p.ldvt = std::max<int64_t>(n, 1);
  p.batch_count = 1;
  p.il = 1;
  p.iu = n;
  return p;
}
onepassStatus_t onepassLapackWorkspace(onepassLapackHandle_t handle, const onepassLapackProblem_t* problem,
                                       size_t* bytes) {
  return guarded([&] {
    return problem == nullptr ? null_result("problem") : workspace_of(handle, onepass::problem_from_c(*problem), bytes);
  });
}
onepassStatus_t onepassLapackRun(onepassLapackHandle_t handle, const onepassLapackProblem_t* problem,
                                 const onepassLapackOperands_t* operands, void* workspace, size_t bytes) {
  return guarded([&] {
    if (problem == nullptr) return null_result("problem");
    if (operands == nullptr) return null_result("operands");
    const LapackOperands o = {operands->a, operands->d,    operands->e, operands->tau, operands->taup, operands->c,
                              operands->w, operands->info, operands->u, operands->vt,  operands->found};
    return run_checked(handle, onepass::problem_from_c(*problem), o, workspace, bytes);
  });
}
onepassStatus_t onepassLapackExplain(onepassLapackHandle_t handle, const onepassLapackProblem_t* problem, char* buffer,
                                     size_t capacity, size_t* length) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    if (problem == nullptr) return null_result("problem");
    const LapackProblem p = onepass::problem_from_c(*problem);
    if (const onepass::BadArgument bad = onepass::check(p); bad.position != 0) return bad.status;
    std::string text;
    if (handle->host == nullptr) {
      if (Status bad = handle->cuda->explain(p, &text); !bad.ok()) return bad;
    } else {
      const LapackPlan plan = handle->host->plan(p, handle->threads);
      text = handle->host->explain != nullptr
                 ? handle->host->explain(plan)
                 : onepass::lapack_name(p) + " on " + handle->name + ", " + std::to_string(plan.threads) +
                       " threads, panels of " + std::to_string(plan.panel) + " columns, workspace " +
                       std::to_string(plan.workspace_bytes) + " bytes\n";
    }
    if (length != nullptr) *length = text.size();
    if (buffer != nullptr && capacity > 0) {
      const std::size_t copied = std::min(text.size(), capacity - 1);
      std::memcpy(buffer, text.data(), copied);
      buffer[copied] = '\0';
    }
    return {};
  });
}
