// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The steps of the ladder, from naive to fast: their names, what each one teaches, and the code that runs.
#pragma once

#include <string_view>
#include <vector>

namespace onepass::tools::ladder {

enum class Rung { naive, warp, block, vector };                     // kernels of a GPU
enum class HostRung { by_columns, by_rows, many_sums, four_rows };  // loops of a processor

struct Step {
  std::string_view name;
  std::string_view lesson;  // two sentences
  std::string_view code;    // of the source that was compiled
};

// In the order of the enumerations; Onepass itself comes last.
std::vector<Step> gpu_steps();
std::vector<Step> host_steps();

}  // namespace onepass::tools::ladder
