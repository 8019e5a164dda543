// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Which launches are tried at which cells of a mesh, coarse to fine: many launches at a few cells, the best of those at
// more, and at all others the few that won nearby. Times nothing itself.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tune/launch.hpp"
#include "tune/mesh.hpp"

namespace onepass::tools {

enum class Step { coarse, middle, fine };

struct Scored {
  Launch launch;
  double seconds = 0;
};

// A cell of a mesh: what was timed there, the fastest first.
struct Cell {
  bool fits = false;                // the matrix is small enough to be timed
  std::optional<Launch> rule = {};  // what a triangle gets without a table
  std::vector<Scored> scored = {};
};

struct CellAt {
  Step step = Step::fine;
  std::size_t row = 0, col = 0;
};

struct Candidate {
  Launch launch;
  Plan plan;
};

// The cells of a mesh that fit, in the order in which they are visited.
std::vector<CellAt> visiting_order(const Mesh& mesh, double most_bytes);

// Launches that a step tries at a cell, if there is time. Of triangles the first step tries all: no model prunes them.
// Of a single shape it tries half or more of all: there are few shapes, and no neighbours that would correct the model.
std::size_t usual_launches(const Mesh& mesh, Step step);

// Distinct plans for a cell, at most so many: by turns from the ranking of the model and from those of the cells next
// to it that were visited before; of a single shape what it has without this tuning comes first.
std::vector<Candidate> propose(const Mesh& mesh, const CellAt& at, std::span<const Cell> cells,
                               const DeviceTraits& traits, std::size_t most);

// The launch of each cell of a table. Of those within 1 % of the fastest the one that won at most neighbours, so that
// noise makes no patchwork; nothing where time was too short or the matrix too large. Triangles have a rule, which
// knows every order and not those of the mesh alone: nothing where it is about as fast, or slower at one order only.
std::vector<std::optional<Launch>> winners(const Mesh& mesh, std::span<const Cell> cells);

}  // namespace onepass::tools
