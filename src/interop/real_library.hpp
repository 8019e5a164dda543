// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The library of CUDA behind a drop-in one: how it is found, and how a call is passed on to it.
#pragma once

#include <dlfcn.h>

#include <initializer_list>
#include <string>

namespace onepass {

// One of these versions of a library: that which is loaded already, or else can be; null if there is none. One that
// Python loaded is not in the scope that RTLD_NEXT looks through, but it is loaded.
inline void* real_library(const std::string& name, std::initializer_list<const char*> versions) {
  for (const int flags : {RTLD_LAZY | RTLD_NOLOAD, RTLD_LAZY})
    for (const char* version : versions)
      if (void* found = dlopen((name + ".so." + version).c_str(), flags); found != nullptr) return found;
  return nullptr;
}

// A function that was found there, with the arguments of this one; `missing` if there is none. The second argument has
// its type.
template <class Status, class... Parameters, class... Arguments>
Status call_real(void* real, Status (*)(Parameters...), Status missing, Arguments... arguments) {
  return real == nullptr ? missing : reinterpret_cast<Status (*)(Parameters...)>(real)(arguments...);
}

}  // namespace onepass
