// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A call of cuSOLVER: taken by Onepass, or passed on to the library behind.
#pragma once

#include <cusolverDn.h>

#include <cstddef>
#include <limits>
#include <optional>

#include "interop/cusolver/problems.hpp"
#include "interop/real_library.hpp"

namespace onepass::cusolver {

// What the program brings for a call to work in.
struct Work {
  void* data = nullptr;
  std::size_t bytes = 0;
};
template <class T>
Work work_of(T* data, int count) {
  return {.data = data, .bytes = count < 0 ? 0 : static_cast<std::size_t>(count) * sizeof(T)};
}

// A symbol of the cuSOLVER behind this library; null if there is none.
void* next_symbol(const char* name);

// Runs a problem on the stream of a handle of cuSOLVER. Nothing: not a launch was made, and the call is to be passed
// on; cuSOLVER then finds what is wrong with it, in its own words. `info` is on the device; those routines that cannot
// fail write a 0.
std::optional<cusolverStatus_t> take(const char* name, cusolverDnHandle_t handle, const Asked& asked,
                                     onepassLapackOperands_t operands, const Work& work, int* info);

// The bytes that a program must bring so that Onepass can take such a call; 0 if it would not. Not a success if an
// earlier call of Onepass's failed on the device.
cusolverStatus_t bytes_to_bring(const Asked& asked, std::size_t* bytes);

// The answer of a ..._bufferSize: what cuSOLVER said, or more if Onepass needs more, in elements or in bytes.
template <class T>
cusolverStatus_t at_least(cusolverStatus_t real, const Asked& asked, int* elements) {
  std::size_t bytes = 0;
  if (real != CUSOLVER_STATUS_SUCCESS || elements == nullptr) return real;
  if (const cusolverStatus_t bad = bytes_to_bring(asked, &bytes); bad != CUSOLVER_STATUS_SUCCESS) return bad;
  const std::size_t count = (bytes + sizeof(T) - 1) / sizeof(T);
  // More than an int can say: cuSOLVER has the call.
  if (count <= static_cast<std::size_t>(std::numeric_limits<int>::max()) && static_cast<int>(count) > *elements)
    *elements = static_cast<int>(count);
  return real;
}
cusolverStatus_t at_least(cusolverStatus_t real, const Asked& asked, std::size_t* bytes);

// The operands of eigenproblems.
inline onepassLapackOperands_t eigen(void* a, void* w) {
  onepassLapackOperands_t operands = {};
  operands.a = a, operands.w = w;
  return operands;
}

// Of Onepass's operands all are void*; what is const here is only read.
inline onepassLapackOperands_t with_q(const void* a, const void* tau, void* c = nullptr) {
  onepassLapackOperands_t operands = {};
  operands.a = const_cast<void*>(a), operands.tau = const_cast<void*>(tau), operands.c = c;
  return operands;
}

// A real function, found by next_symbol, with the arguments of this one. The second argument has its type.
template <class Function, class... Arguments>
cusolverStatus_t forward(void* real, Function* of_type, Arguments... arguments) {
  return call_real(real, of_type, CUSOLVER_STATUS_NOT_INITIALIZED, arguments...);
}

}  // namespace onepass::cusolver
