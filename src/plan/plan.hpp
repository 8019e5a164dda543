// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A plan as a plain value: which kernel, in which shape. It decides nothing and owns nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "plan/kernel_id.hpp"
#include "plan/params.hpp"
#include "problem/problem.hpp"

namespace onepass {

enum class BackendId : std::uint8_t { cuda, cpu, sim, reference };

// The mailboxes of a launch: all zeros before the first launch and after each. No plan asks for more, but those of
// SYMV with the largest sums (symv_workspace_limit()).
inline constexpr std::size_t workspace_limit = std::size_t{32} << 20, largest_workspace = 2 * workspace_limit;
// What a stream has from its first call on; the model plans single products of GEMV that need no more.
inline constexpr std::size_t first_workspace = std::size_t{4} << 20;

struct Plan {
  Problem problem;
  BackendId backend = BackendId::reference;
  KernelId kernel = {};  // with the types of the problem: the compiled instance that runs
  int threads = 1;       // of a block, or of the host
  Params params = {};    // what this variant is told beside
  std::size_t shared_bytes = 0;
  std::size_t workspace_bytes = 0;

  bool operator==(const Plan&) const = default;
};

// The parameters of a plan of such a kernel.
template <class P>
const P& params(const Plan& plan) {
  return std::get<P>(plan.params);
}
template <class P>
P& params(Plan& plan) {
  return std::get<P>(plan.params);
}

// The kind of parameters that plans of a variant have, with their defaults.
Params parameters_of(Variant variant);

constexpr bool on_device(BackendId backend) { return backend == BackendId::cuda || backend == BackendId::sim; }

const char* name(BackendId backend);
std::optional<BackendId> parse_backend(std::string_view text);

// One line: "gemv_n plain many threads 256 lanes 32 tile 128 tiles 32 splits 4 ... shared 8192 workspace 65536".
std::string print(const Plan& plan);

}  // namespace onepass
