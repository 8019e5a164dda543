// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// y = A x and z = A^T y in C++: views of memory that the caller owns, and errors as exceptions.
#include <cstdio>
#include <onepass/onepass.hpp>
#include <vector>

int main() try {
  const std::vector<double> a = {1, 2, 3,  //
                                 4, 5, 6};
  const std::vector<double> x = {1, 10, 100};
  std::vector<double> y(2), z(3);
  const onepass::MatrixView<const double> matrix{
      .data = a.data(), .rows = 2, .cols = 3, .ld = 3, .layout = onepass::Layout::row};

  // onepass::Handle() would take the GPU where there is one, and the views would have to point there.
  onepass::Handle handle("cpu");
  onepass::gemv(handle, 1.0, matrix, onepass::VectorView(x.data(), 3), 0.0, onepass::VectorView(y.data(), 2));
  onepass::gemv(handle, 1.0, matrix, onepass::VectorView(y.data(), 2), 0.0, onepass::VectorView(z.data(), 3),
                onepass::Op::T);

  // Row i of A times x, then column j of A times y.
  std::printf("y = (%g, %g), z = (%g, %g, %g)\n", y[0], y[1], z[0], z[1], z[2]);
  return y == std::vector<double>{321, 654} && z == std::vector<double>{2937, 3912, 4887} ? 0 : 1;
} catch (const onepass::Error& error) {
  std::fprintf(stderr, "%s: %s\n", onepassStatusName(error.status()), error.what());
  return 1;
}
