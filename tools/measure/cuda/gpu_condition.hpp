// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The condition of a GPU: clocks that were lowered, and why, as the driver's management library tells.
#pragma once

#include <memory>

#include "measure/condition.hpp"

namespace onepass::tools {

// Of the current device. Without libnvidia-ml it notices nothing.
std::unique_ptr<Condition> make_gpu_condition();

}  // namespace onepass::tools
