// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Who else computes these products on the host: one interface for Onepass, OpenBLAS, BLIS and Eigen.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "problem/problem.hpp"

namespace onepass::tools {

struct Vectors {
  const void* a = nullptr;  // which updates write
  const void* x = nullptr;
  void* y = nullptr;
};

// The operands of product `i` of a batch, strided or an array of pointers, on a host.
Vectors product(const Problem& p, const Vectors& v, std::int64_t i);

class HostProvider {
 public:
  virtual ~HostProvider() = default;
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
  virtual bool serves(const Problem& p) const = 0;
  // Whether its sums can have more digits than the type has, or the canonical order.
  virtual bool accumulates() const { return false; }
  bool takes(const Problem& p) const {
    return serves(p) && ((p.accumulate == Accumulate::standard && p.order == Order::standard) || accumulates());
  }
  virtual void set_threads(int threads) = 0;
  // Each product of the batch: y = op(A) x, A x with a symmetric or Hermitian A, or A += negligible x y^T.
  virtual void call(const Problem& p, const Vectors& v) = 0;
};

// A peer that was looked for: `provider` is null where it is not there, and `detail` says why.
struct HostPeer {
  std::string name;
  std::string detail;
  std::unique_ptr<HostProvider> provider;
};

HostPeer open_openblas();
HostPeer open_blis();
HostPeer open_eigen();
std::vector<HostPeer> open_host_peers();

}  // namespace onepass::tools
