// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/check_reduction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check/reductions.hpp"
#include "problem/names.hpp"
#include "reductions/rows.hpp"
#include "support/arguments.hpp"
#include "support/interrupt.hpp"
#include "support/terminal.hpp"
#include "verify/lapack_residual.hpp"

namespace onepass::tools {
namespace {

constexpr int failures_shown = 20;

// The reference takes one reflector after the other, in wide numbers; the simulator sees every access.
std::int64_t max_size_of(const CheckOptions& o, const ReductionHandle& handle) {
  if (o.max_size > 0) return o.max_size;
  if (handle.backend() == "sim") return 33;
  return handle.backend() == "reference" ? 65 : 257;
}

struct Tally {
  std::size_t done = 0, failed = 0;
  double worst = 0;
};

// The cases of one routine and one type, or the one that was asked for.
struct Part {
  std::string routine, type;
  std::size_t first = 0;
  std::vector<ReductionCase> cases;
};

std::vector<Part> parts_of(const CheckOptions& o, std::int64_t max_size) {
  std::vector<Part> parts;
  for (const std::string& routine : parse_list("routine", o.routines))
    for (const Type type : reduction_types(o.types)) {
      Part part{routine, name(type), 0,
                reduction_cases(find_reduction(routine)->routine, type, max_size, find_reduction(routine)->batched)};
      if (o.index >= 0) {
        part.first = static_cast<std::size_t>(o.index);
        if (part.first >= part.cases.size())
          throw Failure(Exit::usage, fmt::format("index = {}: must be below {}, the number of problems of {} {}",
                                                 o.index, part.cases.size(), routine, part.type));
        part.cases = {part.cases[part.first]};
      }
      parts.push_back(std::move(part));
    }
  return parts;
}

// One line, whose middle is the command that runs the problem again.
void report(const CheckOptions& o, const Part& part, std::size_t at, const std::string& why,
            const ReductionHandle& handle) {
  std::string size = o.max_size > 0 ? fmt::format(" --max-size {}", o.max_size) : "";
  if (o.seed != 1) size += fmt::format(" --seed {}", o.seed);
  fmt::print("{} onepass check {} --type {} --backend {}{} --index {}  # {}: {}\n", paint(Colour::red, "FAIL"),
             part.routine, part.type, handle.backend(), size, part.first + at, print(part.cases[at]), why);
}

}  // namespace

bool are_reductions(const CheckOptions& o) {
  const std::vector<std::string> names = reduction_names(true), list = parse_list("routine", o.routines);
  const auto found = std::count_if(list.begin(), list.end(), [&](const std::string& word) {
    return std::find(names.begin(), names.end(), word) != names.end();
  });
  if (found != 0 && static_cast<std::size_t>(found) != list.size())
    throw Failure(Exit::usage, fmt::format("routine \"{}\": must be reductions alone ({}), or none of them", o.routines,
                                           fmt::join(names, " ")));
  return found != 0;
}

Exit run_check_reduction(const CheckOptions& o) {
  if (!o.problem.empty())
    throw Failure(Exit::usage, "--problem is for matrix-vector products; one of a reduction's is chosen by --index");
  const ReductionHandle handle(o.backend, o.threads);
  const std::unique_ptr<ReductionClock> clock =
      handle.on_device() ? make_cuda_clock() : make_host_clock(std::max(1, o.threads));
  const std::vector<Part> parts = parts_of(o, max_size_of(o, handle));
  std::size_t total = 0;
  for (const Part& part : parts) total += part.cases.size();
  Progress progress(fmt::format("check {}", handle.backend()), total);
  Tally tally;
  for (const Part& part : parts)
    for (std::size_t i = 0; i < part.cases.size() && !interrupted(); ++i) {
      progress.update(tally.done,
                      tally.failed == 0 ? part.routine + " " + part.type : fmt::format("{} failed", tally.failed));
      const ReductionVerdict verdict = check_reduction(handle, *clock, part.cases[i], o.seed);
      ++tally.done;
      tally.worst = std::max(tally.worst, verdict.worst);
      if (verdict.failure.empty()) continue;
      if (++tally.failed > failures_shown) continue;
      progress.clear();
      report(o, part, i, verdict.failure, handle);
    }
  progress.clear();
  fmt::print("{} {} on {}: {} problems, seed {}, {} failed, largest residual {:.3f} of {}{}\n",
             tally.failed == 0 ? paint(Colour::green, "check") : paint(Colour::red, "check"), o.routines,
             handle.backend(), tally.done, o.seed, tally.failed, tally.worst, verify::residual_limit,
             tally.done < total ? " (interrupted)" : "");
  if (tally.failed > 0) return Exit::failed;
  return tally.done < total ? Exit::interrupted : Exit::ok;
}

}  // namespace onepass::tools
