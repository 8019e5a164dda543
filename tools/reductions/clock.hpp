// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The memory in which a backend of the reductions finds its operands, the clock there, and the peer.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lapack/problem.hpp"

namespace onepass::tools {

// Another library with the same routines, on operands that lie where the clock has them.
class ReductionPeer {
 public:
  virtual ~ReductionPeer() = default;
  virtual std::string name() const = 0;
  virtual bool serves(const LapackProblem& problem) const = 0;
  virtual std::size_t workspace_bytes(const LapackProblem& problem, const LapackOperands& operands) const = 0;
  virtual void run(const LapackProblem& problem, const LapackOperands& operands, void* workspace,
                   std::size_t bytes) const = 0;
};

// Which of cuSOLVER's calls for singular values the peer on a GPU makes: Xgesvd, and of a batch gesvdaStridedBatched;
// Xgesvdp, which takes a polar decomposition; or of a batch gesvdjBatched, up to 32 rows.
enum class Beside { usual, polar, jacobi };

enum class Room { a, d, e, tau, taup, c, w, info, u, vt, original, original_c, workspace };
inline constexpr std::size_t rooms = 13;

class ReductionClock {
 public:
  virtual ~ReductionClock() = default;
  // At least so many bytes; what they hold is lost where they have to grow.
  virtual void* memory(Room room, std::size_t bytes) = 0;
  // In any direction between this memory and the host's.
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  // Of all that `body` starts.
  virtual double milliseconds(const std::function<void()>& body) = 0;
  // Null if there is none here.
  virtual const ReductionPeer* peer() const = 0;
  // "device" and the like, for records.
  virtual std::vector<std::pair<std::string, std::string>> facts() const = 0;
};

// `threads`: of the peer.
std::unique_ptr<ReductionClock> make_host_clock(int threads);
// Null in a build without CUDA.
std::unique_ptr<ReductionClock> make_cuda_clock(Beside beside = Beside::usual);

}  // namespace onepass::tools
