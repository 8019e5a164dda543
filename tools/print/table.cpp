// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "print/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "problem/names.hpp"
#include "support/terminal.hpp"

namespace onepass::tools {
namespace {

// Rows of words, right-aligned but for the first column; painting comes last, as it has no width.
class Table {
 public:
  void row(std::vector<std::string> words) { rows_.push_back(std::move(words)); }
  std::string text() const {
    std::vector<std::size_t> width;
    for (const auto& row : rows_) {
      width.resize(std::max(width.size(), row.size()));
      for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
    }
    std::string text;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      std::string line;
      for (std::size_t i = 0; i < rows_[r].size(); ++i)
        line += i == 0 ? fmt::format("{:<{}}", rows_[r][i], width[i]) : fmt::format("  {:>{}}", rows_[r][i], width[i]);
      line.erase(line.find_last_not_of(' ') + 1);
      text += (r == 0 ? paint(Colour::bold, line) : line) + "\n";
    }
    return text;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string problem_text(const Gemv& p) {
  std::string text = fmt::format("{} {} {}x{}", type_name(p), name(p.op), p.m, p.n);
  if (p.layout == Layout::row) text += " row";
  if (p.lda != stored(p).rows) text += fmt::format(" lda {}", p.lda);
  if (p.batch != 1) text += fmt::format(" batch {}", p.batch);
  return text;
}

std::string size_text(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.1f} kB", bytes / 1e3);
  return bytes < 1e9 ? fmt::format("{:.1f} MB", bytes / 1e6) : fmt::format("{:.2f} GB", bytes / 1e9);
}

std::string ratio_text(double ratio) { return ratio == 0 ? "-" : fmt::format("{:.2f}x", ratio); }

std::string points_table(const Record& record) {
  Table table;
  const bool threads = std::any_of(record.points.begin(), record.points.end(),
                                   [](const PointResult& r) { return r.point.threads != 0; });
  std::vector<std::string> head = {"problem", "cache"};
  if (threads) head.push_back("threads");
  head.insert(head.end(), {"bytes", "from", "ceiling GB/s", "floor us", "us"});
  for (const std::string& provider : record.providers) head.insert(head.end(), {provider + " GB/s", "eff"});
  head.push_back("vs best peer");
  table.row(head);
  for (const PointResult& r : record.points) {
    std::vector<std::string> row = {problem_text(r.point.problem), name(r.point.cache)};
    if (threads) row.push_back(fmt::format("{}", r.point.threads));
    if (!r.skipped.empty()) {
      row.push_back("skipped: " + r.skipped);
      table.row(row);
      continue;
    }
    row.insert(row.end(),
               {size_text(r.bytes), r.level, fmt::format("{:.1f}", r.bytes / r.floor / 1e9),
                fmt::format("{:.2f}", r.floor * 1e6), fmt::format("{:.2f}", r.providers[0].time.median * 1e6)});
    for (const ProviderResult& provider : r.providers) {
      row.push_back(provider.served ? fmt::format("{:.1f}", provider.bytes_per_second / 1e9) : "-");
      row.push_back(provider.served ? fmt::format("{:.2f}", provider.efficiency) : "-");
    }
    row.push_back(ratio_text(ratio_to_best_peer(r)));
    table.row(row);
  }
  return table.text();
}

std::string groups_table(const Record& record) {
  const std::vector<GroupResult> groups = group(record.points);
  if (groups.empty()) return {};
  Table table;
  std::vector<std::string> head = {"geometric means of efficiency", "points"};
  head.insert(head.end(), record.providers.begin(), record.providers.end());
  head.insert(head.end(), {"vs best peer", "worst", "at"});
  table.row(head);
  for (const GroupResult& g : groups) {
    std::vector<std::string> row = {g.name, fmt::format("{}", g.points)};
    for (const double efficiency : g.efficiency)
      row.push_back(efficiency == 0 ? "-" : fmt::format("{:.2f}", efficiency));
    row.insert(row.end(), {ratio_text(g.ratio), ratio_text(g.worst_ratio), g.worst});
    table.row(row);
  }
  return "\n" + table.text();
}

}  // namespace

std::string to_table(const Record& record) {
  std::string text =
      fmt::format("onepass {} ({}) on {}, {}\n", record.version, record.commit, record.backend, record.date);
  for (const Fact& fact : record.facts)
    if (!fact.value.empty()) text += fmt::format("  {}: {}\n", fact.name, fact.value);
  for (const Constant& c : record.constants) text += fmt::format("  {}: {:.4g} {}\n", c.name, c.value, c.unit);
  if (record.points.empty()) return text;
  text += "\n" + points_table(record) + groups_table(record);
  text +=
      "\nGB/s of the bytes that are needed; eff = floor / time, medians; floor: reading those bytes, as measured "
      "here\n";
  if (!record.complete) text += paint(Colour::yellow, "interrupted: these are the points measured so far") + "\n";
  return text;
}

}  // namespace onepass::tools
