// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/json.hpp"

#include <algorithm>
#include <vector>

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

// An object of ordered_json is a vector, whose own way to a larger one copies the keys, and destroys values where
// memory ends.
template <class Object>
void make_room(Object& object) {
  if constexpr (requires { object.capacity(); }) {
    if (object.size() < object.capacity()) return;
    Object larger;
    larger.reserve(2 * object.size() + 8);
    for (const auto& [key, value] : object) larger.emplace_back(key, nullptr);
    for (auto to = larger.begin(); auto& [key, value] : object) (to++)->second.swap(value);
    object.swap(larger);
  }
}

// Makes a value of what the parser reads. The parser's own way to one would destroy a part of it where memory ends.
template <class Json>
class Builder final : public Json::json_sax_t {
 public:
  Builder(std::string_view text, Json& root) : text_(text), root_(root) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(typename Json::number_integer_t value) override { return add(value); }
  bool number_unsigned(typename Json::number_unsigned_t value) override { return add(value); }
  bool number_float(typename Json::number_float_t value, const std::string&) override { return add(value); }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(typename Json::binary_t&) override { return false; }  // JSON as text has none
  bool start_object(std::size_t) override { return begin(Json::object()); }
  bool key(std::string& value) override { return key_ = std::move(value), true; }
  bool end_object() override { return open_.pop_back(), true; }
  bool start_array(std::size_t) override { return begin(Json::array()); }
  bool end_array() override { return open_.pop_back(), true; }

  // The parser's own text quotes bytes as they come, at times half a character.
  bool parse_error(std::size_t bytes_read, const std::string&, const nlohmann::detail::exception& error) override {
    const bool is_syntax = dynamic_cast<const typename Json::parse_error*>(&error) != nullptr;
    throw std::invalid_argument("it is not JSON: " +
                                (is_syntax ? "parse error at " + place(text_, bytes_read) : shortened(error.what())));
  }

 private:
  Json& put(Json value) {
    if (open_.empty()) return root_ = std::move(value);
    Json& outer = *open_.back();
    if (outer.is_array()) return outer.push_back(std::move(value)), outer.back();
    make_room(outer.template get_ref<typename Json::object_t&>());
    Json& member = outer[key_];
    empty(member);  // the last one of a name counts
    return member = std::move(value);
  }
  bool add(Json value) { return put(std::move(value)), true; }
  bool begin(Json container) {
    if (open_.size() == most_json_depth)
      throw std::invalid_argument("it is nested deeper than " + std::to_string(most_json_depth) + " levels");
    open_.push_back(&put(std::move(container)));
    return true;
  }

  std::string_view text_;
  Json& root_;
  std::vector<Json*> open_;  // arrays and objects that have not ended, from the outermost on
  std::string key_;
};

}  // namespace

std::string shortened(const std::string& text) {
  constexpr std::size_t most = 60;
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && continues(text[end])) --end;
  return text.substr(0, end) + "...";
}

template <class Json>
JsonDocument<Json> parse_json(std::string_view text) {
  require_utf8(text);
  JsonDocument<Json> document;
  Builder<Json> builder(text, document.root());
  Json::sax_parse(text, &builder);
  return document;
}

template JsonDocument<nlohmann::json> parse_json(std::string_view text);
template JsonDocument<nlohmann::ordered_json> parse_json(std::string_view text);

}  // namespace onepass
