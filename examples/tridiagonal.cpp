// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A = Q T Q^T of a symmetric matrix in C++: LAPACK's sytrd and orgtr, and the product of the factors beside A.
#include <cmath>
#include <cstdio>
#include <onepass/lapack.hpp>
#include <vector>

int main() try {
  constexpr int n = 3;
  const double full[n][n] = {{4, 3, 4}, {3, 1, 2}, {4, 2, 5}};
  std::vector<double> a = {4, 3, 4,  // column by column; above the diagonal nothing is read
                           0, 1, 2,  //
                           0, 0, 5};
  std::vector<double> d(n), e(n - 1), tau(n - 1);

  // onepass::lapack::Handle() would take the GPU where there is one, and a, d, e and tau would have to live there.
  onepass::lapack::Handle handle("cpu");
  onepass::lapack::tridiagonalize(handle, onepass::Uplo::lower, n, a.data(), n, d.data(), e.data(), tau.data());
  onepass::lapack::orgtr(handle, onepass::Uplo::lower, n, a.data(), n, tau.data());  // a := Q

  double error = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i + k * n] * d[k] * a[j + k * n];
      for (int k = 0; k + 1 < n; ++k)
        sum += e[k] * (a[i + k * n] * a[j + (k + 1) * n] + a[i + (k + 1) * n] * a[j + k * n]);
      error = std::fmax(error, std::fabs(sum - full[i][j]));
    }
  std::printf("d = (%g, %g, %g), e = (%g, %g), |A - Q T Q^T| = %.1e\n", d[0], d[1], d[2], e[0], e[1], error);
  return error < 1e-14 ? 0 : 1;
} catch (const onepass::lapack::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
