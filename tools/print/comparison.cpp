// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "print/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "print/columns.hpp"
#include "support/digits.hpp"
#include "support/terminal.hpp"

namespace onepass::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t changes_shown = 20;

const char* verdict(const GroupChange& g) {
  if (is_slower(g)) return "slower";
  return is_faster(g) ? "faster" : "same";
}

std::string groups_table(const std::vector<GroupChange>& groups) {
  Columns table;
  table.row({"time now / time before", "points", "mean", "noise", "mean is", "peers", "slower", "faster"});
  for (const GroupChange& g : groups)
    table.row({g.name, fmt::format("{}", g.points), fmt::format("{:.3f}", g.ratio), fmt::format("{:.3f}", g.noise),
               verdict(g), g.peers == 0 ? "-" : fmt::format("{:.3f}", g.peers), fmt::format("{}", g.slower),
               fmt::format("{}", g.faster)});
  return table.text();
}

std::string changes_table(const char* title, const std::vector<Change>& changes) {
  if (changes.empty()) return "";
  Columns table;
  table.row({title, "before us", "now us", "ratio", "noise"});
  for (std::size_t i = 0; i < std::min(changes_shown, changes.size()); ++i) {
    const Change& c = changes[i];
    table.row({c.name, fmt::format("{:.4g}", c.before), fmt::format("{:.4g}", c.after), fmt::format("{:.3f}", c.ratio),
               fmt::format("{:.3f}", c.noise)});
  }
  const std::size_t more = changes.size() - std::min(changes_shown, changes.size());
  return "\n" + table.text() + (more > 0 ? fmt::format("and {} more; --json has them all\n", more) : "");
}

Json change_json(const Change& c) {
  return {{"point", c.name},
          {"before", c.before},
          {"after", c.after},
          {"ratio", four_digits(c.ratio)},
          {"noise", four_digits(c.noise)}};
}

template <class Values, class ToJson>
Json array(const Values& values, ToJson to_json_value) {
  Json json = Json::array();
  for (const auto& value : values) json.push_back(to_json_value(value));
  return json;
}

}  // namespace

std::string to_table(const Comparison& c) {
  std::string text;
  for (const std::string& difference : c.differences)
    text += paint(Colour::yellow, "the records differ in " + difference) + "\n";
  if (c.only_before + c.only_after > 0)
    text +=
        fmt::format("points that only the first record has: {}, only the second: {}\n", c.only_before, c.only_after);
  text += groups_table(c.groups);
  text += changes_table("slower, beyond noise", c.slower);
  text += changes_table("faster, beyond noise", c.faster);
  for (const std::string& failed : c.failed) text += fmt::format("failed now: {}\n", failed);
  const auto slower = static_cast<std::size_t>(std::ranges::count_if(c.groups, is_slower));
  text += is_worse(c)
              ? paint(Colour::red, fmt::format("\nslower: {} of {} points, the mean of {} of {} groups; failed now: {}",
                                               c.slower.size(), c.common, slower, c.groups.size(), c.failed.size()))
              : paint(Colour::green, fmt::format("\nnothing is slower beyond noise: {} points", c.common));
  return text + "\n";
}

std::string to_json(const Comparison& c) {
  const Json json = {{"worse", is_worse(c)},
                     {"points", c.common},
                     {"only_before", c.only_before},
                     {"only_after", c.only_after},
                     {"differences", c.differences},
                     {"groups", array(c.groups,
                                      [](const GroupChange& g) {
                                        return Json{
                                            {"group", g.name},
                                            {"points", g.points},
                                            {"ratio", four_digits(g.ratio)},
                                            {"noise", four_digits(g.noise)},
                                            {"verdict", verdict(g)},
                                            {"peers", g.peers == 0 ? Json(nullptr) : Json(four_digits(g.peers))},
                                            {"slower", g.slower},
                                            {"faster", g.faster}};
                                      })},
                     {"slower", array(c.slower, change_json)},
                     {"faster", array(c.faster, change_json)},
                     {"failed", c.failed}};
  return json.dump(1) + "\n";
}

}  // namespace onepass::tools
