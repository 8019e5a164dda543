// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/failure.hpp"

namespace onepass::tools {
namespace {

namespace fs = std::filesystem;

// `shown`: the name that the user knows.
void write_text(const fs::path& path, const std::string& text, const std::string& shown) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file)
    throw Failure(Exit::failed, fmt::format("cannot write {}: is the folder there, and may you write to it?", shown));
}

// A pipe or a device cannot be replaced, only written to; a link stays one.
bool replaceable(const fs::path& path) {
  std::error_code unknown;  // of a path that no file can have, which is said when it is written
  return !fs::exists(path, unknown) || fs::is_regular_file(path, unknown);
}
fs::path target_of(const std::string& path) {
  std::error_code unknown;
  return fs::is_symlink(path, unknown) ? fs::weakly_canonical(path) : fs::path(path);
}
fs::path temporary_of(fs::path target) { return target += ".part"; }

}  // namespace

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (file) file.peek();
  if (file.bad() || !file.is_open()) return std::nullopt;  // a folder can be opened, and not read
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

void require_writable(const std::string& path) {
  const fs::path target = target_of(path);
  if (!replaceable(target)) return;
  write_text(temporary_of(target), "", path);
  fs::remove(temporary_of(target));
}

void write_file(const std::string& path, const std::string& text) {
  const fs::path target = target_of(path);
  if (!replaceable(target)) return write_text(target, text, path);
  write_text(temporary_of(target), text, path);
  fs::rename(temporary_of(target), target);
}

}  // namespace onepass::tools
