// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The GPU as the tuner sees it: any plan, in replays of captured graphs from cold caches, its result checked.
#pragma once

#include <memory>

#include "measure/launch_clock.hpp"

namespace onepass::tools {

std::unique_ptr<LaunchClock> make_cuda_launch_clock(bool alone);

}  // namespace onepass::tools
