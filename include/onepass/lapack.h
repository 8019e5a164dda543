/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * libonepass_lapack: reductions to tridiagonal, bidiagonal and Hessenberg form, QR factorisation, what is done with
 * their factors Q, Hermitian eigenproblems and singular value decompositions. Matrices are column major; factors are
 * stored exactly as LAPACK stores them, so that any code of LAPACK's can go on.
 *
 * Backends: cuda (device pointers), cpu and reference (host pointers), each with all routines.
 * A call checks its arguments, and writes nothing if one is wrong. Pointers are multiples of their elements: of complex
 * ones on the host of one component, of arrays of pointers of a pointer. Sizes and leading dimensions are at most
 * 2^31 - 1, and no matrix has more than 2^48 elements, nor have all of a batch together: ONEPASS_STATUS_TOO_LARGE.
 * On cuda a call returns when its work is queued on the handle's stream: it neither synchronises nor allocates if it is
 * given a workspace, and may be captured into a graph. Without one it does where onepassLapackSetStream() says so.
 * The same call gives the same bits, run after run. A handle belongs to one thread at a time and to one device. */
#ifndef ONEPASS_LAPACK_H
#define ONEPASS_LAPACK_H

#include "onepass/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct onepassLapackContext* onepassLapackHandle_t;

/** A handle on the best backend here: cuda if there is a GPU, else cpu; $ONEPASS_BACKEND names another. */
ONEPASS_API onepassStatus_t onepassLapackCreate(onepassLapackHandle_t* handle);
/** On a backend by its name: "cuda", "cpu" or "reference". */
ONEPASS_API onepassStatus_t onepassLapackCreateOn(onepassLapackHandle_t* handle, const char* backend);
/** Frees the workspaces of the handle's streams, which waits for the device. Null is allowed. Graphs keep theirs; one
 *  whose calls were given a workspace is not to be replayed any more. */
ONEPASS_API onepassStatus_t onepassLapackDestroy(onepassLapackHandle_t handle);
ONEPASS_API const char* onepassLapackBackend(onepassLapackHandle_t handle);
/** The CUDA stream of the calls that follow; the host backends ignore it. Calls without a workspace use one of the
 *  handle's. Each stream has its own, so that calls on different streams may overlap; 16 streams keep theirs. A call
 *  allocates if it is the first on its stream or needs more than those before it. It then waits for the device if a
 *  smaller workspace is freed, or that of the stream that was used longest ago. Each captured graph has a workspace of
 *  its own as long as it exists, which the first call of the capture allocates and a later one that needs more again:
 *  graphs captured on one stream may be replayed at once, and after the handle is destroyed. An instantiated graph may
 *  not run at the same time as another one instantiated from the same capture. */
ONEPASS_API onepassStatus_t onepassLapackSetStream(onepassLapackHandle_t handle, onepassStream_t stream);
ONEPASS_API onepassStatus_t onepassLapackGetStream(onepassLapackHandle_t handle, onepassStream_t* stream);
/** Threads of the host backends, up to 4096; 0: as many as OpenMP grants. */
ONEPASS_API onepassStatus_t onepassLapackSetThreads(onepassLapackHandle_t handle, int threads);
/** What was wrong with the last call of this thread that failed: names the argument and its value. */
ONEPASS_API const char* onepassLapackLastErrorMessage(void);

/* ---- Problems as data --------------------------------------------------------------------- */

/** In the names of the real types: SYTRD is hetrd of complex ones, ORGTR ungtr, ORMTR unmtr, SYEVD heevd and so on. */
typedef enum onepassLapackRoutine ONEPASS_AS_INT {
  ONEPASS_LAPACK_SYTRD = 0,  /* A = Q T Q^H, T tridiagonal */
  ONEPASS_LAPACK_GEBRD = 1,  /* A = Q B P^H, B bidiagonal: upper for m >= n, lower for m < n */
  ONEPASS_LAPACK_GEHRD = 2,  /* A = Q H Q^H, H of Hessenberg form */
  ONEPASS_LAPACK_ORGTR = 3,  /* Q of sytrd in the place of its reflectors */
  ONEPASS_LAPACK_ORGBR = 4,  /* Q or P^H of gebrd, likewise */
  ONEPASS_LAPACK_ORGHR = 5,  /* Q of gehrd, likewise */
  ONEPASS_LAPACK_ORMTR = 6,  /* C := op(Q) C or C op(Q), Q of sytrd */
  ONEPASS_LAPACK_ORMBR = 7,  /* likewise Q or P of gebrd */
  ONEPASS_LAPACK_ORMHR = 8,  /* likewise Q of gehrd */
  ONEPASS_LAPACK_SYEVD = 9,  /* A = V diag(w) V^H: eigenvalues and, if wanted, eigenvectors */
  ONEPASS_LAPACK_GEQRF = 10, /* A = Q R, R upper triangular */
  ONEPASS_LAPACK_ORGQR = 11, /* the first columns of Q of geqrf in the place of its reflectors */
  ONEPASS_LAPACK_ORMQR = 12, /* C := op(Q) C or C op(Q), Q of geqrf */
  ONEPASS_LAPACK_GESVD = 13  /* A = U diag(s) V^H: singular values and, if wanted, singular vectors */
} onepassLapackRoutine_t;
typedef enum onepassSide ONEPASS_AS_INT { ONEPASS_SIDE_LEFT = 0, ONEPASS_SIDE_RIGHT = 1 } onepassSide_t;
typedef enum onepassVect ONEPASS_AS_INT { ONEPASS_VECT_Q = 0, ONEPASS_VECT_P = 1 } onepassVect_t;
typedef enum onepassJob ONEPASS_AS_INT {
  ONEPASS_JOB_VALUES = 0,
  ONEPASS_JOB_VECTORS = 1, /* GESVD: the first min(m, n) columns of U and rows of V^H */
  ONEPASS_JOB_ALL = 2      /* GESVD: m columns of U and n rows of V^H */
} onepassJob_t;
/** Many matrices of one shape, at equal distances or by an array of pointers. */
typedef enum onepassBatch ONEPASS_AS_INT {
  ONEPASS_BATCH_NONE = 0,
  ONEPASS_BATCH_STRIDED = 1,
  ONEPASS_BATCH_POINTERS = 2
} onepassBatch_t;

