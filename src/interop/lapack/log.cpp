// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/lapack/log.hpp"

#include "interop/call_log.hpp"
#include "lapack/check.hpp"

namespace onepass::lapack {
namespace {

// NOLINTNEXTLINE: one per process, said at its end
CallLog<static_cast<std::size_t>(LapackRoutine::ormqr) + 1> log("LAPACK", [](std::size_t routine, Type type) {
  return lapack_name({.routine = static_cast<LapackRoutine>(routine), .type = type});
});

}  // namespace

void count_call(const LapackProblem& p) { log.count(static_cast<std::size_t>(p.routine), p.type); }

}  // namespace onepass::lapack
