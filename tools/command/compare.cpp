// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/compare.hpp"

#include <fmt/format.h>

#include <optional>

#include "print/comparison.hpp"
#include "print/json.hpp"
#include "support/number_options.hpp"

namespace onepass::tools {

CLI::App* add_compare(CLI::App& app, CompareOptions& o) {
  CLI::App* command = app.add_subcommand("compare", "What became slower between two records; exit code 1 if anything");
  command->footer(
      "A point is slower or faster if its median moved by more than all of these: the threshold; three times the "
      "distance\n"
      "of the quartiles of both runs; one and a half times what a peer moved at that point; four standard deviations "
      "from\n"
      "run to run, as the peers of its group show them, or without peers its points. The mean of a group counts from "
      "half\n"
      "the threshold, three standard errors, and one and a half times the peers' mean. Peers are the same code in "
      "both\n"
      "runs: if they moved as well, it was the machine. Points that only one record has are counted, not compared.\n"
      "Records of reductions have no quartiles: the distance of the median to the least time stands for them.\n"
      "Records that cannot be compared have exit code 2.\n"
      "Examples:\n"
      "  onepass bench gemv --mesh --json new.json && onepass compare records/h200-mesh.json new.json\n"
      "  onepass compare old.json new.json --threshold 0.02 --json");
  command->add_option("old", o.before, "record of `onepass bench --json`, before a change")->required();
  command->add_option("new", o.after, "record of the same points, after it")->required();
  add_number(command, "--threshold", o.threshold, "least change of a point that counts: 0.04 is 4 %", 0.001, 10)
      ->capture_default_str();
  command->add_flag("--json", o.json, "for machines");
  return command;
}

namespace {

Failure incomparable(const CompareOptions& o, const std::string& why) {
  return {Exit::usage, fmt::format("{} and {} {}", o.before, o.after, why)};
}

Comparison compare_products(const CompareOptions& o) {
  const Record before = read_record(o.before), after = read_record(o.after);
  if (const std::string why = why_not_comparable(before, after); !why.empty())
    throw incomparable(o, fmt::format("cannot be compared: {}; measure the second with the --cache of the first", why));
  return compare(before, after, o.threshold);
}

Comparison compare_files(const CompareOptions& o) {
#if defined(ONEPASS_WITH_LAPACK)
  const std::optional<ReductionRecord> before = read_reduction_record(o.before), after = read_reduction_record(o.after);
  if (before && after) return compare(*before, *after, o.threshold);
  if (before || after) {
    (void)read_record(before ? o.after : o.before);  // which says so if it is no record at all
    throw incomparable(o, "cannot be compared: one is of a reduction, and the other of products");
  }
#endif
  return compare_products(o);
}

}  // namespace

Exit run_compare(const CompareOptions& o) {
  const Comparison found = compare_files(o);
  if (found.common == 0 && found.failed.empty())
    throw incomparable(o,
                       "have no point in common: measure the second as the first, with the same routine, "
                       "selection, types and backend");
  fmt::print("{}", o.json ? to_json(found) : to_table(found));
  return is_worse(found) ? Exit::failed : Exit::ok;
}

}  // namespace onepass::tools
