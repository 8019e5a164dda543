/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Onepass, C interface: matrix-vector products and rank-1 updates that move the matrix once.
 *
 *   onepassHandle_t handle;
 *   onepassCreate(&handle);
 *   onepassSgemv(handle, ONEPASS_OP_N, m, n, &alpha, A, lda, x, 1, &beta, y, 1);
 *   onepassDestroy(handle);
 *
 * Pointers are device pointers on the `cuda` backend and host pointers on every other one.
 * Matrices are column major in the typed calls; onepassGemv(), onepassSymv() and onepassGer() take either layout.
 * The calls for symmetric and Hermitian matrices are in onepass/symv.h, those with vectors as head and tail in
 * onepass/tails.h, those of double-doubles in onepass/double_double.h, the rank-1 updates in onepass/ger.h, operations
 * on rows between two products in onepass/rows.h, all of which this header includes. What is written, y or the A of an
 * update, must not share an element with another operand: the result would be wrong, as with any BLAS. A call that sees
 * this in its arguments returns ONEPASS_STATUS_INVALID_POINTER. It is seen where one of the two operands has no gaps,
 * or both have the same increment or leading dimension; of a batch in the first products; in arrays of pointers not at
 * all. Operands may interleave, as two rows of one matrix do. No call prints or exits, and none allocates or
 * synchronises but where onepassSetStream() says so; each failure is a status, and onepassLastErrorMessage() says which
 * argument was wrong and what its value was.
 */
#ifndef ONEPASS_ONEPASS_H
#define ONEPASS_ONEPASS_H

#include "onepass/double_double.h"
#include "onepass/ger.h"
#include "onepass/rows.h"
#include "onepass/symv.h"
#include "onepass/tails.h"
#include "onepass/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Library ------------------------------------------------------------------------------ */

/** The name of a status, such as "ONEPASS_STATUS_INVALID_LD". */
ONEPASS_API const char* onepassStatusName(onepassStatus_t status);

/** What went wrong in this thread's last failed call; "" before the first. Never null. */
ONEPASS_API const char* onepassLastErrorMessage(void);

/** The library's version, as in ONEPASS_VERSION_STRING. */
ONEPASS_API const char* onepassVersion(void);

/* ---- Handle ------------------------------------------------------------------------------- */

/** A handle on the best backend of this machine, or on the one that ONEPASS_BACKEND names.
 *  A handle belongs to one thread at a time; make one per thread. It belongs to the device that is current now, and
 *  calls while another one is current are refused. cudaDeviceReset takes its device's handles with it. */
ONEPASS_API onepassStatus_t onepassCreate(onepassHandle_t* handle);

/** A handle on a named backend: "cuda", "cpu", "sim" or "reference"; null: as onepassCreate. */
ONEPASS_API onepassStatus_t onepassCreateOn(onepassHandle_t* handle, const char* backend);

/** Frees the handle and the workspaces of its streams. Null is allowed. Wait for the streams first. */
ONEPASS_API onepassStatus_t onepassDestroy(onepassHandle_t handle);

/** The backend's name; null for a null handle. */
ONEPASS_API const char* onepassBackendName(onepassHandle_t handle);

/** The stream of the calls that follow (cuda). The first use of a stream allocates a workspace of 4 MiB for it, so
 *  that calls on different streams may overlap; 16 streams keep theirs. A call allocates only if it needs more than
 *  that (large batches, triangles of more than about 18000 rows), once, or if it is the first one that a stream being
 * captured into a graph makes: each graph has a workspace of its own, as long as it exists, so that graphs captured on
 * one stream may be replayed at once. An instantiated graph may not run at the same time as another one instantiated
 * from the same capture. */
ONEPASS_API onepassStatus_t onepassSetStream(onepassHandle_t handle, onepassStream_t stream);

/** Gives the current stream a workspace of at least so many bytes now, so that no call on it has to allocate. */
ONEPASS_API onepassStatus_t onepassReserveWorkspace(onepassHandle_t handle, size_t bytes);
ONEPASS_API onepassStatus_t onepassGetStream(onepassHandle_t handle, onepassStream_t* stream);

ONEPASS_API onepassStatus_t onepassSetPointerMode(onepassHandle_t handle, onepassPointerMode_t mode);
ONEPASS_API onepassStatus_t onepassGetPointerMode(onepassHandle_t handle, onepassPointerMode_t* mode);

/** In what the typed calls of gemv, symv and hemv sum their products; ONEPASS_ACCUMULATE_DEFAULT at first. Each type
 * takes what it has: of WIDER and TWICE the other one where it lacks one. A problem as data has a field of its own. */
