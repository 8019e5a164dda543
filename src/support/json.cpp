// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/json.hpp"

#include <algorithm>

namespace onepass {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// Bytes of the character at the front of a text, 0 if there is no valid one: neither a longer form of a shorter
// character, nor a surrogate, nor one past U+10FFFF.
std::size_t length_of_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (text.size() < length ||
      !std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length), continues))
    return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  const bool valid = lead == 0xe0   ? second >= 0xa0
                     : lead == 0xed ? second < 0xa0
                     : lead == 0xf0 ? second >= 0x90
                     : lead == 0xf4 ? second < 0x90
                                    : true;
  return valid ? length : 0;
}

void require_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = length_of_character(text.substr(at));
    if (length == 0) throw std::invalid_argument("it is not valid UTF-8: byte " + std::to_string(at + 1));
    at += length;
  }
}

// Counted from 1; the parser counts the bytes that it has read.
std::string place(std::string_view text, std::size_t bytes_read) {
  const std::string_view before = text.substr(0, std::min(bytes_read > 0 ? bytes_read - 1 : 0, text.size()));
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t start = before.rfind('\n') + 1;  // 0 where there is no line before
  return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - start + 1);
}

}  // namespace

std::string shortened(const std::string& text) {
  constexpr std::size_t most = 60;
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && continues(text[end])) --end;
  return text.substr(0, end) + "...";
}

template <class Json>
Json parse_json(std::string_view text, int most_depth) {
  require_utf8(text);
  const auto bounded = [&](int depth, typename Json::parse_event_t event, const Json&) {
    const bool opens = event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
    if (opens && depth >= most_depth)
      throw std::invalid_argument("it is nested deeper than " + std::to_string(most_depth) + " levels");
    return true;
  };
  try {
    return Json::parse(text, bounded);
  } catch (const typename Json::parse_error& e) {
    // The parser's own text quotes bytes as they come, at times half a character.
    throw std::invalid_argument("it is not JSON: parse error at " + place(text, e.byte));
  } catch (const typename Json::exception& e) {
    throw std::invalid_argument("it is not JSON: " + shortened(e.what()));
  }
}

template nlohmann::json parse_json(std::string_view text, int most_depth);
template nlohmann::ordered_json parse_json(std::string_view text, int most_depth);

}  // namespace onepass
