// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The program `onepass`: reads the command line and hands it to one command.
#pragma once

namespace onepass::tools {

// The exit code.
int run_program(int argc, char** argv);

}  // namespace onepass::tools
