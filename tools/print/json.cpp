// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "print/json.hpp"

#include <nlohmann/json.hpp>

#include "problem/names.hpp"

namespace onepass::tools {
namespace {

using Json = nlohmann::ordered_json;

Json provider_json(const ProviderResult& r) {
  return {{"name", r.name},
          {"median_seconds", r.time.median},
          {"min_seconds", r.time.min},
          {"spread", r.time.spread},
          {"samples", r.time.samples},
          {"gb_per_second", r.bytes_per_second / 1e9},
          {"efficiency", r.efficiency}};
}

Json point_json(const PointResult& r) {
  const Gemv& p = r.point.problem;
  Json json = {{"type", type_name(p)}, {"op", name(p.op)}, {"layout", name(p.layout)},    {"m", p.m}, {"n", p.n},
               {"lda", p.lda},         {"batch", p.batch}, {"cache", name(r.point.cache)}};
  if (r.point.threads != 0) json["threads"] = r.point.threads;
  if (!r.skipped.empty()) {
    json["skipped"] = r.skipped;
    return json;
  }
  json["level"] = r.level;
  json["bytes"] = r.bytes;
  json["floor_seconds"] = r.floor;
  json["plan"] = r.plan;
  json["providers"] = Json::array();
  for (const ProviderResult& provider : r.providers)
    if (provider.served) json["providers"].push_back(provider_json(provider));
  const double ratio = ratio_to_best_peer(r);
  json["ratio_to_best_peer"] = ratio == 0 ? Json(nullptr) : Json(ratio);
  return json;
}

}  // namespace

std::string to_json(const Record& record) {
  Json root = {{"onepass", record.version}, {"commit", record.commit},   {"compiler", record.compiler},
               {"date", record.date},       {"backend", record.backend}, {"complete", record.complete}};
  root["machine"] = Json::object();
  for (const Fact& fact : record.facts) root["machine"][fact.name] = fact.value;
  root["ceilings"] = Json::array();
  for (const Constant& c : record.constants)
    root["ceilings"].push_back({{"name", c.name}, {"value", c.value}, {"unit", c.unit}});
  root["points"] = Json::array();
  for (const PointResult& r : record.points) root["points"].push_back(point_json(r));
  return root.dump(1) + "\n";
}

}  // namespace onepass::tools
