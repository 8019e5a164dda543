// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a tuning table is made of: its cells as values and as texts, and the members of its file.
// tuning/schema.json says the same for other programs; the reader is what refuses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tuning/space.hpp"

namespace onepass {

// The one version of tables, their cells and the space that they choose from. It grows when the format changes, and
// when the kernels change so much that old choices mislead.
inline constexpr int tuning_version = 3;

// One cell of a table of GEMV.
struct Tuned {
  std::int16_t threads = 0;  // of a block; 0: nothing was measured here
  std::int16_t lanes = 0;
  std::int16_t split_threads = 0;  // of an SM, that a split fills; 0: no split
  bool few_loads = false;          // in flight, of a thread
  bool prefetch = false;           // of A into the L2, before the grid-dependency wait

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

// "256/16/384fp": threads, lanes, threads of a split on an SM, then f for few loads in flight and p for prefetch.
std::string print(const Tuned& tuned);
// "256/4/512": threads, panels, threads on an SM; "256/1/c2": or columns of a warp.
std::string print(const TunedSymv& tuned);

// Back from such texts. They throw std::invalid_argument for others, and where the space has no such launch.
Tuned read_tuned(const std::string& text, Variant kernel);
TunedSymv read_tuned_symv(const std::string& text);
// Likewise, with nothing in place of an exception.
std::optional<Tuned> parse_tuned(std::string_view text, Variant kernel);
std::optional<TunedSymv> parse_tuned_symv(std::string_view text);

// In place of a cell: a shape too large to be measured, which takes the cell of its smaller neighbour, and one for
// which there was no time, which is left to the model.
inline constexpr const char* too_large_cell = "-";
inline constexpr const char* untimed_cell = "?";

// The choice as numbers by name, for its space.
NamedValues values_of(const Tuned& tuned);
NamedValues values_of(const TunedSymv& tuned);

// "s N aligned": type, which of N and T (outputs along or across the columns; of triangles L and U, as stored), and
// whether the columns start on 64 bytes.
std::string mesh_name(Routine routine, Type type, bool second, bool aligned);

// Members of a JSON object, in their order.
template <class Value>
using Members = std::vector<std::pair<std::string, Value>>;

// A table as its file has it; cells are texts, which the reader has not looked at. What is empty is not in
// the file, but for the device.
struct TableText {
  std::string device = {};
  int arch = 0, sm_count = 0;
  std::string library = {}, driver = {}, toolkit = {}, commit = {}, date = {}, how = {};
  std::vector<std::int64_t> rows = {}, cols = {};  // the axes of gemv
  Members<std::vector<std::string>> gemv = {};     // by the names of meshes; a line is a row of the mesh
  std::vector<std::int64_t> orders = {};           // the axis of symv, "n"
  Members<std::string> symv = {};                  // a mesh is a line
  Members<Members<std::string>> shapes = {};       // of gemv; by the names of meshes, then "4096x512" and its cell

  bool operator==(const TableText&) const = default;
};

// Those of its members that tell where it comes from, in the order of the file.
struct Origin {
  const char* key;
  std::string TableText::*text;
};
inline constexpr Origin origins[] = {{"library", &TableText::library}, {"driver", &TableText::driver},
                                     {"toolkit", &TableText::toolkit}, {"commit", &TableText::commit},
                                     {"date", &TableText::date},       {"how", &TableText::how}};

// The value of that name, made at the end where there is none.
template <class Value>
Value& at_name(Members<Value>& members, const std::string& name) {
  for (auto& [key, value] : members)
    if (key == name) return value;
  return members.emplace_back(name, Value{}).second;
}

}  // namespace onepass
