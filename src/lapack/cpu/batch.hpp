// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Many eigenproblems or singular value decompositions: threads take matrices, and each has a workspace of its own.
#pragma once

#include <algorithm>
#include <vector>

#include "backends/cpu/team.hpp"
#include "lapack/batch.hpp"
#include "lapack/cpu/gesvd.hpp"
#include "lapack/cpu/syevd.hpp"

namespace onepass::lapack {

// Worker: what solves one.
template <class T, class Worker>
class MatrixBatch {
 public:
  MatrixBatch(const LapackProblem& p, int threads, std::int64_t panel, Scratch& scratch) : problem_(p) {
    LapackProblem one = p;
    one.batch = Batch::none;
    one.plain_v = false;
    if (p.plain_v) one.ldvt = std::max<std::int64_t>(1, rows_of_vt(p));
    const std::int64_t parts = std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(1, p.batch_count));
    for (std::int64_t part = 0; part < parts; ++part) {
      workers_.emplace_back(one, 1, panel, scratch);
      vt_.push_back(scratch.take<T>(p.plain_v ? rows_of_vt(p) * p.n : 0));
    }
  }

  void run(const LapackOperands& operands) const {
    const auto parts = static_cast<std::int64_t>(workers_.size());
    cpu::fork(static_cast<int>(parts), [&](const cpu::Team& team) {
      team.each(parts, [&](std::int64_t part) {
        for (std::int64_t i = part; i < problem_.batch_count; i += parts)
          solve(static_cast<std::size_t>(part), matrix_of_batch<T>(problem_, operands, i));
      });
    });
  }

 private:
  void solve(std::size_t part, LapackOperands one) const {
    T* const v = static_cast<T*>(one.vt);
    if (problem_.plain_v) one.vt = vt_[part];
    workers_[part].run(one);
    if (problem_.plain_v && v != nullptr) adjoint_into(problem_, vt_[part], v);
  }

  LapackProblem problem_;
  std::vector<Worker> workers_;
  std::vector<T*> vt_;  // of each, where V is wanted
};
template <class T>
using EigenBatch = MatrixBatch<T, Eigen<T>>;
template <class T>
using SvdBatch = MatrixBatch<T, Svd<T>>;

}  // namespace onepass::lapack
