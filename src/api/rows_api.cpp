// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// onepassRmsNorm, onepassSwiglu and onepassRotary: arguments -> a RowStep, and nothing else.
#include "api/handle.hpp"
#include "onepass/rows.h"

namespace {

onepassStatus_t call(onepassHandle_t handle, const onepass::RowStep& step) {
  return onepass::guarded([&]() -> onepass::Status {
    if (handle == nullptr) return onepass::no_handle();
    if (onepass::Status bad = handle->check_device(); !bad.ok()) return bad;
    if (onepass::Status bad = onepass::check(step); !bad.ok()) return bad;
    return step.rows == 0 || step.n == 0 ? onepass::Status{} : handle->backend->run(step, handle->stream);
  });
}

}  // namespace

onepassStatus_t onepassRmsNorm(onepassHandle_t handle, onepassType_t type, int64_t rows, int64_t n, const void* x,
                               int64_t ldx, const void* weight, double epsilon, void* y, int64_t ldy) {
  return call(handle, {.operation = onepass::RowOperation::rms_norm,
                       .type = static_cast<onepass::Type>(type),
                       .rows = rows,
                       .n = n,
                       .x = x,
                       .ld_x = ldx,
                       .other = weight,
                       .epsilon = epsilon,
                       .y = y,
                       .ld_y = ldy});
}

onepassStatus_t onepassSwiglu(onepassHandle_t handle, onepassType_t type, int64_t rows, int64_t n, const void* gate,
                              int64_t ld_gate, const void* up, int64_t ld_up, void* y, int64_t ldy) {
  return call(handle, {.operation = onepass::RowOperation::swiglu,
                       .type = static_cast<onepass::Type>(type),
                       .rows = rows,
                       .n = n,
                       .x = gate,
                       .ld_x = ld_gate,
                       .other = up,
                       .ld_other = ld_up,
                       .y = y,
                       .ld_y = ldy});
}

onepassStatus_t onepassRotary(onepassHandle_t handle, onepassType_t type, int64_t rows, int64_t n, const void* x,
                              int64_t ldx, const void* cosines, const void* sines, void* y, int64_t ldy) {
  return call(handle, {.operation = onepass::RowOperation::rotary,
                       .type = static_cast<onepass::Type>(type),
                       .rows = rows,
                       .n = n,
                       .x = x,
                       .ld_x = ldx,
                       .other = cosines,
                       .sines = sines,
                       .y = y,
                       .ld_y = ldy});
}
