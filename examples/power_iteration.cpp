// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The largest eigenvalue of a symmetric matrix by power iteration. Each step is one pass over half of the matrix.
#include <cmath>
#include <cstdio>
#include <numeric>
#include <onepass/onepass.hpp>
#include <vector>

static double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

int main() try {
  // A = I + u u^T has the eigenvector u with the eigenvalue 1 + u^T u, and 1 in all other directions.
  const std::int64_t n = 500;
  std::vector<double> u(n), a(n * n);
  for (std::int64_t i = 0; i < n; ++i) u[i] = std::sin(static_cast<double>(i + 1));
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = j; i < n; ++i) a[j * n + i] = u[i] * u[j] + (i == j ? 1 : 0);  // the lower triangle is enough
  const double expected = 1 + dot(u, u);

  // onepass::Handle() would take the GPU where there is one, and the views would have to point there.
  onepass::Handle handle("cpu");
  const onepass::MatrixView<const double> matrix{.data = a.data(), .rows = n, .cols = n, .ld = n};
  std::vector<double> x(n, 1 / std::sqrt(static_cast<double>(n))), y(n);
  double eigenvalue = 0;
  for (int step = 1; step <= 100; ++step) {
    // y = A x; the estimate is x^T A x
    onepass::symv(handle, onepass::Uplo::lower, 1.0, matrix, onepass::VectorView(x.data(), n), 0.0,
                  onepass::VectorView(y.data(), n));
    const double before = eigenvalue;
    eigenvalue = dot(x, y);
    const double length = std::sqrt(dot(y, y));
    for (std::int64_t i = 0; i < n; ++i) x[i] = y[i] / length;
    std::printf("step %2d: %.12f\n", step, eigenvalue);
    if (std::abs(eigenvalue - before) <= 1e-13 * eigenvalue) break;
  }
  std::printf("expected %.12f\n", expected);
  return std::abs(eigenvalue - expected) <= 1e-10 * expected ? 0 : 1;
} catch (const onepass::Error& error) {
  std::fprintf(stderr, "%s: %s\n", onepassStatusName(error.status()), error.what());
  return 1;
}
