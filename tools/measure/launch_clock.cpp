// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/launch_clock.hpp"

#include "support/failure.hpp"

#ifdef ONEPASS_TOOLS_CUDA
#include "measure/cuda/launch_clock.hpp"
#endif

namespace onepass::tools {

std::unique_ptr<LaunchClock> make_launch_clock([[maybe_unused]] bool alone) {
#ifdef ONEPASS_TOOLS_CUDA
  return make_cuda_launch_clock(alone);
#else
  throw Failure(Exit::unavailable,
                "this program was built without what it measures cuda with; install the toolkit's cuBLAS and configure "
                "again");
#endif
}

}  // namespace onepass::tools
