// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "print/ladder.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "onepass/onepass.h"
#include "print/columns.hpp"
#include "support/build_info.hpp"
#include "support/digits.hpp"
#include "support/terminal.hpp"

namespace onepass::tools {
namespace {

using Json = nlohmann::ordered_json;
using ladder::Result;
using ladder::StepResult;

// Lines of at most 100 signs.
std::string wrapped(std::string_view text) {
  std::string lines, line;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + word.size() >= 100) {
      lines += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return lines + line + "\n";
}

std::string step_figures(const Result& r, const StepResult& s) {
  std::string text;
  if (s.time)
    text += fmt::format("   {:.4g} us, {:.4g} GB/s, {:.4g} GFLOP/s, {:.1f} % of the floor\n", s.time->median,
                        r.bytes / s.time->median / 1e3, r.flops / s.time->median / 1e3, 100 * r.floor / s.time->median);
  if (s.traffic)
    text += fmt::format("   {:.2f} sectors of A requested per sector needed (simulated, {}x{})\n",
                        s.traffic->sectors_per_needed(), r.counted.m, r.counted.n);
  return text;
}

std::vector<std::string> words(const Result& r, std::string_view name, const Timing* time) {
  if (time == nullptr) return {std::string(name), "-", "-", "-", "-"};
  return {std::string(name), fmt::format("{:.4g}", time->median), fmt::format("{:.1f}", r.bytes / time->median / 1e3),
          fmt::format("{:.1f}", r.flops / time->median / 1e3), fmt::format("{:.1f} %", 100 * r.floor / time->median)};
}

std::string table(const Result& r) {
  const bool simulated = r.steps[0].traffic.has_value(), compiled = r.steps[0].compiled.has_value();
  Columns columns;
  std::vector<std::string> head = {"step", "us", "GB/s", "GFLOP/s", "of floor"};
  if (simulated)
    head.insert(head.end(), {"sectors / needed", "warp loads", "shared", "conflicts", "barriers", "shuffles"});
  if (compiled) head.insert(head.end(), {"registers", "spilled", "occupancy"});
  columns.row(head);
  for (const StepResult& s : r.steps) {
    std::vector<std::string> row = words(r, s.step.name, s.time ? &*s.time : nullptr);
    if (s.traffic)
      row.insert(row.end(),
                 {fmt::format("{:.2f}", s.traffic->sectors_per_needed()), fmt::format("{}", s.traffic->loads),
                  fmt::format("{}", s.traffic->shared_accesses), fmt::format("{}", s.traffic->bank_conflicts),
                  fmt::format("{}", s.traffic->barriers), fmt::format("{}", s.traffic->shuffles)});
    if (s.compiled)
      row.insert(row.end(), {fmt::format("{}", s.compiled->registers), fmt::format("{}", s.compiled->local_bytes),
                             fmt::format("{:.0f} %", 100 * s.compiled->occupancy)});
    columns.row(row);
  }
  for (const ProviderResult& peer : r.peers) columns.row(words(r, peer.name, &peer.time));
  return columns.text();
}

Json time_json(const Result& r, const Timing& t) {
  return {{"us", t.median},
          {"least", t.min},
          {"spread", t.spread},
          {"gb_per_second", four_digits(r.bytes / t.median / 1e3)},
          {"gflop_per_second", four_digits(r.flops / t.median / 1e3)},
          {"efficiency", four_digits(r.floor / t.median)}};
}

Json step_json(const Result& r, const StepResult& s) {
  Json json = {{"name", s.step.name}};
  if (s.time) json.update(time_json(r, *s.time));
  if (s.traffic)
    json["traffic"] = {{"sectors_requested", s.traffic->sectors_requested},
                       {"sectors_needed", s.traffic->sectors_needed},
                       {"loads", s.traffic->loads},
                       {"shared_accesses", s.traffic->shared_accesses},
                       {"bank_conflicts", s.traffic->bank_conflicts},
                       {"barriers", s.traffic->barriers},
                       {"shuffles", s.traffic->shuffles}};
  if (s.compiled)
    json["compiled"] = {{"registers", s.compiled->registers},
                        {"local_bytes", s.compiled->local_bytes},
                        {"shared_bytes", s.compiled->shared_bytes},
                        {"occupancy", four_digits(s.compiled->occupancy)}};
  return json;
}

std::string checked_text(const Result& r) {
  std::vector<std::string_view> names;
  for (const StepResult& s : r.steps) names.push_back(s.step.name);
  return fmt::format("{} x {} on {}: every step was right: {}\n", r.shape.m, r.shape.n, r.backend,
                     fmt::join(names, ", "));
}

}  // namespace

std::string to_text(const Result& r, bool code) {
  if (r.checked) return checked_text(r);
  std::string text = fmt::format("y = A x, {} x {}, single precision, row major, on {}{}\n\n", r.shape.m, r.shape.n,
                                 r.backend, threads_text(r.point.threads));
  int number = 0;
  for (const StepResult& s : r.steps) {
    text += paint(Colour::bold, fmt::format("{}. {}", ++number, s.step.name)) + "\n";
    text += fmt::format("{}{}\n", wrapped(s.step.lesson), step_figures(r, s));
    if (code && !s.step.code.empty()) text += fmt::format("{}\n", s.step.code);
  }
  text += table(r);
  if (r.floor > 0)
    text += fmt::format("floor: {:.4g} us, {:.4g} GB/s: reading the bytes alone, as measured here\n", r.floor,
                        r.bytes / r.floor / 1e3);
  else
    text += "the simulator counts, it does not time: --backend cuda or cpu does\n";
  for (const std::string& remark : r.remarks) text += paint(Colour::yellow, "note: " + remark) + "\n";
  return text;
}

std::string to_json(const Result& r) {
  Json machine = Json::object(), steps = Json::array(), peers = Json::array();
  for (const Fact& fact : r.facts) machine[fact.name] = fact.value;
  for (const StepResult& s : r.steps) steps.push_back(step_json(r, s));
  for (const ProviderResult& peer : r.peers) {
    peers.push_back({{"name", peer.name}});
    peers.back().update(time_json(r, peer.time));
  }
  Json json = {{"onepass", onepassVersion()},
               {"commit", build_commit()},
               {"date", utc_now()},
               {"backend", r.backend},
               {"machine", machine},
               {"remarks", r.remarks},
               {"shape", {r.shape.m, r.shape.n}},
               {"threads", r.point.threads},
               {"cache", name(r.point.cache)},
               {"bytes", r.bytes},
               {"floor", r.floor},
               {"steps", steps},
               {"peers", peers}};
  if (r.checked) json["checked"] = true;
  if (r.counted.m > 0) json["simulated"] = {r.counted.m, r.counted.n};
  return json.dump(1) + "\n";
}

}  // namespace onepass::tools
