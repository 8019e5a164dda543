// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tune/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/result.hpp"
#include "plan/space.hpp"
#include "problem/names.hpp"

namespace onepass::tools {
namespace {

using nlohmann::ordered_json;

std::string fact(const TableHead& head, const char* wanted) {
  const auto found = std::ranges::find(head.facts, wanted, &Fact::name);
  return found == head.facts.end() ? "unknown" : found->value;
}

// "key": [line, line, ...], a line of a mesh being a row of A; or one string for triangles.
std::string mesh_text(const TunedMesh& tuned) {
  const auto chosen = winners(tuned.mesh, tuned.cells);
  std::vector<std::string> words;
  words.reserve(chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i)
    words.push_back(chosen[i] ? print(*chosen[i]) : tuned.cells[i].fits ? "?" : "-");
  if (tuned.mesh.routine != Routine::gemv)
    return fmt::format("  \"{}\": \"{}\"", name(tuned.mesh), fmt::join(words, " "));
  std::vector<std::string> lines;
  const auto length = static_cast<std::ptrdiff_t>(tuned.mesh.cols.size());
  for (auto row = words.begin(); row != words.end(); row += length)
    lines.push_back(fmt::format("   \"{}\"", fmt::join(row, row + length, " ")));
  return fmt::format("  \"{}\": [\n{}\n  ]", name(tuned.mesh), fmt::join(lines, ",\n"));
}

std::string meshes_text(const TunerResult& result, Routine routine) {
  std::vector<std::string> meshes;
  for (const TunedMesh& tuned : result.meshes)
    if (tuned.mesh.routine == routine) meshes.push_back(mesh_text(tuned));
  return fmt::format("{{\n{}\n }}", fmt::join(meshes, ",\n"));
}

const Mesh* first_of(const TunerResult& result, Routine routine) {
  const auto found = std::ranges::find(result.meshes, routine, [](const TunedMesh& m) { return m.mesh.routine; });
  return found == result.meshes.end() ? nullptr : &found->mesh;
}

double microseconds(double seconds) { return four_digits(seconds * 1e6); }

}  // namespace

std::string table_text(const TunerResult& result, const TableHead& head, const DeviceTraits& traits) {
  std::vector<std::string> parts;
  const auto add = [&](const char* key, const std::string& value) {
    parts.push_back(fmt::format(" \"{}\": {}", key, value));
  };
  const auto quoted = [](const std::string& text) { return ordered_json(text).dump(); };
  const auto axis = [](const std::vector<std::int64_t>& numbers) {
    return fmt::format("[{}]", fmt::join(numbers, ", "));
  };
  add("onepass_tuning", "2");
  add("space", std::to_string(space_version()));
  add("library", quoted(head.library));
  add("device", quoted(traits.name));
  add("arch", std::to_string(traits.arch));
  add("sm_count", std::to_string(traits.sm_count));
  add("driver", quoted(fact(head, "driver")));
  add("toolkit", quoted(fact(head, "toolkit")));
  add("commit", quoted(head.commit));
  add("date", quoted(head.date));
  add("how", quoted(head.how));
  if (const Mesh* mesh = first_of(result, Routine::gemv)) {
    add("rows", axis(mesh->rows));
    add("cols", axis(mesh->cols));
    add("gemv", meshes_text(result, Routine::gemv));
  }
  if (const Mesh* mesh = first_of(result, Routine::symv)) {
    add("n", axis(mesh->rows));
    add("symv", meshes_text(result, Routine::symv));
  }
  return fmt::format("{{\n{}\n}}\n", fmt::join(parts, ",\n"));
}

std::string scores_text(const TunerResult& result, const TableHead& head) {
  ordered_json root = {{"onepass_scores", 1},
                       {"device", fact(head, "device")},
                       {"driver", fact(head, "driver")},
                       {"toolkit", fact(head, "toolkit")},
                       {"library", head.library},
                       {"commit", head.commit},
                       {"date", head.date},
                       {"how", head.how},
                       {"cell", {"rows", "cols", "launch", "us", "runner_up", "us", "timed"}}};
  std::string text = root.dump(1);
  text.resize(text.rfind('\n'));
  for (const TunedMesh& tuned : result.meshes) {
    text += fmt::format(",\n \"{} {}\": [", onepass::name(tuned.mesh.routine), name(tuned.mesh));
    const char* separator = "\n  ";
    for (std::size_t i = 0; i < tuned.cells.size(); ++i) {
      const std::vector<Scored>& scored = tuned.cells[i].scored;
      if (scored.empty()) continue;
      const Problem p = problem_at(tuned.mesh, i / tuned.mesh.cols.size(), i % tuned.mesh.cols.size());
      const Scored& second = scored[scored.size() > 1 ? 1 : 0];
      text += separator + ordered_json{p.m,
                                       p.n,
                                       print(scored[0].launch),
                                       microseconds(scored[0].seconds),
                                       print(second.launch),
                                       microseconds(second.seconds),
                                       scored.size()}
                              .dump();
      separator = ",\n  ";
    }
    text += "\n ]";
  }
  return text + "\n}\n";
}

}  // namespace onepass::tools
