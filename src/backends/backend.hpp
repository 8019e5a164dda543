// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What every backend offers beside its memory: traits, plans, launches, and operands of tools and tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "backends/device_memory.hpp"
#include "launch/launcher.hpp"
#include "onepass/onepass.h"
#include "plan/device_traits.hpp"
#include "plan/plan.hpp"
#include "problem/check.hpp"
#include "problem/problem.hpp"
#include "problem/row_step.hpp"
#include "problem/status.hpp"

namespace onepass {

class Backend : public DeviceMemory {
 public:
  virtual BackendId id() const = 0;
  // Empty if the backend works on this machine; else the reason why not.
  virtual std::string why_unavailable() const = 0;
  virtual const DeviceTraits& traits() const = 0;
  virtual Alignment alignment() const = 0;

  // The threads of the host that a plan made now takes by default; 0 where it takes none. Asked in every call.
  virtual int default_threads() const { return 0; }
  // The plan for a checked, non-empty problem. `threads`: of the host; 0 for the default.
  virtual Plan plan(const Problem& problem, int threads) const = 0;
  // Empty, or the reason why a plan for this backend, perhaps made elsewhere, would not compute its problem.
  virtual std::string why_illegal(const Plan& plan) const = 0;
  // Runs a plan of this backend. The workspace is prepared and large enough.
  virtual Status launch(const Plan& plan, const Operands& operands, Workspace workspace, Stream stream) const = 0;

  // A checked operation on rows that are there.
  virtual Status run(const RowStep& step, Stream stream) const = 0;

  // Asks the runs of memory from `first` on into the device's L2; where there is no such thing, nothing is done.
  virtual Status prefetch(const void* /* first */, const PrefetchRuns&, Stream) const { return {}; }

  // Loads what a first launch would load, so that it may happen inside a stream capture.
  virtual Status warm_up() const { return {}; }

  // Memory in which this backend's operands live. The host backends use the host's.
  virtual Status allocate(std::size_t bytes, void** data) const = 0;
  // Done when they return, so that any stream may follow; what a stream still writes they do not wait for.
  virtual Status copy_in(void* to, const void* from_host, std::size_t bytes) const = 0;
  virtual Status copy_out(void* to_host, const void* from, std::size_t bytes) const = 0;
  virtual Status synchronize(Stream stream) const = 0;
};

}  // namespace onepass
