// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/lapack/log.hpp"

#include "interop/call_log.hpp"
#include "lapack/check.hpp"
#include "problem/names.hpp"

namespace onepass::lapack {
namespace {

constexpr std::size_t routines = static_cast<std::size_t>(LapackRoutine::gesvd) + 1, drivers = 4;

// NOLINTNEXTLINE: one per process, said at its end
CallLog<routines + drivers> log("LAPACK", [](std::size_t number, Type type) {
  return number < routines ? lapack_name({.routine = static_cast<LapackRoutine>(number), .type = type})
                           : driver_name(static_cast<Driver>(number - routines), type);
});

}  // namespace

std::string driver_name(Driver driver, Type type) {
  const std::string symmetric = is_complex_type(type) ? "heev" : "syev";
  switch (driver) {
    case Driver::syevd: return std::string(name(type)) + symmetric + "d";
    case Driver::syev: return std::string(name(type)) + symmetric;
    case Driver::gesdd: return std::string(name(type)) + "gesdd";
    default: return std::string(name(type)) + "gesvd";
  }
}

void count_call(LapackRoutine routine, Type type) { log.count(static_cast<std::size_t>(routine), type); }
void count_call(Driver driver, Type type) { log.count(routines + static_cast<std::size_t>(driver), type); }

}  // namespace onepass::lapack
