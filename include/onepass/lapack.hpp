// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions, C++ interface: RAII handles, one name for all element types, exceptions. Header only, over lapack.h.
//
//   onepass::lapack::Handle handle;
//   onepass::lapack::tridiagonalize(handle, ONEPASS_FILL_MODE_LOWER, n, a, lda, d, e, tau);   // A = Q T Q^H
//
// Pointers are device pointers on the `cuda` backend and host pointers on the others.
#ifndef ONEPASS_LAPACK_HPP
#define ONEPASS_LAPACK_HPP

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "onepass/lapack.h"

namespace onepass::lapack {
inline namespace api {

// What a failed call throws. what() names the argument and its value.
class Error : public std::runtime_error {
 public:
  explicit Error(onepassStatus_t status) : std::runtime_error(onepassLapackLastErrorMessage()), status_(status) {}
  onepassStatus_t status() const noexcept { return status_; }

 private:
  onepassStatus_t status_;
};

inline void require(onepassStatus_t status) {
  if (status != ONEPASS_STATUS_SUCCESS) throw Error(status);
}

class Handle {
 public:
  // The best backend here.
  Handle() : Handle(nullptr) {}
  // "cuda", "cpu" or "reference".
  explicit Handle(const char* backend) {
    onepassLapackHandle_t made = nullptr;
    require(backend == nullptr ? onepassLapackCreate(&made) : onepassLapackCreateOn(&made, backend));
    handle_.reset(made);
  }
  operator onepassLapackHandle_t() const noexcept { return handle_.get(); }
  const char* backend() const noexcept { return onepassLapackBackend(handle_.get()); }
  void set_stream(onepassStream_t stream) { require(onepassLapackSetStream(handle_.get(), stream)); }
  void set_threads(int threads) { require(onepassLapackSetThreads(handle_.get(), threads)); }

 private:
  struct Destroy {
    void operator()(onepassLapackHandle_t handle) const { onepassLapackDestroy(handle); }
  };
  std::unique_ptr<onepassLapackContext, Destroy> handle_;
};

namespace detail {

template <class T>
struct Element;
template <>
struct Element<float> {
  static constexpr onepassType_t type = ONEPASS_TYPE_S;
  using Real = float;
};
template <>
struct Element<double> {
  static constexpr onepassType_t type = ONEPASS_TYPE_D;
  using Real = double;
};
template <>
struct Element<std::complex<float>> {
  static constexpr onepassType_t type = ONEPASS_TYPE_C;
  using Real = float;
};
template <>
struct Element<std::complex<double>> {
  static constexpr onepassType_t type = ONEPASS_TYPE_Z;
  using Real = double;
};

template <class T>
onepassLapackProblem_t tridiagonal(onepassFillMode_t fill, std::int64_t n, std::int64_t lda) {
  onepassLapackProblem_t problem = onepassLapackProblemDefault(ONEPASS_LAPACK_SYTRD, Element<T>::type, n, n);
  problem.fill = fill;
  problem.lda = lda;
  return problem;
}

}  // namespace detail

template <class T>
using Real = typename detail::Element<T>::Real;

// Bytes of workspace that a problem takes.
inline std::size_t workspace(const Handle& handle, const onepassLapackProblem_t& problem) {
  std::size_t bytes = 0;
  require(onepassLapackWorkspace(handle, &problem, &bytes));
  return bytes;
}

// Any routine, as data. Without a workspace it takes the handle's own.
inline void run(const Handle& handle, const onepassLapackProblem_t& problem, const onepassLapackOperands_t& operands,
                void* workspace = nullptr, std::size_t bytes = 0) {
  require(onepassLapackRun(handle, &problem, &operands, workspace, bytes));
}

// A = Q T Q^H: sytrd, or hetrd of complex types. d has n elements, e and tau n - 1.
template <class T>
void tridiagonalize(const Handle& handle, onepassFillMode_t fill, std::int64_t n, T* a, std::int64_t lda, Real<T>* d,
                    Real<T>* e, T* tau, void* workspace = nullptr, std::size_t bytes = 0) {
  run(handle, detail::tridiagonal<T>(fill, n, lda), {a, d, e, tau, nullptr, nullptr}, workspace, bytes);
}
template <class T>
std::size_t tridiagonalize_workspace(const Handle& handle, onepassFillMode_t fill, std::int64_t n, std::int64_t lda) {
  return workspace(handle, detail::tridiagonal<T>(fill, n, lda));
}

}  // namespace api
}  // namespace onepass::lapack

#endif  // ONEPASS_LAPACK_HPP
