// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The steps of the ladder as providers, to be timed beside Onepass and its peers.
#pragma once

#include <memory>
#include <vector>

#include "backends/backend.hpp"
#include "measure/host/provider.hpp"

namespace onepass::tools::ladder {

// Those of a backend: kernels on a stream of cuda, loops on cpu, none elsewhere.
std::vector<std::unique_ptr<HostProvider>> providers(BackendId backend, Stream stream);

}  // namespace onepass::tools::ladder
