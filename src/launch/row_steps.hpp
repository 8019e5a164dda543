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
  constexpr std::int64_t size = sizeof(T), threads = kernels::elementwise_threads;
  constexpr int warp = 32;
  const std::int64_t run = s.operation == RowOperation::rotary ? s.n / 2 : s.n;  // contiguous elements
  const bool by_vectors = run * size % 16 == 0 && detail::on_vectors(s.x, s.ld_x, s.rows, size) &&
                          detail::on_vectors(s.other, s.ld_other, s.rows, size) &&
                          detail::on_vectors(s.sines, 0, s.rows, size) && detail::on_vectors(s.y, s.ld_y, s.rows, size);
  const kernels::RowArgs args{.x = s.x,
                              .other = s.other,
                              .sines = s.sines,
                              .y = s.y,
                              .rows = s.rows,
                              .n = s.n,
                              .ld_x = s.ld_x,
                              .ld_other = s.ld_other,
                              .ld_y = s.ld_y,
                              .epsilon = s.epsilon,
                              .by_vectors = by_vectors};
  const std::int64_t pieces = by_vectors ? run * size / 16 : run;
  if (s.operation == RowOperation::rms_norm) {
    const std::int64_t of_row = std::min<std::int64_t>((pieces + warp - 1) / warp * warp, kernels::row_threads);
    return launcher.template run<kernels::RmsNorm<T>>({.x = s.rows}, static_cast<int>(of_row), warp * sizeof(Sum<T>),
                                                      args);
  }
  const Grid grid{.x = (s.rows * pieces + threads - 1) / threads};
  if (s.operation == RowOperation::swiglu)
    return launcher.template run<kernels::Swiglu<T>>(grid, static_cast<int>(threads), 0, args);
  return launcher.template run<kernels::Rotary<T>>(grid, static_cast<int>(threads), 0, args);
}

}  // namespace onepass
