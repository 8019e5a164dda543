// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "print/details.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "print/columns.hpp"
#include "problem/cost.hpp"

namespace onepass::tools {
namespace {

// 0 where the record has no such constant.
double constant(const Record& record, std::string_view name) {
  const auto found = std::ranges::find(record.constants, name, &Constant::name);
  return found == record.constants.end() ? 0 : found->value;
}

double peak_gflops(const Record& record, Type type) {
  const bool doubles = size_of(scalar_type(type)) / (is_pair_type(type) ? 2 : 1) == 8;
  return constant(record, doubles ? peak_double_name : peak_single_name);
}

std::string share(double value, double peak) { return peak == 0 ? "-" : fmt::format("{:.2f} %", 100 * value / peak); }

}  // namespace

std::string details_table(const Record& record) {
  Columns table;
  table.row({"from start to end", "cache", "allocate ms", "to device ms", "by", "execute ms", "GFLOP/s", "of peak",
             "GB/s", "of peak", "of floor", "from device ms"});
  bool any = false;
  for (const PointResult& r : record.points) {
    if (!r.journey) continue;
    any = true;
    const Problem& p = r.point.problem;
    for (const ProviderResult& provider : r.providers) {
      const double gflops = cost(p).flops / provider.time.median / 1e3;
      table.row({label(p), cache_and_setting(r.point), fmt::format("{:.3f}", r.journey->allocate / 1e3),
                 fmt::format("{:.3f}", r.journey->to_device / 1e3), provider.name,
                 fmt::format("{:.4f}", provider.time.median / 1e3), fmt::format("{:.1f}", gflops),
                 share(gflops, peak_gflops(record, p.type_a)), fmt::format("{:.1f}", r.gb_per_second(provider)),
                 share(r.gb_per_second(provider), constant(record, peak_bandwidth_name)),
                 fmt::format("{:.1f} %", 100 * r.efficiency(provider)),
                 fmt::format("{:.3f}", r.journey->from_device / 1e3)});
    }
  }
  return any ? "\n" + table.text() : "";
}

}  // namespace onepass::tools
