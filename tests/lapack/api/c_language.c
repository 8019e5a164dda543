/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The header of the reductions in the language it is written for: A = Q H Q^T, then Q by itself and Q applied. */
#include "onepass/lapack.h"

onepassStatus_t onepass_hessenberg_from_c(onepassLapackHandle_t handle, int64_t n, double* a, double* tau, double* q,
                                          double* c);
onepassStatus_t onepass_vect_from_c(onepassLapackHandle_t handle, int vect, double* a, double* tau);

onepassStatus_t onepass_hessenberg_from_c(onepassLapackHandle_t handle, int64_t n, double* a, double* tau, double* q,
                                          double* c) {
  onepassStatus_t status = onepassDgehrd(handle, n, 1, n, a, n, tau, NULL, 0);
  for (int64_t i = 0; i < n * n; ++i) q[i] = a[i];
  if (status == ONEPASS_STATUS_SUCCESS) status = onepassDorghr(handle, n, 1, n, q, n, tau, NULL, 0);
  if (status == ONEPASS_STATUS_SUCCESS)
    status = onepassDormhr(handle, ONEPASS_SIDE_LEFT, ONEPASS_OP_N, n, n, 1, n, a, n, tau, c, n, NULL, 0);
  return status;
}

/* An enum may hold any int here. */
onepassStatus_t onepass_vect_from_c(onepassLapackHandle_t handle, int vect, double* a, double* tau) {
  return onepassDorgbr(handle, (onepassVect_t)vect, 2, 2, 2, a, 2, tau, NULL, 0);
}
