// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/host/provider.hpp"

#include <cstddef>

namespace onepass::tools {

Vectors product(const Problem& p, const Vectors& v, std::int64_t i) {
  if (p.pointer_array)
    return {.a = static_cast<void* const*>(v.a)[i],
            .x = static_cast<void* const*>(v.x)[i],
            .y = static_cast<void* const*>(v.y)[i]};
  return {.a = static_cast<const std::byte*>(v.a) + i * p.stride_a * size_of(p.type_a),
          .x = static_cast<const std::byte*>(v.x) + i * p.stride_x * size_of(p.type_x),
          .y = static_cast<std::byte*>(v.y) + i * p.stride_y * size_of(p.type_y)};
}

std::vector<HostPeer> open_host_peers() {
  std::vector<HostPeer> peers;
  peers.push_back(open_openblas());
  peers.push_back(open_blis());
  peers.push_back(open_eigen());
  return peers;
}

}  // namespace onepass::tools
