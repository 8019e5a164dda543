// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// main() of the program: all else is in a library, for the tests.
#include "command/program.hpp"

int main(int argc, char** argv) try { return onepass::tools::run_program(argc, argv); } catch (...) {
  return 1;  // an error that could not even be printed
}
