// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How many clusters a device has room for: its groups of SMs differ, also between devices of one name.
#pragma once

#include "problem/status.hpp"

namespace onepass::lapack {

// Clusters of so many blocks, each with an SM of its own, on the current device at once; 0 if it has none.
Status count_clusters(int blocks, int* count);

}  // namespace onepass::lapack
