// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What ONEPASS_INTERPOSE=log says at the end of a program: calls, reasons, time of the host and, by estimate, of the
// device.
#pragma once

#include "interop/cublas/estimate.hpp"
#include "interop/taken_calls.hpp"

namespace onepass::cublas {

// Counts a call that is passed on, and why. Names and reasons are kept as pointers: they must be literals.
void pass_on(const char* name, const char* reason);

// Counts a call that Onepass took, where there is a log: the time of the host, in it and in onepassGemv or onepassSymv;
// what the device is estimated to take.
void taken(const char* name, const HostTime& time, const Estimate& on_device);

}  // namespace onepass::cublas
