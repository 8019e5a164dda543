// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/cuda/cublas_peer.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <fmt/format.h>

#include "measure/onepass_provider.hpp"
#include "measure/point.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

void must(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw Failure(Exit::failed, fmt::format("{}: {}", what, cublasGetStatusString(status)));
}

cublasOperation_t operation(const Stored& s) {
  if (!s.transposed) return CUBLAS_OP_N;
  return s.conjugate ? CUBLAS_OP_C : CUBLAS_OP_T;
}

cudaDataType data_type(Type type) {
  if (type == Type::h) return CUDA_R_16F;
  return type == Type::b ? CUDA_R_16BF : CUDA_R_32F;
}

bool is_half(Type type) { return type == Type::h || type == Type::b; }

// The row-major conjugate transpose would need conj(A) x, which BLAS does not have.
bool has_operation(const Problem& p) { return !stored(p).conjugate || stored(p).transposed; }

// A: type of A and x, Y: of y, S: of the scalars.
template <class A, class Y, class S, class Strided>
void call_strided(Strided strided, cublasHandle_t handle, const Problem& p, const Vectors& v) {
  const Stored s = stored(p);
  const Type sum = scalar_type(p.type_a);
  must(strided(handle, operation(s), s.rows, s.cols, static_cast<const S*>(one_of(sum)), static_cast<const A*>(v.a),
               p.lda, p.stride_a, static_cast<const A*>(v.x), p.incx, p.stride_x, static_cast<const S*>(zero_of(sum)),
               static_cast<Y*>(v.y), p.incy, p.stride_y, p.batch),
       "cublas gemvStridedBatched");
}

template <class A, class Y, class S, class Array>
void call_array(Array array, cublasHandle_t handle, const Problem& p, const Vectors& v) {
  const Stored s = stored(p);
  const Type sum = scalar_type(p.type_a);
  must(array(handle, operation(s), s.rows, s.cols, static_cast<const S*>(one_of(sum)),
             static_cast<const A* const*>(v.a), p.lda, static_cast<const A* const*>(v.x), p.incx,
             static_cast<const S*>(zero_of(sum)), static_cast<Y* const*>(v.y), p.incy, p.batch),
       "cublas gemvBatched");
}

template <class T, class Single, class Strided, class Array>
void call_gemv(Single single, Strided strided, Array array, cublasHandle_t handle, const Problem& p, const Vectors& v) {
  if (p.pointer_array) return call_array<T, T, T>(array, handle, p, v);
  if (batching(p) == Batching::strided) return call_strided<T, T, T>(strided, handle, p, v);
  const Stored s = stored(p);
  must(single(handle, operation(s), s.rows, s.cols, static_cast<const T*>(one_of(p.type_a)), static_cast<const T*>(v.a),
              p.lda, static_cast<const T*>(v.x), p.incx, static_cast<const T*>(zero_of(p.type_a)), static_cast<T*>(v.y),
              p.incy),
       "cublas gemv");
}

// A single product alone: there is no batched symv.
template <class T, class Single>
void call_symv(Single single, cublasHandle_t handle, const Problem& p, const Vectors& v) {
  const cublasFillMode_t uplo = stored(p).uplo == Uplo::lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
  must(single(handle, uplo, p.n, static_cast<const T*>(one_of(p.type_a)), static_cast<const T*>(v.a), p.lda,
              static_cast<const T*>(v.x), p.incx, static_cast<const T*>(zero_of(p.type_a)), static_cast<T*>(v.y),
              p.incy),
       "cublas symv");
}

void call_symv(cublasHandle_t handle, const Problem& p, const Vectors& v) {
  const bool hermitian = row(p).hermitian;
  switch (p.type_a) {
    case Type::s: return call_symv<float>(cublasSsymv_64, handle, p, v);
    case Type::d: return call_symv<double>(cublasDsymv_64, handle, p, v);
    case Type::c: return call_symv<cuComplex>(hermitian ? cublasChemv_64 : cublasCsymv_64, handle, p, v);
    default: return call_symv<cuDoubleComplex>(hermitian ? cublasZhemv_64 : cublasZsymv_64, handle, p, v);
  }
}

