// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Devices to plan for, without a device, and a set of problems that covers the fields of a GEMV.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "plan/device_traits.hpp"
#include "problem/names.hpp"
#include "problem/problem.hpp"

namespace onepass::test {

struct Device {
  std::string name;
  DeviceTraits traits;
};

inline std::vector<Device> devices() {
  const auto with_sms = [](const char* name, int count) {
    DeviceTraits traits = h200_traits();
    traits.name = name;
    traits.sm_count = count;
    return Device{name, traits};
  };
  return {{"h200", h200_traits()}, with_sms("sms6", 6), with_sms("sms80", 80), with_sms("sms144", 144)};
}

inline Problem problem(const char* types, Op op, Layout layout, std::int64_t m, std::int64_t n,
                       std::int64_t padding = 0) {
  Problem p{.op = op, .layout = layout, .m = m, .n = n, .lda = (layout == Layout::row ? n : m) + padding};
  set_types(p, types);
  return p;
}

inline Problem batched(Problem p, std::int64_t batch) {
  p.batch = batch;
  p.stride_a = p.lda * stored(p).cols, p.stride_x = length_x(p), p.stride_y = length_y(p);
  return p;
}

// round(16 * 65536^(i/23)), i = 0..23: from 16 to a million in equal ratios.
inline std::vector<std::int64_t> mesh() {
  std::vector<std::int64_t> sizes;
  sizes.reserve(24);
  for (int i = 0; i < 24; ++i) sizes.push_back(std::llround(16 * std::pow(65536.0, i / 23.0)));
  return sizes;
}

}  // namespace onepass::test
