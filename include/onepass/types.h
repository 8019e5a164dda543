/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Status, number types, enums and handles of the C interface; onepass.h includes this. */
#ifndef ONEPASS_TYPES_H
#define ONEPASS_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "onepass/version.h"

#if defined(_WIN32)
#define ONEPASS_API
#else
#define ONEPASS_API __attribute__((visibility("default")))
#endif

/* Enums as wide as in C, so that a value which does not exist can be passed, and refused by name. */
#ifdef __cplusplus
#define ONEPASS_AS_INT : int
extern "C" {
#else
#define ONEPASS_AS_INT
#endif

/* ---- Status ------------------------------------------------------------------------------- */

typedef enum onepassStatus ONEPASS_AS_INT {
  ONEPASS_STATUS_SUCCESS = 0,
  ONEPASS_STATUS_NOT_INITIALIZED = 1,      /* the handle or plan is null */
  ONEPASS_STATUS_INVALID_ENUM = 2,         /* an op, triangle, layout, type or mode that does not exist */
  ONEPASS_STATUS_INVALID_SIZE = 3,         /* m or n is negative */
  ONEPASS_STATUS_INVALID_LD = 4,           /* lda is smaller than the contiguous dimension */
  ONEPASS_STATUS_INVALID_INCREMENT = 5,    /* incx or incy is zero */
  ONEPASS_STATUS_INVALID_BATCH = 6,        /* the batch count is negative */
  ONEPASS_STATUS_INVALID_POINTER = 7,      /* null, with a non-empty operand behind it; or operands overlap */
  ONEPASS_STATUS_INVALID_ALIGNMENT = 8,    /* a pointer is not a multiple of its element's size */
  ONEPASS_STATUS_INVALID_TYPES = 9,        /* this combination of types is not offered */
  ONEPASS_STATUS_INVALID_PLAN = 10,        /* the text is no plan, or a plan for another library */
  ONEPASS_STATUS_WORKSPACE_TOO_SMALL = 11, /* the plan needs more workspace than it was given */
  ONEPASS_STATUS_BACKEND_UNAVAILABLE = 12, /* no such backend here; the message says why */
  ONEPASS_STATUS_OUT_OF_MEMORY = 13,
  ONEPASS_STATUS_EXECUTION_FAILED = 14, /* the device refused the launch, or a kernel failed */
  ONEPASS_STATUS_TOO_LARGE = 15,        /* an offset does not fit into 63 bits */
  ONEPASS_STATUS_INVALID_ARGUMENT = 16, /* another argument: a null result, a negative count */
  ONEPASS_STATUS_WRONG_DEVICE = 17      /* the current device is not the one that the handle was made on */
} onepassStatus_t;

/* ---- Types -------------------------------------------------------------------------------- */

typedef struct onepassComplex {
  float x, y;
} onepassComplex_t;
typedef struct onepassDoubleComplex {
  double x, y;
} onepassDoubleComplex_t;
typedef struct onepassHalf {
  uint16_t bits;
} onepassHalf_t; /* IEEE binary16 */
typedef struct onepassBfloat16 {
  uint16_t bits;
} onepassBfloat16_t; /* upper half of a float */
/* The sum of two doubles, the second at most half a unit in the last place of the first: 32 digits. On a device it lies
 * on 16 bytes, on a host on 8. */
typedef struct onepassDoubleDouble {
  double head, tail;
} onepassDoubleDouble_t;

typedef enum onepassType ONEPASS_AS_INT {
  ONEPASS_TYPE_S = 0, /* float */
  ONEPASS_TYPE_D = 1, /* double */
  ONEPASS_TYPE_C = 2, /* float complex */
  ONEPASS_TYPE_Z = 3, /* double complex */
  ONEPASS_TYPE_H = 4, /* half */
  ONEPASS_TYPE_B = 5, /* bfloat16 */
  ONEPASS_TYPE_W = 6  /* double-double, two doubles whose sum is meant */
} onepassType_t;

typedef enum onepassOperation ONEPASS_AS_INT {
  ONEPASS_OP_N = 0,
  ONEPASS_OP_T = 1,
  ONEPASS_OP_C = 2
} onepassOperation_t;

typedef enum onepassLayout ONEPASS_AS_INT { ONEPASS_COLUMN_MAJOR = 0, ONEPASS_ROW_MAJOR = 1 } onepassLayout_t;

/** Where alpha and beta live: in host memory, or where the backend's matrices live. */
typedef enum onepassPointerMode ONEPASS_AS_INT {
  ONEPASS_POINTER_MODE_HOST = 0,
  ONEPASS_POINTER_MODE_DEVICE = 1
} onepassPointerMode_t;

/** In what products are summed. WIDER: s, c, h and b in double precision. TWICE: with the digits of twice the type, s,
 * d, c and z; the result is as accurate as if it were computed so and rounded at the end. alpha, beta and y are part of
 * the sum. Types of operands and scalars stay the same. */
typedef enum onepassAccumulate ONEPASS_AS_INT {
  ONEPASS_ACCUMULATE_DEFAULT = 0,
  ONEPASS_ACCUMULATE_WIDER = 1,
  ONEPASS_ACCUMULATE_TWICE = 2
} onepassAccumulate_t;

/** In which order products are summed. CANONICAL: in one that the number of terms alone determines, so that the same
 * operands give the same bits on every backend and device, with any number of threads, in any batch, layout and
 * alignment, and whatever the other rows are; s, d, c and z, summed in their own type (docs/accuracy.md). */
typedef enum onepassOrder ONEPASS_AS_INT { ONEPASS_ORDER_DEFAULT = 0, ONEPASS_ORDER_CANONICAL = 1 } onepassOrder_t;

/** The triangle of a symmetric or Hermitian matrix that is stored. The other one is never read. */
typedef enum onepassFillMode ONEPASS_AS_INT {
  ONEPASS_FILL_MODE_LOWER = 0,
  ONEPASS_FILL_MODE_UPPER = 1
} onepassFillMode_t;

typedef struct onepassContext* onepassHandle_t;
typedef struct onepassPlanRecord* onepassPlan_t;
typedef struct CUstream_st* onepassStream_t; /* the same type as cudaStream_t */

#ifdef __cplusplus
}
#endif

#endif /* ONEPASS_TYPES_H */
