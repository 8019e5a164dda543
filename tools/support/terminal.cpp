// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace onepass::tools {
namespace {

bool colourful() {
  static const bool yes = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  return yes;
}

std::string minutes(double seconds) {
  return fmt::format("{}:{:02}", static_cast<int>(seconds) / 60, static_cast<int>(seconds) % 60);
}

}  // namespace

std::string paint(Colour colour, std::string_view text) {
  if (!colourful() || colour == Colour::plain) return std::string(text);
  const char* code = "1";
  if (colour == Colour::green) code = "32";
  if (colour == Colour::yellow) code = "33";
  if (colour == Colour::red) code = "31";
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

Progress::Progress(std::string label, std::size_t total)
    : label_(std::move(label)), total_(total), shown_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::update(std::size_t done, std::string_view what) {
  if (!shown_ || total_ == 0) return;
  const auto now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(100) && done != 0) return;
  last_ = now;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double left = done == 0 ? 0 : elapsed / static_cast<double>(done) * static_cast<double>(total_ - done);
  constexpr std::size_t width = 24;
  const std::size_t filled = width * done / total_;
  fmt::print(stderr, "\r{} [{}{}] {}/{}", label_, std::string(filled, '#'), std::string(width - filled, '.'), done,
             total_);
  if (done != 0) fmt::print(stderr, " {} left", minutes(left));
  if (done != 0 && behind_ > 0) fmt::print(stderr, ", {} with all parts", minutes(left + behind_));
  fmt::print(stderr, "  {}\x1b[K", what);
  std::fflush(stderr);
}

}  // namespace onepass::tools
