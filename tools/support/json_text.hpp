// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// JSON as text, whatever bytes came into it from file names and files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace onepass::tools {

// Bytes that are no UTF-8 become U+FFFD; dump() alone would throw.
inline std::string json_text(const nlohmann::ordered_json& json, int indent = -1) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

// Why a value that was parsed is not what it should be. The library's own words are for its programmers.
inline std::string why_not_as_expected(const nlohmann::json::exception& error) {
  constexpr int missing_key = 403;
  if (error.id == missing_key) return "a member is missing";
  return "a value has another type than it should have, or is missing";
}

}  // namespace onepass::tools
