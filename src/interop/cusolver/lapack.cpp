// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The library is opened, and not linked: it has symbols of LAPACK and needs a BLAS. Linked to a preloaded library, both
// would come before the program's own.
#include "interop/cusolver/lapack.hpp"

#include <dlfcn.h>

#include <string>
#include <type_traits>

namespace onepass::cusolver {
namespace {

Lapack load() {
  void* library = nullptr;
  // A wheel has it without a version.
  const std::string name = "libonepass_lapack.so", versioned = name + "." + std::to_string(ONEPASS_VERSION_MAJOR);
  for (const std::string& file : {versioned, name})
    if (library == nullptr) library = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return {};
  Lapack found;
  bool complete = true;
  const auto take = [&](auto& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
    complete = complete && function != nullptr;
  };
  take(found.create_on, "onepassLapackCreateOn");
  take(found.set_stream, "onepassLapackSetStream");
  take(found.workspace, "onepassLapackWorkspace");
  take(found.run, "onepassLapackRun");
  return complete ? found : Lapack{};
}

}  // namespace

const Lapack* lapack() {
  static const Lapack loaded = load();
  return loaded.run == nullptr ? nullptr : &loaded;
}

}  // namespace onepass::cusolver
