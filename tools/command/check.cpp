// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "check/random_case.hpp"
#if defined(ONEPASS_WITH_LAPACK)
#include "command/check_reduction.hpp"
#endif
#include "support/arguments.hpp"
#include "support/interrupt.hpp"
#include "support/terminal.hpp"
#include "verify/compare.hpp"

namespace onepass::tools {
namespace {

using verify::Case;
using verify::Verdict;

constexpr int failures_shown = 20;

// The simulator runs a thread at a time, so its problems are smaller.
std::int64_t default_max_size(BackendId backend) { return backend == BackendId::sim ? 96 : 700; }

Case read_case(const std::string& line) try {
  return verify::parse_case(line);
} catch (const std::invalid_argument& wrong) {
  throw Failure(Exit::usage, fmt::format("--problem: {}", wrong.what()));
}

// Twice, from the same start and with the same workspace.
Verdict run_case(const Case& c, const Backend& backend, int threads) {
  return compare_with_reference(backend, c, {.threads = threads, .again = true});
}

// One line, whose middle is the command that runs the problem again.
void report(const Case& c, const Verdict& verdict, const Backend& backend) {
  std::string why = verdict.failure;
  std::replace(why.begin(), why.end(), '\n', ' ');
  fmt::print("{} onepass check --backend {} --problem \"{}\"  # {}\n", paint(Colour::red, "FAIL"), name(backend.id()),
             print(c), why);
}

Exit check_one(const Case& c, const Backend& backend, int threads) {
  const Verdict verdict = run_case(c, backend, threads);
  if (!verdict.failure.empty()) {
    report(c, verdict, backend);
    return Exit::failed;
  }
  fmt::print("{} {}\n  largest error {:.3f} of its bound\n", paint(Colour::green, "ok"), print(c), verdict.worst);
  return Exit::ok;
}

}  // namespace

Exit run_check(const CheckOptions& options) {
#if defined(ONEPASS_WITH_LAPACK)
  if (are_reductions(options)) return run_check_reduction(options);
#endif
  const Backend& backend = require_backend(options.backend);
  CaseLimits limits{
      .routines = parse_routines(options.routines),
      .types = parse_type_names(options.types),
      .orders = parse_orders(options.order),
      .accumulates = parse_accumulates(options.accumulate),
      .max_size = options.max_size > 0 ? options.max_size : default_max_size(backend.id()),
  };
  if (options.routines == "all") drop_routines_without_types(limits);
  if (std::string why = why_impossible(limits); !why.empty()) throw Failure(Exit::usage, why);
  if (!options.problem.empty()) return check_one(read_case(options.problem), backend, options.threads);
  if (options.index >= 0)
    return check_one(random_case(options.seed, static_cast<std::uint64_t>(options.index), limits), backend,
                     options.threads);

  Progress progress(fmt::format("check {}", name(backend.id())), static_cast<std::size_t>(options.count));
  std::int64_t done = 0, failed = 0;
  double worst = 0;
  for (; done < options.count && !interrupted(); ++done) {
    const Case c = random_case(options.seed, static_cast<std::uint64_t>(done), limits);
    progress.update(static_cast<std::size_t>(done), failed == 0 ? "" : fmt::format("{} failed", failed));
    const Verdict verdict = run_case(c, backend, options.threads);
    worst = std::max(worst, verdict.worst);
    if (verdict.failure.empty()) continue;
    if (++failed <= failures_shown) {
      progress.clear();
      report(c, verdict, backend);
    }
  }
  progress.clear();
  fmt::print("{} on {}: {} problems, seed {}, {} failed, largest error {:.3f} of its bound{}\n",
             failed == 0 ? paint(Colour::green, "check") : paint(Colour::red, "check"), name(backend.id()), done,
             options.seed, failed, worst, done < options.count ? " (interrupted)" : "");
  if (failed > 0) return Exit::failed;
  return done < options.count ? Exit::interrupted : Exit::ok;
}

}  // namespace onepass::tools
