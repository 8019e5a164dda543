// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// `onepass info`: what this build and this machine have.
#pragma once

#include "support/failure.hpp"

namespace onepass::tools {

struct InfoOptions {
  bool json = false;
};

Exit run_info(const InfoOptions& options);

}  // namespace onepass::tools
