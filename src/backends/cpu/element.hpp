// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Elements as their components: a complex number on the host is aligned to one component only.
#pragma once

#include "numbers/scalar.hpp"

namespace onepass::cpu {

template <class T>
struct ElementOf {
  using Component = T;
  static constexpr int components = 1;
};
template <class R>
struct ElementOf<Complex<R>> {
  using Component = R;
  static constexpr int components = 2;
};

template <class T>
using Component = typename ElementOf<T>::Component;
template <class T>
inline constexpr int components = ElementOf<T>::components;

template <class T>
inline Sum<T> get(const Component<T>* p) {
  if constexpr (is_complex<T>)
    return {p[0], p[1]};
  else
    return widen(*p);
}

template <class T>
inline void put(Component<T>* p, Sum<T> value) {
  if constexpr (is_complex<T>) {
    p[0] = value.re;
    p[1] = value.im;
  } else {
    *p = narrow<T>(value);
  }
}

}  // namespace onepass::cpu
