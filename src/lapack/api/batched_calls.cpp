// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The typed calls of many eigenproblems and singular value decompositions: arguments -> LapackProblem, and nothing
// else.
#include "lapack/api/call.hpp"

namespace onepass::lapack {
namespace {

LapackProblem batch_of(Batch batch, Type type, onepassJob_t jobz, onepassFillMode_t uplo, int64_t n, int64_t lda,
                       int64_t stride_a, int64_t stride_w, int64_t count) {
  return {.routine = LapackRoutine::syevd,
          .type = type,
          .uplo = static_cast<Uplo>(uplo),
          .n = n,
          .lda = lda,
          .job = static_cast<Job>(jobz),
          .batch = batch,
          .batch_count = count,
          .stride_a = stride_a,
          .stride_w = stride_w};
}

LapackProblem svd_batch_of(Batch batch, Type type, onepassJob_t jobz, int64_t m, int64_t n, int64_t lda,
                           int64_t stride_a, int64_t stride_s, int64_t ldu, int64_t stride_u, int64_t ldvt,
                           int64_t stride_vt, int64_t count) {
  return {.routine = LapackRoutine::gesvd,
          .type = type,
          .m = m,
          .n = n,
          .lda = lda,
          .job = static_cast<Job>(jobz),
          .ldu = ldu,
          .ldvt = ldvt,
          .batch = batch,
          .batch_count = count,
          .stride_a = stride_a,
          .stride_w = stride_s,
          .stride_u = stride_u,
          .stride_vt = stride_vt};
}

// Pointers are not written, and the struct of operands has one kind of pointer.
template <class T>
void* pointers(T* const* a) {
  return const_cast<T**>(a);
}

}  // namespace
}  // namespace onepass::lapack

using onepass::Batch, onepass::Type;
namespace lapack = onepass::lapack;

extern "C" {

#define ONEPASS_SYEVD_BATCHED(NAME, TYPE, T, R)                                                                        \
  onepassStatus_t onepass##NAME##StridedBatched(                                                                       \
      onepassLapackHandle_t handle, onepassJob_t jobz, onepassFillMode_t uplo, int64_t n, T* A, int64_t lda,           \
      int64_t strideA, R* W, int64_t strideW, void* workspace, size_t bytes, int* info, int64_t batchCount) {          \
    return lapack::call(handle,                                                                                        \
                        lapack::batch_of(Batch::strided, TYPE, jobz, uplo, n, lda, strideA, strideW, batchCount),      \
                        {.a = A, .w = W, .info = info}, workspace, bytes);                                             \
  }                                                                                                                    \
  onepassStatus_t onepass##NAME##Batched(onepassLapackHandle_t handle, onepassJob_t jobz, onepassFillMode_t uplo,      \
                                         int64_t n, T* const A[], int64_t lda, R* W, int64_t strideW, void* workspace, \
                                         size_t bytes, int* info, int64_t batchCount) {                                \
    return lapack::call(handle, lapack::batch_of(Batch::pointers, TYPE, jobz, uplo, n, lda, 0, strideW, batchCount),   \
                        {.a = lapack::pointers(A), .w = W, .info = info}, workspace, bytes);                           \
  }                                                                                                                    \
  onepassStatus_t onepass##NAME##StridedBatchedBufferSize(                                                             \
      onepassLapackHandle_t handle, onepassJob_t jobz, onepassFillMode_t uplo, int64_t n, int64_t lda,                 \
      int64_t strideA, int64_t strideW, int64_t batchCount, size_t* bytes) {                                           \
    return lapack::buffer_size(                                                                                        \
        handle, lapack::batch_of(Batch::strided, TYPE, jobz, uplo, n, lda, strideA, strideW, batchCount), bytes);      \
  }                                                                                                                    \
  onepassStatus_t onepass##NAME##BatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,                    \
                                                   onepassFillMode_t uplo, int64_t n, int64_t lda, int64_t strideW,    \
                                                   int64_t batchCount, size_t* bytes) {                                \
    return lapack::buffer_size(                                                                                        \
        handle, lapack::batch_of(Batch::pointers, TYPE, jobz, uplo, n, lda, 0, strideW, batchCount), bytes);           \
  }

