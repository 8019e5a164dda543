// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// JSON that may come from anybody: any bytes are read or refused, and what is said of them is short and valid UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace onepass {

// More than any text of ours has; it bounds the recursion of whatever walks through the value.
inline constexpr std::size_t most_json_depth = 16;

// Takes all values out of an array or object, from the inside out. The destructor of nlohmann::json needs memory for
// one that is not empty, and ends the process where there is none.
template <class Json>
void empty(Json& value) {
  if (!value.is_structured()) return;
  for (Json& inner : value) empty(inner);
  value.clear();
}

// A value whose end needs no memory.
template <class Json>
class JsonDocument {
 public:
  explicit JsonDocument(Json root = {}) : root_(std::move(root)) {}
  JsonDocument(JsonDocument&&) = default;
  JsonDocument& operator=(JsonDocument&&) = delete;
  ~JsonDocument() { empty(root_); }
  Json& root() { return root_; }
  const Json& root() const { return root_; }

 private:
  Json root_;
};

// For json and ordered_json. Throws std::invalid_argument with the reason.
template <class Json>
JsonDocument<Json> parse_json(std::string_view text);

// Its first characters, where it is too long for a line.
std::string shortened(const std::string& text);

// A value as a message shows it; strings in quotes, with escapes.
template <class Json>
std::string shown(const Json& value) {
  return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}
inline std::string in_quotes(std::string_view text) { return shown(nlohmann::json(text)); }

template <class Json>
const Json& member(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) throw std::invalid_argument("it has no \"" + std::string(key) + "\"");
  return *found;
}

// A whole number in the range of T; get_to would round and wrap. `name` is what the message calls it.
template <class T, class Json>
T whole_number(const Json& number, const std::string& name) {
  const bool whole = number.is_number_integer() &&
                     (!number.is_number_unsigned() || number.template get<std::uint64_t>() <= std::uint64_t{INT64_MAX});
  if (!whole || !std::in_range<T>(number.template get<std::int64_t>()))
    throw std::invalid_argument(shortened(name) + " = " + shown(number) + " is no whole number in range");
  return static_cast<T>(number.template get<std::int64_t>());
}

template <class Json>
std::string text_of(const Json& text, const std::string& name) {
  if (!text.is_string()) throw std::invalid_argument(shortened(name) + " = " + shown(text) + " is no text");
  return text.template get<std::string>();
}

}  // namespace onepass
