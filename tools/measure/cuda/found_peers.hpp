// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// MAGMA and KBLAS: peers of builds that found them, for one product at a time in s, d, c and z.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>
#include <vector>

#include "measure/host/provider.hpp"
#include "measure/point.hpp"

namespace onepass::tools {

// Both count in 32 bits, and have neither half types nor double-doubles nor the row-major conjugate transpose; updates
// are not asked for.
inline bool is_plain_product(const Problem& p) {
  const Stored s = stored(p);
  const bool product = row(p).a == Access::read;
  return product && batching(p) == Batching::one && p.type_a <= Type::z && (!s.conjugate || s.transposed) &&
         p.lda * s.cols < (1LL << 31);
}

#ifdef ONEPASS_TOOLS_MAGMA
std::unique_ptr<HostProvider> open_magma(cudaStream_t stream);
#endif
#ifdef ONEPASS_TOOLS_KBLAS
std::unique_ptr<HostProvider> open_kblas(cudaStream_t stream);
#endif

// All that this build has.
inline std::vector<std::string> found_peer_names() {
  std::vector<std::string> names;
#ifdef ONEPASS_TOOLS_MAGMA
  names.emplace_back("MAGMA");
#endif
#ifdef ONEPASS_TOOLS_KBLAS
  names.emplace_back("KBLAS");
#endif
  return names;
}
inline std::vector<std::unique_ptr<HostProvider>> open_found_peers([[maybe_unused]] cudaStream_t stream) {
  std::vector<std::unique_ptr<HostProvider>> peers;
#ifdef ONEPASS_TOOLS_MAGMA
  peers.push_back(open_magma(stream));
#endif
#ifdef ONEPASS_TOOLS_KBLAS
  peers.push_back(open_kblas(stream));
#endif
  return peers;
}

}  // namespace onepass::tools