ONEPASS_SYEVD_BATCHED(Ssyevd, Type::s, float, float)
ONEPASS_SYEVD_BATCHED(Dsyevd, Type::d, double, double)
ONEPASS_SYEVD_BATCHED(Cheevd, Type::c, onepassComplex_t, float)
ONEPASS_SYEVD_BATCHED(Zheevd, Type::z, onepassDoubleComplex_t, double)

#define ONEPASS_GESVD_BATCHED(NAME, TYPE, T, R)                                                                        \
  onepassStatus_t onepass##NAME##StridedBatched(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m, int64_t n, \
                                                T* A, int64_t lda, int64_t strideA, R* S, int64_t strideS, T* U,       \
                                                int64_t ldu, int64_t strideU, T* VT, int64_t ldvt, int64_t strideVT,   \
                                                void* workspace, size_t bytes, int* info, int64_t batchCount) {        \
    return lapack::call(handle,                                                                                        \
                        lapack::svd_batch_of(Batch::strided, TYPE, jobz, m, n, lda, strideA, strideS, ldu, strideU,    \
                                             ldvt, strideVT, batchCount),                                              \
                        {.a = A, .w = S, .info = info, .u = U, .vt = VT}, workspace, bytes);                           \
  }                                                                                                                    \
  onepassStatus_t onepass##NAME##Batched(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m, int64_t n,        \
                                         T* const A[], int64_t lda, R* S, int64_t strideS, T* const U[], int64_t ldu,  \
                                         T* const VT[], int64_t ldvt, void* workspace, size_t bytes, int* info,        \
                                         int64_t batchCount) {                                                         \
    return lapack::call(                                                                                               \
        handle, lapack::svd_batch_of(Batch::pointers, TYPE, jobz, m, n, lda, 0, strideS, ldu, 0, ldvt, 0, batchCount), \
        {.a = lapack::pointers(A), .w = S, .info = info, .u = lapack::pointers(U), .vt = lapack::pointers(VT)},        \
        workspace, bytes);                                                                                             \
  }                                                                                                                    \
  onepassStatus_t onepass##NAME##StridedBatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m,  \
                                                          int64_t n, int64_t lda, int64_t strideA, int64_t strideS,    \
                                                          int64_t ldu, int64_t strideU, int64_t ldvt,                  \
                                                          int64_t strideVT, int64_t batchCount, size_t* bytes) {       \
    return lapack::buffer_size(handle,                                                                                 \
                               lapack::svd_batch_of(Batch::strided, TYPE, jobz, m, n, lda, strideA, strideS, ldu,      \
                                                    strideU, ldvt, strideVT, batchCount),                              \
                               bytes);                                                                                 \
  }                                                                                                                    \
  onepassStatus_t onepass##NAME##BatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m,         \
                                                   int64_t n, int64_t lda, int64_t strideS, int64_t ldu, int64_t ldvt, \
                                                   int64_t batchCount, size_t* bytes) {                                \
    return lapack::buffer_size(                                                                                        \
        handle, lapack::svd_batch_of(Batch::pointers, TYPE, jobz, m, n, lda, 0, strideS, ldu, 0, ldvt, 0, batchCount), \
        bytes);                                                                                                        \
  }

ONEPASS_GESVD_BATCHED(Sgesvd, Type::s, float, float)
ONEPASS_GESVD_BATCHED(Dgesvd, Type::d, double, double)
ONEPASS_GESVD_BATCHED(Cgesvd, Type::c, onepassComplex_t, float)
ONEPASS_GESVD_BATCHED(Zgesvd, Type::z, onepassDoubleComplex_t, double)

}  // extern "C"
