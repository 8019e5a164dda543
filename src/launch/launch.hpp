// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From a plan to the launch of the kernel that it names. Looks the kernel up in the registry, and chooses nothing.
#pragma once

#include "launch/launcher.hpp"
#include "plan/registry.hpp"
#include "problem/status.hpp"

namespace onepass {

// What a family's launch header defines, for each of its kernels:
//   template <class E, KernelId id> using Kernel   the kernel's type
//   template <KernelId id> using Args              what it is told
//   template <class E, KernelId id, class Launcher>
//   static Status run(const Launcher&, const Plan&, const Operands&, Workspace)
template <Family family>
struct LaunchOf;

template <class E, Family family, KernelId id>
using KernelOf = typename LaunchOf<family>::template Kernel<E, id>;
template <Family family, KernelId id>
using ArgsOf = typename LaunchOf<family>::template Args<id>;

// The launch of a plan, for elements E.
template <class E, Family family, class Launcher>
Status launch_plan(const Launcher& launcher, const Plan& plan, const Operands& operands, Workspace workspace) {
  Status status{ONEPASS_STATUS_INVALID_PLAN, std::string("no kernel is called ") + name(plan.kernel.variant)};
  for_each_kernel<family>([&]<KernelId id>() {
    if (plan.kernel == id) status = LaunchOf<family>::template run<E, id>(launcher, plan, operands, workspace);
  });
  return status;
}

}  // namespace onepass
