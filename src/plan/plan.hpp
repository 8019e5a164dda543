// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A plan as a plain value: which kernel, in which shape. It decides nothing and owns nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "problem/problem.hpp"

namespace onepass {

enum class BackendId : std::uint8_t { cuda, cpu, sim, reference };

enum class Variant : std::uint8_t { gemv_n, gemv_t, gemv_flat, symv, symv_small, cpu_n, cpu_t, cpu_symv, loops };

// How the partial sums of a split are put together.
enum class Combine : std::uint8_t {
  none,     // no split: one block has the whole sum
  letters,  // blocks send their sums to the last one of their tile, which adds them in fixed order
};

struct Plan {
  Problem problem;
  BackendId backend = BackendId::reference;
  Variant variant = Variant::loops;
  int threads = 1;          // of a block, or of the host
  int lanes = 1;            // threads along the contiguous dimension (gemv_flat: along a sum); threads / lanes groups
  std::int64_t tile = 1;    // outputs of a block
  std::int64_t tiles = 1;   // blocks that own different outputs
  std::int64_t splits = 1;  // blocks that share one sum
  std::int64_t chunk = 0;   // a block's share: columns (gemv_n) or 16-byte words of a column (gemv_t)
  std::int64_t turns = 1;   // products that a block of gemv_n or gemv_t serves one after the other
  Combine combine = Combine::none;
  bool shallow = false;   // few words of a thread in flight: a short launch is made of instructions
  bool prefetch = false;  // ask for the first words of A while the launch before still runs
  std::int64_t wave = 0;  // blocks of gemv_n or gemv_t that the device holds at once: they alone may do that
  std::size_t shared_bytes = 0;
  std::size_t workspace_bytes = 0;

  bool operator==(const Plan&) const = default;
};

const char* name(BackendId backend);
const char* name(Variant variant);
const char* name(Combine combine);
std::optional<BackendId> parse_backend(std::string_view text);
std::optional<Variant> parse_variant(std::string_view text);
std::optional<Combine> parse_combine(std::string_view text);

// One line: "gemv_n threads 256 lanes 32 tile 128 tiles 32 splits 4 chunk 1024 combine letters workspace 65536".
std::string print(const Plan& plan);

}  // namespace onepass
