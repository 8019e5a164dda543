// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launcher that runs a kernel's instance on the simulator.
#pragma once

#include <typeinfo>

#include "backends/sim/exec.hpp"
#include "backends/sim/simulator.hpp"
#include "launch/launcher.hpp"

namespace onepass::sim {

struct SimLauncher {
  GlobalMemory* memory;

  template <class Kernel, class Args>
  Status run(Grid grid, int threads, std::size_t shared_bytes, const Args& args, Meets meets = {}) const {
    const Launch launch = {
        .body = [](Thread& thread, const void* a) { Kernel::run(exec::Sim{&thread}, *static_cast<const Args*>(a)); },
        .args = &args,
        .kernel = typeid(Kernel).name(),
        .grid = grid,
        .threads = threads,
        .shared_bytes = shared_bytes,
        .cluster = meets.cluster,
    };
    return simulator().run(launch, *memory, options());
  }
};

}  // namespace onepass::sim
