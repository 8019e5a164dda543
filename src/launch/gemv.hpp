// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of GEMV by their names, and their launch.
#pragma once

#include <type_traits>

#include "kernels/gemv_flat.hpp"
#include "kernels/gemv_n.hpp"
#include "kernels/gemv_t.hpp"
#include "kernels/gemv_t_once.hpp"
#include "launch/gemv_args.hpp"
#include "launch/launch.hpp"

namespace onepass {

template <>
struct LaunchOf<Family::gemv> {
  template <class E, KernelId id>
  static constexpr auto kernel() {
    if constexpr (id.variant == Variant::gemv_n) return std::type_identity<kernels::GemvN<E, id.form, id.loads>>{};
    if constexpr (id.variant == Variant::gemv_t) return std::type_identity<kernels::GemvT<E, id.form, id.loads>>{};
    if constexpr (id.variant == Variant::gemv_t_once) return std::type_identity<kernels::GemvTOnce<E, id.loads>>{};
    if constexpr (id.variant == Variant::gemv_flat) return std::type_identity<kernels::GemvFlat<E>>{};
  }
  template <class E, KernelId id>
  using Kernel = typename decltype(kernel<E, id>())::type;
  template <KernelId id>
  using Args = std::conditional_t<id.variant == Variant::gemv_flat, kernels::GemvFlatArgs, kernels::GemvArgs>;

  template <class E, KernelId id, class Launcher>
  static Status run(const Launcher& launcher, const Plan& plan, const Operands& operands, Workspace workspace) {
    const auto launch = [&](const Args<id>& args) {
      return launcher.template run<Kernel<E, id>>(gemv_grid(plan), plan.threads, plan.shared_bytes, args);
    };
    if constexpr (id.variant == Variant::gemv_flat)
      return launch(gemv_flat_args(plan, operands));
    else
      return launch(gemv_args(plan, operands, workspace));
  }
};

}  // namespace onepass
