/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The header in the language it is written for. */
#include "onepass/onepass.h"

int onepass_from_c(float* y);

int onepass_from_c(float* y) {
  const float a[4] = {1, 2, 3, 4}, x[2] = {10, 100}, one = 1, zero = 0;
  onepassHandle_t handle = NULL;
  onepassStatus_t status = onepassCreateOn(&handle, "reference");
  if (status == ONEPASS_STATUS_SUCCESS)
    status = onepassSgemv(handle, ONEPASS_OP_N, 2, 2, &one, a, 2, x, 1, &zero, y, 1);
  onepassDestroy(handle);
  return (int)status;
}