ONEPASS_API onepassStatus_t onepassSetAccumulate(onepassHandle_t handle, onepassAccumulate_t accumulate);
ONEPASS_API onepassStatus_t onepassGetAccumulate(onepassHandle_t handle, onepassAccumulate_t* accumulate);

/** In which order the typed calls of gemv, symv and hemv sum their products; ONEPASS_ORDER_DEFAULT at first. A call
 * that has no canonical order (h, b, sums with more digits) is refused. A problem as data has a field of its own. */
ONEPASS_API onepassStatus_t onepassSetOrder(onepassHandle_t handle, onepassOrder_t order);
ONEPASS_API onepassStatus_t onepassGetOrder(onepassHandle_t handle, onepassOrder_t* order);

/** Threads of the cpu backend; 0 (the default): as many as OpenMP would use. */
ONEPASS_API onepassStatus_t onepassSetThreads(onepassHandle_t handle, int threads);
ONEPASS_API onepassStatus_t onepassGetThreads(onepassHandle_t handle, int* threads);

/* ---- y = alpha op(A) x + beta y ------------------------------------------------------------ */

/** A product as data. Fill it from onepassGemvProblemDefault() and change what differs. */
typedef struct onepassGemvProblem {
  onepassType_t type_a, type_x, type_y; /* s s s, d d d, c c c, z z z, h h h, h h s, b b b, b b s */
  onepassOperation_t op;
  onepassLayout_t layout;
  int64_t m, n;                         /* rows and columns of A */
  int64_t lda;                          /* distance of two columns (column major) or two rows (row major) */
  int64_t incx, incy;                   /* not zero; negative as in BLAS */
  int64_t batch;                        /* number of products; 1 for a single one */
  int pointer_array;                    /* not zero: a, x, y are arrays of `batch` pointers */
  int64_t stride_a, stride_x, stride_y; /* elements between two products, if no pointer arrays */
  onepassPointerMode_t scalars;
  int64_t alignment_a; /* each matrix lies on a multiple of so many bytes (a power of two); 0: any. A call looks for
                          itself; a plan that knows 16 or 32 is faster, and refuses to run on less */
  onepassAccumulate_t accumulate;
  onepassOrder_t order;
} onepassGemvProblem_t;

/** A single column-major product, op N, increments 1, scalars on the host. */
ONEPASS_API onepassGemvProblem_t onepassGemvProblemDefault(onepassType_t type, int64_t m, int64_t n);

/** Any product. alpha and beta are float for s, h and b, else of the type of A. */
ONEPASS_API onepassStatus_t onepassGemv(onepassHandle_t handle, const onepassGemvProblem_t* problem, const void* alpha,
                                        const void* a, const void* x, const void* beta, void* y);

/** Likewise with x as head and tail, and y if y_tail is not null (onepass/tails.h): a single product of type s, d, c or
 * z, summed twice. Its `accumulate` may be DEFAULT or TWICE. */
ONEPASS_API onepassStatus_t onepassGemv2(onepassHandle_t handle, const onepassGemvProblem_t* problem, const void* alpha,
                                         const void* a, const void* x, const void* x_tail, const void* beta, void* y,
                                         void* y_tail);

/* The typed calls, column major. HSH, HSS: half A and x, half or float y. TST, TSS: bfloat16.
 * Sums of half types are kept in float. */

/* One product. */
ONEPASS_API onepassStatus_t onepassSgemv(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                         const float* alpha, const float* A, int64_t lda, const float* x, int64_t incx,
                                         const float* beta, float* y, int64_t incy);
ONEPASS_API onepassStatus_t onepassDgemv(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                         const double* alpha, const double* A, int64_t lda, const double* x,
                                         int64_t incx, const double* beta, double* y, int64_t incy);
ONEPASS_API onepassStatus_t onepassCgemv(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                         const onepassComplex_t* alpha, const onepassComplex_t* A, int64_t lda,
                                         const onepassComplex_t* x, int64_t incx, const onepassComplex_t* beta,
                                         onepassComplex_t* y, int64_t incy);
ONEPASS_API onepassStatus_t onepassZgemv(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                         const onepassDoubleComplex_t* alpha, const onepassDoubleComplex_t* A,
                                         int64_t lda, const onepassDoubleComplex_t* x, int64_t incx,
                                         const onepassDoubleComplex_t* beta, onepassDoubleComplex_t* y, int64_t incy);
ONEPASS_API onepassStatus_t onepassHSHgemv(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                           const float* alpha, const onepassHalf_t* A, int64_t lda,
                                           const onepassHalf_t* x, int64_t incx, const float* beta, onepassHalf_t* y,
                                           int64_t incy);
