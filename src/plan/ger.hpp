// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of rank-1 updates that a plan may choose, fastest first. Pure: needs no device and touches no memory.
#pragma once

#include <cstdint>
#include <span>

#include "plan/variant_row.hpp"

namespace onepass {

std::span<const VariantRow> ger_rows();

// Complete plans.
Plan shape_ger_flat(const Problem& p);
Plan shape_ger(const Problem& p, Variant variant, int lanes, std::int64_t columns);  // ger or ger_aligned

}  // namespace onepass
