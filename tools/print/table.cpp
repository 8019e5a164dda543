// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "print/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "print/columns.hpp"
#include "print/details.hpp"
#include "print/summary_table.hpp"
#include "support/terminal.hpp"

namespace onepass::tools {
namespace {

std::string size_text(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.1f} kB", bytes / 1e3);
  return bytes < 1e9 ? fmt::format("{:.1f} MB", bytes / 1e6) : fmt::format("{:.2f} GB", bytes / 1e9);
}

// Four digits, which is what the figures of a run have, or fewer.
std::string figure(double value, int decimals) {
  return fmt::format("{:.{}f}", value, value >= 1000 ? 0 : value >= 100 ? std::min(decimals, 1) : decimals);
}

std::string points_table(const Record& record) {
  Columns table;
  const std::vector<std::string> providers = providers_seen(record);
  const bool threads = std::any_of(record.points.begin(), record.points.end(),
                                   [](const PointResult& r) { return r.point.threads != 0; });
  std::vector<std::string> head = {"problem", "cache"}, units = {"", ""};
  const auto column = [&](const std::string& name, const char* unit) {
    head.push_back(name);
    units.emplace_back(unit);
  };
  if (threads) column("threads", "");
  column("bytes", "");
  column("from", "");
  column("ceiling", "GB/s");
  column("", "us");
  for (const std::string& provider : providers) column(provider, "GB/s  eff");
  if (providers.size() > 1) column("vs best", "peer");
  table.row(head);
  table.row(units);
  for (const PointResult& r : record.points) {
    std::vector<std::string> row = {label(r.point.problem), cache_and_setting(r.point)};
    if (threads) row.push_back(fmt::format("{}", r.point.threads));
    if (!r.skipped.empty()) {
      row.push_back((r.failed ? "failed: " : "skipped: ") + r.skipped);
      table.row(row);
      continue;
    }
    row.insert(row.end(), {size_text(r.bytes), r.level, figure(r.bytes / r.floor / 1e3, 1),
                           figure(r.providers[0].time.median, 2)});
    for (const std::string& name : providers) {
      const ProviderResult* provider = r.find(name);
      row.push_back(provider == nullptr ? "-"
                                        : fmt::format("{} {}", figure(r.gb_per_second(*provider), 1),
                                                      figure(r.efficiency(*provider), 2)));
    }
    if (providers.size() > 1) row.push_back(ratio_text(ratio_to_best_peer(r)));
    table.row(row);
  }
  return table.text();
}

// What lay between the calls of a GPU.
std::string settings_text(const Record& record) {
  std::string text;
  const auto has = [&](Setting wanted) {
    return std::ranges::any_of(
        record.points, [&](const PointResult& r) { return r.point.threads == 0 && setting(r.point.cache) == wanted; });
  };
  if (has(Setting::queue)) text += "queue: the same call again and again, each begins while the one before it ends\n";
  if (has(Setting::alone)) text += "alone: another kernel between any two calls, its own time taken off\n";
  if (has(Setting::chain)) text += "chain: the x of each call is the y of the one before it\n";
  return text;
}

}  // namespace

std::string to_table(const Record& record, bool points) {
  std::string text =
      fmt::format("onepass {} ({}) on {}, {}\n", record.version, record.commit, record.backend, record.date);
  for (const Fact& fact : record.facts)
    if (!fact.value.empty()) text += fmt::format("  {}: {}\n", fact.name, fact.value);
  for (const Constant& c : record.constants) text += fmt::format("  {}: {:.4g} {}\n", c.name, c.value, c.unit);
  for (const std::string& remark : record.remarks) text += paint(Colour::yellow, "  note: " + remark) + "\n";
  if (record.points.empty()) return text;
  text += "\n";
  if (points) text += points_table(record) + "\n";
  text += summary_table(record) + details_table(record);
  text += "\nGB/s of the bytes that are needed; eff(iciency) = floor / time, medians; floor: reading those bytes, as ";
  text += "measured here\n";
  text += settings_text(record);
  if (!record.complete) text += paint(Colour::yellow, "interrupted: these are the points measured so far") + "\n";
  return text;
}

}  // namespace onepass::tools
