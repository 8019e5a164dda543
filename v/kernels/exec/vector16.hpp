// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Sixteen bytes, the widest load of one thread.
#pragma once

#include <cstdint>

namespace onepass::exec {

struct alignas(16) Vector16 {
  std::uint32_t word[4];
};

}  // namespace onepass::exec
