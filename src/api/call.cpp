// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "api/call.hpp"

#include "api/handle.hpp"

namespace onepass {

onepassStatus_t call(onepassHandle_t handle, Problem problem, const Operands& operands) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    problem.scalars = handle->scalars;
    return handle->run(problem, operands);
  });
}

onepassStatus_t call_strided(onepassHandle_t handle, Problem problem, int64_t batch, int64_t stride_a, int64_t stride_x,
                             int64_t stride_y, const Operands& operands) {
  problem.batch = batch;
  problem.stride_a = stride_a, problem.stride_x = stride_x, problem.stride_y = stride_y;
  return call(handle, problem, operands);
}

onepassStatus_t call_pointers(onepassHandle_t handle, Problem problem, int64_t batch, const Operands& operands) {
  problem.batch = batch;
  problem.pointer_array = true;
  return call(handle, problem, operands);
}

}  // namespace onepass
