// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C as a question that loops ask, so that a partial result can still be written.
#pragma once

namespace onepass::tools {

// From here on the first SIGINT or SIGTERM is remembered; the second ends the program at once.
void catch_interrupts();

bool interrupted();

}  // namespace onepass::tools
