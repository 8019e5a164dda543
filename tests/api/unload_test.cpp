// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// test_unload LIBRARY: a program that loads a library, has it work with two threads, unloads it and goes on, again and
// again. It is linked to nothing that the library needs. Exit code 0: all was right.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int n = 300;

template <class Function>
Function* symbol(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

using Create = int(void**, const char*);
using SetThreads = int(void*, int);
using Destroy = int(void*);
using Gemv = int(void*, int, long, long, const double*, const double*, long, const double*, long, const double*,
                 double*, long);
using BlasGemv = void(const char*, const int*, const int*, const double*, const double*, const int*, const double*,
                      const int*, const double*, double*, const int*);
using Sytrd = int(void*, int, long, double*, long, double*, double*, double*, void*, std::size_t);

struct Operands {
  std::vector<double> a = std::vector<double>(n * n, 1), x = std::vector<double>(n, 1), y = std::vector<double>(n),
                      e = y, tau = y;
};

bool works(void* library) {
  Operands o;
  const double one = 1, zero = 0;
  void* handle = nullptr;
  if (auto* const create = symbol<Create>(library, "onepassCreateOn"); create != nullptr) {
    create(&handle, "cpu");
    symbol<SetThreads>(library, "onepassSetThreads")(handle, 2);
    symbol<Gemv>(library, "onepassDgemv")(handle, 0, n, n, &one, o.a.data(), n, o.x.data(), 1, &zero, o.y.data(), 1);
    symbol<Destroy>(library, "onepassDestroy")(handle);
    return o.y == std::vector<double>(n, n);
  }
  if (auto* const create = symbol<Create>(library, "onepassLapackCreateOn"); create != nullptr) {
    create(&handle, "cpu");
    symbol<SetThreads>(library, "onepassLapackSetThreads")(handle, 2);
    const int status = symbol<Sytrd>(library, "onepassDsytrd")(handle, 0, n, o.a.data(), n, o.y.data(), o.e.data(),
                                                               o.tau.data(), nullptr, 0);
    symbol<Destroy>(library, "onepassLapackDestroy")(handle);
    return status == 0;
  }
  constexpr int order = n, next = 1;
  symbol<BlasGemv>(library, "dgemv_")("T", &order, &order, &one, o.a.data(), &order, o.x.data(), &next, &zero,
                                      o.y.data(), &next);
  return o.y == std::vector<double>(n, n);
}

}  // namespace

int main(int, char** arguments) {
  setenv("OMP_NUM_THREADS", "2", 1);
  setenv("OMP_WAIT_POLICY", "active", 1);  // a thread that runs meets what is unloaded at once
  for (int time = 0; time < 3; ++time) {
    void* const library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return std::fprintf(stderr, "%s\n", dlerror()), 2;
    if (!works(library)) return 1;
    dlclose(library);
    usleep(10'000);
  }
  return 0;
}
