// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The element type of kernels for one of the host.
#pragma once

#include <complex>

#include "numbers/scalar.hpp"

namespace onepass::test {

template <class T>
struct OnDevice {
  using type = T;
};
template <class R>
struct OnDevice<std::complex<R>> {
  using type = Complex<R>;
};

}  // namespace onepass::test
