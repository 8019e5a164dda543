// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The terminal: whether there is one, colours on it, and a progress bar with the time left.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace onepass::tools {

enum class Colour { plain, bold, green, yellow, red };

// The text in a colour if standard output is a terminal; else as it is.
std::string paint(Colour colour, std::string_view text);

// On standard error, and only if that is a terminal. The destructor clears the line.
class Progress {
 public:
  Progress(std::string label, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void set_total(std::size_t total) { total_ = total; }
  // Seconds of what will follow under another bar.
  void set_behind(double seconds) { behind_ = seconds; }
  void update(std::size_t done, std::string_view what);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  std::size_t total_;
  bool shown_;
  double behind_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_{};
};

}  // namespace onepass::tools
