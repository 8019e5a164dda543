// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "verify/lapack_residual.hpp"

#include <algorithm>
#include <cmath>

namespace onepass::verify {
namespace {

// y += factor x. These loops take most of the time of a check: no call and no test of an element in them.
void add_multiple(std::int64_t n, double factor, const double* x, double* y) {
  for (std::int64_t i = 0; i < n; ++i) y[i] += x[i] * factor;
}
void add_multiple(std::int64_t n, std::complex<double> factor, const std::complex<double>* x, std::complex<double>* y) {
  const double re = factor.real(), im = factor.imag();
  for (std::int64_t i = 0; i < n; ++i)
    y[i] += std::complex<double>(x[i].real() * re - x[i].imag() * im, x[i].real() * im + x[i].imag() * re);
}

template <class W>
Dense<W> product(const Dense<W>& a, const Dense<W>& b) {
  Dense<W> c(a.rows, b.columns);
  for (std::int64_t j = 0; j < b.columns; ++j)
    for (std::int64_t k = 0; k < a.columns; ++k)
      if (const W factor = b(k, j); factor != W{})
        add_multiple(a.rows, factor, a.data.data() + k * a.rows, c.data.data() + j * a.rows);
  return c;
}

// The largest sum of a column. NaN stays NaN, which no limit is above.
template <class W>
double norm_1(const Dense<W>& a) {
  double largest = 0;
  for (std::int64_t c = 0; c < a.columns; ++c) {
    double sum = 0;
    for (std::int64_t r = 0; r < a.rows; ++r) sum += std::abs(a(r, c));
    if (!(sum <= largest)) largest = sum;
    if (std::isnan(sum)) break;
  }
  return largest;
}

template <class W>
double largest_of(const Dense<W>& a) {
  double largest = 0;
  for (const W& x : a.data) largest = std::max(largest, std::abs(x));
  return largest;
}

template <class W>
Dense<W> divided(Dense<W> a, double by) {
  for (W& x : a.data) x /= by;
  return a;
}

}  // namespace

template <class W>
Dense<W> adjoint(const Dense<W>& a) {
  Dense<W> b(a.columns, a.rows);
  for (std::int64_t c = 0; c < a.columns; ++c)
    for (std::int64_t r = 0; r < a.rows; ++r) b(c, r) = lapack::conjugate(a(r, c));
  return b;
}

template <class W>
double reduction_residual(const Dense<W>& a, const Dense<W>& q, const Dense<W>& b, const Dense<W>& right, double eps) {
  const std::int64_t n = std::max(a.rows, a.columns);
  if (n == 0) return 0;
  // Elements near the ends of the range become numbers near 1, so that eps times their norm is one too.
  const double largest = largest_of(a);
  const double scale = largest > 0 ? largest : 1;
  Dense<W> left = divided(a, scale);
  const double norm = norm_1(left);
  const Dense<W> back = product(product(q, divided(b, scale)), right);
  for (std::size_t i = 0; i < left.data.size(); ++i) left.data[i] -= back.data[i];
  const double error = norm_1(left);
  return error == 0 ? 0 : error / ((norm > 0 ? norm : 1) * static_cast<double>(n) * eps);
}

template <class W>
double orthogonality_residual(const Dense<W>& q, double eps) {
  const bool wide = q.columns > q.rows;
  Dense<W> square = wide ? product(q, adjoint(q)) : product(adjoint(q), q);
  if (square.rows == 0) return 0;
  for (std::int64_t i = 0; i < square.rows; ++i) square(i, i) -= W{1};
  return norm_1(square) / (static_cast<double>(std::max(q.rows, q.columns)) * eps);
}

template <class W>
double difference(const Dense<W>& a, const Dense<W>& b, double eps) {
  if (b.data.empty()) return 0;
  const double largest = largest_of(b);
  double worst = 0;
  for (std::size_t i = 0; i < b.data.size(); ++i) {
    const double error = std::abs(a.data[i] - b.data[i]);
    if (!(error <= worst)) worst = error;
    if (std::isnan(error)) break;
  }
  return worst == 0 ? 0
                    : worst / ((largest > 0 ? largest : 1) * static_cast<double>(std::max(b.rows, b.columns)) * eps);
}

#define ONEPASS_RESIDUALS(W)                                                                                      \
  template Dense<W> adjoint(const Dense<W>&);                                                                     \
  template double reduction_residual(const Dense<W>&, const Dense<W>&, const Dense<W>&, const Dense<W>&, double); \
  template double orthogonality_residual(const Dense<W>&, double);                                                \
  template double difference(const Dense<W>&, const Dense<W>&, double);
ONEPASS_RESIDUALS(double)
ONEPASS_RESIDUALS(std::complex<double>)
#undef ONEPASS_RESIDUALS

}  // namespace onepass::verify
