// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The workspace of a call on a device: the caller's or, if he brings none, one of the handle's.
#pragma once

#include "device/workspaces.hpp"
#include "lapack/check.hpp"
#include "lapack/gpu/arena.hpp"

namespace onepass::lapack {

inline Status workspace_of_call(Workspaces& own, Stream stream, void* given, std::size_t bytes, std::size_t needed,
                                Workspace* workspace) {
  *workspace = {.timed_out = own.flag()->word()};
  if (given != nullptr) {
    workspace->data = given;
    workspace->bytes = bytes;
    return check_workspace(given, bytes, needed, workspace_alignment);
  }
  if (needed == 0) return {};
  if (Status bad = own.use(stream); !bad.ok()) return bad;
  return own.get(needed, workspace);
}

}  // namespace onepass::lapack
