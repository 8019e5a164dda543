// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From partial sums to y: sums within a block, and sums over the blocks of a split, in an order that the shape alone
// determines. The bits of y never depend on which block was faster.
#pragma once

#include <cstdint>

#include "kernels/blocks/mailboxes.hpp"
#include "kernels/blocks/operand.hpp"
#include "kernels/gemv/args.hpp"

namespace onepass::kernels {

// Every thread brings a term of output threadIdx.x mod outputs, a power of two; threads 0 to outputs - 1 get the sums.
// Within a warp by shuffles, among warps through `scratch`, one place of shared memory per thread.
template <class S, class Ex>
ONEPASS_DEVICE S sum_teams(Ex ex, typename Ex::template Shared<S> scratch, int log2_outputs, S sum) {
  const int outputs = 1 << log2_outputs;
#pragma unroll 1
  for (int mask = outputs; mask < Ex::warp; mask *= 2) sum = sum + ex.shuffle_xor(sum, mask);
  const int log2_width = log2_outputs > 5 ? log2_outputs : 5, parts = ex.threads() >> log2_width;
  if (parts == 1) return sum;
  const int place = ex.thread() & ((1 << log2_width) - 1);
  if (place < outputs) scratch.put((ex.thread() >> log2_width << log2_outputs) + place, sum);
  ex.sync();
  if (ex.thread() < outputs) {
#pragma unroll 4
    for (int p = 1; p < parts; ++p) sum = sum + scratch.get((p << log2_outputs) + ex.thread());
  }
  return sum;
}

// y[i] = alpha sum + beta y[i]
template <class E, Form F, class Ex>
ONEPASS_DEVICE void write_y(Ex ex, const GemvArgs& g, const Target& target, std::int64_t i, typename E::Scalar alpha,
                            typename E::Sum sum) {
  using S = typename E::Sum;
  using Scalar = typename E::Scalar;
  using Factor = typename E::Factor;
  const Scalar beta = scalar<Scalar, F>(ex, g.beta, g.beta_pointer);
  S value = alpha == Scalar{} ? S{} : scaled(alpha, conjugate_if(g.conjugate, sum));
  if constexpr (is_head_tail<typename E::X>) {
    if (g.y_tail != nullptr) {
      using Y = typename E::Y;
      Y *const head = static_cast<Y*>(g.y) + i * g.incy, *const tail = static_cast<Y*>(g.y_tail) + i * g.incy;
      if (!(beta == Scalar{})) {
        const S old = as<S>(HeadTail<Y>{ex.load_own(head), ex.load_own(tail)});
        value = is_complex<S> && beta == Scalar{1} ? value + old : multiply_add(value, as<Factor>(beta), old);
      }
      const HeadTail<Y> result = split<Y>(value);
      ex.store(head, result.head);
      ex.store(tail, result.tail);
      return;
    }
  }
  const auto update = [&](auto* y) {
    using Y = std::remove_pointer_t<decltype(y)>;
    y += i * g.incy;
    if (!(beta == Scalar{})) {
      const Factor old = as<Factor>(ex.load_own(y));
      // (1 + 0i) times an infinite part would make the other one NaN.
      value = is_complex<S> && beta == Scalar{1} ? value + as<S>(old) : multiply_add(value, as<Factor>(beta), old);
    }
    ex.store(y, rounded<Y>(value));
  };
  if constexpr (!std::is_same_v<typename E::Y, Scalar>) {
    if (g.wide_y) {
      update(vector_y<Scalar, F>(g, target));
      return;
    }
  }
  update(vector_y<typename E::Y, F>(g, target));
}

// y[i] = beta y[i], for alpha = 0: A and x are not read, and the blocks of the last split do it alone.
template <class E, Form F, class Ex, class Index>
ONEPASS_DEVICE void scale_y(Ex ex, const GemvArgs& g, std::int64_t b, int outputs, Index index) {
  if (ex.block_y() != g.splits - 1) return;
  const Target target = target_of<F>(ex, g, b);
#pragma unroll 1
  for (int o = ex.thread(); o < outputs; o += ex.threads())
    if (const std::int64_t i = index(o); i >= 0) write_y<E, F>(ex, g, target, i, {}, {});
}

// What other blocks add to the sum of this one: the parts of its group, and to the last block of all those of the
// groups before.
template <class S, class Ex>
ONEPASS_DEVICE S gather_group(Ex ex, const GemvArgs& g, S* mailboxes, int log2_outputs, int split) {
  // Mailboxes that a thread polls at a time. A round is a trip to the L2, but so is each instruction of this path,
  // which nobody ran before: on an H200 two are as good as four, and 1 to 4 % better than eight.
  constexpr int in_flight = 2;
  const int in_group = (1 << g.log2_grouped) - 1, first = split & ~in_group, of_group = split - first;
  const int count = of_group + (split == g.splits - 1 ? first >> g.log2_grouped : 0);
  return sum_mailboxes<in_flight>(
      ex, mailboxes, g.timed_out, ex.thread() >> log2_outputs, count, ex.threads() >> log2_outputs, [&](int k) {
        return (k < of_group ? first + k : ((k - of_group) << g.log2_grouped) + in_group) << log2_outputs;
      });
}

// From a block's sums, one in each of threads 0 to outputs - 1, to y. A block that has the whole sum writes y. Else
// blocks blockIdx.y = 0 to splits - 1 each have a part of it:
//
//     block 0   publish ->  mailbox [0][outputs]  --+
//     block 1   publish ->  mailbox [1][outputs]  --+-->  block splits - 1: poll, reset, add, write y
//       ...                                         |
//
// A mailbox is a slot of the workspace. The all-zeros bit pattern is the sentinel "empty", and no partial sum is stored
// as zeros (exec/mailbox.hpp): the data is its own flag, and needs no counter, no atomic and no fence. The last block
// adds in the order of the splits, whatever the order of arrival, and resets the mailboxes for the next launch. It
// waits for blocks with lower numbers only, which a device starts before it, so it cannot wait forever.
//
// Many partial sums of an output, which few threads of one block would poll for a long time, are added up in groups of
// 2^log2_grouped splits: the last block of a group adds up its group and publishes that sum in its own mailbox, and the
// last block of all its own group and the last blocks of the others.
//
// index(o): the place of output o in y, or -1.
template <class E, Form F, class Ex, class Index>
ONEPASS_DEVICE void combine_splits(Ex ex, const GemvArgs& g, const Target& target, typename E::Scalar alpha,
                                   typename Ex::template Shared<typename E::Sum> scratch, int log2_outputs,
                                   typename E::Sum sum, Index index) {
  using S = typename E::Sum;
  const int outputs = 1 << log2_outputs, last = g.splits - 1;
  const int o = ex.thread() & (outputs - 1), team = ex.thread() >> log2_outputs;
  const std::int64_t i = index(o);
  if (last > 0) {
    S* mailboxes = static_cast<S*>(g.mailboxes) + ((target.b * ex.grid_x() + ex.block_x()) * last << log2_outputs) + o;
    const int split = static_cast<int>(ex.block_y()), in_group = (1 << g.log2_grouped) - 1;
    if (split == last || (split & in_group) == in_group) {
      const S rest = i >= 0 ? gather_group(ex, g, mailboxes, log2_outputs, split) : S{};
      ex.sync();
      sum = sum + sum_teams(ex, scratch, log2_outputs, rest);
    }
    if (split != last) {
      if (team == 0 && i >= 0) ex.publish(mailboxes + (static_cast<std::int64_t>(split) << log2_outputs), sum);
      return;
    }
  }
  if (team == 0 && i >= 0) write_y<E, F>(ex, g, target, i, alpha, sum);
}

}  // namespace onepass::kernels
