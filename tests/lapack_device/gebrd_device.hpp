// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A device for the steps of gebrd: its small launches on the simulator, with the memory of each described exactly;
// panels, copies and products as loops.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lapack/cuda/gebrd_steps.hpp"
#include "lapack/element.hpp"
#include "lapack/householder.hpp"
#include "on_device.hpp"
#include "products.hpp"
#include "small_launches.hpp"

namespace onepass::test {

template <class T>
class SimulatedGebrd final : public lapack::GebrdDevice {
 public:
  using A = typename OnDevice<T>::type;
  using R = lapack::Real<T>;

  Status copy(const kernels::MatrixCopy& c) override {
    for (std::int64_t j = 0; j < c.columns; ++j)
      std::copy_n(static_cast<const T*>(c.a) + j * c.lda, c.rows, static_cast<T*>(c.b) + j * c.ldb);
    return {};
  }
  Status make_adjoint(const kernels::MatrixCopy& c, int blocks) override { return simulate_adjoint<A>(c, blocks); }
  Status scale(const kernels::ScaleArgs& g, int blocks) override { return simulate_scaling<A>(g, blocks); }
  Status multiply(const lapack::Product& product) override {
    multiply_by_loops<T>(product);
    return {};
  }

  // As LAPACK's labrd: A is A - P Q^H of the columns of P and Q before.
  Status reduce_panel(const lapack::BidiagonalStage& stage, const kernels::BidiagonalPanelArgs& g) override {
    EXPECT_EQ(g.lda * static_cast<std::int64_t>(sizeof(T)) % 16, 0);
    EXPECT_EQ(*g.barrier, 0u);
    EXPECT_EQ(stage.columns, g.columns);
    const auto at = [](void* data, std::int64_t ld) { return lapack::Matrix<T>{static_cast<T*>(data), ld}; };
    const lapack::Matrix<T> a = at(g.a, g.lda), p = at(g.p, g.p_ld), q = at(g.q, g.q_ld);
    const auto vector = [](void* data) { return static_cast<T*>(data); };
    const R unscale = static_cast<const R*>(g.scale)[1];
    const std::int64_t m = g.m, n = g.n, columns = g.columns;
    for (std::int64_t k = 0; k < 2 * columns; ++k) {
      for (std::int64_t i = 0; i < m; ++i) p(i, k) = T{};
      for (std::int64_t j = 0; j < n; ++j) q(j, k) = T{};
    }
    const auto now = [&](std::int64_t i, std::int64_t j) {
      T sum = a(i, j);
      for (std::int64_t k = 0; k < 2 * columns; ++k) sum -= p(i, k) * lapack::conjugate(q(j, k));
      return sum;
    };
    for (std::int64_t c = 0; c < columns; ++c) {
      std::vector<T> u, v;
      for (std::int64_t i = c; i < m; ++i) u.push_back(now(i, c));
      const lapack::Reflector<T> left = lapack::make_reflector<T>(u[0], m - c - 1, u.data() + 1, 1, norm);
      u[0] = T{1};
      vector(g.tauq)[c] = left.tau;
      static_cast<R*>(g.d)[c] = left.beta * unscale;
      std::vector<T> y;
      for (std::int64_t j = c + 1; j < n; ++j) {
        T sum{};
        for (std::int64_t i = c; i < m; ++i) sum += lapack::conjugate(now(i, j)) * u[static_cast<std::size_t>(i - c)];
        y.push_back(left.tau * sum);
      }
      for (std::int64_t i = c; i < m; ++i) p(i, c) = u[static_cast<std::size_t>(i - c)];
      for (std::int64_t j = c + 1; j < n; ++j) q(j, c) = y[static_cast<std::size_t>(j - c - 1)];
      vector(g.taup)[c] = T{};
      if (c + 1 < n) {
        for (std::int64_t j = c + 1; j < n; ++j) v.push_back(lapack::conjugate(now(c, j)));
        const lapack::Reflector<T> right = lapack::make_reflector<T>(v[0], n - c - 2, v.data() + 1, 1, norm);
        v[0] = T{1};
        vector(g.taup)[c] = right.tau;
        static_cast<R*>(g.e)[c] = right.beta * unscale;
        std::vector<T> x;
        for (std::int64_t i = c + 1; i < m; ++i) {
          T sum{};
          for (std::int64_t j = c + 1; j < n; ++j) sum += now(i, j) * v[static_cast<std::size_t>(j - c - 1)];
          x.push_back(right.tau * sum);
        }
        for (std::int64_t j = c + 1; j < n; ++j) q(j, columns + c) = v[static_cast<std::size_t>(j - c - 1)];
        for (std::int64_t i = c + 1; i < m; ++i) p(i, columns + c) = x[static_cast<std::size_t>(i - c - 1)];
        for (std::int64_t j = c + 2; j < n; ++j) a(c, j) = lapack::conjugate(q(j, columns + c));
        a(c, c + 1) = static_cast<R*>(g.e)[c];
      }
      for (std::int64_t i = c + 1; i < m; ++i) a(i, c) = p(i, c);
      a(c, c) = static_cast<R*>(g.d)[c];
    }
    return {};
  }

 private:
  static R norm(std::int64_t n, const T* x, std::int64_t) {
    R squares = 0;
    for (std::int64_t i = 0; i < n; ++i) squares += std::norm(x[i]);
    return std::sqrt(squares);
  }
};

}  // namespace onepass::test
