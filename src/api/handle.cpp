// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Handles and their settings.
#include "api/handle.hpp"

#include <memory>

#include "backends/registry.hpp"

using onepass::guarded;
using onepass::no_handle;
using onepass::Status;

Status onepassContext::use(onepass::Stream wanted) {
  if (Status bad = check_device(); !bad.ok()) return bad;
  if (Status bad = workspaces.use(wanted); !bad.ok()) return bad;
  stream = wanted;
  return {};
}

namespace onepass {

ErrorText& last_error() noexcept {
  static constinit thread_local ErrorText own;
  return own;
}

}  // namespace onepass

extern "C" {

const char* onepassLastErrorMessage(void) { return onepass::last_error().c_str(); }

const char* onepassVersion(void) { return ONEPASS_VERSION_STRING; }

const char* onepassStatusName(onepassStatus_t status) {
  switch (status) {
    case ONEPASS_STATUS_SUCCESS: return "ONEPASS_STATUS_SUCCESS";
    case ONEPASS_STATUS_NOT_INITIALIZED: return "ONEPASS_STATUS_NOT_INITIALIZED";
    case ONEPASS_STATUS_INVALID_ENUM: return "ONEPASS_STATUS_INVALID_ENUM";
    case ONEPASS_STATUS_INVALID_SIZE: return "ONEPASS_STATUS_INVALID_SIZE";
    case ONEPASS_STATUS_INVALID_LD: return "ONEPASS_STATUS_INVALID_LD";
    case ONEPASS_STATUS_INVALID_INCREMENT: return "ONEPASS_STATUS_INVALID_INCREMENT";
    case ONEPASS_STATUS_INVALID_BATCH: return "ONEPASS_STATUS_INVALID_BATCH";
    case ONEPASS_STATUS_INVALID_POINTER: return "ONEPASS_STATUS_INVALID_POINTER";
    case ONEPASS_STATUS_INVALID_ALIGNMENT: return "ONEPASS_STATUS_INVALID_ALIGNMENT";
    case ONEPASS_STATUS_INVALID_TYPES: return "ONEPASS_STATUS_INVALID_TYPES";
    case ONEPASS_STATUS_INVALID_PLAN: return "ONEPASS_STATUS_INVALID_PLAN";
    case ONEPASS_STATUS_WORKSPACE_TOO_SMALL: return "ONEPASS_STATUS_WORKSPACE_TOO_SMALL";
    case ONEPASS_STATUS_BACKEND_UNAVAILABLE: return "ONEPASS_STATUS_BACKEND_UNAVAILABLE";
    case ONEPASS_STATUS_OUT_OF_MEMORY: return "ONEPASS_STATUS_OUT_OF_MEMORY";
    case ONEPASS_STATUS_EXECUTION_FAILED: return "ONEPASS_STATUS_EXECUTION_FAILED";
    case ONEPASS_STATUS_TOO_LARGE: return "ONEPASS_STATUS_TOO_LARGE";
    case ONEPASS_STATUS_INVALID_ARGUMENT: return "ONEPASS_STATUS_INVALID_ARGUMENT";
    case ONEPASS_STATUS_WRONG_DEVICE: return "ONEPASS_STATUS_WRONG_DEVICE";
  }
  return "unknown status";
}

onepassStatus_t onepassCreate(onepassHandle_t* handle) { return onepassCreateOn(handle, nullptr); }

onepassStatus_t onepassCreateOn(onepassHandle_t* handle, const char* backend) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return {ONEPASS_STATUS_INVALID_ARGUMENT, "handle is null: pass the address of one"};
    *handle = nullptr;
    auto made = std::make_unique<onepassContext>();
    if (Status s = onepass::choose_backend(backend == nullptr ? "" : backend, &made->backend); !s.ok()) return s;
    made->device = made->backend->current_device();
    if (Status s = made->backend->warm_up(); !s.ok()) return s;
    if (Status s = made->workspaces.open(made->backend); !s.ok()) return s;
    if (Status s = made->use(nullptr); !s.ok()) return s;
    *handle = made.release();
    return {};
  });
}