ONEPASS_API onepassStatus_t onepassHSSgemv(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                           const float* alpha, const onepassHalf_t* A, int64_t lda,
                                           const onepassHalf_t* x, int64_t incx, const float* beta, float* y,
                                           int64_t incy);
ONEPASS_API onepassStatus_t onepassTSTgemv(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                           const float* alpha, const onepassBfloat16_t* A, int64_t lda,
                                           const onepassBfloat16_t* x, int64_t incx, const float* beta,
                                           onepassBfloat16_t* y, int64_t incy);
ONEPASS_API onepassStatus_t onepassTSSgemv(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                           const float* alpha, const onepassBfloat16_t* A, int64_t lda,
                                           const onepassBfloat16_t* x, int64_t incx, const float* beta, float* y,
                                           int64_t incy);

/* Many products at a fixed distance of each other. */
ONEPASS_API onepassStatus_t onepassSgemvStridedBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m,
                                                       int64_t n, const float* alpha, const float* A, int64_t lda,
                                                       int64_t strideA, const float* x, int64_t incx, int64_t stridex,
                                                       const float* beta, float* y, int64_t incy, int64_t stridey,
                                                       int64_t batchCount);
ONEPASS_API onepassStatus_t onepassDgemvStridedBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m,
                                                       int64_t n, const double* alpha, const double* A, int64_t lda,
                                                       int64_t strideA, const double* x, int64_t incx, int64_t stridex,
                                                       const double* beta, double* y, int64_t incy, int64_t stridey,
                                                       int64_t batchCount);
ONEPASS_API onepassStatus_t onepassCgemvStridedBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m,
                                                       int64_t n, const onepassComplex_t* alpha,
                                                       const onepassComplex_t* A, int64_t lda, int64_t strideA,
                                                       const onepassComplex_t* x, int64_t incx, int64_t stridex,
                                                       const onepassComplex_t* beta, onepassComplex_t* y, int64_t incy,
                                                       int64_t stridey, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassZgemvStridedBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m,
                                                       int64_t n, const onepassDoubleComplex_t* alpha,
                                                       const onepassDoubleComplex_t* A, int64_t lda, int64_t strideA,
                                                       const onepassDoubleComplex_t* x, int64_t incx, int64_t stridex,
                                                       const onepassDoubleComplex_t* beta, onepassDoubleComplex_t* y,
                                                       int64_t incy, int64_t stridey, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassHSHgemvStridedBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m,
                                                         int64_t n, const float* alpha, const onepassHalf_t* A,
                                                         int64_t lda, int64_t strideA, const onepassHalf_t* x,
                                                         int64_t incx, int64_t stridex, const float* beta,
                                                         onepassHalf_t* y, int64_t incy, int64_t stridey,
                                                         int64_t batchCount);
ONEPASS_API onepassStatus_t onepassHSSgemvStridedBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m,
                                                         int64_t n, const float* alpha, const onepassHalf_t* A,
                                                         int64_t lda, int64_t strideA, const onepassHalf_t* x,
                                                         int64_t incx, int64_t stridex, const float* beta, float* y,
                                                         int64_t incy, int64_t stridey, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassTSTgemvStridedBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m,
                                                         int64_t n, const float* alpha, const onepassBfloat16_t* A,
                                                         int64_t lda, int64_t strideA, const onepassBfloat16_t* x,
                                                         int64_t incx, int64_t stridex, const float* beta,
                                                         onepassBfloat16_t* y, int64_t incy, int64_t stridey,
                                                         int64_t batchCount);
ONEPASS_API onepassStatus_t onepassTSSgemvStridedBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m,
                                                         int64_t n, const float* alpha, const onepassBfloat16_t* A,
                                                         int64_t lda, int64_t strideA, const onepassBfloat16_t* x,
                                                         int64_t incx, int64_t stridex, const float* beta, float* y,
                                                         int64_t incy, int64_t stridey, int64_t batchCount);

/* Many products; A, x and y are arrays of pointers, themselves where the matrices live. */
ONEPASS_API onepassStatus_t onepassSgemvBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                                const float* alpha, const float* const A[], int64_t lda,
                                                const float* const x[], int64_t incx, const float* beta,
                                                float* const y[], int64_t incy, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassDgemvBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                                const double* alpha, const double* const A[], int64_t lda,
                                                const double* const x[], int64_t incx, const double* beta,
                                                double* const y[], int64_t incy, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassCgemvBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                                const onepassComplex_t* alpha, const onepassComplex_t* const A[],
                                                int64_t lda, const onepassComplex_t* const x[], int64_t incx,
                                                const onepassComplex_t* beta, onepassComplex_t* const y[], int64_t incy,
                                                int64_t batchCount);
