// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/gpu/plan.hpp"

namespace onepass::lapack {

Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, GpuPlan* plan) {
  const auto of = [&]<class Plan>(std::in_place_type_t<Plan>) {
    return make_plan(problem, traits, &plan->emplace<Plan>());
  };
  switch (problem.routine) {
    case LapackRoutine::sytrd: return of(std::in_place_type<SytrdPlan>);
    case LapackRoutine::gebrd: return of(std::in_place_type<GebrdPlan>);
    case LapackRoutine::gehrd: return of(std::in_place_type<GehrdPlan>);
    case LapackRoutine::geqrf: return of(std::in_place_type<GeqrfPlan>);
    case LapackRoutine::syevd:
      return is_batched(problem) ? of(std::in_place_type<BatchPlan>) : of(std::in_place_type<SyevdPlan>);
    case LapackRoutine::gesvd:
      return is_batched(problem) ? of(std::in_place_type<BatchSvdPlan>) : of(std::in_place_type<GesvdPlan>);
    default: return of(std::in_place_type<QPlan>);
  }
}

std::size_t workspace_bytes(const GpuPlan& plan) {
  return std::visit([](const auto& p) { return p.workspace_bytes; }, plan);
}
bool uses_products(const GpuPlan& plan) {
  return std::visit([](const auto& p) { return uses_products(p); }, plan);
}
StepGroups groups_of(const GpuPlan& plan) {
  return std::visit([](const auto& p) { return groups_of(p); }, plan);
}
std::string explain(const GpuPlan& plan) {
  return std::visit([](const auto& p) { return explain(p); }, plan);
}
Status run(const GpuPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue) {
  return std::visit([&](const auto& p) { return run(p, operands, workspace, queue); }, plan);
}

}  // namespace onepass::lapack
