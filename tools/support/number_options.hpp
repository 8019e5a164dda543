// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Options of the command line whose value is a number or one of some words. CLI11's own conversions let NaN pass, and
// its messages have limits of 300 digits.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "support/arguments.hpp"
#include "support/failure.hpp"

namespace onepass::tools {

// `parse` turns the word into the value, or refuses it.
template <class Value, class Parse>
CLI::Option* add_parsed(CLI::App* command, const std::string& name, Value& value, const char* type,
                        const std::string& help, const Parse& parse) {
  const auto read = [&value, parse](const CLI::results_t& words) {
    try {
      value = static_cast<Value>(parse(words.back()));
    } catch (const Failure& wrong) {
      throw CLI::ValidationError(wrong.what(), CLI::ExitCodes::ValidationError);
    }
    return true;
  };
  return command->add_option(name, read, help, false, [&value] { return fmt::format("{}", value); })->type_name(type);
}

template <class Integer>
CLI::Option* add_integer(CLI::App* command, const std::string& name, Integer& value, const std::string& help,
                         std::int64_t least, std::int64_t most = unbounded) {
  return add_parsed(command, name, value, "INT", help,
                    [=](const std::string& word) { return parse_integer(name, word, least, most); });
}

inline CLI::Option* add_number(CLI::App* command, const std::string& name, double& value, const std::string& help,
                               double least, double most) {
  return add_parsed(command, name, value, "FLOAT", help,
                    [=](const std::string& word) { return parse_number(name, word, least, most); });
}

inline CLI::Option* add_positive(CLI::App* command, const std::string& name, double& value, const std::string& help,
                                 double most) {
  return add_parsed(command, name, value, "FLOAT", help,
                    [=](const std::string& word) { return parse_positive(name, word, most); });
}

inline CLI::Option* add_one_of(CLI::App* command, const std::string& name, std::string& value, const std::string& help,
                               const std::vector<std::string>& words) {
  return add_parsed(command, name, value, "TEXT", help, [=](const std::string& word) {
    if (std::find(words.begin(), words.end(), word) == words.end())
      refuse(name, word, fmt::format("must be one of {}", fmt::join(words, " ")));
    return word;
  });
}

}  // namespace onepass::tools
