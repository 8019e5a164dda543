// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Tables of measured launches: for a mesh of shapes, and for single ones, the fastest choice of a device.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/device_traits.hpp"
#include "plan/space.hpp"
#include "problem/problem.hpp"
#include "problem/status.hpp"

namespace onepass {

// One cell of a table of GEMV.
struct Tuned {
  std::int16_t threads = 0;  // of a block; 0: nothing was measured here
  std::int16_t lanes = 0;
  std::int16_t split_threads = 0;  // of an SM, that a split fills; 0: no split
  bool shallow = false, prefetch = false;

  bool operator==(const Tuned&) const = default;
};

// One cell of a table of SYMV. Blocks are as many as fill the threads of an SM, or as give each warp its columns.
struct TunedSymv {
  std::int16_t threads = 0;
  std::int16_t panels = 0;         // of a strip
  std::int16_t split_threads = 0;  // of an SM; 0: columns count
  std::int16_t columns = 0;        // of a warp; 0: split_threads count

  bool operator==(const TunedSymv&) const = default;
};

// "256/16/384sp": threads, lanes, threads of a split on an SM, then s for shallow and p for prefetch.
std::string print(const Tuned& tuned);
// "256/4/512": threads, panels, threads on an SM; "256/1/c2": or columns of a warp.
std::string print(const TunedSymv& tuned);

// Back from such texts; nothing from others, and where the space has no such launch.
std::optional<Tuned> parse_tuned(std::string_view text, Variant kernel);
std::optional<TunedSymv> parse_tuned_symv(std::string_view text);

// The choice as numbers by name, for its space.
NamedValues values_of(const Tuned& tuned);
NamedValues values_of(const TunedSymv& tuned);

class Tuning;

// Steps of the mesh, from the cell next to a problem.
struct Beside {
  std::ptrdiff_t rows = 0, cols = 0;
};

// A cell and where it stands.
struct TunedCell {
  Tuned tuned;
  std::int64_t rows = 0, cols = 0;  // of the shape that was measured
  const Tuning* table = nullptr;
};
struct TunedSymvCell {
  TunedSymv tuned;
  std::int64_t n = 0;
  const Tuning* table = nullptr;
};

class Tuning {
 public:
  // Text in the format of tuning/*.json; `file`: whose text it is, empty for those of the library.
  static Status parse(std::string_view json, std::string_view file, Tuning* table);

  const std::string& device() const { return device_; }
  // "the table of NVIDIA H200", with its file if it has one.
  std::string title() const;
  bool serves(const DeviceTraits& traits) const { return traits.arch == arch_ && traits.sm_count == sm_count_; }
  // Empty, or what sets the device of the table apart.
  std::string why_not_for(const DeviceTraits& traits) const;

  // The entry of a problem's very shape, else the cell next to it, or one beside that; threads = 0 where the mesh does
  // not reach, and for batches.
  TunedCell gemv(const Problem& p, Beside beside = {}) const;
  TunedSymvCell symv(const Problem& p) const;

  // Whether the columns of A start on cache lines: the two kinds of meshes.
  static bool is_aligned(const Problem& p);

 private:
  struct Exact {
    std::int64_t rows = 0, cols = 0;
    Tuned tuned = {};
  };

  // One mesh for each element type (fp16 as bf16), orientation or triangle, and alignment of the columns; empty
  // where nothing was measured.
  template <class Cell>
  using Meshes = std::array<std::array<std::array<std::vector<Cell>, 2>, 2>, 6>;

  std::string device_, file_;
  int arch_ = 0, sm_count_ = 0;
  std::vector<std::int64_t> rows_, cols_, orders_;
  Meshes<Tuned> gemv_;
  Meshes<Exact> shapes_;  // by rows, then columns
  Meshes<TunedSymv> symv_;
};

// The tables of a device: the user's wins.
struct TuningTables {
  std::optional<Tuning> user = {};
  const Tuning* built_in = nullptr;
  std::string refused = {};  // why the user's file is not used, with its name; empty if there is nothing to say
  bool asked = false;        // the file was named by ONEPASS_TUNING
};

// The first of the tables that has a cell for a problem on this device; threads = 0 if none has.
TunedCell find_gemv(const DeviceTraits& traits, const Problem& p, Beside beside = {});
TunedSymvCell find_symv(const DeviceTraits& traits, const Problem& p);

}  // namespace onepass
