// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The parameters of tests that run on every backend of a family: `*cuda*` in a filter picks the cuda ones.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "problem/names.hpp"
#include "support/family/cases.hpp"

namespace onepass::test {

class OnBackend : public testing::TestWithParam<const Backend*> {
 protected:
  const Backend& backend() const { return *GetParam(); }
};

inline auto every_backend() { return testing::ValuesIn(family_backends()); }

// For tests that compare with the reference alone: against itself they could not fail.
inline std::vector<const Backend*> backends_but_reference() {
  std::vector<const Backend*> list = family_backends();
  std::erase_if(list, [](const Backend* b) { return b->id() == BackendId::reference; });
  return list;
}
inline auto every_backend_but_reference() { return testing::ValuesIn(backends_but_reference()); }

inline std::string backend_name(const testing::TestParamInfo<const Backend*>& info) { return name(info.param->id()); }

}  // namespace onepass::test
