// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/peers.hpp"

#include "measure/host/provider.hpp"

#ifdef ONEPASS_TOOLS_CUDA
#include "measure/cuda/cublas_peer.hpp"
#endif

namespace onepass::tools {

std::vector<PeerInfo> find_peers() {
  std::vector<PeerInfo> peers;
#ifdef ONEPASS_TOOLS_CUDA
  peers.push_back(find_cublas());
#else
  peers.push_back({.name = "cuBLAS", .found = false, .detail = "this build has no CUDA"});
#endif
  for (const HostPeer& peer : open_host_peers()) peers.push_back({peer.name, peer.provider != nullptr, peer.detail});
  return peers;
}

}  // namespace onepass::tools
