// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From a SYMV plan to its launch: type and form -> kernel. A batch too large for the grid, or with more letters than
// the workspace has room for, is several launches, one after the other in the stream.
#pragma once

#include <algorithm>
#include <type_traits>

#include "kernels/symv.hpp"
#include "launch/symv_args.hpp"
#include "plan/symv.hpp"
#include "problem/status.hpp"

namespace onepass {

template <class T, class Launcher>
Status launch_symv_of(const Launcher& launcher, const Plan& plan, const Operands& operands, Workspace workspace) {
  using kernels::Form, kernels::Stance, kernels::Symv;
  if (plan.variant != Variant::symv && plan.variant != Variant::symv_tall)
    return {ONEPASS_STATUS_INVALID_PLAN, std::string("no kernel of symv is called ") + name(plan.variant)};
  // The largest elements make a wide warp as tall as a tall one.
  constexpr int size = sizeof(T);
  constexpr bool alike = kernels::symv_words(size, Stance::tall) == kernels::symv_words(size, Stance::wide);
  constexpr Stance tall = alike ? Stance::wide : Stance::tall;
  const std::int64_t products = std::max<std::int64_t>(symv_products(plan), 1);
  for (std::int64_t first = 0; first < plan.problem.batch; first += products) {
    const std::int64_t count = std::min(products, plan.problem.batch - first);
    const kernels::SymvArgs args = symv_args(plan, operands, workspace, first, count);
    const Grid grid = symv_grid(plan, count);
    const auto run = [&]<class Kernel>(std::type_identity<Kernel>) {
      return launcher.template run<Kernel>(grid, plan.threads, plan.shared_bytes, args);
    };
    const auto run_form = [&]<Form F>(std::integral_constant<Form, F>) {
      switch (stance_of(plan)) {
        case Stance::tall: return run(std::type_identity<Symv<T, F, tall>>{});
        case Stance::wide: return run(std::type_identity<Symv<T, F, Stance::wide>>{});
        case Stance::few: break;
      }
      return run(std::type_identity<Symv<T, Form::plain, Stance::few>>{});
    };
    Status status = is_plain(plan.problem) ? run_form(std::integral_constant<Form, Form::plain>{})
                                           : run_form(std::integral_constant<Form, Form::general>{});
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace onepass
