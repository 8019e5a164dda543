// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What is measured, and with how much effort, where the command line says nothing else.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "bench/axes.hpp"
#include "plan/plan.hpp"

namespace onepass::tools {

enum class Selection { standard, quick, mesh, sweep, inference, batched, random };

const char* name(Selection selection);
std::optional<Selection> parse_selection(std::string_view text);

// Whether points are so many that a table of them all is only for those who ask.
bool is_large(Selection selection);

struct SelectionOptions {
  Routine routine = Routine::gemv;
  BackendId backend = BackendId::reference;
  int threads = 1;  // of this host
  std::int64_t mesh_points = 24;
  Range sweep = {};
  std::int64_t random_points = 0;
  std::uint64_t seed = 1;  // of those
  bool pairs = false;      // and a neighbour of each
};

Axes default_axes(Selection selection, const SelectionOptions& options);

struct Effort {
  int rounds = 7;
  double seconds_per_point = 0;    // of all providers; 0: one replay of a graph per sample
  double replay_seconds = 1.5e-3;  // wanted of the replay of a graph
  std::size_t most_launches = 256;
};

Effort default_effort(Selection selection, BackendId backend);

}  // namespace onepass::tools
