// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From types and groups of steps as values to template arguments. Elements on a device are float, double and Complex of
// these.
#pragma once

#include <utility>

#include "lapack/gpu/step.hpp"
#include "numbers/scalar.hpp"
#include "problem/problem.hpp"
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

// f.template operator()<group, A>(), for a type whose kernels the group has.
template <class F>
Status by_group(StepGroup group, Type type, F f) {
  return by_device_type(type, [&]<class A>() {
    Status status;
    const auto one = [&]<StepGroup each>() {
      if (each != group) return;
      if constexpr (!is_real(each) || !onepass::is_complex<A>)
        status = f.template operator()<each, A>();
      else
        status = {ONEPASS_STATUS_INVALID_TYPES, "there are no kernels for this type"};
    };
    [&]<std::size_t... i>(std::index_sequence<i...>) { (one.template operator()<static_cast<StepGroup>(i)>(), ...); }
    (std::make_index_sequence<step_group_count>{});
    return status;
  });
}

}  // namespace onepass::lapack
