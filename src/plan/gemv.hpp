// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The GEMV kernels that a plan may choose. Pure: needs no device and touches no memory.
#pragma once

#include <span>

#include "plan/variant_row.hpp"

namespace onepass {

std::span<const VariantRow> gemv_rows();

// By the table of a user, by the model, or by the rules for the canonical order.
Plan plan_gemv(const Problem& p, const DeviceTraits& traits);

}  // namespace onepass
