// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/twists.hpp"

#include <cstdlib>

namespace onepass::test {
namespace {

constexpr Twist all[] = {
    {.name = "plain"},
    {.name = "beta0", .beta = 0.0},
    {.name = "beta1", .alpha = 1.0, .beta = 1.0},
    {.name = "pad1", .padding = 1},
    {.name = "pad3", .padding = 3, .offset_a = 2},
    {.name = "pad4", .padding = 4, .offset_a = 1},
    {.name = "offset1", .offset_a = 1, .offset_x = 1, .offset_y = 1},
    {.name = "offset3", .offset_a = 3, .offset_x = 3, .offset_y = 5},
    {.name = "offset7", .padding = 5, .offset_a = 7, .offset_x = 6, .offset_y = 7},
    {.name = "x_at_another_offset", .offset_a = 1, .offset_x = 2},
    {.name = "inc_2_3", .incx = 2, .incy = 3},
    {.name = "inc_minus", .offset_a = 1, .incx = -1, .incy = -1},
    {.name = "inc_minus3_5", .incx = -3, .incy = 5},
    {.name = "incy_3", .offset_y = 1, .incy = 3},
    {.name = "incy_minus2", .offset_a = 1, .incy = -2},
    {.name = "strided3", .batch = 3},
    {.name = "strided3_gaps", .padding = 1, .incx = -2, .incy = 2, .batch = 3, .gap = 3},
    {.name = "strided_backwards", .offset_a = 1, .batch = 2, .gap = 1, .sign = -1},
    {.name = "strided_shared_a", .batch = 3, .gap = 2, .shared_a = true},
    {.name = "pointers1", .batch = 1, .pointer_array = true},
    {.name = "pointers4", .padding = 2, .batch = 4, .pointer_array = true},
    {.name = "pointers3_minus", .offset_a = 3, .incx = -1, .incy = -2, .batch = 3, .pointer_array = true},
    {.name = "scalars_on_device", .scalars = Scalars::device},
    {.name = "scalars_on_device_batch", .incy = 2, .batch = 2, .pointer_array = true, .scalars = Scalars::device},
};

}  // namespace

std::span<const Twist> twists() { return all; }

Case twisted(const std::string& name, Problem p, const Twist& t) {
  p.lda += t.padding;
  p.incx = t.incx, p.incy = t.incy;
  p.batch = t.batch;
  p.pointer_array = t.pointer_array;
  p.scalars = t.scalars;
  if (t.batch != 1 && !t.pointer_array) {
    p.stride_a = t.shared_a ? 0 : t.sign * (p.lda * stored(p).cols + t.gap);
    p.stride_x = t.sign * (length_x(p) * std::abs(t.incx) + t.gap);
    p.stride_y = t.sign * (length_y(p) * std::abs(t.incy) + t.gap);
  }
  const bool complex = is_complex_type(p.type_a);
  return {.name = name + "_" + t.name,
          .problem = p,
          .alpha = complex ? t.alpha : t.alpha.real(),
          .beta = complex ? t.beta : t.beta.real(),
          .offset_a = t.offset_a,
          .offset_x = t.offset_x,
          .offset_y = t.offset_y};
}

}  // namespace onepass::test
