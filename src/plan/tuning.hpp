// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Tables of measured launches: for a mesh of shapes, the fastest threads, lanes and splits of a device.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plan/device_traits.hpp"
#include "problem/problem.hpp"
#include "problem/status.hpp"

namespace onepass {

// One cell of a table.
struct Tuned {
  std::int16_t threads = 0;  // of a block; 0: nothing was measured here
  std::int16_t lanes = 0;
  std::int16_t split_threads = 0;  // of an SM, that a split fills; 0: no split
  bool shallow = false, prefetch = false;

  bool operator==(const Tuned&) const = default;
};

// A cell and where it stands.
struct TunedCell {
  Tuned tuned;
  std::int64_t rows = 0, cols = 0;  // of the shape that was measured
};

class Tuning {
 public:
  // Text in the format of tuning/*.json.
  static Status parse(std::string_view json, Tuning* table);

  const std::string& device() const { return device_; }
  bool serves(const DeviceTraits& traits) const { return traits.arch == arch_ && traits.sm_count == sm_count_; }

  // The cell next to a problem's shape; threads = 0 where the mesh does not reach, and for batches.
  TunedCell gemv(const Problem& p) const;

 private:
  // One mesh for each element type (fp16 as bf16), orientation and alignment of the columns.
  static constexpr std::size_t types = 6;
  using Mesh = std::vector<Tuned>;

  std::string device_;
  int arch_ = 0, sm_count_ = 0;
  std::vector<std::int64_t> rows_, cols_;
  std::array<std::array<std::array<Mesh, 2>, 2>, types> gemv_;
};

// The built-in table of a device, or null.
const Tuning* tuning_of(const DeviceTraits& traits);

}  // namespace onepass
