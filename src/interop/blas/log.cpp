// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/blas/log.hpp"

#include "interop/call_log.hpp"
#include "problem/names.hpp"

namespace onepass::blas {
namespace {

// gemv, symv and hemv. NOLINTNEXTLINE: one per process, said at its end
CallLog<static_cast<std::size_t>(Routine::hemv) + 1> log("BLAS", [](std::size_t routine, Type type) {
  return std::string(name(type)) + name(static_cast<Routine>(routine));
});

}  // namespace

void count_call(const Problem& p) { log.count(static_cast<std::size_t>(p.routine), p.type_a); }

}  // namespace onepass::blas
