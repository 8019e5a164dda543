// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/tuning_files.hpp"

#include <array>
#include <atomic>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include "plan/tuning_tables.hpp"

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
  Tuning table;
  std::ostringstream text;
  text << file.rdbuf();
  const Status status = Tuning::parse(text.str(), path, &table);
  const std::string why = status.ok() ? table.why_not_for(traits) : status.text;
  if (why.empty())
    tables.user = std::move(table);
  else
    tables.refused = "the tuning table " + path + " is not used: " + why;
}

}  // namespace

const TuningTables* built_in_tuning(const DeviceTraits& traits) {
  static const std::array<Tuning, std::tuple_size_v<decltype(tuning_tables)>> tables = [] {
    std::array<Tuning, std::tuple_size_v<decltype(tuning_tables)>> read;
    for (std::size_t i = 0; i < read.size(); ++i) (void)Tuning::parse(tuning_tables[i], "", &read[i]);
    return read;
  }();
  static const std::array<TuningTables, tables.size() + 1> each = [] {
    std::array<TuningTables, tables.size() + 1> made;
    for (std::size_t i = 0; i < tables.size(); ++i) made[i].built_in = &tables[i];
    return made;
  }();
  for (const TuningTables& one : each)
    if (one.built_in == nullptr || one.built_in->serves(traits)) return &one;
  return &each.back();
}

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
  TuningTables tables = *built_in_tuning(traits);
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
