// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <vector>

#include "backends/registry.hpp"
#if defined(ONEPASS_WITH_LAPACK)
#include "command/explain_reduction.hpp"
#endif
#include "plan/device_traits.hpp"
#include "plan/plan.hpp"
#include "plan/registry.hpp"
#include "problem/check.hpp"
#include "problem/names.hpp"
#include "reductions/rows.hpp"
#include "support/arguments.hpp"
#include "support/json_text.hpp"

namespace onepass::tools {
namespace {

Problem problem_of(const ExplainOptions& o) {
  const auto types = parse_type_names(o.type);
  const auto ops = parse_ops(o.op);
  const auto uplos = parse_uplos(o.uplo);
  const auto sums = parse_accumulates(o.accumulate);
  const auto orders = parse_orders(o.order);
  if (types.size() != 1 || ops.size() != 1 || uplos.size() != 1 || sums.size() != 1 || orders.size() != 1)
    throw Failure(Exit::usage, "explain takes one --type, one --op, one --uplo, one --accumulate and one --order");
  const Shape shape = parse_shape(o.shape);
  Problem p{.routine = parse_routines(o.routine).at(0),
            .op = ops[0],
            .uplo = uplos[0],
            .layout = parse_layout_name(o.layout),
            .m = shape.m,
            .n = shape.n};
  set_types(p, types[0]);
  p.lda = o.lda != 0 ? o.lda : std::max<std::int64_t>(1, stored(p).rows);
  p.accumulate = sums[0];
  p.order = orders[0];
  p.incx = o.incx, p.incy = o.incy, p.batch = o.batch;
  require(check(p));  // strides of what fits do not overflow
  if (p.batch > 1) {
    p.stride_a = p.lda * stored(p).cols;
    p.stride_x = length_x(p) * std::abs(p.incx);
    p.stride_y = length_y(p) * std::abs(p.incy);
  }
  // Where a call would find most matrices: at the start of an allocation.
  p.alignment_a = p.batch == 1 ? 32 : 0;
  return p;
}

// A plan needs the traits of a device, not the device: the simulator has those of an H200.
const Backend& backend_of(const ExplainOptions& o) {
  if (o.backend == "cuda" && !cuda_backend().why_unavailable().empty())
    throw Failure(Exit::unavailable,
                  fmt::format("backend cuda is not available: {}\nfor the plan on a simulated {}: add --backend sim",
                              cuda_backend().why_unavailable(), h200_traits().name));
  return require_backend(o.backend);
}

// Median over batches: a plan takes less time than a clock can tell.
double seconds_to_choose(const Backend& backend, const Problem& p, int threads) {
  using Clock = std::chrono::steady_clock;
  constexpr int batches = 51, plans = 1000;
  std::vector<double> samples;
  std::int64_t sink = 0;
  for (int i = 0; i < batches; ++i) {
    const auto start = Clock::now();
    for (int j = 0; j < plans; ++j) sink += backend.plan(p, threads).threads;
    samples.push_back(std::chrono::duration<double>(Clock::now() - start).count() / plans);
  }
  if (sink == 0) return 0;  // never: a plan has threads
  std::sort(samples.begin(), samples.end());
  return samples[batches / 2];
}

nlohmann::ordered_json as_json(const Explanation& e, const DeviceTraits& traits) {
  nlohmann::ordered_json root;
  root["plan"] = nlohmann::ordered_json::parse(to_json(e.plan));
  if (const KernelRow* row = on_device(e.plan.backend) ? find_kernel(e.plan.kernel) : nullptr; row != nullptr)
    root["kernel"] = {{"variant", name(row->id.variant)},
                      {"form", name(row->id.form)},
                      {"loads", name(row->id.loads)},
                      {"registers", registers_of(e.plan)}};
  if (!e.chooser.empty()) root["chosen_by"] = e.chooser;
  if (!e.refused.empty()) root["tuning_refused"] = e.refused;
  root["declined"] = nlohmann::ordered_json::array();
  for (const Decline& d : e.declined) root["declined"].push_back({{"variant", name(d.variant)}, {"reason", d.reason}});
  root["matrix_bytes"] = e.cost.matrix_bytes;
  root["vector_bytes"] = e.cost.vector_bytes;
  root["flops"] = e.cost.flops;
  root["floor_seconds"] =
      e.floor_seconds > 0 ? nlohmann::ordered_json(e.floor_seconds) : nlohmann::ordered_json(nullptr);
  root["device"] = nlohmann::ordered_json::parse(to_json(traits));
  return root;
}

}  // namespace

Exit run_explain(const ExplainOptions& options) {
#if defined(ONEPASS_WITH_LAPACK)
  if (find_reduction(options.routine) != nullptr) return run_explain_reduction(options);
#endif
  const Problem p = problem_of(options);
  require(check(p));
  const Backend& backend = backend_of(options);
  if (is_empty(p)) {
    const char* const reason =
        row(p).a == Access::update ? "nothing to do, A stays as it is" : "nothing to do, y stays as it is";
    if (options.json) {
      fmt::print("{}\n", json_text({{"plan", nullptr}, {"reason", reason}}, 2));
    } else {
      fmt::print("{}: {}\n", describe(p), reason);
    }
    return Exit::ok;
  }
  const Explanation explanation = explain(backend.plan(p, options.threads), backend.traits());
  const double seconds = options.time ? seconds_to_choose(backend, p, options.threads) : 0;
  if (options.json) {
    nlohmann::ordered_json root = as_json(explanation, backend.traits());
    if (options.time) root["seconds_to_choose"] = seconds;
    fmt::print("{}\n", json_text(root, 2));
  } else {
    fmt::print("{}", print(explanation));
    if (options.time) fmt::print("choosing  {:.0f} ns\n", seconds * 1e9);
  }
  return Exit::ok;
}

}  // namespace onepass::tools
