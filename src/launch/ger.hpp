// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of rank-1 updates by their names, and their launch.
#pragma once

#include <type_traits>

#include "kernels/ger.hpp"
#include "kernels/ger_aligned.hpp"
#include "kernels/ger_flat.hpp"
#include "launch/ger_args.hpp"
#include "launch/launch.hpp"

namespace onepass {

template <>
struct LaunchOf<Family::ger> {
  template <class E, KernelId id>
  static constexpr auto kernel() {
    if constexpr (id.variant == Variant::ger_aligned) return std::type_identity<kernels::GerAligned<E, id.form>>{};
    if constexpr (id.variant == Variant::ger_flat) return std::type_identity<kernels::GerFlat<E, id.form>>{};
    if constexpr (id.variant == Variant::ger) return std::type_identity<kernels::Ger<E, id.form>>{};
  }
  template <class E, KernelId id>
  using Kernel = typename decltype(kernel<E, id>())::type;
  template <KernelId id>
  using Args = kernels::GerArgs;

  template <class E, KernelId id, class Launcher>
  static Status run(const Launcher& launcher, const Plan& plan, const Operands& operands, Workspace) {
    return launcher.template run<Kernel<E, id>>(ger_grid(plan), plan.threads, plan.shared_bytes,
                                                ger_args(plan, operands));
  }
};

}  // namespace onepass
