// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table from plan values to kernel instances: type, form and variant -> kernel.
#pragma once

#include <type_traits>

#include "kernels/gemv_n.hpp"
#include "kernels/gemv_t.hpp"
#include "launch/gemv_args.hpp"
#include "launch/launcher.hpp"
#include "problem/status.hpp"

namespace onepass {

// Whether a problem needs nothing of what the general form of a kernel looks at.
inline kernels::Form form(const Gemv& p) {
  return p.batch == 1 && !p.pointer_array && p.scalars == Scalars::host ? kernels::Form::plain : kernels::Form::general;
}

template <class T, kernels::Form F, class Launcher>
Status launch_gemv_form(const Launcher& launcher, const Plan& plan, const kernels::GemvArgs& args) {
  const auto run = [&]<class Kernel>(std::type_identity<Kernel>) {
    return launcher.template run<Kernel>(gemv_grid(plan), plan.threads, plan.shared_bytes, args);
  };
  switch (plan.variant) {
    case Variant::gemv_n: return run(std::type_identity<kernels::GemvN<T, F>>{});
    case Variant::gemv_t: return run(std::type_identity<kernels::GemvT<T, F>>{});
    default: break;
  }
  return {ONEPASS_STATUS_INVALID_PLAN, std::string("no kernel is called ") + name(plan.variant)};
}

template <class T, class Launcher>
Status launch_gemv_of(const Launcher& launcher, const Plan& plan, const kernels::GemvArgs& args) {
  return form(plan.problem) == kernels::Form::plain ? launch_gemv_form<T, kernels::Form::plain>(launcher, plan, args)
                                                    : launch_gemv_form<T, kernels::Form::general>(launcher, plan, args);
}

}  // namespace onepass
