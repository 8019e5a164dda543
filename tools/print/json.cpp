// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "print/json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/dips.hpp"
#include "bench/pairs.hpp"
#include "bench/summary.hpp"
#include "print/series.hpp"
#include "problem/names.hpp"
#include "support/digits.hpp"
#include "support/failure.hpp"
#include "support/file.hpp"
#include "support/json.hpp"
#include "support/json_text.hpp"

namespace onepass::tools {
namespace {

using Json = nlohmann::ordered_json;

// What has its usual value is left out: gemv, column major, lda without padding, no batch.
Json point_json(const PointResult& r) {
  const Problem& p = r.point.problem;
  Json json = Json::object();
  if (p.routine != Routine::gemv) json["routine"] = name(p.routine);
  json["type"] = type_name(p);
  if (row(p).selector != Selector::none) json[row(p).selector == Selector::uplo ? "uplo" : "op"] = selected(p);
  if (p.accumulate != Accumulate::standard) json["accumulate"] = name(p.accumulate);
  if (p.order != Order::standard) json["order"] = name(p.order);
  json["m"] = p.m;
  json["n"] = p.n;
  if (p.layout == Layout::row) json["layout"] = "row";
  if (p.lda != std::max<std::int64_t>(1, stored(p).rows)) json["lda"] = p.lda;
  if (batching(p) != Batching::one) json["batch"] = p.batch;
  if (p.pointer_array) json["pointers"] = true;
  json["cache"] = name(r.point.cache);
  if (r.point.threads != 0)
    json["threads"] = r.point.threads;
  else
    json["setting"] = name(setting(r.point.cache));
  if (!r.skipped.empty()) {
    json[r.failed ? "failed" : "skipped"] = r.skipped;
    return json;
  }
  json["level"] = r.level;
  json["bytes"] = static_cast<std::int64_t>(r.bytes);
  json["floor"] = r.floor;
  if (!r.plan.empty()) json["plan"] = r.plan;
  if (r.journey) json["journey"] = {r.journey->allocate, r.journey->to_device, r.journey->from_device};
  for (const ProviderResult& provider : r.providers) {
    const Timing& t = provider.time;
    json["times"][provider.name] = Json::array({t.median, t.min, t.spread, t.samples});
  }
  return json;
}

Json worst_json(const Worst& worst) {
  if (worst.at.empty()) return nullptr;
  return {{"value", four_digits(worst.value)}, {"at", worst.at}};
}

Json number_or_null(double value) { return value == 0 ? Json(nullptr) : Json(four_digits(value)); }

Json group_json(const GroupResult& g, const std::vector<std::string>& providers) {
  Json efficiency = Json::object();
  for (std::size_t i = 0; i < providers.size(); ++i)
    if (g.efficiency[i] != 0) efficiency[providers[i]] = four_digits(g.efficiency[i]);
  return {{"group", g.name},
          {"points", g.points},
          {"efficiency", efficiency},
          {"worst_efficiency", worst_json(g.worst_efficiency)},
          {"large_efficiency", number_or_null(g.large_efficiency)},
          {"ratio", number_or_null(g.ratio)},
          {"worst_ratio", worst_json(g.worst_ratio)},
          {"slower", g.slower}};
}

Json dips_json(const DipsOfGroup& group) {
  Json dips = Json::array();
  for (const Dip& dip : group.dips) dips.push_back(Json::array({dip.size, four_digits(dip.slowdown)}));
  return {{"group", group.name}, {"sizes", group.sizes}, {"dips", dips}};
}

Json pairs_json(const PairsOfGroup& group) {
  return {{"group", group.name},
          {"pairs", group.pairs},
          {"uneven", group.uneven},
          {"worst", {{"value", four_digits(group.worst)}, {"at", group.at}}}};
}

// ` "name": [`, then an element per line.
std::string lines(const char* name, const std::vector<std::string>& elements) {
  return fmt::format(" \"{}\": [{}{}]", name, elements.empty() ? "" : "\n  ", fmt::join(elements, ",\n  "));
}

template <class Values, class ToJson>
std::string lines(const char* name, const Values& values, ToJson to_json_value) {
  std::vector<std::string> elements;
  elements.reserve(values.size());
  for (const auto& value : values) elements.push_back(to_json_value(value).dump());
  return lines(name, elements);
}

// The head of a series in one line, then a row per line.
std::string series_text(const Json& series) {
  std::vector<std::string> members, rows;
  rows.reserve(series["rows"].size());
  for (const Json& row : series["rows"]) rows.push_back(row.dump());
  for (const auto& [member, value] : series.items())
    if (member != "rows") members.push_back(Json(member).dump() + ":" + value.dump());
  return fmt::format("{{{},\"rows\":[\n{}]}}", fmt::join(members, ","), fmt::join(rows, ",\n"));
}

Point read_point(const Json& json) {
  Point point;
  Problem& p = point.problem;
  const auto routine = parse_routine(json.value("routine", "gemv"));
  const auto op = parse_op(json.value("op", "N"));
  const auto uplo = parse_uplo(json.value("uplo", "L"));
  const auto layout = parse_layout(json.value("layout", "column"));
  const auto accumulate = parse_accumulate(json.value("accumulate", "default"));
  const auto order = parse_order(json.value("order", "default"));
  const auto cache = parse_cache(json.at("cache").get<std::string>());
  if (!set_types(p, json.at("type").get<std::string>()) || !routine || !op || !uplo || !layout || !accumulate ||
      !order || !cache)
    throw std::invalid_argument("a point with an unknown routine, type, op, triangle, layout, sum or cache");
  // Records from before there were settings were all of queues.
  if (json.value("setting", name(setting(*cache))) != name(setting(*cache)))
    throw std::invalid_argument("a point whose cache and setting contradict each other");
  p.routine = *routine;
  p.op = *op;
  p.uplo = *uplo;
  p.layout = *layout;
  p.accumulate = *accumulate;
  p.order = *order;
  p.m = json.at("m");
  p.n = json.at("n");
  const std::int64_t pad = json.contains("lda") ? json["lda"].get<std::int64_t>() - stored(p).rows : 0;
  const Batching batching = json.value("pointers", false) ? Batching::pointers
                            : json.contains("batch")      ? Batching::strided
                                                          : Batching::one;
  lay_tight(p, pad, batching, json.value("batch", std::int64_t{1}));
  point.cache = *cache;
  point.threads = json.value("threads", 0);
  return point;
}

PointResult read_result(const Json& json) {
  PointResult r{.point = read_point(json), .failed = json.contains("failed")};
  r.skipped = json.value("skipped", json.value("failed", ""));
  if (!r.skipped.empty()) return r;
  r.level = json.at("level");
  r.bytes = json.at("bytes");
  r.floor = json.at("floor");
  r.plan = json.value("plan", "");
  if (json.contains("journey")) {
    const Json& us = json["journey"];
    r.journey = Journey{.allocate = us.at(0), .to_device = us.at(1), .from_device = us.at(2)};
  }
  for (const auto& [provider, time] : json.at("times").items())
    r.providers.push_back(
        {.name = provider,
         .time = {.median = time.at(0), .min = time.at(1), .spread = time.at(2), .samples = time.at(3)}});
  if (r.providers.empty() || r.providers[0].name != "Onepass") throw std::invalid_argument("a point without Onepass");
  return r;
}

// Objects in records of few points, and in older ones of many.
std::vector<Json> points_of(const Json& root) {
  if (root.contains("points")) return root["points"];
  return unpack({.series = root.at("series"), .plans = root.value("plans", std::vector<std::string>{})});
}

Record record_from(const Json& root) {
  const auto selection = parse_selection(root.at("selection").get<std::string>());
  if (!selection) throw std::invalid_argument("an unknown selection");
  Record record{.backend = root.at("backend"),
                .version = root.at("onepass"),
                .commit = root.at("commit"),
                .compiler = root.at("compiler"),
                .date = root.at("date"),
                .selection = *selection,
                .complete = root.at("complete"),
                .facts = {},
                .constants = {},
                .providers = root.at("providers"),
                .points = {}};
  for (const auto& [fact, value] : root.at("machine").items()) record.facts.push_back({fact, value});
  for (const Json& c : root.at("ceilings")) record.constants.push_back({c.at("name"), c.at("value"), c.at("unit")});
  record.remarks = root.value("remarks", std::vector<std::string>{});
  for (const Json& point : points_of(root)) record.points.push_back(read_result(point));
  return record;
}

// Few points are objects, for whoever reads them; many are tables, since a record should stay below 1 MiB.
std::vector<std::string> points_text(const Record& record) {
  if (!is_large(record.selection)) return {lines("points", record.points, point_json)};
  std::vector<Json> points;
  points.reserve(record.points.size());
  for (const PointResult& r : record.points) points.push_back(point_json(r));
  const PackedPoints packed = pack(points);
  std::vector<std::string> series;
  series.reserve(packed.series.size());
  for (const Json& s : packed.series) series.push_back(series_text(s));
  std::vector<std::string> members = {lines("series", series)};
  if (!packed.plans.empty()) members.push_back(lines("plans", packed.plans, [](const auto& p) { return Json(p); }));
  return members;
}

}  // namespace

std::string to_json(const Record& record) {
  Json machine = Json::object();
  for (const Fact& fact : record.facts) machine[fact.name] = fact.value;
  const Json head = {{"onepass", record.version},
                     {"commit", record.commit},
                     {"compiler", record.compiler},
                     {"date", record.date},
                     {"backend", record.backend},
                     {"selection", name(record.selection)},
                     {"complete", record.complete},
                     {"machine", machine},
                     {"providers", record.providers},
                     {"remarks", record.remarks},
                     {"units",
                      {{"floor", "us"},
                       {"times", {"median us", "least us", "quartiles / median", "samples"}},
                       {"journey", {"allocate us", "to the device us", "from the device us"}}}}};
  std::vector<std::string> members;
  for (const auto& [member, value] : head.items())
    members.push_back(fmt::format(" \"{}\": {}", member, json_text(value)));
  members.push_back(lines("ceilings", record.constants, [](const Constant& c) {
    return Json{{"name", c.name}, {"value", c.value}, {"unit", c.unit}};
  }));
  for (std::string& member : points_text(record)) members.push_back(std::move(member));
  members.push_back(lines("summary", group(record.points, record.providers, record.selection),
                          [&](const GroupResult& g) { return group_json(g, record.providers); }));
  if (record.selection == Selection::sweep) members.push_back(lines("dips", find_dips(record.points), dips_json));
  if (record.selection == Selection::random)
    if (const std::vector<PairsOfGroup> pairs = find_pairs(record.points); !pairs.empty())
      members.push_back(lines("pairs", pairs, pairs_json));
  return fmt::format("{{\n{}\n}}\n", fmt::join(members, ",\n"));
}

Record from_json(std::string_view text, const std::string& file) {
  const auto no_record = [&](const std::string& why) {
    return Failure(Exit::usage, fmt::format("{} is no record of `onepass bench --json`: {}", file, why));
  };
  try {
    return record_from(parse_json<Json>(text).root());
  } catch (const Json::exception& error) {
    throw no_record(why_not_as_expected(error));
  } catch (const std::out_of_range&) {
    throw no_record("a plan of a point is missing");
  } catch (const std::invalid_argument& error) {
    throw no_record(error.what());
  }
}

Record read_record(const std::string& path) {
  const std::optional<std::string> text = read_file(path);
  if (!text)
    throw Failure(Exit::usage, fmt::format("cannot read {}: `onepass bench --json {}` would write it", path, path));
  return from_json(*text, path);
}

}  // namespace onepass::tools
