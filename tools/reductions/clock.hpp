// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Times one reduction on one kind of memory: the host's, or a GPU's with cuSOLVER beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "onepass/lapack.h"

namespace onepass::tools {

// A matrix, what a reduction makes of it, and the clock of where it lies.
class ReductionClock {
 public:
  virtual ~ReductionClock() = default;
  // Room for an n x n matrix of which `matrix` is copied before each run, of elements and real numbers of so many
  // bytes.
  virtual void load(std::int64_t n, std::size_t element, std::size_t real, const std::vector<std::byte>& matrix) = 0;
  // Milliseconds of one run of Onepass.
  virtual double onepass(onepassLapackHandle_t handle, const onepassLapackProblem_t& problem) = 0;
  // Likewise of the peer; 0 where there is none.
  virtual double peer(const onepassLapackProblem_t& problem) = 0;
  virtual std::string peer_name() const = 0;
  // "device" and the like, for records.
  virtual std::vector<std::pair<std::string, std::string>> facts() const = 0;
};

std::unique_ptr<ReductionClock> make_host_clock();
// Null in a build without CUDA.
std::unique_ptr<ReductionClock> make_cuda_clock();

}  // namespace onepass::tools
