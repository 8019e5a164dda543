/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * y = A x with a symmetric matrix in C: only one triangle of A is stored, and read. */
#include <math.h>
#include <onepass/onepass.h>
#include <stdio.h>

int main(void) {
  /* Column by column, the lower triangle of  A = 1 2 3
   *                                              2 4 5
   *                                              3 5 6.  What lies above the diagonal is never read. */
  const double A[] = {1, 2, 3, NAN, 4, 5, NAN, NAN, 6};
  const double x[] = {1, 10, 100};
  double y[3];
  const double alpha = 1, beta = 0;

  onepassHandle_t handle = NULL;
  onepassStatus_t status = onepassCreateOn(&handle, "cpu");
  if (status == ONEPASS_STATUS_SUCCESS)
    status = onepassDsymv(handle, ONEPASS_FILL_MODE_LOWER, 3, &alpha, A, 3, x, 1, &beta, y, 1);
  onepassDestroy(handle);
  if (status != ONEPASS_STATUS_SUCCESS) {
    fprintf(stderr, "%s: %s\n", onepassStatusName(status), onepassLastErrorMessage());
    return 1;
  }

  printf("Onepass %s: y = (%g, %g, %g)\n", onepassVersion(), y[0], y[1], y[2]);
  return y[0] == 321 && y[1] == 542 && y[2] == 653 ? 0 : 1;
}
