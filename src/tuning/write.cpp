// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tuning/write.hpp"

#include <nlohmann/json.hpp>

namespace onepass {
namespace {

using nlohmann::ordered_json;

template <class Value>
ordered_json object_of(const Members<Value>& members) {
  ordered_json object = ordered_json::object();
  for (const auto& [key, value] : members) {
    if constexpr (requires { value.front().first; })
      object[key] = object_of(value);
    else
      object[key] = value;
  }
  return object;
}

std::string print(const ordered_json& value, int depth) {
  if (!value.is_structured()) return value.dump();
  const bool lines = value.is_array() && !value.empty() && value[0].is_string(), axis = value.is_array() && !lines;
  const std::string indent(static_cast<std::size_t>(depth) + 1, ' ');
  std::string text;
  for (const auto& item : value.items()) {
    text += text.empty() ? "" : axis ? ", " : ",\n";
    if (!axis) text += indent;
    if (value.is_object()) text += ordered_json(item.key()).dump() + ": ";
    text += print(item.value(), depth + 1);
  }
  if (axis) return "[" + text + "]";
  return (lines ? "[\n" : "{\n") + text + "\n" + indent.substr(1) + (lines ? "]" : "}");
}

}  // namespace

std::string write_table(const TableText& t) {
  ordered_json object = {
      {"onepass_tuning", tuning_version}, {"device", t.device}, {"arch", t.arch}, {"sm_count", t.sm_count}};
  for (const auto& [key, text] : origins)
    if (!(t.*text).empty()) object[key] = t.*text;
  if (!t.gemv.empty()) {
    object["rows"] = t.rows;
    object["cols"] = t.cols;
    object["gemv"] = object_of(t.gemv);
  }
  if (!t.symv.empty()) {
    object["n"] = t.orders;
    object["symv"] = object_of(t.symv);
  }
  if (!t.shapes.empty()) object["shapes"] = object_of(t.shapes);
  return print(object, 0) + "\n";
}

}  // namespace onepass
