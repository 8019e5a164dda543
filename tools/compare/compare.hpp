// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Two records -> what became slower or faster between them, beyond noise. Measures nothing, prints nothing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/record.hpp"
#include "reductions/record.hpp"

namespace onepass::tools {

// One point that both records measured.
struct Change {
  std::string name;
  double before = 0, after = 0;  // microseconds of Onepass
  double ratio = 1;              // after / before
  double noise = 0;              // a change of so much says nothing: 0.04 is 4 %
};

// All common points of one type, op or triangle, cache, batching and number of threads; of a reduction, of one type.
struct GroupChange {
  std::string name;
  std::size_t points = 0, slower = 0, faster = 0;
  double ratio = 1;  // geometric mean
  double noise = 0;
  double peers = 0;  // geometric mean of the peers' ratios: they are the same code; 0 where there are none
};

struct Comparison {
  std::vector<GroupChange> groups;     // in the order of the first record
  std::vector<Change> slower, faster;  // beyond noise, the largest change first
  std::vector<std::string> failed;     // measured before, failed now
  std::size_t common = 0, only_before = 0, only_after = 0;
  std::vector<std::string> differences;  // of the records: "device: a, then b"
};

inline constexpr double default_threshold = 0.04;

// Empty, or why the times of two records say nothing about each other: one has calls in a queue, the other calls alone.
std::string why_not_comparable(const Record& before, const Record& after);

// `threshold`: the least change of a point that counts; the mean of a group counts from half of it.
Comparison compare(const Record& before, const Record& after, double threshold);
Comparison compare(const ReductionRecord& before, const ReductionRecord& after, double threshold);

bool is_slower(const GroupChange& group);
bool is_faster(const GroupChange& group);

// Whether a gate should close: a point or a group is slower, or a point failed.
bool is_worse(const Comparison& comparison);

}  // namespace onepass::tools
