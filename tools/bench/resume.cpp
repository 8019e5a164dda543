// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/resume.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <unordered_set>

namespace onepass::tools {
namespace {

std::string device_of(const Record& record) {
  for (const Fact& fact : record.facts)
    if (fact.name == "device") return fact.value;
  return "unknown";
}

struct Field {
  const char* what;
  std::string before, now;
};

std::string first_difference(std::initializer_list<Field> fields) {
  for (const Field& field : fields)
    if (field.before != field.now)
      return fmt::format("its {} is {}, and that of this run {}", field.what, field.before, field.now);
  return {};
}

}  // namespace

std::string why_not_same_build(const Record& before, const Record& now) {
  return first_difference({{"backend", before.backend, now.backend},
                           {"device", device_of(before), device_of(now)},
                           {"version", before.version, now.version},
                           {"commit", before.commit, now.commit}});
}

std::string why_not_resumable(const Record& before, const Record& now) {
  if (std::string why = why_not_same_build(before, now); !why.empty()) return why;
  return first_difference({{"selection", name(before.selection), name(now.selection)},
                           {"list of providers", fmt::format("{}", fmt::join(before.providers, ", ")),
                            fmt::format("{}", fmt::join(now.providers, ", "))}});
}

std::vector<Point> remaining(std::span<const Point> wanted, std::span<const PointResult> done) {
  std::unordered_set<std::string> known;
  for (const PointResult& result : done)
    if (!result.failed) known.insert(key(result.point));
  std::vector<Point> left;
  for (const Point& point : wanted)
    if (!known.contains(key(point))) left.push_back(point);
  return left;
}

}  // namespace onepass::tools
