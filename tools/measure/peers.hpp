// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The peers that this build can measure itself against, found or not.
#pragma once

#include <string>
#include <vector>

namespace onepass::tools {

struct PeerInfo {
  std::string name;
  bool found = false;
  std::string detail;  // version, or why it was not found
};

std::vector<PeerInfo> find_peers();

}  // namespace onepass::tools