// A single update alone: there is no batched ger. A row-major A is its transpose, and the vectors change places.
template <class T, class Single>
void call_ger(Single single, cublasHandle_t handle, const Problem& p, const Vectors& v) {
  const Stored s = stored(p);
  const bool row_major = p.layout == Layout::row;
  const void* const along = row_major ? v.y : v.x;
  const void* const across = row_major ? v.x : v.y;
  must(single(handle, s.rows, s.cols, static_cast<const T*>(negligible_of(p.type_a)), static_cast<const T*>(along),
              row_major ? p.incy : p.incx, static_cast<const T*>(across), row_major ? p.incx : p.incy,
              static_cast<T*>(const_cast<void*>(v.a)), p.lda),
       "cublas ger");
}

void call_ger(cublasHandle_t handle, const Problem& p, const Vectors& v) {
  const bool hermitian = row(p).hermitian;
  switch (p.type_a) {
    case Type::s: return call_ger<float>(cublasSger_64, handle, p, v);
    case Type::d: return call_ger<double>(cublasDger_64, handle, p, v);
    case Type::c: return call_ger<cuComplex>(hermitian ? cublasCgerc_64 : cublasCgeru_64, handle, p, v);
    default: return call_ger<cuDoubleComplex>(hermitian ? cublasZgerc_64 : cublasZgeru_64, handle, p, v);
  }
}

// The forms for half types know batches alone: a single product is a batch of one.
template <class A, class Y, class Strided, class Array>
void call_half_gemv(Strided strided, Array array, cublasHandle_t handle, const Problem& p, const Vectors& v) {
  if (p.pointer_array) return call_array<A, Y, float>(array, handle, p, v);
  call_strided<A, Y, float>(strided, handle, p, v);
}

