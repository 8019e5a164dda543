// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Words laid out in columns, for people; the first row is the head.
#pragma once

#include <string>
#include <vector>

namespace onepass::tools {

class Columns {
 public:
  void row(std::vector<std::string> words) { rows_.push_back(std::move(words)); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// "0.97x"; "-" for 0, which stands for nothing.
std::string ratio_text(double ratio);
std::string efficiency_text(double efficiency);

}  // namespace onepass::tools
