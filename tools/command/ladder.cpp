// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/ladder.hpp"

#include <fmt/format.h>

#include "ladder/run.hpp"
#include "ladder/seeds/run.hpp"
#include "print/ladder.hpp"
#include "print/seeds.hpp"
#include "support/file.hpp"
#include "support/number_options.hpp"

namespace onepass::tools {

CLI::App* add_ladder(CLI::App& app, LadderOptions& o) {
  CLI::App* command =
      app.add_subcommand("ladder", "From a naive product to a fast one: each step explained, shown, checked and timed");
  command->footer(
      "cuda: four kernels and Onepass, timed, with what the simulator counts of their traffic. sim: the counts alone, "
      "on\n"
      "any machine. cpu: a ladder of loops. Counts are those of a smaller matrix whose rows are aligned alike.\n"
      "docs/ladder.md tells the story. With --seeds A is column major; cuda and sim have these. Examples:\n"
      "  onepass ladder\n"
      "  onepass ladder 1000x1001 --backend sim --no-code\n"
      "  onepass ladder --backend cpu --json ladder.json\n"
      "  onepass ladder --seeds --backend sim\n"
      "  compute-sanitizer --tool racecheck onepass ladder 200x300 --backend cuda --check");
  command->add_option("shape", o.shape, "rows x columns of A, any size; default: 4096x8192, with --seeds several");
  command->add_flag(
      "--seeds", o.seeds,
      "the ideas that the library grew from, as kernels: docs/lineage.md has them, and what became of them");
  command->add_option("--backend", o.backend, "cuda, cpu or sim; default: the best that works here");
  add_one_of(command, "--cache", o.cache, "cold (a pool larger than the cache) or hot; default: cold", {"cold", "hot"});
  add_integer(command, "--threads", o.threads, "of Onepass on the cpu backend; the loops have one", 1, most_threads)
      ->capture_default_str();
  add_positive(command, "--time", o.seconds, "seconds of measuring", most_seconds)->capture_default_str();
  command->add_flag(
      "--check", o.check,
      "each step once, compared with sums in double precision; no timing, so that a sanitizer takes seconds");
  command->add_flag("--no-code", o.no_code, "leave the code of the steps out");
  command->add_flag("--no-peers", o.no_peers, "leave the peers out");
  command->add_option("--json", o.json, "write the figures to this file; - for standard output, without the text");
  return command;
}

namespace {

Exit run_ladder_of_seeds(const Backend& backend, const LadderOptions& o, Cache cache) {
  if (backend.id() == BackendId::cpu)
    throw Failure(Exit::usage, "--seeds: these kernels are for GPUs; take --backend cuda or sim");
  ladder::SeedsOptions options{.cache = cache, .seconds = o.seconds, .peers = !o.no_peers, .check = o.check};
  if (!o.shape.empty()) options.shape = parse_shape(o.shape, 1);
  const ladder::SeedsResult result = ladder::run_seeds(backend, options);
  if (!o.json.empty() && o.json != "-") write_file(o.json, to_json(result));
  fmt::print("{}", o.json == "-" ? to_json(result) : to_text(result));
  return Exit::ok;
}

}  // namespace

Exit run_ladder(const LadderOptions& o) {
  const Backend& backend = require_backend(o.backend);
  if (backend.id() == BackendId::reference)
    throw Failure(Exit::usage, "the ladder has steps for cuda, cpu and sim, and none for reference");
  if (!o.json.empty() && o.json != "-") require_writable(o.json);
  const Cache cache = o.cache == "hot" ? Cache::hot : Cache::cold;
  if (o.seeds) return run_ladder_of_seeds(backend, o, cache);
  const ladder::Result result = ladder::run(backend, {.shape = parse_shape(o.shape.empty() ? "4096x8192" : o.shape, 1),
                                                      .cache = cache,
                                                      .threads = o.threads,
                                                      .seconds = o.seconds,
                                                      .peers = !o.no_peers,
                                                      .check = o.check});
  if (!o.json.empty() && o.json != "-") write_file(o.json, to_json(result));
  fmt::print("{}", o.json == "-" ? to_json(result) : to_text(result, !o.no_code));
  return Exit::ok;
}

}  // namespace onepass::tools
