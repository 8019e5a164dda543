// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "print/seeds.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "onepass/onepass.h"
#include "print/columns.hpp"
#include "problem/names.hpp"
#include "support/build_info.hpp"
#include "support/digits.hpp"
#include "support/terminal.hpp"

namespace onepass::tools {
namespace {

using SeedJson = nlohmann::ordered_json;
using ladder::SeedPoint;
using ladder::SeedResult;
using ladder::SeedsResult;
using ladder::SeedTraffic;

std::string seed_point_table(const SeedPoint& point) {
  const bool timed = point.floor > 0;
  Columns columns;
  if (timed)
    columns.row({"rung", "us", "GB/s", "of floor"});
  else
    columns.row({"rung", "sectors / needed", "reads A once", "warp loads", "shared", "barriers", "atomics",
                 "partial sums", "launches"});
  for (const SeedResult& r : point.results) {
    if (r.time)
      columns.row({r.name, fmt::format("{:.4g}", r.time->median),
                   fmt::format("{:.1f}", point.bytes / r.time->median / 1e3),
                   fmt::format("{:.1f} %", 100 * point.floor / r.time->median)});
    if (r.traffic)
      columns.row({r.name,
                   fmt::format("{:.2f}", static_cast<double>(r.traffic->sectors_requested) /
                                             static_cast<double>(r.traffic->sectors_needed)),
                   r.traffic->reads_once() ? "yes" : "no", fmt::format("{}", r.traffic->loads),
                   fmt::format("{}", r.traffic->shared_accesses), fmt::format("{}", r.traffic->barriers),
                   fmt::format("{}", r.traffic->atomic_adds), fmt::format("{}", r.traffic->partial_sums),
                   fmt::format("{}", r.traffic->launches)});
  }
  return columns.text();
}

SeedJson seed_traffic_json(const SeedTraffic& t) {
  return {{"sectors_requested", t.sectors_requested},
          {"sectors_needed", t.sectors_needed},
          {"reads_once", t.reads_once()},
          {"loads", t.loads},
          {"shared_accesses", t.shared_accesses},
          {"barriers", t.barriers},
          {"atomic_adds", t.atomic_adds},
          {"partial_sums", t.partial_sums},
          {"launches", t.launches}};
}

SeedJson seed_point_json(const SeedPoint& point) {
  SeedJson results = SeedJson::array();
  for (const SeedResult& r : point.results) {
    SeedJson one = {{"name", r.name}};
    if (r.seed != nullptr) one["document"] = ladder::document_of(r.seed->rung);
    if (r.seed != nullptr && r.seed->rung == ladder::SeedRung::space) one["space"] = true;
    if (r.time)
      one.update({{"us", r.time->median},
                  {"least", r.time->min},
                  {"spread", r.time->spread},
                  {"efficiency", four_digits(point.floor / r.time->median)}});
    if (r.traffic) one["traffic"] = seed_traffic_json(*r.traffic);
    results.push_back(one);
  }
  const Problem& p = point.problem;
  return {{"product", label(p)}, {"routine", name(p.routine)}, {"type", name(p.type_a)}, {"op", name(p.op)},
          {"shape", {p.m, p.n}}, {"bytes", point.bytes},       {"floor", point.floor},   {"results", results}};
}

}  // namespace

std::string to_text(const SeedsResult& r) {
  if (r.checked) return fmt::format("{} products on {}: every rung was right\n", r.points.size(), r.backend);
  std::string text = "The ideas that the library grew from, as rungs (docs/lineage.md):\n";
  for (std::string_view last; const ladder::Seed& seed : ladder::seeds()) {
    const std::string_view idea = ladder::idea_of(seed.rung);
    if (idea != last)
      text += fmt::format("  {}: {}\n", seed.rung == ladder::SeedRung::space ? "Tx, Ty, U, M" : seed.name, idea);
    last = idea;
  }
  for (const SeedPoint& point : r.points) {
    text += "\n" + paint(Colour::bold, label(point.problem));
    if (point.floor > 0) text += fmt::format(", the floor is {:.4g} us", point.floor);
    text += "\n" + seed_point_table(point);
  }
  if (r.backend == "sim") text += "the simulator counts, it does not time: --backend cuda does\n";
  for (const std::string& remark : r.remarks) text += paint(Colour::yellow, "note: " + remark) + "\n";
  return text;
}

std::string to_json(const SeedsResult& r) {
  SeedJson machine = SeedJson::object(), points = SeedJson::array();
  for (const Fact& fact : r.facts) machine[fact.name] = fact.value;
  for (const SeedPoint& point : r.points) points.push_back(seed_point_json(point));
  SeedJson json = {{"selection", "lineage"}, {"onepass", onepassVersion()}, {"commit", build_commit()},
                   {"date", utc_now()},      {"backend", r.backend},        {"machine", machine},
                   {"remarks", r.remarks},   {"cache", name(r.cache)},      {"points", points}};
  if (r.checked) json["checked"] = true;
  return json.dump(1) + "\n";
}

}  // namespace onepass::tools
