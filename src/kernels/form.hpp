// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// In which forms a kernel may be compiled.
#pragma once

#include <cstdint>

namespace onepass {

// Which arguments a kernel has to look at. A single product with its scalars on the host is the common case, and short
// launches feel every instruction: about 2.5 cycles each on an H200, whose instruction caches are cold.
enum class Form : std::uint8_t { plain, general };

// Vectors whose loads a thread issues before it uses one: many for the bus; few for a short launch, whose time is that
// of its instructions.
enum class Loads : std::uint8_t { few, many };

}  // namespace onepass
