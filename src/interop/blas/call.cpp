// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/blas/call.hpp"

#include "backends/cpu/run.hpp"
#include "backends/registry.hpp"
#include "interop/blas/log.hpp"
#include "interop/thread_memory.hpp"

namespace onepass::blas {
namespace {

ThreadMemory& workspaces() {
  static ThreadMemory own;
  return own;
}

}  // namespace

// A call of BLAS has no way to fail. Without memory for several threads one works, which needs less and mostly none;
// without memory for that, plain loops do.
void run(const Problem& p, const Operands& operands) noexcept {
  count_call(p);
  if (nothing_to_do(p, operands) || cpu::run_at_once(p, operands)) return;
  constexpr int as_many_as_granted = 0;
  for (const int threads : {as_many_as_granted, 1}) {
    const Plan plan = cpu_backend().plan(p, threads);
    // The cpu backend reads nothing of its workspace that it did not write.
    void* const room = plan.workspace_bytes == 0 ? nullptr : workspaces().at_least(plan.workspace_bytes);
    if (room == nullptr && plan.workspace_bytes > 0) continue;
    cpu_backend().launch(plan, operands, {.data = room, .bytes = plan.workspace_bytes}, nullptr);
    return;
  }
  reference_backend().launch(reference_backend().plan(p, 1), operands, {}, nullptr);
}

}  // namespace onepass::blas
