// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Where problems are timed: a machine with its providers, its pool of operands and its floor.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "measure/host/provider.hpp"
#include "measure/point.hpp"

namespace onepass::tools {

struct Fact {
  std::string name, value;
};

struct Constant {
  std::string name;
  double value = 0;
  std::string unit;
};

// The constants of a device's data sheet, where it tells them.
inline constexpr const char* peak_bandwidth_name = "peak bandwidth";
inline constexpr const char* peak_single_name = "peak arithmetic, single precision";
inline constexpr const char* peak_double_name = "peak arithmetic, double precision";

// Who is timed.
enum class Who { all, onepass, peers };

struct StageOptions {
  Who who = Who::all;
  double replay_seconds = 1.5e-3;  // wanted of the replay of a graph
  std::size_t most_launches = 256;
  // Others to be timed as well, on a stream of the device.
  std::function<std::vector<std::unique_ptr<HostProvider>>(Stream)> others = {};
};

class Stage {
 public:
  virtual ~Stage() = default;

  // Device, driver, toolkit, peers with their versions: what a record must say.
  virtual std::vector<Fact> facts() const = 0;
  // The constants of the floor, and what else is measured once. Empty where each point has its own.
  virtual std::vector<Constant> constants() = 0;
  // What is measured once of the peers.
  virtual std::vector<Constant> peer_constants() = 0;
  // Uses constants that an earlier run measured, in place of constants().
  virtual void adopt(const std::vector<Constant>& constants) = 0;
  // The constants of `bench --ceilings`.
  virtual std::vector<Constant> ceilings() = 0;
  // What made the times of this run longer than they should be, as far as the machine tells.
  virtual std::vector<std::string> remarks() = 0;

  // Onepass first, then its peers, as far as they are timed.
  virtual std::vector<std::string> providers() const = 0;

  // Puts operands into memory; empty, or the reason why this point cannot be measured here.
  virtual std::string prepare(const Point& point) = 0;
  // The rest is about the point that was prepared last.
  virtual bool serves(std::size_t provider) const = 0;
  virtual std::string level() const = 0;
  // Whether samples of one provider are better taken one after the other than interleaved with those of the others.
  virtual bool one_by_one() const = 0;
  // Seconds per call, from about `seconds` of calls. NaN for a provider that turns out not to serve the point.
  virtual double sample(std::size_t provider, double seconds) = 0;
  // Seconds that reading the useful bytes alone takes.
  virtual double sample_floor(double seconds) = 0;
};

// Whether the peers of a backend have to be timed by a process of their own. On an H200 44 % of the graphs of a process
// in which cuBLAS was called are slow, by 0.3 us for each kernel, ours as well; without it hardly any is.
constexpr bool peers_apart(BackendId backend) { return backend == BackendId::cuda; }
// Those of such a backend, none of which is opened.
std::vector<std::string> names_of_peers_apart();

// For a backend that works here.
std::unique_ptr<Stage> make_stage(const Backend& backend, const StageOptions& options);

}  // namespace onepass::tools
