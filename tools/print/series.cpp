// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "print/series.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace onepass::tools {
namespace {

using Json = nlohmann::ordered_json;

// What may differ between the points of a series; all else makes another series.
constexpr std::array<std::string_view, 8> columns_of_a_point = {"m",     "n",     "lda",   "batch",
                                                                "level", "bytes", "floor", "plan"};
// The figures of a provider, in the order in which a point lists them. Columns are called "cuBLAS median" and so on.
constexpr std::array<std::string_view, 4> figures = {"median", "least", "spread", "samples"};

bool is_column(std::string_view member) {
  return std::ranges::find(columns_of_a_point, member) != columns_of_a_point.end();
}

struct Split {
  Json head = Json::object(), columns = Json::array(), row = Json::array();
};

Split split(const Json& point) {
  Split s;
  const auto add = [&](const std::string& column, const Json& value) {
    s.columns.push_back(column);
    s.row.push_back(value);
  };
  for (const auto& [member, value] : point.items()) {
    if (member == "times") {
      for (const auto& [provider, times] : value.items())
        for (std::size_t i = 0; i < figures.size(); ++i) add(provider + " " + std::string(figures[i]), times.at(i));
    } else if (is_column(member) || value.is_array()) {
      add(member, value);
    } else {
      s.head[member] = value;
    }
  }
  return s;
}

void drop_column(Json& series, std::size_t at) {
  series["columns"].erase(at);
  for (Json& row : series["rows"]) row.erase(at);
}

// A column that has the same value in each row belongs to the head, and of squares n is enough. Medians stay: their
// columns are in the order of the providers.
Json shortened(const Split& kind, Json rows) {
  Json series = {{"columns", kind.columns}, {"rows", std::move(rows)}};
  Json head = kind.head;
  const auto same = [&](const auto& figure) { return std::ranges::all_of(series["rows"], figure); };
  if (same([&](const Json& row) { return row.at(0) == row.at(1); })) drop_column(series, 0);
  for (std::size_t i = series["columns"].size(); i-- > 1;) {
    const Json first = series["rows"][0][i];
    const std::string column = series["columns"][i];
    if (first.is_array() || column.ends_with(" median") || !same([&](const Json& row) { return row[i] == first; }))
      continue;
    head[column] = first;
    drop_column(series, i);
  }
  head.update(series);
  return head;
}

void set(Json& point, const std::string& member, const Json& value, const std::vector<std::string>& plans) {
  const std::size_t space = member.rfind(' ');
  const auto figure = std::ranges::find(figures, std::string_view(member).substr(space + 1));
  if (space == std::string::npos || figure == figures.end()) {
    point[member] = member == "plan" ? Json(plans.at(value.get<std::size_t>())) : value;
    return;
  }
  Json& times = point["times"][member.substr(0, space)];
  if (times.is_null()) times = Json::array({0, 0, 0, 0});
  times[static_cast<std::size_t>(figure - figures.begin())] = value;
}

}  // namespace

PackedPoints pack(const std::vector<Json>& points) {
  PackedPoints packed;
  std::map<std::string, std::size_t> numbers;
  Split kind;
  Json rows = Json::array();
  const auto finish = [&] {
    if (!rows.empty()) packed.series.push_back(shortened(kind, std::exchange(rows, Json::array())));
  };
  for (Json point : points) {
    if (point.contains("plan")) {
      const auto [known, added] = numbers.try_emplace(point["plan"].get<std::string>(), packed.plans.size());
      if (added) packed.plans.push_back(known->first);
      point["plan"] = known->second;
    }
    Split s = split(point);
    if (s.head != kind.head || s.columns != kind.columns) {
      finish();
      kind = s;
    }
    rows.push_back(std::move(s.row));
  }
  finish();
  return packed;
}

std::vector<Json> unpack(const PackedPoints& packed) {
  std::vector<Json> points;
  for (const Json& series : packed.series) {
    Json head = series;
    head.erase("columns");
    head.erase("rows");
    const std::vector<std::string> columns = series.at("columns");
    for (const Json& row : series.at("rows")) {
      Json point = Json::object();
      for (std::size_t i = 0; i < columns.size(); ++i) set(point, columns[i], row.at(i), packed.plans);
      for (const auto& [member, value] : head.items()) set(point, member, value, packed.plans);
      if (!point.contains("m")) point["m"] = point.at("n");
      points.push_back(std::move(point));
    }
  }
  return points;
}

}  // namespace onepass::tools
