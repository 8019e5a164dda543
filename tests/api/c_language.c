/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The header in the language it is written for, where an enum may hold any int. */
#include "onepass/onepass.h"

int onepass_from_c(float* y);
onepassStatus_t onepass_op_from_c(onepassHandle_t handle, int op, const float* one, float* y);
onepassStatus_t onepass_uplo_from_c(onepassHandle_t handle, int uplo, const float* one, float* y);
onepassStatus_t onepass_mode_from_c(onepassHandle_t handle, int mode);
onepassStatus_t onepass_problem_from_c(onepassHandle_t handle, int type, int layout, int mode, const float* one,
                                       float* y);

int onepass_from_c(float* y) {
  const float a[4] = {1, 2, 3, 4}, x[2] = {10, 100}, one = 1, zero = 0;
  onepassHandle_t handle = NULL;
  onepassStatus_t status = onepassCreateOn(&handle, "reference");
  if (status == ONEPASS_STATUS_SUCCESS)
    status = onepassSgemv(handle, ONEPASS_OP_N, 2, 2, &one, a, 2, x, 1, &zero, y, 1);
  onepassDestroy(handle);
  return (int)status;
}

onepassStatus_t onepass_op_from_c(onepassHandle_t handle, int op, const float* one, float* y) {
  return onepassSgemv(handle, (onepassOperation_t)op, 1, 1, one, one, 1, one, 1, one, y, 1);
}

onepassStatus_t onepass_uplo_from_c(onepassHandle_t handle, int uplo, const float* one, float* y) {
  return onepassSsymv(handle, (onepassFillMode_t)uplo, 1, one, one, 1, one, 1, one, y, 1);
}

onepassStatus_t onepass_mode_from_c(onepassHandle_t handle, int mode) {
  return onepassSetPointerMode(handle, (onepassPointerMode_t)mode);
}

onepassStatus_t onepass_problem_from_c(onepassHandle_t handle, int type, int layout, int mode, const float* one,
                                       float* y) {
  onepassGemvProblem_t problem = onepassGemvProblemDefault(ONEPASS_TYPE_S, 1, 1);
  problem.type_a = (onepassType_t)type;
  problem.layout = (onepassLayout_t)layout;
  problem.scalars = (onepassPointerMode_t)mode;
  return onepassGemv(handle, &problem, one, one, one, one, y);
}
