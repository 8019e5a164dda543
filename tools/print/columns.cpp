// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "print/columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/terminal.hpp"

namespace onepass::tools {

// Right-aligned but for the first column; painting comes last, as it has no width.
std::string Columns::text() const {
  std::vector<std::size_t> width;
  for (const auto& row : rows_) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  }
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < rows_[r].size(); ++i)
      line += i == 0 ? fmt::format("{:<{}}", rows_[r][i], width[i]) : fmt::format("  {:>{}}", rows_[r][i], width[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += (r == 0 ? paint(Colour::bold, line) : line) + "\n";
  }
  return text;
}

std::string ratio_text(double ratio) { return ratio == 0 ? "-" : fmt::format("{:.2f}x", ratio); }
std::string efficiency_text(double efficiency) { return efficiency == 0 ? "-" : fmt::format("{:.2f}", efficiency); }

}  // namespace onepass::tools
