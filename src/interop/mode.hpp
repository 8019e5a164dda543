// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// ONEPASS_INTERPOSE=off|on|log, as the drop-in libraries read it. That of BLAS passes nothing on: off is on there.
#pragma once

#include <cstdlib>
#include <string_view>

namespace onepass {

enum class Mode { off, on, log };

inline Mode mode_of_environment() {
  const char* text = std::getenv("ONEPASS_INTERPOSE");
  const std::string_view value = text == nullptr ? "on" : text;
  return value == "off" ? Mode::off : value == "log" ? Mode::log : Mode::on;
}

}  // namespace onepass
