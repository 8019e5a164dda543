// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "ladder/steps.hpp"

#include "ladder/sources.hpp"

namespace onepass::tools::ladder {
namespace {

// What stands between the braces of the namespace.
std::string_view body(std::string_view source) {
  constexpr std::string_view begin = "namespace onepass::tools::ladder {\n", end = "\n}  // namespace";
  const std::size_t first = source.find(begin) + begin.size();
  const std::size_t last = source.find(end, first);
  return source.substr(first + 1, last - first - 1);
}

}  // namespace

std::vector<Step> gpu_steps() {
  return {
      {"naive",
       "A thread computes a row, so the 32 lanes of a warp read 32 rows at a time: each load touches 32 sectors of 32 "
       "bytes and uses 4 bytes of each. The other 28 come again with later loads, from a cache if they are still "
       "there.",
       body(naive_source)},
      {"coalesced",
       "A warp computes a row, and its lanes read neighbours: one load is 128 bytes in a row, four sectors of which "
       "every "
       "byte is used. The lanes' sums meet by shuffles, from register to register.",
       body(warp_source)},
      {"block",
       "A block of eight warps computes a row, so an SM has more loads on their way while it waits for the first. The "
       "warps' sums meet in shared memory, which costs one barrier per row.",
       body(block_source)},
      {"vectorised",
       "A thread loads vectors of 16 bytes, a quarter of the load instructions for the same bytes. Rows of any length "
       "work: "
       "what lies in front of the first boundary of 16 bytes and behind the last is read by elements.",
       body(vector_source)},
      {"Onepass",
       "A group of threads owns four rows, so that x is read once for all four, and each thread has several vectors "
       "in flight before it uses one. Threads, lanes and splits are those that a table or a model found for this "
       "shape, "
       "and the next launch starts while this one ends; src/kernels/gemv/gemv_t.hpp is its source.",
       {}},
  };
}

std::vector<Step> host_steps() {
  return {
      {"by columns",
       "The outer loop goes over columns, as the formula may be read, so neighbours in time lie a row apart: each load "
       "fetches a line of 64 bytes and uses 4. By the time the next column wants the rest of it, it may be gone.",
       body(by_columns_source)},
      {"by rows",
       "The outer loop goes over rows, and memory is read in its order: every byte of a line is used. But each "
       "addition "
       "waits for the one before it, since floating-point sums have an order.",
       body(by_rows_source)},
      {"many sums",
       "Thirty-two sums that do not wait for each other keep the adders busy. The compiler makes vector instructions "
       "of "
       "them, which it could not with a single sum.",
       body(many_sums_source)},
      {"four rows",
       "Four rows share each reading of x, which saves three of eight loads. Four streams also give the "
       "hardware that fetches ahead more to do.",
       body(four_rows_source)},
      {"Onepass",
       "The same ideas in vectors of the machine at hand, with streams chosen for its caches, and with threads that "
       "split "
       "the work where it is large enough. src/backends/cpu has the sources.",
       {}},
  };
}

}  // namespace onepass::tools::ladder
