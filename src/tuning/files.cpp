// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tuning/files.hpp"

#include <atomic>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

namespace onepass {
namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// "NVIDIA H200" -> "nvidia-h200"
std::string as_file_name(const std::string& device) {
  std::string text;
  for (const char c : device) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0)
      text += static_cast<char>(std::tolower(byte));
    else if (!text.empty() && text.back() != '-')
      text += '-';
  }
  if (text.ends_with('-')) text.pop_back();
  return text;
}

void read_user_table(const std::string& path, std::istream& file, const DeviceTraits& traits, TuningTables& tables) {
  TuningTable table;
  std::ostringstream text;
  text << file.rdbuf();
  const Status status = read_table(text.str(), path, &table);
  const std::string why = status.ok() ? table.why_not_for(traits) : status.text;
  if (why.empty())
    tables.user = std::move(table);
  else
    tables.refused = "the tuning table " + path + " is not used: " + why;
}

}  // namespace

std::string user_tuning_file(const DeviceTraits& traits) {
  std::string folder(variable("XDG_CONFIG_HOME"));
  if (folder.empty()) {
    if (variable("HOME").empty()) return "";
    folder = std::string(variable("HOME")) + "/.config";
  }
  return folder + "/onepass/tuning/" + as_file_name(traits.name) + ".json";
}

TuningTables load_tuning(const DeviceTraits& traits) {
  const std::string_view wanted = variable("ONEPASS_TUNING");
  if (wanted == "off") return {};
  TuningTables tables;
  tables.asked = !wanted.empty();
  const std::string path = tables.asked ? std::string(wanted) : user_tuning_file(traits);
  std::ifstream file(path, std::ios::binary);
  if (file)
    read_user_table(path, file, traits, tables);
  else if (tables.asked)
    tables.refused = "the tuning table " + path + " is not used: there is no such file, or it cannot be read";
  return tables;
}

void warn_of_refused(const TuningTables& tables) {
  static std::atomic<bool> said = false;
  if (tables.asked && !tables.refused.empty() && !said.exchange(true))
    std::fprintf(stderr, "onepass: %s\n", tables.refused.c_str());
}

}  // namespace onepass
