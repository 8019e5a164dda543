// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the xerbla_ of the tests of symbols was told last.
#pragma once

#include <string>

extern std::string last_name;
extern int last_position;
