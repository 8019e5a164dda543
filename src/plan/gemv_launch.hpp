// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A launch of GEMV in numbers: what its blocks cover, and what they make the device do. It chooses nothing.
#pragma once

#include <cstdint>

#include "plan/choice.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/plan.hpp"
#include "problem/combinations.hpp"
#include "problem/elements.hpp"

namespace onepass {

// What all launches of a problem have in common.
struct GemvBasis {
  explicit GemvBasis(const Problem& p) : problem(p) {}

  const Problem& problem;
  ElementsId elements = elements_of(problem);
  bool transposed = stored(problem).transposed, plain = is_plain(problem);
  std::int64_t rows = stored(problem).rows, cols = stored(problem).cols;
  std::int64_t size = size_of(problem.type_a), vector = vector_length(problem);  // in bytes, in elements
  bool fit = vectors_should_fit(problem);                                        // columns; likewise for sectors
  bool on_sectors = (problem.alignment_a >= 32 || (problem.pointer_array && problem.alignment_a == 0)) &&
                    problem.lda * size % 32 == 0;
  // That a column touches, at the worst of its offsets where they do not fit.
  std::int64_t vectors = ceil_shift(rows + (fit ? 0 : vector - 1), log2_of(vector));
  std::int64_t classes = alignment_classes(problem), keep_apart = classes_to_keep_apart(problem);
  std::int64_t size_of_sum = onepass::size_of_sum(elements);
};

// A launch in numbers: from them follow its plan and the time that it should take.
struct GemvLaunch {
  Choice choice;
  const char* none = nullptr;  // why there is no such launch

  // Its blocks, however they share the sums.
  std::int64_t outputs = 1;          // that a block sums at a time
  std::int64_t tile = 1, tiles = 1;  // outputs of a block, and blocks that own different ones
  std::int64_t terms = 1;            // of a sum, as its kernel counts them: columns, elements or vectors
  std::int64_t most_splits = 1;
  std::int64_t sums = 0;            // in the shared memory of a block
  int log2_sharing = 0;             // threads or groups of a block that share the terms
  int columns = 1, flight = 1;      // of a thread at a time, and its loads on their way of each of them
  int steps = 0;                    // of the tree that adds up a block's sums
  int warps = 0;                    // that an SM holds, if a device is known
  double run_of_round = whole_run;  // bytes that lie together in memory, of those that a block asks for at a time
  double sectors = 1;               // requested over needed

  // The share.
  std::int64_t splits = 1, chunk = 0;  // as GemvParams has them
  std::int64_t blocks = 0;             // of all products
  std::int64_t shared_bytes = 0;       // of a block
  double vectors = 0;                  // loads of a thread that follow each other, of each column
  double run = whole_run;              // likewise where a block asks for all at once
  double products = 0;                 // of gemv_flat: that a thread adds up from shared memory

  static constexpr double whole_run = 512;  // where longer ones are no better
};
// Threads and lanes are powers of two.
void set_blocks(GemvLaunch& launch, const GemvBasis& b, const Choice& choice);
void share_sums(GemvLaunch& launch, const GemvBasis& b, std::int64_t share);
GemvLaunch launch_of(const GemvBasis& b, const Choice& choice);  // both
// Without a prefetch.
Plan plan_of(const GemvBasis& b, const GemvLaunch& launch);

}  // namespace onepass