ONEPASS_API onepassStatus_t onepassZgemvBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                                const onepassDoubleComplex_t* alpha,
                                                const onepassDoubleComplex_t* const A[], int64_t lda,
                                                const onepassDoubleComplex_t* const x[], int64_t incx,
                                                const onepassDoubleComplex_t* beta, onepassDoubleComplex_t* const y[],
                                                int64_t incy, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassHSHgemvBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                                  const float* alpha, const onepassHalf_t* const A[], int64_t lda,
                                                  const onepassHalf_t* const x[], int64_t incx, const float* beta,
                                                  onepassHalf_t* const y[], int64_t incy, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassHSSgemvBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                                  const float* alpha, const onepassHalf_t* const A[], int64_t lda,
                                                  const onepassHalf_t* const x[], int64_t incx, const float* beta,
                                                  float* const y[], int64_t incy, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassTSTgemvBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                                  const float* alpha, const onepassBfloat16_t* const A[], int64_t lda,
                                                  const onepassBfloat16_t* const x[], int64_t incx, const float* beta,
                                                  onepassBfloat16_t* const y[], int64_t incy, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassTSSgemvBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                                  const float* alpha, const onepassBfloat16_t* const A[], int64_t lda,
                                                  const onepassBfloat16_t* const x[], int64_t incx, const float* beta,
                                                  float* const y[], int64_t incy, int64_t batchCount);

/* ---- Ahead of a product --------------------------------------------------------------------- */

/** Asks that A, m x n and column major, be brought into the L2 cache of the device by the handle's stream, while others
 *  still compute what will be multiplied by it: at most `most_bytes` of it, from its first column on; 0: half of the
 * L2. A row-major matrix is the column-major n x m one. The launch is small, ends at once and waits for nothing that it
 *  asks for; A must not be freed before it has ended. A hint: no result depends on it. On other backends than `cuda`
 *  the arguments are checked, and nothing is done. */
ONEPASS_API onepassStatus_t onepassPrefetch(onepassHandle_t handle, onepassType_t type, int64_t m, int64_t n,
                                            const void* A, int64_t lda, size_t most_bytes);

/* ---- Plans --------------------------------------------------------------------------------- */

/** The plan for a problem on the handle's backend. It is immutable: any number of threads and
 *  streams may run it at once, each with a workspace of its own. It outlives the handle. */
ONEPASS_API onepassStatus_t onepassPlanGemv(onepassHandle_t handle, const onepassGemvProblem_t* problem,
                                            onepassPlan_t* plan);
ONEPASS_API onepassStatus_t onepassPlanSymv(onepassHandle_t handle, const onepassSymvProblem_t* problem,
                                            onepassPlan_t* plan);
ONEPASS_API onepassStatus_t onepassPlanDestroy(onepassPlan_t plan);

/** Bytes of workspace that a run of the plan needs; often 0. */
ONEPASS_API onepassStatus_t onepassPlanWorkspaceSize(onepassPlan_t plan, size_t* bytes);

/** Prepares a workspace for its first run (any later run finds it prepared). On the stream. */
ONEPASS_API onepassStatus_t onepassPlanPrepareWorkspace(onepassPlan_t plan, void* workspace, size_t bytes,
                                                        onepassStream_t stream);

/** Runs the plan. `workspace`: aligned to 256 bytes, prepared, not used by another run at the same time. */
ONEPASS_API onepassStatus_t onepassPlanRun(onepassPlan_t plan, onepassStream_t stream, void* workspace, size_t bytes,
                                           const void* alpha, const void* a, const void* x, const void* beta, void* y);

/** Texts. `length` receives the length without the final 0; a text that does not fit is cut.
 *  onepassPlanPrint: one line. onepassPlanExplain: the choice, what declined and why, bytes and
 *  floor. onepassPlanSave: JSON, which onepassPlanLoad reads. buffer may be null if capacity is 0. */
ONEPASS_API onepassStatus_t onepassPlanPrint(onepassPlan_t plan, char* buffer, size_t capacity, size_t* length);
ONEPASS_API onepassStatus_t onepassPlanExplain(onepassPlan_t plan, char* buffer, size_t capacity, size_t* length);
ONEPASS_API onepassStatus_t onepassPlanSave(onepassPlan_t plan, char* buffer, size_t capacity, size_t* length);
ONEPASS_API onepassStatus_t onepassPlanLoad(onepassHandle_t handle, const char* json, onepassPlan_t* plan);

/** The backends in priority order, as JSON: name, available, why not, traits. */
ONEPASS_API onepassStatus_t onepassDescribeBackends(char* buffer, size_t capacity, size_t* length);

#ifdef __cplusplus
}
#endif

#endif /* ONEPASS_ONEPASS_H */
