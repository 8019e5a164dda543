/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What a decoding step of a language model does between its products, each in one launch that overlaps with the product
 * behind it:
 *
 *   onepassRmsNorm(handle, ONEPASS_TYPE_B, 1, n, x, n, weight, 1e-5, y, n);
 *   onepassSwiglu(handle, ONEPASS_TYPE_B, 1, n, gate_up, n, gate_up + n, n, y, n);
 *   onepassRotary(handle, ONEPASS_TYPE_B, heads, n, qkv, n, cosines, sines, qkv, n);
 *
 * Types s, d, h and b. A row is n contiguous elements, one row ld elements behind the other. Computed in float, of d in
 * double, and rounded once. The result may be one of the arguments, exactly, or overlap with none.
 */
#ifndef ONEPASS_ROWS_H
#define ONEPASS_ROWS_H

#include "onepass/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** y = weight x / sqrt(mean(x^2) + epsilon) for each row; weight, n elements, may be null: ones. */
ONEPASS_API onepassStatus_t onepassRmsNorm(onepassHandle_t handle, onepassType_t type, int64_t rows, int64_t n,
                                           const void* x, int64_t ldx, const void* weight, double epsilon, void* y,
                                           int64_t ldy);

/** y = up gate / (1 + exp(-gate)), element by element: the activation of Llama's layers. */
ONEPASS_API onepassStatus_t onepassSwiglu(onepassHandle_t handle, onepassType_t type, int64_t rows, int64_t n,
                                          const void* gate, int64_t ld_gate, const void* up, int64_t ld_up, void* y,
                                          int64_t ldy);

/** Rotates pairs of elements i and i + n / 2 of each row by an angle, as rotary position embeddings do with the heads
 * of one token: y = x cosines + (-second half of x, first half of x) sines. cosines and sines have n elements each; n
 * is even. */
ONEPASS_API onepassStatus_t onepassRotary(onepassHandle_t handle, onepassType_t type, int64_t rows, int64_t n,
                                          const void* x, int64_t ldx, const void* cosines, const void* sines, void* y,
                                          int64_t ldy);

#ifdef __cplusplus
}
#endif

#endif /* ONEPASS_ROWS_H */
