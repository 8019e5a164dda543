// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A user's table: shapes of GEMV for which a launch was timed that is faster than the model's, and prices of the model;
// its text, and where it comes from: a file of the user, or one that ONEPASS_TUNING names.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/choice.hpp"
#include "plan/device_traits.hpp"
#include "plan/gemv_model.hpp"
#include "problem/problem.hpp"
#include "problem/status.hpp"

namespace onepass {

// It grows when the format changes, and when the kernels change so much that old choices mislead.
inline constexpr int tuning_version = 4;

// Which problems an entry is for: single products with sums as usual.
struct ShapeKind {
  Type type = Type::s;
  bool across = false;   // whether the outputs lie across the columns of A as stored
  bool aligned = false;  // whether the columns start on 64 bytes
  std::int64_t rows = 0, cols = 0;

  auto operator<=>(const ShapeKind&) const = default;
};
// None of a problem for which there are no entries.
std::optional<ShapeKind> kind_of_shape(const Problem& p);
// "s N 4096x512 aligned"; the other is "any".
std::string name_of(const ShapeKind& kind);

struct TunedShape {
  ShapeKind kind;
  Choice choice;
  double gain = 1;  // seconds of the model's choice over those of this one

  bool operator==(const TunedShape&) const = default;
};

// How prices were made, for people.
struct ModelRecord {
  std::int64_t problems = 0, launches = 0, held_out = 0;  // fitted to, and held_out problems that no price has seen
  double over_fastest = 1, worst = 1;  // of these: the model's choice over the fastest that was timed, geometric mean

  static constexpr const char* names[] = {"problems", "launches", "held_out", "over_fastest", "worst"};
  static void fields(auto& r, auto visit) {
    visit_each(visit, names, r.problems, r.launches, r.held_out, r.over_fastest, r.worst);
  }
  bool operator==(const ModelRecord&) const = default;
};

struct TuningTable {
  std::string file = {};  // whose text it is
  std::string device = {};
  int arch = 0, sm_count = 0;
  std::string library = {}, driver = {}, toolkit = {}, commit = {}, date = {}, how = {};
  std::optional<ModelPrices> prices = {};
  std::optional<ModelRecord> model = {};
  std::vector<TunedShape> shapes = {};  // by their kinds

  // "the table of NVIDIA H200", with its file if it has one.
  std::string title() const;
  // Empty, or what sets the device of the table apart.
  std::string why_not_for(const DeviceTraits& traits) const;
  // Null where there is no entry.
  const TunedShape* find(const Problem& p) const;

  bool operator==(const TuningTable&) const = default;
};

// Any bytes. Refuses what is no table of this version, and says why.
Status read_table(std::string_view json, std::string_view file, TuningTable* table);
// What read_table reads back; a line for each kernel and each shape.
std::string write_table(const TuningTable& table);

// What a device has of tables.
struct TuningTables {
  std::optional<TuningTable> user = {};
  std::string refused = {};  // why the user's file is not used, with its name; empty if there is nothing to say
  bool asked = false;        // the file was named by ONEPASS_TUNING
};

// $XDG_CONFIG_HOME/onepass/tuning/nvidia-h200.json, with ~/.config where the variable is not set; empty where there is
// no home.
std::string user_tuning_file(const DeviceTraits& traits);

// With the user's table: of the file in ONEPASS_TUNING, else of user_tuning_file if there is one. ONEPASS_TUNING=off
// leaves no table at all. Reads files: for the moment in which a device is opened, not for plans.
TuningTables load_tuning(const DeviceTraits& traits);

// Says once per process on standard error that the file named by ONEPASS_TUNING is not used.
void warn_of_refused(const TuningTables& tables);

// The entry of a problem that a kernel can run; null if there is none.
const TunedShape* shape_of_user(const Problem& p, const DeviceTraits& traits);

}  // namespace onepass
