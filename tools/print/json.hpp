// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A record as JSON, the form in which results are kept, and back: an object per point, or tables of many points.
#pragma once

#include <string>
#include <string_view>

#include "bench/record.hpp"

namespace onepass::tools {

std::string to_json(const Record& record);

// Throws a Failure that names the file where the text is no record.
Record from_json(std::string_view text, const std::string& file);

// Throws a Failure that says how to write such a file where there is none.
Record read_record(const std::string& path);

}  // namespace onepass::tools
