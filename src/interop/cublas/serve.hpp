// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A call of cuBLAS: taken by Onepass, or passed on to the library behind.
#pragma once

#include <cublas_v2.h>

#include "interop/cublas/log.hpp"
#include "interop/real_library.hpp"
#include "onepass/onepass.h"

namespace onepass::cublas {

struct Pointers {
  const void* alpha = nullptr;
  const void* a = nullptr;
  const void* x = nullptr;
  const void* beta = nullptr;
  void* y = nullptr;
};

// What a handle of cuBLAS holds, and a call of cublasLt is given.
struct Settings {
  cudaStream_t stream = nullptr;
  onepassPointerMode_t scalars = ONEPASS_POINTER_MODE_HOST;
};

// A symbol of the cuBLAS or cublasLt behind this library; null if there is none.
void* next_symbol(const char* name);

// Runs a product on the stream and with the pointer mode of a handle of cuBLAS, or with these settings, in a call that
// began when `all` was made. False: nothing was launched, and the call is to be passed on; cuBLAS then finds what is
// wrong with it, in its own words.
bool take(const char* name, cublasHandle_t handle, onepassGemvProblem_t problem, const Pointers& pointers);
bool take(const char* name, cublasHandle_t handle, onepassSymvProblem_t problem, const Pointers& pointers);
bool take(const char* name, const Stopwatch& all, const Settings& settings, onepassGemvProblem_t problem,
          const Pointers& pointers);

// A real function, found by next_symbol, with the arguments of this one. The second argument has its type.
template <class Function, class... Arguments>
cublasStatus_t forward(void* real, Function* of_type, Arguments... arguments) {
  return call_real(real, of_type, CUBLAS_STATUS_NOT_INITIALIZED, arguments...);
}

}  // namespace onepass::cublas
