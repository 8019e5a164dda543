// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table from plan values to kernel instances: type and variant -> kernel.
#pragma once

#include "kernels/gemv_n.hpp"
#include "kernels/gemv_t.hpp"
#include "launch/gemv_args.hpp"
#include "launch/launcher.hpp"

namespace onepass {

template <class T, class Launcher>
Status launch_gemv_of(const Launcher& launcher, const Plan& plan, const kernels::GemvArgs& args) {
  switch (plan.variant) {
    case Variant::gemv_n:
      return launcher.template run<kernels::GemvN<T>>(gemv_grid(plan), plan.threads, plan.shared_bytes, args);
    case Variant::gemv_t:
      return launcher.template run<kernels::GemvT<T>>(gemv_grid(plan), plan.threads, plan.shared_bytes, args);
    default:
      break;
  }
  return {ONEPASS_STATUS_INVALID_PLAN, std::string("no kernel is called ") + name(plan.variant)};
}

}  // namespace onepass
