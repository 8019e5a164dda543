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

}  // namespace

Status run_on_host(const RowStep& s) {
  return by_row_type(s.type, [&]<class T>() -> Status {
    for (std::int64_t row = 0; row < s.rows; ++row) {
      const T* const x = static_cast<const T*>(s.x) + row * s.ld_x;
      T* const y = static_cast<T*>(s.y) + row * s.ld_y;
      if (s.operation == RowOperation::rms_norm) {
        norm(s, x, y);
        continue;
      }
      const T* const up = static_cast<const T*>(s.other) + row * s.ld_other;
      for (std::int64_t i = 0; i < s.n; ++i) y[i] = narrow<T>(swiglu(widen(x[i]), widen(up[i])));
    }
    return {};
  });
}

}  // namespace onepass