/** SYEVD: all eigenvalues, those il..iu of the ascending ones, counted from 1, or those in (vl, vu]. */
typedef enum onepassRange ONEPASS_AS_INT {
  ONEPASS_RANGE_ALL = 0,
  ONEPASS_RANGE_INDEX = 1,
  ONEPASS_RANGE_VALUE = 2 /* JOB_VALUES alone: with eigenvectors a program must know how many there are */
} onepassRange_t;

/** Fields that the routine has no use for keep the values of onepassLapackProblemDefault. */
typedef struct onepassLapackProblem {
  onepassLapackRoutine_t routine;
  onepassType_t type;     /* S, D, C or Z */
  onepassFillMode_t fill; /* SYTRD, ORGTR, ORMTR, SYEVD: the triangle that is stored */
  onepassVect_t vect;     /* ORGBR, ORMBR */
  onepassSide_t side;     /* ORMTR, ORMBR, ORMHR, ORMQR */
  onepassOperation_t op;  /* likewise: N, and T of real or C of complex types */
  int64_t m;              /* rows of A (GEBRD, ORGBR, GEQRF, ORGQR, GESVD) or of C */
  int64_t n;              /* order or columns of A, or columns of C */
  int64_t k;        /* ORGBR, ORMBR: the other dimension of the matrix that GEBRD reduced; ORGQR, ORMQR: reflectors */
  int64_t ilo, ihi; /* GEHRD, ORGHR, ORMHR: rows and columns ilo..ihi, counted from 1, are reduced */
  int64_t lda, ldc;
  onepassJob_t job;           /* SYEVD, GESVD: values alone, or vectors too */
  int64_t ldu, ldvt;          /* GESVD */
  onepassBatch_t batch;       /* SYEVD, GESVD */
  int64_t batch_count;        /* matrices of a batch, up to 2^31 */
  int64_t stride_a, stride_w; /* elements from one matrix (ONEPASS_BATCH_STRIDED), or its values, to the next */
  onepassRange_t range;       /* SYEVD, as what follows */
  int64_t il, iu;
  double vl, vu;
  int64_t stride_u, stride_vt; /* GESVD, as stride_a */
  int plain_v;                 /* GESVD of a batch: 1 for V, n x min(m, n), in the place of V^H */
} onepassLapackProblem_t;

/** Pointers of one call, host or device as the backend has it. */
typedef struct onepassLapackOperands {
  void* a;    /* ONEPASS_BATCH_POINTERS: an array of pointers, where the matrices live; u and vt likewise */
  void* d;    /* real: the diagonal of T or B */
  void* e;    /* real: beside it */
  void* tau;  /* factors of the reflectors; those of Q if there is a P too */
  void* taup; /* those of P */
  void* c;
  void* w;    /* real: eigenvalues, ascending; singular values, descending */
  int* info;  /* SYEVD, GESVD: 0, or LAPACK's number of what did not converge; where the matrices live, one for each */
  void* u;    /* GESVD */
  void* vt;   /* GESVD: V^H */
  int* found; /* SYEVD, RANGE_VALUE: how many eigenvalues there are, where the matrices live */
} onepassLapackOperands_t;

/** An m x n problem (m = n for SYTRD, GEHRD and SYEVD) with lda = m and, where it has them, ldc = ldu = m, ldvt = n. */
ONEPASS_API onepassLapackProblem_t onepassLapackProblemDefault(onepassLapackRoutine_t routine, onepassType_t type,
                                                               int64_t m, int64_t n);
/** The bytes of workspace that a run takes. The first call for a type on cuda loads its kernels. */
ONEPASS_API onepassStatus_t onepassLapackWorkspace(onepassLapackHandle_t handle, const onepassLapackProblem_t* problem,
                                                   size_t* bytes);
/** Runs it. `workspace`: where the matrices live, on a multiple of 256 bytes on cuda and of 64 on the host, and of no
 *  other call at the same time; null: the handle's own, as onepassLapackSetStream() says. */
ONEPASS_API onepassStatus_t onepassLapackRun(onepassLapackHandle_t handle, const onepassLapackProblem_t* problem,
                                             const onepassLapackOperands_t* operands, void* workspace, size_t bytes);
/** How the backend would run it, in words. `length`: without the final zero; a buffer that is too small is filled. */
ONEPASS_API onepassStatus_t onepassLapackExplain(onepassLapackHandle_t handle, const onepassLapackProblem_t* problem,
                                                 char* buffer, size_t capacity, size_t* length);

#ifdef __cplusplus
}
#endif

/* ---- Typed calls -------------------------------------------------------------------------- */

#include "onepass/lapack_batched.h"
#include "onepass/lapack_q.h"
#include "onepass/lapack_qr.h"
#include "onepass/lapack_reductions.h"
#include "onepass/lapack_solvers.h"

#endif /* ONEPASS_LAPACK_H */
