// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tune/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "problem/names.hpp"
#include "support/digits.hpp"

namespace onepass::tools {
namespace {

using nlohmann::ordered_json;

std::string fact(const TableHead& head, const char* wanted) {
  const auto found = std::ranges::find(head.facts, wanted, &Fact::name);
  return found == head.facts.end() ? "unknown" : found->value;
}

// Row by row, which are rows of A; of triangles there is one.
std::vector<std::string> lines_of(const TunedMesh& tuned) {
  const auto chosen = winners(tuned.mesh, tuned.cells);
  const std::size_t length = tuned.mesh.routine == Routine::gemv ? tuned.mesh.cols.size() : chosen.size();
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (i % length == 0)
      lines.emplace_back();
    else
      lines.back() += ' ';
    lines.back() += chosen[i] ? print(*chosen[i]) : tuned.cells[i].fits ? untimed_cell : too_large_cell;
  }
  return lines;
}

void add_mesh(const TunedMesh& tuned, TableText& table) {
  if (tuned.mesh.routine == Routine::gemv) {
    table.rows = tuned.mesh.rows;
    table.cols = tuned.mesh.cols;
    at_name(table.gemv, name(tuned.mesh)) = lines_of(tuned);
  } else {
    table.orders = tuned.mesh.rows;
    at_name(table.symv, name(tuned.mesh)) = lines_of(tuned).front();
  }
}

// A single shape, if it was timed.
void add_shape(const TunedMesh& tuned, TableText& table) {
  if (tuned.cells[0].scored.empty()) return;
  const std::string shape = fmt::format("{}x{}", tuned.mesh.rows[0], tuned.mesh.cols[0]);
  at_name(at_name(table.shapes, name(tuned.mesh)), shape) = print(tuned.cells[0].scored[0].launch);
}

constexpr const char* of_shapes = "; shapes: ";

// Where a table comes from, once shapes were added to it: what is said of earlier ones goes.
std::string how_with_shapes(std::string how, const TableHead& head) {
  how.resize(std::min(how.find(of_shapes), how.size()));
  return fmt::format("{}{}{}, {}, {}", how, of_shapes, head.how, head.commit, head.date);
}

double microseconds(double seconds) { return four_digits(seconds * 1e6); }

}  // namespace

TableText table_of(const TunerResult& result, const TableHead& head, const DeviceTraits& traits,
                   const std::optional<TableText>& before) {
  TableText table{.device = traits.name,
                  .arch = traits.arch,
                  .sm_count = traits.sm_count,
                  .library = head.library,
                  .driver = fact(head, "driver"),
                  .toolkit = fact(head, "toolkit"),
                  .commit = head.commit,
                  .date = head.date,
                  .how = head.how};
  const auto is_shape = [](const TunedMesh& m) { return m.mesh.exact; };
  const auto is_timed_shape = [&](const TunedMesh& m) { return is_shape(m) && !m.cells[0].scored.empty(); };
  if (before && std::ranges::all_of(result.meshes, is_shape)) {
    table = *before;
    if (std::ranges::any_of(result.meshes, is_timed_shape)) table.how = how_with_shapes(before->how, head);
  } else if (before) {
    table.shapes = before->shapes;
  }
  for (const TunedMesh& tuned : result.meshes) tuned.mesh.exact ? add_shape(tuned, table) : add_mesh(tuned, table);
  return table;
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