onepassStatus_t onepassDestroy(onepassHandle_t handle) {
  delete handle;
  return ONEPASS_STATUS_SUCCESS;
}

const char* onepassBackendName(onepassHandle_t handle) {
  return handle == nullptr ? nullptr : name(handle->backend->id());
}

onepassStatus_t onepassSetStream(onepassHandle_t handle, onepassStream_t stream) {
  return guarded([&]() -> Status { return handle == nullptr ? no_handle() : handle->use(stream); });
}

onepassStatus_t onepassReserveWorkspace(onepassHandle_t handle, size_t bytes) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    if (Status bad = handle->check_device(); !bad.ok()) return bad;
    return handle->workspaces.reserve(bytes);
  });
}

onepassStatus_t onepassGetStream(onepassHandle_t handle, onepassStream_t* stream) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    if (stream == nullptr) return {ONEPASS_STATUS_INVALID_ARGUMENT, "stream is null"};
    *stream = handle->stream;
    return {};
  });
}

onepassStatus_t onepassSetPointerMode(onepassHandle_t handle, onepassPointerMode_t mode) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    if (mode != ONEPASS_POINTER_MODE_HOST && mode != ONEPASS_POINTER_MODE_DEVICE)
      return {ONEPASS_STATUS_INVALID_ENUM,
              "mode = " + std::to_string(static_cast<int>(mode)) + ": must be host (0) or device (1)"};
    handle->scalars = static_cast<onepass::Scalars>(mode);
    return {};
  });
}

onepassStatus_t onepassGetPointerMode(onepassHandle_t handle, onepassPointerMode_t* mode) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    if (mode == nullptr) return {ONEPASS_STATUS_INVALID_ARGUMENT, "mode is null"};
    *mode = static_cast<onepassPointerMode_t>(handle->scalars);
    return {};
  });
}

onepassStatus_t onepassSetAccumulate(onepassHandle_t handle, onepassAccumulate_t accumulate) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    if (accumulate < ONEPASS_ACCUMULATE_DEFAULT || accumulate > ONEPASS_ACCUMULATE_TWICE)
      return {ONEPASS_STATUS_INVALID_ENUM, "accumulate = " + std::to_string(static_cast<int>(accumulate)) +
                                               ": must be default (0), wider (1) or twice (2)"};
    handle->accumulate = static_cast<onepass::Accumulate>(accumulate);
    return {};
  });
}

onepassStatus_t onepassGetAccumulate(onepassHandle_t handle, onepassAccumulate_t* accumulate) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    if (accumulate == nullptr) return {ONEPASS_STATUS_INVALID_ARGUMENT, "accumulate is null"};
    *accumulate = static_cast<onepassAccumulate_t>(handle->accumulate);
    return {};
  });
}

onepassStatus_t onepassSetOrder(onepassHandle_t handle, onepassOrder_t order) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    if (order < ONEPASS_ORDER_DEFAULT || order > ONEPASS_ORDER_CANONICAL)
      return {ONEPASS_STATUS_INVALID_ENUM,
              "order = " + std::to_string(static_cast<int>(order)) + ": must be default (0) or canonical (1)"};
    handle->order = static_cast<onepass::Order>(order);
    return {};
  });
}

onepassStatus_t onepassGetOrder(onepassHandle_t handle, onepassOrder_t* order) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    if (order == nullptr) return {ONEPASS_STATUS_INVALID_ARGUMENT, "order is null"};
    *order = static_cast<onepassOrder_t>(handle->order);
    return {};
  });
}

onepassStatus_t onepassSetThreads(onepassHandle_t handle, int threads) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    if (threads < 0 || threads > 4096)
      return {ONEPASS_STATUS_INVALID_ARGUMENT,
              "threads = " + std::to_string(threads) + ": must be 0 (the default) to 4096"};
    handle->threads = threads;
    return {};
  });
}

onepassStatus_t onepassGetThreads(onepassHandle_t handle, int* threads) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    if (threads == nullptr) return {ONEPASS_STATUS_INVALID_ARGUMENT, "threads is null"};
    *threads = handle->threads;
    return {};
  });
}

}  // extern "C"
