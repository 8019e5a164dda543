// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a run found, as a table that the library reads, and beside it as a text with all scores.
#pragma once

#include <optional>
#include <string>

#include "tune/tuner.hpp"
#include "tuning/format.hpp"

namespace onepass::tools {

struct TableHead {
  std::string library, commit, date, how;
  std::vector<Fact> facts;  // device, driver, toolkit
};

// `before`: the table of this device that it replaces, if there is one. The single shapes of that stay; where no mesh
// was timed, all of it does.
TableText table_of(const TunerResult& result, const TableHead& head, const DeviceTraits& traits,
                   const std::optional<TableText>& before = {});

// Per cell the fastest launch, the one after it, their microseconds, and how many launches were timed.
std::string scores_text(const TunerResult& result, const TableHead& head);

}  // namespace onepass::tools
