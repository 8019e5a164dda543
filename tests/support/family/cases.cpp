// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/family/cases.hpp"

#include "problem/check.hpp"
#include "problem/names.hpp"
#include "support/thorough.hpp"

namespace onepass::test {

bool slow_build() { return !thorough; }

std::vector<GroupedCase> cases_to_run() {
  if (!slow_build()) return all_cases();
  std::vector<GroupedCase> part;
  for (std::size_t i = 0; i < all_cases().size(); i += 6) part.push_back(all_cases()[i]);
  return part;
}

Problem sized(Problem form, const char* types, std::int64_t m, std::int64_t n) {
  form.m = is_triangle(form) ? n : m;
  form.n = n;
  form.lda = stored(form).rows;
  set_types(form, types);
  return form;
}

bool takes_types(const Problem& p) { return check(p).code != ONEPASS_STATUS_INVALID_TYPES; }

const char* usual_type(const Problem& form) { return takes_types(sized(form, "c", 1, 1)) ? "c" : "s"; }

}  // namespace onepass::test
