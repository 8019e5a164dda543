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
#include "problem/problem.hpp"
#include "problem/status.hpp"
#include "tuning/format.hpp"

namespace onepass {

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
  using Meshes = std::array<std::array<std::array<std::vector<Cell>, 2>, 2>, std::size(all_types)>;

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

// Whether it is the user's table that has a cell for a problem. Rules that were measured beside the built-in one then
// step back.
template <class Cell>
bool is_of_user(const DeviceTraits& traits, Cell (*find)(const DeviceTraits& traits, const Problem& p),
                const Problem& p) {
  if (traits.tuning == nullptr || !traits.tuning->user) return false;
  const Cell cell = find(traits, p);
  return cell.tuned.threads != 0 && cell.table == &*traits.tuning->user;
}
inline bool is_gemv_of_user(const DeviceTraits& traits, const Problem& p) {
  return is_of_user(
      traits, +[](const DeviceTraits& t, const Problem& q) { return find_gemv(t, q); }, p);
}

}  // namespace onepass