// y = op(A) x as a product with a matrix of one column.
void call_gemm(cublasHandle_t handle, const Problem& p, const Vectors& v) {
  const std::int64_t rows = length_y(p), inner = length_x(p);
  const cublasOperation_t op = operation(stored(p));
  const void* alpha = one_of(Type::s);
  const void* beta = zero_of(Type::s);
  const cudaDataType ta = data_type(p.type_a), tx = data_type(p.type_x), ty = data_type(p.type_y);
  switch (batching(p)) {
    case Batching::one:
      return must(cublasGemmEx_64(handle, op, CUBLAS_OP_N, rows, 1, inner, alpha, v.a, ta, p.lda, v.x, tx, inner, beta,
                                  v.y, ty, rows, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                  "cublasGemmEx");
    case Batching::strided:
      return must(cublasGemmStridedBatchedEx_64(handle, op, CUBLAS_OP_N, rows, 1, inner, alpha, v.a, ta, p.lda,
                                                p.stride_a, v.x, tx, inner, p.stride_x, beta, v.y, ty, rows, p.stride_y,
                                                p.batch, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                  "cublasGemmStridedBatchedEx");
    case Batching::pointers:
      return must(cublasGemmBatchedEx_64(
                      handle, op, CUBLAS_OP_N, rows, 1, inner, alpha, static_cast<const void* const*>(v.a), ta, p.lda,
                      static_cast<const void* const*>(v.x), tx, inner, beta, static_cast<void* const*>(v.y), ty, rows,
                      p.batch, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                  "cublasGemmBatchedEx");
  }
}

class CublasProvider : public HostProvider {
 public:
  explicit CublasProvider(cublasHandle_t handle) : handle_(handle) {}
  std::string version() const override { return cublas_version(); }
  void set_threads(int) override {}

 protected:
  cublasHandle_t handle_;
};

bool is_single_triangle(const Problem& p) {
  return family(p) == Family::symv && batching(p) == Batching::one && p.type_a <= Type::z && has_operation(p);
}

class Cublas final : public CublasProvider {
 public:
  using CublasProvider::CublasProvider;
  std::string name() const override { return "cuBLAS"; }
  bool serves(const Problem& p) const override {
    switch (family(p)) {
      case Family::gemv: return p.type_a <= Type::z && has_operation(p);
      case Family::symv: return is_single_triangle(p);
      // The transpose of x y^H would need the conjugate of the other vector.
      case Family::ger: return batching(p) == Batching::one && !(row(p).hermitian && p.layout == Layout::row);
    }
    return false;
  }
  void call(const Problem& p, const Vectors& v) override {
    if (family(p) == Family::symv) return call_symv(handle_, p, v);
    if (family(p) == Family::ger) return call_ger(handle_, p, v);
    switch (p.type_a) {
      case Type::s:
        return call_gemv<float>(cublasSgemv_64, cublasSgemvStridedBatched_64, cublasSgemvBatched_64, handle_, p, v);
      case Type::d:
        return call_gemv<double>(cublasDgemv_64, cublasDgemvStridedBatched_64, cublasDgemvBatched_64, handle_, p, v);
      case Type::c:
        return call_gemv<cuComplex>(cublasCgemv_64, cublasCgemvStridedBatched_64, cublasCgemvBatched_64, handle_, p, v);
      default:
        return call_gemv<cuDoubleComplex>(cublasZgemv_64, cublasZgemvStridedBatched_64, cublasZgemvBatched_64, handle_,
                                          p, v);
    }
  }
};

// With atomics symv and hemv are faster, and their bits differ from run to run.
class CublasAtomics final : public CublasProvider {
 public:
  using CublasProvider::CublasProvider;
  std::string name() const override { return "cuBLAS atomics"; }
  bool serves(const Problem& p) const override { return is_single_triangle(p); }
  void call(const Problem& p, const Vectors& v) override {
    must(cublasSetAtomicsMode(handle_, CUBLAS_ATOMICS_ALLOWED), "cublasSetAtomicsMode");
    call_symv(handle_, p, v);
    must(cublasSetAtomicsMode(handle_, CUBLAS_ATOMICS_NOT_ALLOWED), "cublasSetAtomicsMode");
  }
};

class CublasGemm final : public CublasProvider {
 public:
  using CublasProvider::CublasProvider;
  std::string name() const override { return "cuBLAS gemm"; }
  bool serves(const Problem& p) const override {
    return family(p) == Family::gemv && is_half(p.type_a) && p.incx == 1 && p.incy == 1;
  }
  void call(const Problem& p, const Vectors& v) override { call_gemm(handle_, p, v); }
};

class CublasHalfGemv final : public CublasProvider {
 public:
  using CublasProvider::CublasProvider;
  std::string name() const override { return "cuBLAS gemv"; }
  bool serves(const Problem& p) const override { return family(p) == Family::gemv && is_half(p.type_a); }
  void call(const Problem& p, const Vectors& v) override {
    const bool wide = p.type_y == Type::s;
    if (p.type_a == Type::h)
      return wide
                 ? call_half_gemv<__half, float>(cublasHSSgemvStridedBatched_64, cublasHSSgemvBatched_64, handle_, p, v)
                 : call_half_gemv<__half, __half>(cublasHSHgemvStridedBatched_64, cublasHSHgemvBatched_64, handle_, p,
                                                  v);
    return wide ? call_half_gemv<__nv_bfloat16, float>(cublasTSSgemvStridedBatched_64, cublasTSSgemvBatched_64, handle_,
                                                       p, v)
                : call_half_gemv<__nv_bfloat16, __nv_bfloat16>(cublasTSTgemvStridedBatched_64, cublasTSTgemvBatched_64,
                                                               handle_, p, v);
  }
};

}  // namespace

std::string cublas_version() {
  int major = 0, minor = 0, patch = 0;
  must(cublasGetProperty(MAJOR_VERSION, &major), "cublasGetProperty");
  must(cublasGetProperty(MINOR_VERSION, &minor), "cublasGetProperty");
  must(cublasGetProperty(PATCH_LEVEL, &patch), "cublasGetProperty");
  return fmt::format("{}.{}.{}", major, minor, patch);
}

PeerInfo find_cublas() {
  int devices = 0;
  const bool device = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  return {.name = "cuBLAS", .found = device, .detail = cublas_version() + (device ? "" : ", but no GPU")};
}

// With a workspace of its own it neither allocates nor changes its choice under capture; 32 MiB is what it asks for on
// the newest devices.
CublasHandle::CublasHandle(cudaStream_t stream) : workspace_(std::size_t{32} << 20) {
  must(cublasCreate(&handle_), "cublasCreate");
  must(cublasSetStream(handle_, stream), "cublasSetStream");
  must(cublasSetWorkspace(handle_, workspace_.data(), workspace_.bytes()), "cublasSetWorkspace");
}

CublasHandle::~CublasHandle() { (void)cublasDestroy(handle_); }

std::vector<std::unique_ptr<HostProvider>> open_cublas(cublasHandle_t handle) {
  std::vector<std::unique_ptr<HostProvider>> peers;
  peers.push_back(std::make_unique<Cublas>(handle));
  peers.push_back(std::make_unique<CublasAtomics>(handle));
  peers.push_back(std::make_unique<CublasGemm>(handle));
  peers.push_back(std::make_unique<CublasHalfGemv>(handle));
  return peers;
}

}  // namespace onepass::tools
