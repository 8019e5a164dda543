// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/explain_reduction.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reductions/handle.hpp"
#include "reductions/rows.hpp"
#include "support/arguments.hpp"
#include "support/json_text.hpp"

namespace onepass::tools {
namespace {

void refuse_other_options(const ExplainOptions& o, bool batched) {
  const std::pair<bool, const char*> others[] = {
      {o.op != "N", "--op"},   {o.layout != "column", "--layout"},    {o.incx != 1, "--incx"},
      {o.incy != 1, "--incy"}, {!batched && o.batch != 1, "--batch"}, {o.time, "--time"}};
  for (const auto& [is_set, name] : others)
    if (is_set)
      throw Failure(Exit::usage, fmt::format("{} is not for {}, which has --type, --uplo, --lda, {}--backend, "
                                             "--threads and --json",
                                             name, o.routine, batched ? "--batch, " : ""));
}

}  // namespace

Exit run_explain_reduction(const ExplainOptions& o) {
  const ReductionRow& row = *find_reduction(o.routine);
  refuse_other_options(o, row.batched);
  const std::vector<Type> types = reduction_types(o.type);
  const std::vector<Uplo> uplos = parse_uplos(o.uplo);
  if (types.size() != 1 || uplos.size() != 1) throw Failure(Exit::usage, "explain takes one --type and one --uplo");
  const Shape shape = parse_shape(o.shape);
  if (shape.m != shape.n && !row.rectangular)
    throw Failure(Exit::usage, fmt::format("m = {}: must be n = {} for {}", shape.m, shape.n, row.name));
  LapackProblem problem = reduction_problem(row, types[0], shape.m, shape.n);
  problem.uplo = uplos[0];
  if (o.lda != 0) problem.lda = o.lda;
  if (row.batched) problem.batch_count = o.batch;
  require_addressable(row, problem);
  if (row.batched) problem.stride_a = problem.lda * problem.n;
  const ReductionHandle handle(o.backend, o.threads);
  const std::string text = handle.explain(problem);
  if (o.json)
    fmt::print("{}\n", json_text({{"routine", row.name}, {"backend", handle.backend()}, {"text", text}}, 2));
  else
    fmt::print("{}", text);
  return Exit::ok;
}

}  // namespace onepass::tools
