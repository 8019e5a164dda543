// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Times the launches of all cells of some meshes within a time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measure/launch_clock.hpp"
#include "tune/journal.hpp"
#include "tune/sampling.hpp"
#include "tune/screening.hpp"

namespace onepass::tools {

struct TunedMesh {
  Mesh mesh;
  std::vector<Cell> cells;  // row by row
};

struct TunerLimits {
  double seconds = 600;       // for all meshes
  double most_bytes = 2.2e9;  // of a matrix
};

struct TunerResult {
  std::vector<TunedMesh> meshes = {};
  bool complete = false;
  std::size_t timed = 0, launches = 0, untimed = 0, wrong = 0, discarded = 0;  // cells, ..., rounds
  std::string first_wrong = {};
};

class Tuner {
 public:
  // before(done, all, what) is asked before each cell; false ends the run.
  using Before = std::function<bool(std::size_t, std::size_t, const std::string&)>;

  Tuner(LaunchClock& clock, Journal& journal, TunerLimits limits)
      : clock_(clock), journal_(journal), limits_(limits), sampler_(clock) {}

  TunerResult run(const std::vector<Mesh>& meshes, const Before& before);

 private:
  struct Effort {
    std::size_t launches = 0;
    int rounds = 0;
  };
  Effort effort(const Mesh& mesh, Step step) const;
  double usual_work(const Mesh& mesh, const CellAt& at) const;
  void confirm(const Problem& p, int rounds, JournalEntry& entry, TunerResult& result);
  void visit(const Mesh& mesh, const CellAt& at, std::vector<Cell>& cells, TunerResult& result);
  void time(const Problem& p, const std::vector<Candidate>& candidates, int rounds, JournalEntry& entry,
            TunerResult& result);

  LaunchClock& clock_;
  Journal& journal_;
  TunerLimits limits_;
  Sampler sampler_;
  double work_left_ = 0;  // samples of all cells to come, with their usual effort
  double work_done_ = 0, work_seconds_ = 0;
};

}  // namespace onepass::tools
