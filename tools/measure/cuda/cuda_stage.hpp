// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The GPU as a stage: Onepass and cuBLAS in replays of captured graphs; the floor from measured constants.
#pragma once

#include <memory>

#include "measure/stage.hpp"

namespace onepass::tools {

std::unique_ptr<Stage> make_cuda_stage(const Backend& backend, const StageOptions& options);

// Of the peers that this build has, without opening them.
std::vector<std::string> cuda_peer_names();

}  // namespace onepass::tools
