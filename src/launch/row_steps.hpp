// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A checked, non-empty operation on rows becomes a launch of its kernel.
#pragma once

#include <algorithm>

#include "kernels/row_steps.hpp"
#include "launch/launcher.hpp"

namespace onepass {

namespace detail {

inline bool on_vectors(const void* data, std::int64_t ld, std::int64_t rows, std::int64_t element) {
  constexpr std::int64_t vector = 16;
  return reinterpret_cast<std::uintptr_t>(data) % vector == 0 && (rows == 1 || ld * element % vector == 0);
}

}  // namespace detail

template <class T, class Launcher>
Status launch_row_step(const Launcher& launcher, const RowStep& s) {
  constexpr std::int64_t size = sizeof(T);
  const bool by_vectors = s.n * size % 16 == 0 && detail::on_vectors(s.x, s.ld_x, s.rows, size) &&
                          detail::on_vectors(s.other, s.ld_other, s.rows, size) &&
                          detail::on_vectors(s.y, s.ld_y, s.rows, size);
  const kernels::RowArgs args{.x = s.x,
                              .other = s.other,
                              .y = s.y,
                              .n = s.n,
                              .ld_x = s.ld_x,
                              .ld_other = s.ld_other,
                              .ld_y = s.ld_y,
                              .epsilon = s.epsilon,
                              .by_vectors = by_vectors};
  const std::int64_t pieces = by_vectors ? s.n * size / 16 : s.n;
  constexpr int warp = 32;
  if (s.operation == RowOperation::rms_norm) {
    const auto threads =
        static_cast<int>(std::min<std::int64_t>((pieces + warp - 1) / warp * warp, kernels::row_threads));
    return launcher.template run<kernels::RmsNorm<T>>({.x = s.rows}, threads, warp * sizeof(Sum<T>), args);
  }
  constexpr std::int64_t threads = kernels::elementwise_threads, most_rows = 65535;
  for (std::int64_t row = 0; row < s.rows; row += most_rows) {
    kernels::RowArgs some = args;
    some.x = static_cast<const T*>(s.x) + row * s.ld_x;
    some.other = static_cast<const T*>(s.other) + row * s.ld_other;
    some.y = static_cast<T*>(s.y) + row * s.ld_y;
    const Grid grid{.x = (pieces + threads - 1) / threads, .y = std::min(most_rows, s.rows - row)};
    if (Status bad = launcher.template run<kernels::Swiglu<T>>(grid, static_cast<int>(threads), 0, some); !bad.ok())
      return bad;
  }
  return {};
}

}  // namespace onepass
