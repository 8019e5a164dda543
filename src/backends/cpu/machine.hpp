// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the operating system says of this machine's processor.
#pragma once

#include <cstdint>
#include <string>

namespace onepass::cpu {

std::string processor_name();
std::int64_t memory_bytes();

}  // namespace onepass::cpu
