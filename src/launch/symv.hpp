// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From a SYMV plan to its launch: type, variant and form -> kernel. A batch too large for the grid, or with more
// letters than the workspace has room for, is several launches, one after the other in the stream.
#pragma once

#include <algorithm>
#include <type_traits>

#include "kernels/symv.hpp"
#include "kernels/symv_small.hpp"
#include "launch/symv_args.hpp"
#include "plan/symv.hpp"
#include "problem/status.hpp"

namespace onepass {

template <class T, class Launcher>
Status launch_symv_of(const Launcher& launcher, const Plan& plan, const Operands& operands, Workspace workspace) {
  using kernels::Loads, kernels::Form, kernels::Symv;
  if (plan.variant == Variant::symv_small)
    return launcher.template run<kernels::SymvSmall<T>>({.x = plan.tiles}, plan.threads, plan.shared_bytes,
                                                        symv_small_args(plan, operands));
  if (plan.variant != Variant::symv)
    return {ONEPASS_STATUS_INVALID_PLAN, std::string("no kernel of symv is called ") + name(plan.variant)};
  const std::int64_t products = std::max<std::int64_t>(symv_products(plan), 1);
  for (std::int64_t first = 0; first < plan.problem.batch; first += products) {
    const std::int64_t count = std::min(products, plan.problem.batch - first);
    const kernels::SymvArgs args = symv_args(plan, operands, workspace, first, count);
    const Grid grid = symv_grid(plan, count);
    const auto run = [&]<class Kernel>(std::type_identity<Kernel>) {
      return launcher.template run<Kernel>(grid, plan.threads, plan.shared_bytes, args);
    };
    Status status = !is_plain(plan.problem) ? run(std::type_identity<Symv<T, Form::general, Loads::many>>{})
                    : plan.shallow          ? run(std::type_identity<Symv<T, Form::plain, Loads::few>>{})
                                            : run(std::type_identity<Symv<T, Form::plain, Loads::many>>{});
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace onepass
