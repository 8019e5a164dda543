// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table from plan values to kernel instances: type, form and variant -> kernel.
#pragma once

#include <type_traits>

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

template <class T, kernels::Form F, kernels::Depth D, class Launcher>
Status launch_gemv_form(const Launcher& launcher, const Plan& plan, const kernels::GemvArgs& args) {
  const auto run = [&]<class Kernel>(std::type_identity<Kernel>) {
    return launcher.template run<Kernel>(gemv_grid(plan), plan.threads, plan.shared_bytes, args);
  };
  switch (plan.variant) {
    case Variant::gemv_n: return run(std::type_identity<kernels::GemvN<T, F, D>>{});
    case Variant::gemv_t: return run(std::type_identity<kernels::GemvT<T, F, D>>{});
    default: break;
  }
  return {ONEPASS_STATUS_INVALID_PLAN, std::string("no kernel is called ") + name(plan.variant)};
}

template <class T, class Launcher>
Status launch_gemv_of(const Launcher& launcher, const Plan& plan, const kernels::GemvArgs& args) {
  using kernels::Depth, kernels::Form;
  if (plan.variant == Variant::gemv_flat)
    return launcher.template run<kernels::GemvFlat<T>>(gemv_grid(plan), plan.threads, plan.shared_bytes,
                                                       gemv_flat_args(plan, args));
  if (form(plan.problem) == Form::general) {
    return plan.shallow ? launch_gemv_form<T, Form::general, Depth::shallow>(launcher, plan, args)
                        : launch_gemv_form<T, Form::general, Depth::deep>(launcher, plan, args);
  }
  if (takes_one_round(plan)) {
    const auto run = [&]<class Kernel>(std::type_identity<Kernel>) {
      return launcher.template run<Kernel>(gemv_grid(plan), plan.threads, plan.shared_bytes, args);
    };
    return plan.shallow ? run(std::type_identity<kernels::GemvTOnce<T, Depth::shallow>>{})
                        : run(std::type_identity<kernels::GemvTOnce<T, Depth::deep>>{});
  }
  return plan.shallow ? launch_gemv_form<T, Form::plain, Depth::shallow>(launcher, plan, args)
                      : launch_gemv_form<T, Form::plain, Depth::deep>(launcher, plan, args);
}

}  // namespace onepass
