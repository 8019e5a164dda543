// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What ONEPASS_INTERPOSE=log says at the end of a program of cuSOLVER. Names and reasons must be literals.
#pragma once

#include "interop/taken_calls.hpp"

namespace onepass::cusolver {

void pass_on(const char* name, const char* reason);
void taken(const char* name, const HostTime& time);

}  // namespace onepass::cusolver
