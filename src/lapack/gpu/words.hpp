// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the explanations of routines that have others as steps share.
#pragma once

#include <cstdio>
#include <string>

namespace onepass::lapack {

inline std::string indented(const std::string& lines) {
  std::string text;
  bool begins = true;
  for (const char character : lines) {
    if (begins) text += "  ";
    text += character;
    begins = character == '\n';
  }
  return text;
}

// "workspace 4096 bytes (0.50 n^2 elements), shared by its steps", with `elements` that `unit` has.
inline std::string shared_workspace(std::size_t bytes, std::int64_t elements, std::int64_t element, const char* unit) {
  const double part = elements == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(elements * element);
  char number[32];
  std::snprintf(number, sizeof number, "%.2f", part);
  return "workspace " + std::to_string(bytes) + " bytes (" + number + " " + unit + " elements), shared by its steps\n";
}

}  // namespace onepass::lapack
