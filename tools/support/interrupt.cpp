// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/interrupt.hpp"

#include <csignal>

namespace onepass::tools {
namespace {

volatile std::sig_atomic_t caught = 0;

void remember(int) { caught = 1; }

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = remember;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return caught != 0; }

}  // namespace onepass::tools
