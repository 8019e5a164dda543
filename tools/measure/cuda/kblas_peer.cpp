// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// KBLAS: gemv, symv of real and hemv of complex matrices.
#include <cuComplex.h>
#include <cublas_v2.h>
#include <fmt/format.h>
#include <kblas.h>

#include "measure/cuda/found_peers.hpp"
#include "measure/onepass_provider.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

void must(int status, const char* what) {
  if (status != 0) throw Failure(Exit::failed, fmt::format("{}: status {}", what, status));
}

// Its functions take what they only read by pointers to non-const.
template <class T>
T* operand(const void* data) {
  return static_cast<T*>(const_cast<void*>(data));
}

template <class T, class Gemv>
void call_gemv(Gemv gemv, const Problem& p, const Vectors& v, cudaStream_t stream) {
  const Stored s = stored(p);
  const char op = !s.transposed ? 'N' : s.conjugate ? 'C' : 'T';
  must(gemv(op, static_cast<int>(s.rows), static_cast<int>(s.cols), *static_cast<const T*>(one_of(p.type_a)),
            operand<T>(v.a), static_cast<int>(p.lda), operand<T>(v.x), static_cast<int>(p.incx),
            *static_cast<const T*>(zero_of(p.type_a)), operand<T>(v.y), static_cast<int>(p.incy), stream),
       "kblas gemv");
}

template <class T, class Symv>
void call_symv(Symv symv, const Problem& p, const Vectors& v, cudaStream_t stream) {
  must(symv(stored(p).uplo == Uplo::lower ? 'L' : 'U', static_cast<int>(p.n), *static_cast<const T*>(one_of(p.type_a)),
            operand<T>(v.a), static_cast<int>(p.lda), operand<T>(v.x), static_cast<int>(p.incx),
            *static_cast<const T*>(zero_of(p.type_a)), operand<T>(v.y), static_cast<int>(p.incy), stream),
       "kblas symv");
}

class Kblas final : public HostProvider {
 public:
  explicit Kblas(cudaStream_t stream) : stream_(stream) {}
  std::string name() const override { return "KBLAS"; }
  std::string version() const override { return "found"; }
  bool serves(const Problem& p) const override {
    const bool fits = family(p) == Family::gemv || row(p).hermitian == is_complex_type(p.type_a);
    return fits && is_plain_product(p);
  }
  void set_threads(int) override {}

  void call(const Problem& p, const Vectors& v) override {
    const bool triangle = family(p) == Family::symv;
    switch (p.type_a) {
      case Type::s:
        return triangle ? call_symv<float>(kblas_ssymv_async, p, v, stream_)
                        : call_gemv<float>(kblas_sgemv_async, p, v, stream_);
      case Type::d:
        return triangle ? call_symv<double>(kblas_dsymv_async, p, v, stream_)
                        : call_gemv<double>(kblas_dgemv_async, p, v, stream_);
      case Type::c:
        return triangle ? call_symv<cuFloatComplex>(kblas_chemv_async, p, v, stream_)
                        : call_gemv<cuFloatComplex>(kblas_cgemv_async, p, v, stream_);
      default:
        return triangle ? call_symv<cuDoubleComplex>(kblas_zhemv_async, p, v, stream_)
                        : call_gemv<cuDoubleComplex>(kblas_zgemv_async, p, v, stream_);
    }
  }

 private:
  cudaStream_t stream_;
};

}  // namespace

std::unique_ptr<HostProvider> open_kblas(cudaStream_t stream) { return std::make_unique<Kblas>(stream); }

}  // namespace onepass::tools
