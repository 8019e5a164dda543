// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/stage.hpp"

#include "measure/host/host_stage.hpp"
#include "support/failure.hpp"

#ifdef ONEPASS_TOOLS_CUDA
#include "measure/cuda/cuda_stage.hpp"
#endif

namespace onepass::tools {

std::vector<std::string> names_of_peers_apart() {
#ifdef ONEPASS_TOOLS_CUDA
  return cuda_peer_names();
#else
  return {};
#endif
}

std::unique_ptr<Stage> make_stage(const Backend& backend, const StageOptions& options) {
  if (backend.id() != BackendId::cuda) return make_host_stage(backend, options);
#ifdef ONEPASS_TOOLS_CUDA
  return make_cuda_stage(backend, options);
#else
  throw Failure(Exit::unavailable,
                "this program was built without cuBLAS, so it cannot measure cuda beside it; "
                "install the toolkit's cuBLAS and configure again");
#endif
}

}  // namespace onepass::tools
