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

Status Cublas::rank_2k(Type type, Uplo uplo, std::int64_t n, std::int64_t k, const void* v, std::int64_t ldv,
                       const void* w, std::int64_t ldw, void* c, std::int64_t ldc) {
  // alpha is of the type, beta real: the first number of each serves both.
  const float minus_s[2] = {-1, 0}, one_s = 1;
  const double minus_d[2] = {-1, 0}, one_d = 1;
  const bool is_single = real_type(type) == Type::s;
  const void* const alpha = is_single ? static_cast<const void*>(minus_s) : minus_d;
  const void* const beta = is_single ? static_cast<const void*>(&one_s) : &one_d;
  const int fill = uplo == Uplo::lower ? 0 : 1;
  return result("the rank-2k update",
                library().rank_2k[static_cast<int>(type)](handle_, fill, 0, static_cast<int>(n), static_cast<int>(k),
                                                          alpha, v, static_cast<int>(ldv), w, static_cast<int>(ldw),
                                                          beta, c, static_cast<int>(ldc)));
}

}  // namespace onepass::lapack
