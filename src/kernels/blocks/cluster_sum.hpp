// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Sums that the blocks of a cluster share: each has a part of the terms, and the parts meet in the shared memory of the
// first block, without a trip to the L2 and without a flag that is polled there.
#pragma once

#include "kernels/exec/vector16.hpp"
#include "kernels/gemv/args.hpp"

namespace onepass::kernels {

// Shared memory in front of a block's own: a word for the arrival of the parts, and a place for each output of each of
// the other blocks.
template <class S>
ONEPASS_HOST_DEVICE int cluster_sum_bytes(int log2_blocks, int outputs) {
  return cluster_word_bytes + ((1 << log2_blocks) - 1) * outputs * static_cast<int>(sizeof(S));
}

template <class S, class Ex>
class ClusterSum {
 public:
  // Before anything else, of all threads: the blocks of a cluster are all there when others write into the first.
  // `outputs`: of a tile; `count`: of this one.
  ONEPASS_DEVICE ClusterSum(Ex ex, const GemvArgs& g, int outputs, int count)
      : ex_(ex),
        rank_(static_cast<int>(ex.block_x()) & ((1 << g.log2_cluster) - 1)),
        others_((1 << g.log2_cluster) - 1),
        outputs_(outputs) {
    ex_.open_box(0, others_ * count * static_cast<int>(sizeof(S)), rank_ == 0);
  }

  // Of all threads; those with has_output have the block's part of output o. In the first block, which gets true, they
  // have the sums then, added up in the order of the blocks.
  ONEPASS_DEVICE bool gather(bool has_output, int o, S& sum) {
    const auto box = ex_.template shared<S>(cluster_word_bytes);
    ex_.wait_for_open_box();
    if (rank_ != 0 && has_output) ex_.put_in_box(box, (rank_ - 1) * outputs_ + o, 0, 0, sum);
    ex_.wait_for_box(0, rank_ == 0);
    if (rank_ != 0) return false;
    if (has_output) {
#pragma unroll 1
      for (int i = 0; i < others_; ++i) sum = sum + box.get(i * outputs_ + o);
    }
    return true;
  }

 private:
  Ex ex_;
  int rank_, others_, outputs_;
};

// Of a block that has whole sums.
struct NoClusterSum {
  template <class Ex>
  ONEPASS_DEVICE NoClusterSum(Ex, const GemvArgs&, int, int) {}
  template <class S>
  ONEPASS_DEVICE bool gather(bool, int, S&) {
    return true;
  }
};

}  // namespace onepass::kernels
