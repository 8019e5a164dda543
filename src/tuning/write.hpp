// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The members of a table -> the text of its file.
#pragma once

#include <string>

#include "tuning/format.hpp"

namespace onepass {

// What read_table reads back. Axes and lines of meshes are lines of the text, so that a difference of two tables shows
// which cells changed.
std::string write_table(const TableText& table);

}  // namespace onepass
