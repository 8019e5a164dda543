// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tuning/built_in.hpp"

namespace onepass {

const TuningTables* built_in_tuning(const DeviceTraits& traits) {
  static const std::array<Tuning, std::tuple_size_v<decltype(tuning_tables)>> tables = [] {
    std::array<Tuning, std::tuple_size_v<decltype(tuning_tables)>> read;
    for (std::size_t i = 0; i < read.size(); ++i) (void)Tuning::parse(tuning_tables[i], "", &read[i]);
    return read;
  }();
  static const std::array<TuningTables, tables.size() + 1> each = [] {
    std::array<TuningTables, tables.size() + 1> made;
    for (std::size_t i = 0; i < tables.size(); ++i) made[i].built_in = &tables[i];
    return made;
  }();
  for (const TuningTables& one : each)
    if (one.built_in == nullptr || one.built_in->serves(traits)) return &one;
  return &each.back();
}

}  // namespace onepass
