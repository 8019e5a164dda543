// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/info.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "backends/registry.hpp"
#include "measure/peers.hpp"
#include "plan/plan.hpp"
#include "plan/tuning_table.hpp"
#include "support/build_info.hpp"
#include "support/json_text.hpp"
#include "support/terminal.hpp"

namespace onepass::tools {
namespace {

// Null where the backend has none.
const TuningTables* tables_of(const Backend& backend) {
  return backend.why_unavailable().empty() ? backend.traits().tuning : nullptr;
}

// Who chooses the launches of a device.
std::string chooser_text(const TuningTables& tables) {
  if (!tables.user) return "the model";
  const TuningTable& table = *tables.user;
  const std::size_t count = table.shapes.size();
  std::string model = "the model";
  if (table.prices) model += count > 0 ? " with its prices" : " with the prices of " + table.title();
  if (table.prices && table.model)
    model += fmt::format(
        " ({} launches of {} problems; of {} others its choice took {:.3f} times as long as the "
        "fastest, {:.2f} at worst)",
        table.model->launches, table.model->problems, table.model->held_out, table.model->over_fastest,
        table.model->worst);
  if (count == 0 && table.prices) return model;
  return fmt::format("{} for {} shape{}, {} for all others", table.title(), count, count == 1 ? "" : "s", model);
}

nlohmann::ordered_json as_json(const Backend& backend) {
  const std::string why = backend.why_unavailable();
  nlohmann::ordered_json entry = {{"name", name(backend.id())}, {"available", why.empty()}};
  if (why.empty()) {
    entry["traits"] = nlohmann::ordered_json::parse(to_json(backend.traits()));
    if (const TuningTables* tables = tables_of(backend); tables != nullptr) {
      entry["tuning"] = chooser_text(*tables);
      if (!tables->refused.empty()) entry["tuning_refused"] = tables->refused;
    }
  } else {
    entry["reason"] = why;
  }
  return entry;
}

std::string text(const DeviceTraits& t) {
  std::string line = t.name;
  const auto add = [&](const std::string& part) { line += (line.empty() ? "" : ", ") + part; };
  if (t.arch != 0) add(fmt::format("sm_{}, {} SMs", t.arch, t.sm_count));
  if (t.threads != 0) add(fmt::format("{} thread{}", t.threads, t.threads == 1 ? "" : "s"));
  if (!t.features.empty()) add(t.features);
  if (t.l2_bytes != 0) add(fmt::format("cache {:.0f} MiB", static_cast<double>(t.l2_bytes) / 0x1p20));
  if (t.memory_bytes != 0) add(fmt::format("memory {:.0f} GB", static_cast<double>(t.memory_bytes) / 1e9));
  if (t.ceilings.bytes_per_second != 0) add(fmt::format("reads {:.2f} TB/s", t.ceilings.bytes_per_second / 1e12));
  return line;
}

void print_table() {
  const Backend* chosen = nullptr;
  const Status choice = choose_backend("", &chosen);
  fmt::print("{} {} ({}, {})\n\n", paint(Colour::bold, "onepass"), onepassVersion(), build_commit(), build_compiler());
  fmt::print("backends, in the order of preference; {}\n",
             choice.ok() ? fmt::format("{} is used", name(chosen->id())) : choice.text);
  for (const Backend* backend : backends()) {
    const std::string why = backend->why_unavailable();
    fmt::print("  {:<10} {}  {}\n", name(backend->id()),
               why.empty() ? paint(Colour::green, "yes") : paint(Colour::yellow, "no "),
               why.empty() ? text(backend->traits()) : why);
    const TuningTables* const tables = tables_of(*backend);
    if (tables == nullptr) continue;
    fmt::print("  {:<15} launches from {}\n", "", chooser_text(*tables));
    if (!tables->refused.empty()) fmt::print("  {:<15} {}\n", "", paint(Colour::yellow, tables->refused));
  }
  fmt::print("\npeers that `onepass bench` measures beside it\n");
  for (const PeerInfo& peer : find_peers())
    fmt::print("  {:<10} {}  {}\n", peer.name, peer.found ? paint(Colour::green, "yes") : paint(Colour::yellow, "no "),
               peer.detail);
}

void print_json() {
  const Backend* chosen = nullptr;
  const Status choice = choose_backend("", &chosen);
  nlohmann::ordered_json root = {
      {"version", onepassVersion()}, {"commit", build_commit()}, {"compiler", build_compiler()}};
  root["chosen"] = choice.ok() ? nlohmann::ordered_json(name(chosen->id())) : nlohmann::ordered_json(nullptr);
  for (const Backend* backend : backends()) root["backends"].push_back(as_json(*backend));
  for (const PeerInfo& peer : find_peers())
    root["peers"].push_back({{"name", peer.name}, {"found", peer.found}, {"detail", peer.detail}});
  fmt::print("{}\n", json_text(root, 2));
}

}  // namespace

Exit run_info(const InfoOptions& options) {
  if (options.json) {
    print_json();
  } else {
    print_table();
  }
  return Exit::ok;
}

}  // namespace onepass::tools
