// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Whole files: read, and replaced in one step, so that whoever looks finds the old text or the new one.
#pragma once

#include <optional>
#include <string>

namespace onepass::tools {

// Nothing where there is no such file.
std::optional<std::string> read_file(const std::string& path);

// Throws a Failure where write_file would.
void require_writable(const std::string& path);

void write_file(const std::string& path, const std::string& text);

}  // namespace onepass::tools
