// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "print/summary_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/dips.hpp"
#include "bench/pairs.hpp"
#include "bench/summary.hpp"
#include "print/columns.hpp"

namespace onepass::tools {
namespace {

constexpr std::size_t dips_shown = 20, unmeasured_shown = 5;

std::string worst_table(const std::vector<GroupResult>& groups, bool peers) {
  Columns table;
  std::vector<std::string> head = {"worst", "efficiency", "at"};
  if (peers) head.insert(head.end(), {"vs best peer", "at"});
  table.row(head);
  for (const GroupResult& g : groups) {
    std::vector<std::string> row = {g.name, efficiency_text(g.worst_efficiency.value), g.worst_efficiency.at};
    if (peers) row.insert(row.end(), {ratio_text(g.worst_ratio.value), g.worst_ratio.at});
    table.row(row);
  }
  return table.text();
}

std::string groups_table(const Record& record) {
  const std::vector<std::string> providers = providers_seen(record);
  const std::vector<GroupResult> groups = group(record.points, providers, record.selection);
  const bool large = std::any_of(groups.begin(), groups.end(), [](const auto& g) { return g.large_efficiency != 0; });
  Columns table;
  std::vector<std::string> head = {"geometric means of efficiency", "points"};
  head.insert(head.end(), providers.begin(), providers.end());
  if (large) head.emplace_back("> 64 MB");
  if (providers.size() > 1) head.insert(head.end(), {"vs best peer", "below 0.97x"});
  table.row(head);
  for (const GroupResult& g : groups) {
    std::vector<std::string> row = {g.name, fmt::format("{}", g.points)};
    for (const double efficiency : g.efficiency) row.push_back(efficiency_text(efficiency));
    if (large) row.push_back(efficiency_text(g.large_efficiency));
    if (providers.size() > 1) row.insert(row.end(), {ratio_text(g.ratio), fmt::format("{}", g.slower)});
    table.row(row);
  }
  return table.text() + "\n" + worst_table(groups, providers.size() > 1);
}

std::string dips_table(const Record& record) {
  Columns table;
  table.row({fmt::format("dips: over {:.0f} % slower than the slower neighbour at +-{}", (dip_slowdown - 1) * 100,
                         neighbour_distance),
             "sizes", "dips", "worst", "at"});
  std::string lists;
  for (const DipsOfGroup& group : find_dips(record.points)) {
    const auto worst = std::max_element(group.dips.begin(), group.dips.end(),
                                        [](const Dip& a, const Dip& b) { return a.slowdown < b.slowdown; });
    const bool none = worst == group.dips.end();
    table.row({group.name, fmt::format("{}", group.sizes), fmt::format("{}", group.dips.size()),
               none ? "-" : fmt::format("{:.2f}x", worst->slowdown), none ? "-" : fmt::format("{}", worst->size)});
    if (none) continue;
    lists += fmt::format("dips of {}:", group.name);
    for (std::size_t i = 0; i < std::min(dips_shown, group.dips.size()); ++i)
      lists += fmt::format(" {} ({:.2f}x)", group.dips[i].size, group.dips[i].slowdown);
    if (group.dips.size() > dips_shown) lists += fmt::format(" and {} more", group.dips.size() - dips_shown);
    lists += "\n";
  }
  return table.text() + lists;
}

// Nothing where no point is a neighbour of another.
std::string pairs_table(const Record& record) {
  const std::vector<PairsOfGroup> groups = find_pairs(record.points);
  if (groups.empty()) return "";
  Columns table;
  table.row({"pairs: a row, a column or an element of lda apart", "pairs", fmt::format("over {:g}x", uneven_slowdown),
             "worst", "at"});
  for (const PairsOfGroup& group : groups)
    table.row({group.name, fmt::format("{}", group.pairs), fmt::format("{}", group.uneven),
               fmt::format("{:.2f}x", group.worst), group.at});
  return "\n" + table.text();
}

// A table without points must not hide that some have no figures.
std::string unmeasured(const Record& record) {
  std::string text;
  std::size_t count = 0;
  for (const PointResult& r : record.points)
    if (!r.skipped.empty() && ++count <= unmeasured_shown)
      text += fmt::format("  {} {}: {}: {}\n", label(r.point.problem), name(r.point.cache),
                          r.failed ? "failed" : "skipped", r.skipped);
  if (count > unmeasured_shown) text += fmt::format("  and {} more\n", count - unmeasured_shown);
  return count == 0 ? "" : fmt::format("points without figures: {}\n{}", count, text);
}

}  // namespace

std::vector<std::string> providers_seen(const Record& record) {
  std::vector<std::string> seen;
  for (const std::string& provider : record.providers)
    if (std::any_of(record.points.begin(), record.points.end(),
                    [&](const PointResult& r) { return r.find(provider) != nullptr; }))
      seen.push_back(provider);
  return seen;
}

std::string summary_table(const Record& record) {
  std::string text;
  if (!providers_seen(record).empty()) text += groups_table(record);
  if (record.selection == Selection::sweep) text += "\n" + dips_table(record);
  if (record.selection == Selection::random) text += pairs_table(record);
  return text + unmeasured(record);
}

}  // namespace onepass::tools
