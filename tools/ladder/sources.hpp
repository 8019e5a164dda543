// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The sources of the steps as texts, put into the program by the build.
#pragma once

#include <string_view>

namespace onepass::tools::ladder {

extern const std::string_view naive_source, warp_source, block_source, vector_source;
extern const std::string_view by_columns_source, by_rows_source, many_sums_source, four_rows_source;

}  // namespace onepass::tools::ladder
