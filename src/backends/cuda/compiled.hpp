// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the compiler made of a kernel, and how much of it a device holds at a time.
#pragma once

namespace onepass::cuda {

struct Compiled {
  int registers = 0;        // of a thread
  int local_bytes = 0;      // of a thread: registers that were spilled
  int shared_bytes = 0;     // of a block
  int resident_blocks = 0;  // of an SM
  double occupancy = 0;     // resident threads over those that an SM can hold
};

}  // namespace onepass::cuda
