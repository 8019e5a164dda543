// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table from plan values to kernel instances: type, form and variant -> kernel.
#pragma once

#include "kernels/gemv_flat.hpp"
#include "kernels/gemv_n.hpp"
#include "kernels/gemv_t.hpp"
#include "kernels/gemv_t_once.hpp"
#include "launch/gemv_args.hpp"
#include "launch/launcher.hpp"
#include "plan/gemv_shape.hpp"
#include "problem/status.hpp"

namespace onepass {

// Whether a problem needs nothing of what the general form of a kernel looks at.
inline kernels::Form form(const Problem& p) { return is_plain(p) ? kernels::Form::plain : kernels::Form::general; }

template <class Kernel, class Launcher, class Args>
Status launch_gemv_kernel(const Launcher& launcher, const Plan& plan, const Args& args) {
  return launcher.template run<Kernel>(gemv_grid(plan), plan.threads, plan.shared_bytes, args);
}

template <class T, kernels::Form F, kernels::Loads L, class Launcher>
Status launch_gemv_form(const Launcher& launcher, const Plan& plan, const kernels::GemvArgs& args) {
  if constexpr (F == kernels::Form::plain) {
    if (takes_one_round(plan)) return launch_gemv_kernel<kernels::GemvTOnce<T, L>>(launcher, plan, args);
  }
  switch (plan.variant) {
    case Variant::gemv_n: return launch_gemv_kernel<kernels::GemvN<T, F, L>>(launcher, plan, args);
    case Variant::gemv_t: return launch_gemv_kernel<kernels::GemvT<T, F, L>>(launcher, plan, args);
    default: break;
  }
  return {ONEPASS_STATUS_INVALID_PLAN, std::string("no kernel is called ") + name(plan.variant)};
}

template <class T, class Launcher>
Status launch_gemv_of(const Launcher& launcher, const Plan& plan, const kernels::GemvArgs& args) {
  using kernels::Loads, kernels::Form;
  if (plan.variant == Variant::gemv_flat)
    return launch_gemv_kernel<kernels::GemvFlat<T>>(launcher, plan, gemv_flat_args(plan, args));
  if (form(plan.problem) == Form::general) {
    return plan.shallow ? launch_gemv_form<T, Form::general, Loads::few>(launcher, plan, args)
                        : launch_gemv_form<T, Form::general, Loads::many>(launcher, plan, args);
  }
  return plan.shallow ? launch_gemv_form<T, Form::plain, Loads::few>(launcher, plan, args)
                      : launch_gemv_form<T, Form::plain, Loads::many>(launcher, plan, args);
}

}  // namespace onepass
