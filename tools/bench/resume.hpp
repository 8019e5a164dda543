// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A run that goes on where a record stops: whether it may, and what is left to do.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/record.hpp"

namespace onepass::tools {

// Empty, or what keeps times of `now` out of the record `before`: they would not be comparable.
std::string why_not_same_build(const Record& before, const Record& now);
// Likewise its points, which are those of another selection or have other providers.
std::string why_not_resumable(const Record& before, const Record& now);

// The wanted points that have no result yet, in their order. What failed is tried again.
std::vector<Point> remaining(std::span<const Point> wanted, std::span<const PointResult> done);

}  // namespace onepass::tools
