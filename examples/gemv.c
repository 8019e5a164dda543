/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * y = alpha A x + beta y in C, on operands in host memory. */
#include <onepass/onepass.h>
#include <stdio.h>

int main(void) {
  /* Column by column:  A = 1 2 3
   *                        4 5 6 */
  const float A[] = {1, 4, 2, 5, 3, 6};
  const float x[] = {1, 10, 100};
  float y[] = {1, 1};
  const float alpha = 2, beta = 3;

  /* onepassCreate() would take the GPU where there is one, and A, x and y would have to live there. */
  onepassHandle_t handle = NULL;
  onepassStatus_t status = onepassCreateOn(&handle, "cpu");
  if (status == ONEPASS_STATUS_SUCCESS)
    status = onepassSgemv(handle, ONEPASS_OP_N, 2, 3, &alpha, A, 2, x, 1, &beta, y, 1);
  onepassDestroy(handle);
  if (status != ONEPASS_STATUS_SUCCESS) {
    fprintf(stderr, "%s: %s\n", onepassStatusName(status), onepassLastErrorMessage());
    return 1;
  }

  /* A x = (321, 654) */
  printf("Onepass %s: y = (%g, %g)\n", onepassVersion(), y[0], y[1]);
  return y[0] == 645 && y[1] == 1311 ? 0 : 1;
}
