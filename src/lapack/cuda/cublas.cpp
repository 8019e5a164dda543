// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/cublas.hpp"

#include <dlfcn.h>

#include <string>

namespace onepass::lapack {
namespace {

// The part of cuBLAS's interface that is used, by the names and values of its documentation.
using Handle = void*;
struct Library {
  std::string missing;  // why there is none
  int (*create)(Handle*) = nullptr;
  int (*destroy)(Handle) = nullptr;
  int (*set_stream)(Handle, void*) = nullptr;
  int (*set_workspace)(Handle, void*, std::size_t) = nullptr;
  using Rank2k = int (*)(Handle, int uplo, int op, int n, int k, const void* alpha, const void* a, int lda,
                         const void* b, int ldb, const void* beta, void* c, int ldc);
  Rank2k rank_2k[4] = {};  // s d c z
  using Gemm = int (*)(Handle, int op_a, int op_b, int m, int n, int k, const void* alpha, const void* a, int lda,
                       const void* b, int ldb, const void* beta, void* c, int ldc);
  Gemm gemm[4] = {};
  using GemmStrided = int (*)(Handle, int op_a, int op_b, int m, int n, int k, const void* alpha, const void* a,
                              int lda, long long stride_a, const void* b, int ldb, long long stride_b, const void* beta,
                              void* c, int ldc, long long stride_c, int count);
  GemmStrided gemm_strided[4] = {};
};

Library load() {
  Library library;
  void* found = nullptr;
  for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"}) {
    found = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (found != nullptr) break;
  }
  if (found == nullptr) {
    library.missing = "libcublas.so was not found; it comes with the CUDA toolkit";
    return library;
  }
  const auto take = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(found, name));
    if (function == nullptr) library.missing = std::string("libcublas.so has no ") + name;
  };
  take(library.create, "cublasCreate_v2");
  take(library.destroy, "cublasDestroy_v2");
  take(library.set_stream, "cublasSetStream_v2");
  take(library.set_workspace, "cublasSetWorkspace_v2");
  take(library.rank_2k[0], "cublasSsyr2k_v2");
  take(library.rank_2k[1], "cublasDsyr2k_v2");
  take(library.rank_2k[2], "cublasCher2k_v2");
  take(library.rank_2k[3], "cublasZher2k_v2");
  take(library.gemm[0], "cublasSgemm_v2");
  take(library.gemm[1], "cublasDgemm_v2");
  take(library.gemm[2], "cublasCgemm_v2");
  take(library.gemm[3], "cublasZgemm_v2");
  take(library.gemm_strided[0], "cublasSgemmStridedBatched");
  take(library.gemm_strided[1], "cublasDgemmStridedBatched");
  take(library.gemm_strided[2], "cublasCgemmStridedBatched");
  take(library.gemm_strided[3], "cublasZgemmStridedBatched");
  return library;
}

const Library& library() {
  static const Library loaded = load();
  return loaded;
}

Status result(const char* what, int status) {
  if (status == 0) return {};
  return {status == 3 ? ONEPASS_STATUS_OUT_OF_MEMORY : ONEPASS_STATUS_EXECUTION_FAILED,
          std::string(what) + ": cuBLAS says " + std::to_string(status)};
}

// A real number as an element of any type, of which cuBLAS reads as much as it needs. A complex one begins with it, and
// is aligned to its size.
class Factor {
 public:
  Factor(Type type, double value)
      : single_{static_cast<float>(value), 0}, double_{value, 0}, is_single_(real_type(type) == Type::s) {}
  const void* data() const { return is_single_ ? static_cast<const void*>(single_) : double_; }

 private:
  alignas(8) float single_[2];
  alignas(16) double double_[2];
  bool is_single_;
};

int narrow(std::int64_t value) { return static_cast<int>(value); }

}  // namespace

Status Cublas::open(std::unique_ptr<Cublas>* made) {
  if (!library().missing.empty()) return {ONEPASS_STATUS_BACKEND_UNAVAILABLE, library().missing};
  std::unique_ptr<Cublas> opened(new Cublas);
  if (Status bad = result("cublasCreate", library().create(&opened->handle_)); !bad.ok()) return bad;
  *made = std::move(opened);
  return {};
}

Cublas::~Cublas() {
  if (handle_ != nullptr) library().destroy(handle_);
}

Status Cublas::use(void* stream, void* workspace, std::size_t bytes) {
  if (Status bad = result("cublasSetStream", library().set_stream(handle_, stream)); !bad.ok()) return bad;
  return result("cublasSetWorkspace", library().set_workspace(handle_, workspace, bytes));
}

// Its op is that of A and of the adjoint of B.
Status Cublas::rank_2k(Type type, const Product& p) {
  const Factor alpha(type, p.alpha), beta(type, p.beta);
  return result("the rank-2k update",
                library().rank_2k[static_cast<int>(type)](
                    handle_, *p.triangle == Uplo::lower ? 0 : 1, static_cast<int>(p.a.op), narrow(p.n), narrow(p.k),
                    alpha.data(), p.a.data, narrow(p.a.ld), p.b.data, narrow(p.b.ld), beta.data(), p.c, narrow(p.ldc)));
}

Status Cublas::gemm(Type type, const Product& p) {
  if (p.triangle) return rank_2k(type, p);
  if (p.m == 0 || p.n == 0 || p.batch == 0) return {};
  const Factor of_product(type, p.alpha), of_c(type, p.beta);
  if (p.batch == 1)
    return result("the matrix product", library().gemm[static_cast<int>(type)](
                                            handle_, static_cast<int>(p.a.op), static_cast<int>(p.b.op), narrow(p.m),
                                            narrow(p.n), narrow(p.k), of_product.data(), p.a.data, narrow(p.a.ld),
                                            p.b.data, narrow(p.b.ld), of_c.data(), p.c, narrow(p.ldc)));
  return result("the batch of matrix products",
                library().gemm_strided[static_cast<int>(type)](
                    handle_, static_cast<int>(p.a.op), static_cast<int>(p.b.op), narrow(p.m), narrow(p.n), narrow(p.k),
                    of_product.data(), p.a.data, narrow(p.a.ld), p.a.stride, p.b.data, narrow(p.b.ld), p.b.stride,
                    of_c.data(), p.c, narrow(p.ldc), p.stride_c, narrow(p.batch)));
}

}  // namespace onepass::lapack
