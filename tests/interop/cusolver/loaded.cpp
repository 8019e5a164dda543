// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A program that opens its cuSOLVER for itself alone, as Python does, and calls it through libonepass_cusolver.so,
// which is preloaded and finds no GPU: the call is passed on to that cuSOLVER. Its argument is the library to open.
#include <cusolverDn.h>
#include <dlfcn.h>

#include <cstdio>

#include "interop/cusolver/fake_cusolver.hpp"

namespace {

int wrong(const char* what) {
  std::printf("wrong: %s\n", what);
  return 1;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2 || dlopen(words[1], RTLD_NOW | RTLD_LOCAL) == nullptr) return wrong("the library to open");
  auto* const solve = reinterpret_cast<decltype(&cusolverDnDsyevd)>(dlsym(RTLD_DEFAULT, "cusolverDnDsyevd"));
  if (solve == nullptr) return wrong("libonepass_cusolver.so is not preloaded");
  double a = 1, w = 0, work = 0;
  int info = 0;
  if (solve(reinterpret_cast<cusolverDnHandle_t>(0x10), CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, 1, &a, 1, &w,
            &work, 1, &info) != passed_on)
    return wrong("the call was not passed on to the library that is open");
  // What Onepass works with stays its own.
  for (const char* symbol : {"dsytrd_", "onepassLapackRun", "dgemm_", "cblas_dgemm"})
    if (dlsym(RTLD_DEFAULT, symbol) != nullptr) return wrong(symbol);
  std::printf("all right\n");
  return 0;
}
