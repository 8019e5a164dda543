// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/host_row_steps.hpp"

namespace onepass {
namespace {

template <class T>
void norm(const RowStep& s, const T* x, T* y) {
  using S = Sum<T>;
  const T* const weight = static_cast<const T*>(s.other);
  S sum{};
  for (std::int64_t i = 0; i < s.n; ++i) sum += widen(x[i]) * widen(x[i]);
  const S factor = rms_factor(sum, s.n, s.epsilon);
  for (std::int64_t i = 0; i < s.n; ++i) {
    const S value = widen(x[i]) * factor;
    y[i] = narrow<T>(weight == nullptr ? value : value * widen(weight[i]));
  }
}

template <class T>
void rotate(const RowStep& s, const T* x, T* y) {
  const T *const cosines = static_cast<const T*>(s.other), *const sines = static_cast<const T*>(s.sines);
  const std::int64_t half = s.n / 2;
  for (std::int64_t i = 0; i < half; ++i) {
    const auto both = [&](const T* p) { return RotaryPair<Sum<T>>{widen(p[i]), widen(p[i + half])}; };
    const RotaryPair<Sum<T>> value = rotated(both(x), both(cosines), both(sines));
    y[i] = narrow<T>(value.first);
    y[i + half] = narrow<T>(value.second);
  }
}

template <class T>
void activate(const RowStep& s, const T* gate, const T* up, T* y) {
  for (std::int64_t i = 0; i < s.n; ++i) y[i] = narrow<T>(swiglu(widen(gate[i]), widen(up[i])));
}

}  // namespace

Status run_on_host(const RowStep& s) {
  return by_row_type(s.type, [&]<class T>() -> Status {
    for (std::int64_t row = 0; row < s.rows; ++row) {
      const T* const x = static_cast<const T*>(s.x) + row * s.ld_x;
      T* const y = static_cast<T*>(s.y) + row * s.ld_y;
      switch (s.operation) {
        case RowOperation::rms_norm: norm(s, x, y); break;
        case RowOperation::swiglu: activate(s, x, static_cast<const T*>(s.other) + row * s.ld_other, y); break;
        case RowOperation::rotary: rotate(s, x, y); break;
      }
    }
    return {};
  });
}

}  // namespace onepass
