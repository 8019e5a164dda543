// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The matrices whose eigenvalues or singular values are found.
#pragma once

namespace onepass::kernels {

enum class Form : int {
  tridiagonal,  // symmetric: d on the diagonal, e on both sides of it
  bidiagonal,   // upper: d on the diagonal, e above it
};

}  // namespace onepass::kernels
