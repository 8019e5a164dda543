// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The pointers of a call: which may be null, and what they must be multiples of.
#include <algorithm>
#include <string>

#include "lapack/check.hpp"

namespace onepass {
namespace {

using enum LapackRoutine;
using lapack::Argument;

// Whether a call with this problem reads or writes something behind the argument.
bool needs(const LapackProblem& p, Argument argument) {
  if (is_batched(p) && p.batch_count == 0) return false;
  if (argument == Argument::info) return true;
  if (argument == Argument::found) return p.wanted == Wanted::by_value;
  if (is_empty(p)) return false;
  switch (argument) {
    case Argument::e: return p.routine == sytrd ? p.n > 1 : std::min(p.m, p.n) > 1;
    case Argument::u:
    case Argument::vt: return p.job != Job::values;
    case Argument::tau:
      if (p.routine == gebrd || p.routine == geqrf) return true;
      if (p.routine == orgbr || p.routine == ormbr || p.routine == orgqr || p.routine == ormqr) return p.k > 0;
      if (p.routine == gehrd || p.routine == orghr || p.routine == ormhr) return p.ihi > p.ilo;
      return order(p) > 1;
    default: return true;
  }
}

struct Pointer {
  const char* name = nullptr;  // null: the argument is no pointer
  const void* data = nullptr;
  std::int64_t multiple = 1;  // bytes
};

Pointer pointer_of(const LapackProblem& p, const LapackOperands& o, Argument argument, Alignment alignment) {
  const std::int64_t element = multiple_of(p.type, alignment), real = size_of_real(p.type), integer = alignof(int);
  const std::int64_t matrix = p.batch == Batch::pointers ? static_cast<std::int64_t>(alignof(void*)) : element;
  switch (argument) {
    case Argument::a: return {"a", o.a, matrix};
    case Argument::d: return {"d", o.d, real};
    case Argument::e: return {"e", o.e, real};
    case Argument::tau: return {p.routine == gebrd ? "tauq" : "tau", o.tau, element};
    case Argument::taup: return {"taup", o.taup, element};
    case Argument::c: return {"c", o.c, element};
    case Argument::w: return {p.routine == gesvd ? "s" : "w", o.w, real};
    case Argument::u: return {"u", o.u, matrix};
    case Argument::vt: return {"vt", o.vt, matrix};
    case Argument::info: return {"info", o.info, integer};
    case Argument::found: return {"found", o.found, integer};
    default: return {};
  }
}

}  // namespace

BadArgument check(const LapackProblem& p, const LapackOperands& operands, Alignment alignment) {
  int position = 0;
  for (const Argument argument : arguments(p)) {
    ++position;
    const Pointer pointer = pointer_of(p, operands, argument, alignment);
    if (pointer.name == nullptr || !needs(p, argument)) continue;
    if (pointer.data == nullptr)
      return {.position = position,
              .status = {ONEPASS_STATUS_INVALID_POINTER, std::string(pointer.name) + " is null, and must not be"}};
    if (!is_multiple(pointer.data, pointer.multiple))
      return {.position = position, .status = misaligned(pointer.name, pointer.data, pointer.multiple)};
  }
  return {};
}

Status check_workspace(const void* workspace, std::size_t bytes, std::size_t needed, std::int64_t multiple) {
  if (bytes < needed)
    return {ONEPASS_STATUS_WORKSPACE_TOO_SMALL,
            "the workspace has " + std::to_string(bytes) + " bytes, and " + std::to_string(needed) + " are needed"};
  if (needed > 0 && !is_multiple(workspace, multiple)) return misaligned("workspace", workspace, multiple);
  return {};
}

}  // namespace onepass
