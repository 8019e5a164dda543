// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigen, compiled in where its headers are: it has no library to load.
#include "measure/host/provider.hpp"

#ifdef ONEPASS_TOOLS_EIGEN
#include <Eigen/Core>
#endif

namespace onepass::tools {

#ifdef ONEPASS_TOOLS_EIGEN
namespace {

template <class T>
void multiply(const Problem& p, const Vectors& v) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  const Stored s = stored(p);
  for (std::int64_t i = 0; i < p.batch; ++i) {
    const Vectors one = product(p, v, i);
    const Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> a(static_cast<const T*>(one.a), s.rows, s.cols,
                                                              Eigen::OuterStride<>(p.lda));
    const Eigen::Map<const Vector> x(static_cast<const T*>(one.x), length_x(p));
    Eigen::Map<Vector> y(static_cast<T*>(one.y), length_y(p));
    if (family(p) == Family::symv) {
      if (s.uplo == Uplo::lower)
        y.noalias() = a.template selfadjointView<Eigen::Lower>() * x;
      else
        y.noalias() = a.template selfadjointView<Eigen::Upper>() * x;
    } else if (!s.transposed && s.conjugate) {
      y.noalias() = a.conjugate() * x;
    } else if (!s.transposed) {
      y.noalias() = a * x;
    } else if (s.conjugate) {
      y.noalias() = a.adjoint() * x;
    } else {
      y.noalias() = a.transpose() * x;
    }
  }
}

class EigenProvider final : public HostProvider {
 public:
  std::string name() const override { return "Eigen"; }
  std::string version() const override {
    return std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
           std::to_string(EIGEN_MINOR_VERSION) + ", " + Eigen::SimdInstructionSetsInUse() + ", one thread";
  }
  bool serves(const Problem& p) const override {
    // Its triangles are self-adjoint: symmetric if real, Hermitian if complex.
    const bool known =
        family(p) == Family::gemv ||
        (family(p) == Family::symv && is_complex_type(p.type_a) == row(p).hermitian && !stored(p).conjugate);
    return known && p.type_a == p.type_x && p.type_a == p.type_y && p.type_a <= Type::z && p.incx == 1 && p.incy == 1;
  }
  void set_threads(int) override {}
  void call(const Problem& p, const Vectors& v) override {
    switch (p.type_a) {
      case Type::s: return multiply<float>(p, v);
      case Type::d: return multiply<double>(p, v);
      case Type::c: return multiply<std::complex<float>>(p, v);
      case Type::z: return multiply<std::complex<double>>(p, v);
      default: return;
    }
  }
};

}  // namespace

HostPeer open_eigen() {
  auto provider = std::make_unique<EigenProvider>();
  std::string version = provider->version();
  return {.name = "Eigen", .detail = std::move(version), .provider = std::move(provider)};
}
#else
HostPeer open_eigen() {
  return {.name = "Eigen", .detail = "not compiled in: no headers (Debian package libeigen3-dev)", .provider = nullptr};
}
#endif

}  // namespace onepass::tools
