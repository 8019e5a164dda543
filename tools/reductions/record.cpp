// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "reductions/record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "reductions/rows.hpp"
#include "support/failure.hpp"
#include "support/file.hpp"
#include "support/json_text.hpp"

namespace onepass::tools {
namespace {

using nlohmann::json;

constexpr std::array columns = {"type", "m", "n", "median ms", "least ms", "byte floor ms", "peer median ms"};

bool is_batched(const ReductionRecord& record) {
  const ReductionRow* const row = find_reduction(record.routine);
  return row != nullptr && row->batched;
}

std::string quoted(const std::string& text) { return json(text).dump(); }

ReductionTime row_of(const json& data, const json& row) {
  const json& names = data.at("columns");
  const auto index = [&](const char* name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  const auto number = [&](const char* name) { return row.at(index(name)).get<double>(); };
  const auto n = row.at(index("n")).get<std::int64_t>();
  const bool has_m = index("m") < names.size();
  return {.type = row.at(index("type")).get<std::string>(),
          .m = has_m ? row.at(index("m")).get<std::int64_t>() : n,
          .n = n,
          .ms = number("median ms"),
          .least = number("least ms"),
          .floor = number("byte floor ms"),
          .peer = number("peer median ms"),
          .matrices = index("matrices") < names.size() ? row.at(index("matrices")).get<std::int64_t>() : 1};
}

}  // namespace

std::string head_of(const ReductionRecord& record) {
  const ReductionRow* const row = find_reduction(record.routine);
  std::string line = fmt::format("{} on {}", record.routine, record.backend);
  for (const auto& [name, value] : record.machine)
    if (name == "threads") line += fmt::format(", {} thread{}", value, value == "1" ? "" : "s");
  line += ": medians";
  if (record.has_floor && row != nullptr) line += fmt::format("; floor: {}", row->floor);
  line += fmt::format("\n{:>13}  {:>10}  {:>10}  {:>9}", "shape", "median ms", "least ms",
                      is_batched(record) ? "us/matrix" : "us/column");
  if (record.has_floor) line += "  of floor";
  if (!record.peer.empty()) line += fmt::format("  {:>10}  {:>6}", record.peer, "ratio");
  return line;
}

std::string line_of(const ReductionRecord& record, const ReductionTime& r) {
  const bool batched = is_batched(record);
  const std::string shape = batched      ? fmt::format("{} of {}", r.matrices, r.n)
                            : r.m == r.n ? std::to_string(r.n)
                                         : fmt::format("{}x{}", r.m, r.n);
  std::string line = fmt::format("{} {:>11}  {:>10.3f}  {:>10.3f}  {:>9.2f}", r.type, shape, r.ms, r.least,
                                 r.ms * 1e3 / static_cast<double>(batched ? r.matrices : std::min(r.m, r.n)));
  if (record.has_floor) line += fmt::format("  {:>8.3f}", r.floor / r.ms);
  if (!record.peer.empty()) line += fmt::format("  {:>10.3f}  {:>6.2f}", r.peer, r.peer / r.ms);
  return line;
}

// A row is a line.
std::string to_json(const ReductionRecord& record) {
  std::vector<std::string> machine, names, lines;
  for (const auto& [name, value] : record.machine) machine.push_back(quoted(name) + ": " + quoted(value));
  for (const char* column : columns) names.push_back(quoted(column));
  const bool batched = is_batched(record);
  if (batched) names.push_back(quoted("matrices"));
  for (const ReductionTime& r : record.rows)
    lines.push_back(fmt::format("  [{}, {}, {}, {:.5g}, {:.5g}, {:.5g}, {:.5g}{}]", quoted(r.type), r.m, r.n, r.ms,
                                r.least, r.floor, r.peer, batched ? ", " + std::to_string(r.matrices) : ""));
  std::string text = "{\n";
  const std::pair<const char*, const std::string&> members[] = {
      {"onepass", record.version}, {"commit", record.commit},   {"compiler", record.compiler},
      {"date", record.date},       {"backend", record.backend}, {"routine", record.routine}};
  for (const auto& [name, value] : members) text += fmt::format(" {}: {},\n", quoted(name), quoted(value));
  return text + fmt::format(" \"machine\": {{{}}},\n \"peer\": {},\n \"columns\": [{}],\n \"rows\": [\n{}\n ]\n}}\n",
                            fmt::join(machine, ", "), quoted(record.peer), fmt::join(names, ", "),
                            fmt::join(lines, ",\n"));
}

std::optional<ReductionRecord> read_reduction_record(const std::string& path) {
  const std::optional<std::string> text = read_file(path);
  const json data = text ? json::parse(*text, nullptr, false) : json();
  if (!data.is_object() || !data.contains("columns") || !data.contains("rows")) return std::nullopt;
  try {
    ReductionRecord record{.version = data.at("onepass"),
                           .commit = data.at("commit"),
                           .compiler = data.at("compiler"),
                           .date = data.at("date"),
                           .backend = data.at("backend"),
                           .routine = data.at("routine"),
                           .machine = {},
                           .peer = data.at("peer"),
                           .rows = {}};
    for (const auto& [name, value] : data.at("machine").items()) record.machine.emplace_back(name, value);
    for (const json& row : data.at("rows")) record.rows.push_back(row_of(data, row));
    record.has_floor =
        std::any_of(record.rows.begin(), record.rows.end(), [](const auto& row) { return row.floor > 0; });
    return record;
  } catch (const json::exception& wrong) {
    throw Failure(Exit::usage, fmt::format("{} is no record of a reduction: {}", path, why_not_as_expected(wrong)));
  }
}

}  // namespace onepass::tools
