// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Elements of the reductions on a device: float, double and Complex of these.
#pragma once

#include "problem/problem.hpp"
#include "problem/scalar.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

// Calls `f` with the element type of a checked problem as its template argument.
template <class F>
Status by_device_type(Type type, F f) {
  switch (type) {
    case Type::s: return f.template operator()<float>();
    case Type::c: return f.template operator()<Complex<float>>();
    case Type::z: return f.template operator()<Complex<double>>();
    default: return f.template operator()<double>();
  }
}

}  // namespace onepass::lapack
