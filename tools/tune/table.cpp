// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tune/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plan/space.hpp"
#include "problem/names.hpp"
#include "support/digits.hpp"

namespace onepass::tools {
namespace {

using nlohmann::ordered_json;

std::string fact(const TableHead &head, const char *wanted) {
  const auto found = std::ranges::find(head.facts, wanted, &Fact::name);
  return found == head.facts.end() ? "unknown" : found->value;
}

// The words of a line of a mesh, which is a row of A; triangles have one line.
std::string line(const std::vector<std::string> &words, std::size_t first,
                 std::size_t count) {
  const auto begin = words.begin() + static_cast<std::ptrdiff_t>(first);
  return fmt::format(
      "{}", fmt::join(begin, begin + static_cast<std::ptrdiff_t>(count), " "));
}

ordered_json entries_of(const TunedMesh &tuned) {
  const auto chosen = winners(tuned.mesh, tuned.cells);
  std::vector<std::string> words;
  words.reserve(chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i)
    words.push_back(chosen[i]             ? print(*chosen[i])
                    : tuned.cells[i].fits ? "?"
                                          : "-");
  if (tuned.mesh.routine != Routine::gemv)
    return line(words, 0, words.size());
  ordered_json lines = ordered_json::array();
  for (std::size_t row = 0; row < words.size(); row += tuned.mesh.cols.size())
    lines.push_back(line(words, row, tuned.mesh.cols.size()));
  return lines;
}

ordered_json meshes_of(const TunerResult &result, Routine routine) {
  ordered_json meshes;
  for (const TunedMesh &tuned : result.meshes)
    if (tuned.mesh.routine == routine && !tuned.mesh.exact)
      meshes[name(tuned.mesh)] = entries_of(tuned);
  return meshes;
}

// {"s N aligned": {"4096x512": "256/16/0"}}, of those that were timed.
ordered_json shapes_of(const TunerResult &result) {
  ordered_json shapes = ordered_json::object();
  for (const TunedMesh &tuned : result.meshes)
    if (tuned.mesh.exact && !tuned.cells[0].scored.empty())
      shapes[name(tuned.mesh)]
            [fmt::format("{}x{}", tuned.mesh.rows[0], tuned.mesh.cols[0])] =
                print(tuned.cells[0].scored[0].launch);
  return shapes;
}

const Mesh *first_of(const TunerResult &result, Routine routine) {
  const auto found =
      std::ranges::find_if(result.meshes, [&](const TunedMesh &m) {
        return m.mesh.routine == routine && !m.mesh.exact;
      });
  return found == result.meshes.end() ? nullptr : &found->mesh;
}

constexpr const char *of_shapes = "; shapes: ";

// Axes and lines of meshes are lines of the text.
std::string print(const ordered_json &value, int depth = 0) {
  const bool list = value.is_array() && !value.empty() && value[0].is_string();
  if (!value.is_object() && !list) {
    if (!value.is_array())
      return value.dump();
    return fmt::format("[{}]",
                       fmt::join(value.get<std::vector<std::int64_t>>(), ", "));
  }
  const std::string indent(static_cast<std::size_t>(depth) + 1, ' ');
  std::vector<std::string> parts;
  for (const auto &item : value.items())
    parts.push_back(indent +
                    (list ? "" : ordered_json(item.key()).dump() + ": ") +
                    print(item.value(), depth + 1));
  return fmt::format("{}\n{}\n{}{}", list ? '[' : '{', fmt::join(parts, ",\n"),
                     indent.substr(1), list ? ']' : '}');
}

double microseconds(double seconds) { return four_digits(seconds * 1e6); }

} // namespace

std::string table_text(const TunerResult &result, const TableHead &head,
                       const DeviceTraits &traits, const std::string &before) {
  ordered_json table = {{"onepass_tuning", 2},
                        {"space", space_version()},
                        {"library", head.library},
                        {"device", traits.name},
                        {"arch", traits.arch},
                        {"sm_count", traits.sm_count},
                        {"driver", fact(head, "driver")},
                        {"toolkit", fact(head, "toolkit")},
                        {"commit", head.commit},
                        {"date", head.date},
                        {"how", head.how}};
  if (const Mesh *mesh = first_of(result, Routine::gemv)) {
    table["rows"] = mesh->rows;
    table["cols"] = mesh->cols;
    table["gemv"] = meshes_of(result, Routine::gemv);
  }
  const ordered_json shapes = shapes_of(result);
  const ordered_json old =
      before.empty() ? ordered_json::object() : ordered_json::parse(before);
  if (!shapes.empty() && !old.empty()) {
    std::string how = old.value("how", "");
    how.resize(std::min(how.find(of_shapes), how.size()));
    table = old;
    table["how"] = fmt::format("{}{}{}, {}, {}", how, of_shapes, head.how,
                               head.commit, head.date);
  }
  if (ordered_json all = old.value("shapes", ordered_json::object());
      !shapes.empty() || !all.empty()) {
    all.merge_patch(shapes);
    table["shapes"] = all;
  }
  if (const Mesh *mesh = first_of(result, Routine::symv)) {
    table["n"] = mesh->rows;
    table["symv"] = meshes_of(result, Routine::symv);
  }
  return print(table) + "\n";
}

std::string scores_text(const TunerResult &result, const TableHead &head) {
  ordered_json root = {
      {"onepass_scores", 1},
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
  for (const TunedMesh &tuned : result.meshes) {
    text += fmt::format(",\n \"{} {}\": [", onepass::name(tuned.mesh.routine),
                        name(tuned.mesh));
    const char *separator = "\n  ";
    for (std::size_t i = 0; i < tuned.cells.size(); ++i) {
      const std::vector<Scored> &scored = tuned.cells[i].scored;
      if (scored.empty())
        continue;
      const Problem p = problem_at(tuned.mesh, i / tuned.mesh.cols.size(),
                                   i % tuned.mesh.cols.size());
      const Scored &second = scored[scored.size() > 1 ? 1 : 0];
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

} // namespace onepass::tools
