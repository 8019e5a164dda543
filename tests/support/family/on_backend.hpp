// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The parameters of tests that run on every backend of a family: `*cuda*` in a filter picks the cuda ones.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "problem/names.hpp"
#include "support/family/cases.hpp"
#include "support/run.hpp"

namespace onepass::test {

class OnBackend : public testing::TestWithParam<const Backend*> {
 protected:
  const Backend& backend() const { return *GetParam(); }
};

inline auto every_backend() { return testing::ValuesIn(family_backends()); }

inline std::string backend_name(const testing::TestParamInfo<const Backend*>& info) { return name(info.param->id()); }

}  // namespace onepass::test
