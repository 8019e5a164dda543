// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/bench/bench.hpp"

#include "command/bench/bench_all.hpp"
#if defined(ONEPASS_WITH_LAPACK)
#include "command/bench/bench_reduction.hpp"
#endif
#include "command/bench/bench_peers.hpp"
#include "command/bench/bench_run.hpp"
#include "print/json.hpp"
#include "reductions/rows.hpp"
#include "support/arguments.hpp"

namespace onepass::tools {

Exit run_bench(const BenchOptions& options) {
  if (!options.show.empty()) {
#if defined(ONEPASS_WITH_LAPACK)
    if (show_reduction(options.show)) return Exit::ok;
#endif
    output(options, read_record(options.show));
    return Exit::ok;
  }
  if (!options.add_peers.empty()) return run_add_peers(options);
#if defined(ONEPASS_WITH_LAPACK)
  if (find_reduction(options.routine) != nullptr) return run_bench_reduction(options);
#endif
  const Backend& backend = require_backend(options.backend);
  if (options.all) return run_bench_all(options, backend);
  return run_one(options, backend, {.seconds_left = budget_seconds(options)}).exit;
}

}  // namespace onepass::tools
