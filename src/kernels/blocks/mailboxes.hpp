// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The sum of many mailboxes, several of them polled at a time.
#pragma once

#include "kernels/gemv/args.hpp"
#include "numbers/double_length.hpp"

namespace onepass::kernels {

// The sum of mailboxes mailbox(k) for k = from, from + step, ... below `end`, which are reset. Where fewer are left
// than are polled at a time, the first is polled again in place of the missing ones: a branch around a load would wait
// for it.
template <int in_flight, class S, class Ex, class Mailbox>
ONEPASS_DEVICE S sum_mailboxes(Ex ex, S* mailboxes, std::uint32_t* timed_out, int from, int end, int step,
                               Mailbox mailbox) {
  S total{};
  int polls = exec::most_polls;
#pragma unroll 1
  for (int k = from; k < end; k += in_flight * step) {
    exec::Polled<S> polled[in_flight];
    int at[in_flight];
#pragma unroll
    for (int u = 0; u < in_flight; ++u) at[u] = mailbox(k + u * step < end ? k + u * step : k);
    bool missing;
    do {
      missing = false;
#pragma unroll
      for (int u = 0; u < in_flight; ++u) polled[u] = ex.poll(mailboxes + at[u]);
#pragma unroll
      for (int u = 0; u < in_flight; ++u) missing = missing || !polled[u].arrived;
    } while (ex.poll_again(missing, polls));
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      if (k + u * step < end) {
        ex.reset(mailboxes + at[u]);
        total = total + polled[u].value;
      }
    }
    total = settled(total);
  }
  if (polls < 0) ex.report_timeout(timed_out);
  return total;
}

}  // namespace onepass::kernels
