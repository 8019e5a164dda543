// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// MAGMA's own kernels (magmablas), not those that it passes on to cuBLAS.
#include <fmt/format.h>
#include <magma_v2.h>

#include "measure/cuda/device.hpp"
#include "measure/cuda/found_peers.hpp"
#include "measure/onepass_provider.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

magma_int_t narrow(std::int64_t value) { return static_cast<magma_int_t>(value); }

template <class T, class Gemv>
void call_gemv(Gemv gemv, const Problem& p, const Vectors& v, magma_queue_t queue) {
  const Stored s = stored(p);
  const magma_trans_t op = !s.transposed ? MagmaNoTrans : s.conjugate ? MagmaConjTrans : MagmaTrans;
  gemv(op, narrow(s.rows), narrow(s.cols), *static_cast<const T*>(one_of(p.type_a)), static_cast<const T*>(v.a),
       narrow(p.lda), static_cast<const T*>(v.x), narrow(p.incx), *static_cast<const T*>(zero_of(p.type_a)),
       static_cast<T*>(v.y), narrow(p.incy), queue);
}

class Magma final : public HostProvider {
 public:
  explicit Magma(cudaStream_t stream) {
    int device = 0;
    tools::must(cudaGetDevice(&device), "cudaGetDevice");
    if (magma_init() != MAGMA_SUCCESS) throw Failure(Exit::failed, "magma_init failed; --no-peers leaves MAGMA out");
    magma_queue_create_from_cuda(device, stream, nullptr, nullptr, &queue_);
  }
  ~Magma() override {
    magma_queue_destroy(queue_);
    magma_finalize();
  }
  Magma(const Magma&) = delete;
  Magma& operator=(const Magma&) = delete;

  std::string name() const override { return "MAGMA"; }
  std::string version() const override {
    magma_int_t major = 0, minor = 0, micro = 0;
    magma_version(&major, &minor, &micro);
    return fmt::format("{}.{}.{}", major, minor, micro);
  }
  bool serves(const Problem& p) const override { return is_plain_product(p); }
  void set_threads(int) override {}

  void call(const Problem& p, const Vectors& v) override {
    if (family(p) == Family::symv) return call_triangle(p, v);
    switch (p.type_a) {
      case Type::s: return call_gemv<float>(magmablas_sgemv, p, v, queue_);
      case Type::d: return call_gemv<double>(magmablas_dgemv, p, v, queue_);
      case Type::c: return call_gemv<magmaFloatComplex>(magmablas_cgemv, p, v, queue_);
      default: return call_gemv<magmaDoubleComplex>(magmablas_zgemv, p, v, queue_);
    }
  }

 private:
  void call_triangle(const Problem& p, const Vectors& v) {
    const bool hermitian = p.routine == Routine::hemv;
    switch (p.type_a) {
      case Type::s: return call_symv<float>(magmablas_ssymv_work, p, v);
      case Type::d: return call_symv<double>(magmablas_dsymv_work, p, v);
      case Type::c: return call_symv<magmaFloatComplex>(hermitian ? magmablas_chemv_work : magmablas_csymv_work, p, v);
      default: return call_symv<magmaDoubleComplex>(hermitian ? magmablas_zhemv_work : magmablas_zsymv_work, p, v);
    }
  }

  // The form with a workspace: the other allocates, which a capture forbids. It wants a column of lda elements for each
  // block of 64 columns; the first call, outside the capture, makes room.
  template <class T, class Symv>
  void call_symv(Symv symv, const Problem& p, const Vectors& v) {
    const magma_uplo_t uplo = stored(p).uplo == Uplo::lower ? MagmaLower : MagmaUpper;
    const std::int64_t elements = p.lda * ((p.n + 63) / 64);
    workspace_.reserve(static_cast<std::size_t>(elements) * sizeof(T));
    const magma_int_t status =
        symv(uplo, narrow(p.n), *static_cast<const T*>(one_of(p.type_a)), static_cast<const T*>(v.a), narrow(p.lda),
             static_cast<const T*>(v.x), narrow(p.incx), *static_cast<const T*>(zero_of(p.type_a)),
             static_cast<T*>(v.y), narrow(p.incy), reinterpret_cast<T*>(workspace_.data()), narrow(elements), queue_);
    if (status != MAGMA_SUCCESS) throw Failure(Exit::failed, fmt::format("magmablas symv: {}", magma_strerror(status)));
  }

  magma_queue_t queue_ = nullptr;
  CudaMemory workspace_;
};

}  // namespace

std::unique_ptr<HostProvider> open_magma(cudaStream_t stream) { return std::make_unique<Magma>(stream); }

}  // namespace onepass::tools
