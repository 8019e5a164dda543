// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table from plan values to kernel instances: type and variant -> kernel.
#pragma once

#include <type_traits>

#include "kernels/gemv_flat.hpp"
#include "kernels/gemv_n.hpp"
#include "kernels/gemv_t.hpp"
#include "launch/gemv_args.hpp"
#include "launch/launcher.hpp"

namespace onepass {

template <class T, class Launcher>
Status launch_gemv_of(const Launcher& launcher, const Plan& plan, const kernels::GemvArgs& args) {
  const auto run = [&]<class Kernel>(std::type_identity<Kernel>) {
    return launcher.template run<Kernel>(gemv_grid(plan), plan.threads, plan.shared_bytes, args);
  };
  switch (plan.variant) {
    case Variant::gemv_n: return run(std::type_identity<kernels::GemvN<T>>{});
    case Variant::gemv_t: return run(std::type_identity<kernels::GemvT<T>>{});
    case Variant::gemv_flat_n: return run(std::type_identity<kernels::GemvFlat<T, false>>{});
    case Variant::gemv_flat_t: return run(std::type_identity<kernels::GemvFlat<T, true>>{});
    default: break;
  }
  return {ONEPASS_STATUS_INVALID_PLAN, std::string("no kernel is called ") + name(plan.variant)};
}

}  // namespace onepass
