// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The part of libonepass_lapack.so that serves the calls of cuSOLVER.
#pragma once

#include "onepass/lapack.h"

namespace onepass::cusolver {

struct Lapack {
  decltype(&onepassLapackCreateOn) create_on = nullptr;
  decltype(&onepassLapackSetStream) set_stream = nullptr;
  decltype(&onepassLapackWorkspace) workspace = nullptr;
  decltype(&onepassLapackRun) run = nullptr;
};

// Opened when it is first asked for; null if it cannot be.
const Lapack* lapack();

}  // namespace onepass::cusolver
