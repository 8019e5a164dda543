// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/cuda/cublas_peer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "measure/onepass_provider.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

void must(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw Failure(Exit::failed, fmt::format("{}: {}", what, cublasGetStatusString(status)));
}

std::string version_text() {
  int major = 0, minor = 0, patch = 0;
  must(cublasGetProperty(MAJOR_VERSION, &major), "cublasGetProperty");
  must(cublasGetProperty(MINOR_VERSION, &minor), "cublasGetProperty");
  must(cublasGetProperty(PATCH_LEVEL, &patch), "cublasGetProperty");
  return fmt::format("{}.{}.{}", major, minor, patch);
}

cublasOperation_t operation(const Stored& s) {
  if (!s.transposed) return CUBLAS_OP_N;
  return s.conjugate ? CUBLAS_OP_C : CUBLAS_OP_T;
}

cudaDataType data_type(Type type) {
  if (type == Type::h) return CUDA_R_16F;
  return type == Type::b ? CUDA_R_16BF : CUDA_R_32F;
}

template <class T, class Single, class Batched>
void call_gemv(Single single, Batched batched, cublasHandle_t handle, const Gemv& p, const Vectors& v) {
  const Stored s = stored(p);
  const auto* alpha = static_cast<const T*>(one_of(p.type_a));
  const auto* beta = static_cast<const T*>(zero_of(p.type_a));
  const auto* a = static_cast<const T*>(v.a);
  const auto* x = static_cast<const T*>(v.x);
  auto* y = static_cast<T*>(v.y);
  must(p.batch == 1 ? single(handle, operation(s), s.rows, s.cols, alpha, a, p.lda, x, p.incx, beta, y, p.incy)
                    : batched(handle, operation(s), s.rows, s.cols, alpha, a, p.lda, p.stride_a, x, p.incx, p.stride_x,
                              beta, y, p.incy, p.stride_y, p.batch),
       "cublas gemv");
}

// y = op(A) x as a product with a matrix of one column; half types have no gemv of their own.
void call_gemm(cublasHandle_t handle, const Gemv& p, const Vectors& v) {
  const std::int64_t rows = length_y(p), inner = length_x(p);
  const cublasOperation_t op = operation(stored(p));
  const void* alpha = one_of(Type::s);
  const void* beta = zero_of(Type::s);
  const cudaDataType ta = data_type(p.type_a), tx = data_type(p.type_x), ty = data_type(p.type_y);
  must(p.batch == 1 ? cublasGemmEx_64(handle, op, CUBLAS_OP_N, rows, 1, inner, alpha, v.a, ta, p.lda, v.x, tx, inner,
                                      beta, v.y, ty, rows, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT)
                    : cublasGemmStridedBatchedEx_64(handle, op, CUBLAS_OP_N, rows, 1, inner, alpha, v.a, ta, p.lda,
                                                    p.stride_a, v.x, tx, inner, p.stride_x, beta, v.y, ty, rows,
                                                    p.stride_y, p.batch, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
       "cublasGemmEx");
}

}  // namespace

PeerInfo find_cublas() {
  int devices = 0;
  const bool device = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  return {.name = "cuBLAS", .found = device, .detail = version_text() + (device ? "" : ", but no GPU")};
}

// With a workspace of its own it neither allocates nor changes its choice under capture; 32 MiB is what it asks for on
// the newest devices.
CublasProvider::CublasProvider(cudaStream_t stream) : workspace_(std::size_t{32} << 20) {
  must(cublasCreate(&handle_), "cublasCreate");
  must(cublasSetStream(handle_, stream), "cublasSetStream");
  must(cublasSetWorkspace(handle_, workspace_.data(), workspace_.bytes()), "cublasSetWorkspace");
}

CublasProvider::~CublasProvider() { (void)cublasDestroy(handle_); }

std::string CublasProvider::version() const { return version_text(); }

bool CublasProvider::serves(const Gemv& p) const {
  const Stored s = stored(p);
  // The row-major conjugate transpose would need conj(A) x, which BLAS does not have.
  if (p.pointer_array || (s.conjugate && !s.transposed)) return false;
  return p.type_a <= Type::z || (p.incx == 1 && p.incy == 1);
}

void CublasProvider::call(const Gemv& p, const Vectors& v) {
  switch (p.type_a) {
    case Type::s: return call_gemv<float>(cublasSgemv_64, cublasSgemvStridedBatched_64, handle_, p, v);
    case Type::d: return call_gemv<double>(cublasDgemv_64, cublasDgemvStridedBatched_64, handle_, p, v);
    case Type::c: return call_gemv<cuComplex>(cublasCgemv_64, cublasCgemvStridedBatched_64, handle_, p, v);
    case Type::z: return call_gemv<cuDoubleComplex>(cublasZgemv_64, cublasZgemvStridedBatched_64, handle_, p, v);
    default: return call_gemm(handle_, p, v);
  }
}

}  // namespace onepass::tools
