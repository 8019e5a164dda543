// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table of cases has every form in every type and every feature of a call, and hits every compiled kernel.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "problem/names.hpp"
#include "support/family/cases.hpp"
#include "support/family/kernels.hpp"

namespace onepass::test {
namespace {

std::vector<std::string> features(const Case& c) {
  const Problem& p = c.problem;
  const std::string routine = std::string(name(p.routine)) + " ";
  return {
      routine + type_name(p) + " " + name(p.uplo) + " " + name(p.layout),
      routine + (p.pointer_array ? "pointer array"
                 : p.batch > 1   ? "strided batch"
                                 : "one product"),
      routine + "scalars on the " + name(p.scalars),
      routine + (p.incx < 0   ? "negative incx"
                 : p.incx > 1 ? "incx"
                              : "incx 1"),
      routine + (p.incy < 0   ? "negative incy"
                 : p.incy > 1 ? "incy"
                              : "incy 1"),
      routine + (c.beta == 0.0 ? "beta 0" : "beta"),
      routine + (c.offset_a != 0 ? "offset" : "no offset"),
      routine + (p.lda % 2 != 0 ? "odd lda" : "even lda"),
  };
}

TEST(Cases, HaveEveryFeature) {
  std::map<std::string, int> hits;
  for (const GroupedCase& g : all_cases())
    for (const std::string& feature : features(g.c)) ++hits[feature];
  for (const Routine routine_ : {Routine::symv, Routine::hemv}) {
    const char* const routine = name(routine_);
    for (const char* feature : {"pointer array", "strided batch", "one product", "scalars on the host",
                                "scalars on the device", "negative incx", "incx", "incx 1", "negative incy", "incy",
                                "incy 1", "beta 0", "beta", "offset", "no offset", "odd lda", "even lda"})
      EXPECT_GT(hits[std::string(routine) + " " + feature], 0) << routine << " " << feature;
    for (const char* types : all_type_names)
      for (const char* form : {"L column", "U column", "L row", "U row"})
        EXPECT_EQ(hits[std::string(routine) + " " + types + " " + form] > 0,
                  takes_types(sized({.routine = routine_}, types, 1, 1)))
            << routine << " " << types << " " << form;
  }
}

// Large squares, and double-doubles whose columns tiles cannot take: launches of their own in tests/symv_device.
TEST(Cases, HitEveryKernelInEveryType) {
  EXPECT_EQ(kernels_without_a_case(Family::symv),
            "symv_squares plain few w default\n"
            "symv_squares plain many s default\n"
            "symv_squares plain many z default\n"
            "symv_squares plain many h default\n"
            "symv_squares plain many b default\n");
}

TEST(Cases, HaveDifferentNames) {
  std::map<std::string, int> names;
  for (const GroupedCase& g : all_cases()) EXPECT_EQ(++names[g.c.name], 1) << g.c.name;
}

}  // namespace
}  // namespace onepass::test
