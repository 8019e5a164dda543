// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches of SYMV in the canonical order: squares of 256 rows, and blocks that share those off the diagonal.
#pragma once

#include <string>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"

namespace onepass {

const char* decline_canonical_symv(const Problem& p, const DeviceTraits& traits);
Plan plan_canonical_symv(const Problem& p, const DeviceTraits& traits);
// parts: blocks that share a square, 1, 2 or 4.
Plan shape_canonical_symv(const Problem& p, std::int64_t parts);
std::string why_illegal_canonical_symv(const Plan& plan);

// Of a product; products of a launch; blocks of one, those that gather included.
std::int64_t symv_canonical_mailboxes(const Plan& plan);
std::int64_t symv_canonical_products(const Plan& plan);
std::int64_t symv_canonical_blocks(const Plan& plan);

// Of one small triangle: blocks that own whole outputs.
const char* decline_canonical_rows(const Problem& p, const DeviceTraits& traits);
Plan plan_canonical_rows(const Problem& p, const DeviceTraits& traits);
// threads: 256 or 512.
Plan shape_canonical_rows(const Problem& p, int threads);
std::string why_illegal_canonical_rows(const Plan& plan);

}  // namespace onepass
