// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What `onepass bench` found of a reduction: its rows, as a table and as a record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace onepass::tools {

struct ReductionTime {
  std::string type;
  std::int64_t m, n;
  double ms, least, floor, peer;  // 0: there is none
  std::int64_t matrices = 1;      // of a batch
};

struct ReductionRecord {
  std::string version, commit, compiler, date, backend, routine;
  std::vector<std::pair<std::string, std::string>> machine;
  std::string peer;        // empty: none was timed
  bool has_floor = false;  // known on GPUs alone, and of reductions
  std::vector<ReductionTime> rows;
};

std::string head_of(const ReductionRecord& record);
std::string line_of(const ReductionRecord& record, const ReductionTime& row);

std::string to_json(const ReductionRecord& record);
// Nothing if the file holds a record of another kind. Records without a column m are of square matrices.
std::optional<ReductionRecord> read_reduction_record(const std::string& path);

}  // namespace onepass::tools
