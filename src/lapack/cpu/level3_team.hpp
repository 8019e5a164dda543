// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Who shares the products of level 3 of a reduction: the library's own threads. A panel is products by these, and its
// end is one by the host's BLAS, whose threads would then wait for the next one on the same cores, busily: OpenBLAS's
// for a tenth of a second.
#pragma once

namespace onepass::lapack {

// While one lives, products of level 3 of this thread are shared by so many, and OpenBLAS has no other threads than
// those that call it.
class Level3Team {
 public:
  explicit Level3Team(int threads);
  Level3Team(const Level3Team&) = delete;
  Level3Team& operator=(const Level3Team&) = delete;
  ~Level3Team();

  // Of this thread's team; 1 without one.
  static int threads();

 private:
  int before_;
};

}  // namespace onepass::lapack
