// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// OpenBLAS and BLIS, loaded at run time through the Fortran names that both offer.
#include <dlfcn.h>

#include <array>
#include <limits>

#include "measure/host/provider.hpp"
#include "measure/onepass_provider.hpp"

namespace onepass::tools {
namespace {

// The hidden last argument is the length of `trans`, as Fortran passes it.
using GemvSymbol = void (*)(const char* trans, const int* m, const int* n, const void* alpha, const void* a,
                            const int* lda, const void* x, const int* incx, const void* beta, void* y, const int* incy,
                            std::size_t length);

// Likewise with the triangle in place of `trans`: ssymv_ and its kind.
using SymvSymbol = void (*)(const char* uplo, const int* n, const void* alpha, const void* a, const int* lda,
                            const void* x, const int* incx, const void* beta, void* y, const int* incy,
                            std::size_t length);

// sger_ and its kind.
using GerSymbol = void (*)(const int* m, const int* n, const void* alpha, const void* x, const int* incx, const void* y,
                           const int* incy, void* a, const int* lda);

struct Library {
  const char* name;
  const char* file;
  const char* package;
  const char* set_threads;
  const char* version;
};

class BlasProvider final : public HostProvider {
 public:
  BlasProvider(const Library& library, void* opened) : library_(library) {
    constexpr std::array symbols = {"sgemv_", "dgemv_", "cgemv_", "zgemv_"};
    constexpr std::array symmetric = {"ssymv_", "dsymv_", "csymv_", "zsymv_"};
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      gemv_[i] = reinterpret_cast<GemvSymbol>(dlsym(opened, symbols[i]));
      symv_[i] = reinterpret_cast<SymvSymbol>(dlsym(opened, symmetric[i]));
    }
    constexpr std::array updates = {"sger_", "dger_", "cgeru_", "zgeru_"};
    for (std::size_t i = 0; i < updates.size(); ++i) ger_[i] = reinterpret_cast<GerSymbol>(dlsym(opened, updates[i]));
    gerc_[2] = reinterpret_cast<GerSymbol>(dlsym(opened, "cgerc_"));
    gerc_[3] = reinterpret_cast<GerSymbol>(dlsym(opened, "zgerc_"));
    hemv_[2] = reinterpret_cast<SymvSymbol>(dlsym(opened, "chemv_"));
    hemv_[3] = reinterpret_cast<SymvSymbol>(dlsym(opened, "zhemv_"));
    set_threads_ = dlsym(opened, library.set_threads);
    version_ = reinterpret_cast<const char* (*)()>(dlsym(opened, library.version));
  }

  bool complete() const { return gemv_[0] && gemv_[1] && gemv_[2] && gemv_[3] && set_threads_ != nullptr; }
  std::string name() const override { return library_.name; }
  std::string version() const override { return version_ != nullptr ? version_() : "version unknown"; }

  void set_threads(int threads) override {
    // BLIS counts in its dim_t of 64 bits, OpenBLAS in int; both find the value in the same register.
    reinterpret_cast<void (*)(long)>(set_threads_)(threads);
  }

  bool serves(const Problem& p) const override {
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    const bool plain = p.type_a == p.type_x && p.type_a == p.type_y && p.type_a <= Type::z;
    return plain && has_form(p) && p.lda <= most && p.m <= most && p.n <= most;
  }

  void call(const Problem& p, const Vectors& v) override {
    const Stored s = stored(p);
    const char* trans = !s.transposed ? "N" : s.conjugate ? "C" : "T";
    const int rows = static_cast<int>(s.rows), cols = static_cast<int>(s.cols), lda = static_cast<int>(p.lda);
    const int incx = static_cast<int>(p.incx), incy = static_cast<int>(p.incy);
    const void* alpha = one_of(p.type_a);
    const void* beta = zero_of(p.type_a);
    const char* uplo = s.uplo == Uplo::lower ? "L" : "U";
    for (std::int64_t i = 0; i < p.batch; ++i) {
      const Vectors one = product(p, v, i);
      switch (family(p)) {
        case Family::gemv:
          gemv_[static_cast<std::size_t>(p.type_a)](trans, &rows, &cols, alpha, one.a, &lda, one.x, &incx, beta, one.y,
                                                    &incy, 1);
          break;
        case Family::symv: symmetric(p)(uplo, &rows, alpha, one.a, &lda, one.x, &incx, beta, one.y, &incy, 1); break;
        case Family::ger:
          // A row-major A is its transpose, and the vectors change places.
          if (p.layout == Layout::row)
            update(p)(&rows, &cols, negligible_of(p.type_a), one.y, &incy, one.x, &incx, const_cast<void*>(one.a),
                      &lda);
          else
            update(p)(&rows, &cols, negligible_of(p.type_a), one.x, &incx, one.y, &incy, const_cast<void*>(one.a),
                      &lda);
          break;
      }
    }
  }

 private:
  bool has_form(const Problem& p) const {
    switch (family(p)) {
      // The row-major conjugate transpose would need conj(A) x, which BLAS does not have.
      case Family::gemv: return !stored(p).conjugate || stored(p).transposed;
      // Not every BLAS has the complex symmetric product, which is LAPACK's; none has conj(A) x.
      case Family::symv: return symmetric(p) != nullptr && !stored(p).conjugate;
      // The transpose of x y^H would need the conjugate of the other vector.
      case Family::ger: return update(p) != nullptr && !(row(p).hermitian && p.layout == Layout::row);
    }
    return false;
  }
  GerSymbol update(const Problem& p) const {
    return (row(p).hermitian ? gerc_ : ger_)[static_cast<std::size_t>(p.type_a)];
  }
  SymvSymbol symmetric(const Problem& p) const {
    return (row(p).hermitian ? hemv_ : symv_)[static_cast<std::size_t>(p.type_a)];
  }

  Library library_;
  std::array<GemvSymbol, 4> gemv_{};
  std::array<SymvSymbol, 4> symv_{}, hemv_{};
  std::array<GerSymbol, 4> ger_{}, gerc_{};
  void* set_threads_ = nullptr;
  const char* (*version_)() = nullptr;
};

// The library stays loaded until the program ends: its threads may still be running.
HostPeer open(const Library& library) {
  HostPeer peer{.name = library.name, .detail = {}, .provider = nullptr};
  void* opened = dlopen(library.file, RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    peer.detail = std::string("no ") + library.file + " (Debian package " + library.package + ")";
    return peer;
  }
  auto provider = std::make_unique<BlasProvider>(library, opened);
  if (!provider->complete()) {
    peer.detail = std::string(library.file) + " has no sgemv_ or no " + library.set_threads;
    return peer;
  }
  peer.detail = provider->version();
  peer.provider = std::move(provider);
  return peer;
}

}  // namespace

HostPeer open_openblas() {
  return open(
      {"OpenBLAS", "libopenblas.so.0", "libopenblas0-pthread", "openblas_set_num_threads", "openblas_get_config"});
}

HostPeer open_blis() {
  return open({"BLIS", "libblis.so.4", "libblis4-openmp", "bli_thread_set_num_threads", "bli_info_get_version_str"});
}

}  // namespace onepass::tools
