/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One plan for many products of the same shape: made once, printed, explained, run with a workspace of its own. */
#include <onepass/onepass.h>
#include <stdio.h>
#include <stdlib.h>

static void require(onepassStatus_t status) {
  if (status == ONEPASS_STATUS_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", onepassStatusName(status), onepassLastErrorMessage());
  exit(1);
}

int main(void) {
  enum { m = 3000, n = 40, runs = 5 };
  double* A = malloc(sizeof(double) * m * n);
  double* x = malloc(sizeof(double) * m);
  double* y = calloc(n, sizeof(double));
  if (A == NULL || x == NULL || y == NULL) return 1;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) A[j * m + i] = j + 1;
  for (int i = 0; i < m; ++i) x[i] = 1;

  /* "cpu": these operands are in host memory. */
  onepassHandle_t handle = NULL;
  require(onepassCreateOn(&handle, "cpu"));

  /* y = A^T x, row sums of the transposed matrix. */
  onepassGemvProblem_t problem = onepassGemvProblemDefault(ONEPASS_TYPE_D, m, n);
  problem.op = ONEPASS_OP_T;
  onepassPlan_t plan = NULL;
  require(onepassPlanGemv(handle, &problem, &plan));

  char text[4096];
  require(onepassPlanPrint(plan, text, sizeof text, NULL));
  printf("%s\n\n", text);
  require(onepassPlanExplain(plan, text, sizeof text, NULL));
  printf("%s\n", text);

  /* A workspace is prepared once; each thread or stream that runs the plan brings its own. */
  size_t bytes = 0;
  require(onepassPlanWorkspaceSize(plan, &bytes));
  void* workspace = bytes == 0 ? NULL : aligned_alloc(256, (bytes + 255) / 256 * 256);
  require(onepassPlanPrepareWorkspace(plan, workspace, bytes, NULL));

  /* y = A^T x + y, `runs` times */
  const double alpha = 1, beta = 1;
  for (int run = 0; run < runs; ++run) require(onepassPlanRun(plan, NULL, workspace, bytes, &alpha, A, x, &beta, y));

  /* Sums of small integers are exact in double. */
  int wrong = 0;
  for (int j = 0; j < n; ++j) wrong += y[j] != (double)runs * m * (j + 1);
  printf("%d of %d elements are wrong\n", wrong, n);

  require(onepassPlanDestroy(plan));
  require(onepassDestroy(handle));
  free(workspace);
  free(y);
  free(x);
  free(A);
  return wrong == 0 ? 0 : 1;
}
