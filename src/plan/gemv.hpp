// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The GEMV kernels that a plan may choose, fastest first. Pure: needs no device and touches no memory.
#pragma once

#include <span>

#include "plan/variant_row.hpp"
#include "tuning/lookup.hpp"

namespace onepass {

std::span<const VariantRow> gemv_rows();

// The cell of a table whose launch a problem takes; threads = 0 where the model chooses.
TunedCell cell_of_gemv(const Problem& p, const DeviceTraits& traits);

}  // namespace onepass
