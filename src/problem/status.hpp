// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A failure as a value: the status of the C interface and the text that names the argument.
#pragma once

#include <string>

#include "onepass/onepass.h"

namespace onepass {

struct Status {
  onepassStatus_t code = ONEPASS_STATUS_SUCCESS;
  std::string text;

  bool ok() const { return code == ONEPASS_STATUS_SUCCESS; }
};

}  // namespace onepass
