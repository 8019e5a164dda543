// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The host as a stage: Onepass, OpenBLAS, BLIS and Eigen on its cores; the floor is a read of the same bytes.
#pragma once

#include <memory>

#include "measure/stage.hpp"

namespace onepass::tools {

std::unique_ptr<Stage> make_host_stage(const Backend& backend, const StageOptions& options);

}  // namespace onepass::tools
