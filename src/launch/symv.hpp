// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of SYMV by their names, and their launch. A batch too large for the grid, or with more partial sums than
// the workspace has mailboxes for, is several launches, one after the other in the stream.
#pragma once

#include <algorithm>
#include <type_traits>

#include "kernels/symv.hpp"
#include "kernels/symv_small.hpp"
#include "launch/launch.hpp"
#include "launch/symv_args.hpp"
#include "plan/symv_shape.hpp"

namespace onepass {

template <>
struct LaunchOf<Family::symv> {
  template <class E, KernelId id>
  static constexpr auto kernel() {
    if constexpr (id.variant == Variant::symv) return std::type_identity<kernels::Symv<E, id.form, id.loads>>{};
    if constexpr (id.variant == Variant::symv_small) return std::type_identity<kernels::SymvSmall<E>>{};
  }
  template <class E, KernelId id>
  using Kernel = typename decltype(kernel<E, id>())::type;
  template <KernelId id>
  using Args = std::conditional_t<id.variant == Variant::symv_small, kernels::SymvSmallArgs, kernels::SymvArgs>;

  template <class E, KernelId id, class Launcher>
  static Status run(const Launcher& launcher, const Plan& plan, const Operands& operands, Workspace workspace) {
    const auto launch = [&](Grid grid, const Args<id>& args) {
      return launcher.template run<Kernel<E, id>>(grid, plan.threads, plan.shared_bytes, args);
    };
    if constexpr (id.variant == Variant::symv_small) {
      return launch({.x = params<SymvSmallParams>(plan).blocks}, symv_small_args(plan, operands));
    } else {
      const std::int64_t products = std::max<std::int64_t>(symv_products(plan), 1);
      for (std::int64_t first = 0; first < plan.problem.batch; first += products) {
        const std::int64_t count = std::min(products, plan.problem.batch - first);
        Status status = launch(symv_grid(plan, count), symv_args(plan, operands, workspace, first, count));
        if (!status.ok()) return status;
      }
      return {};
    }
  }
};

}  // namespace onepass
