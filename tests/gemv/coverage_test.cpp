// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table of cases hits every device variant, and every feature of its plans.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "plan/gemv.hpp"
#include "plan/gemv_shape.hpp"
#include "problem/names.hpp"
#include "support/family/cases.hpp"

namespace onepass::test {
namespace {

// The plan that a call makes: it looks where A lies, and here that is a multiple of 256 bytes and the offset.
Plan plan_of(const Case& c) {
  Problem p = c.problem;
  p.alignment_a = alignment_of(p, reinterpret_cast<const void*>(256 + c.offset_a * size_of(p.type_a)));
  return plan_gemv(p, h200_traits(), BackendId::sim);
}

// The features of a case that a kernel treats apart.
std::vector<std::string> features(const Case& c, const Plan& plan) {
  const Problem& p = c.problem;
  const std::int64_t v = 16 / size_of(p.type_a);
  return {
      plan.splits > 1 ? "split" : "no split",
      plan.lanes == 1   ? "one lane"
      : plan.lanes < 32 ? "lanes of part of a warp"
      : plan.lanes > 32 ? "lanes of several warps"
                        : "lanes of a warp",
      plan.tiles > 1 ? "several tiles" : "one tile",
      length_y(p) % plan.tile != 0 ? "a partial tile" : "whole tiles",
      c.offset_a % v != 0 ? "misaligned head" : "aligned head",
      alignment_classes(p) > 1 ? "columns at several offsets" : "columns at one offset",
      stored(p).conjugate ? "conjugate" : "as it is",
      p.type_y != p.type_a ? "wide y" : "y like A",
      p.pointer_array ? "pointer array"
      : p.batch > 1   ? "strided batch"
                      : "one product",
      p.scalars == Scalars::device ? "scalars on the device" : "scalars on the host",
      p.incx < 0   ? "negative incx"
      : p.incx > 1 ? "incx"
                   : "incx 1",
      p.incy < 0   ? "negative incy"
      : p.incy > 1 ? "incy"
                   : "incy 1",
      std::string("type ") + type_name(p),
  };
}

const std::vector<std::string> of_every_variant = {
    "no split",
    "misaligned head",
    "aligned head",
    "columns at several offsets",
    "columns at one offset",
    "conjugate",
    "as it is",
    "wide y",
    "y like A",
    "strided batch",
    "scalars on the host",
    "negative incx",
    "incx",
    "incx 1",
    "negative incy",
    "incy",
    "incy 1",
    "type s",
    "type d",
    "type c",
    "type z",
    "type h",
    "type b",
    "type hhs",
    "type bbs",
};

const std::map<Variant, std::vector<std::string>> of_some = {
    {Variant::gemv_flat, {"several tiles", "a partial tile", "lanes of part of a warp"}},
    {Variant::gemv_n,
     {"one tile", "whole tiles", "pointer array", "one product", "scalars on the device", "split",
      "lanes of part of a warp", "lanes of a warp", "lanes of several warps", "several tiles", "a partial tile"}},
    {Variant::gemv_t,
     {"one tile", "whole tiles", "pointer array", "one product", "scalars on the device", "split",
      "lanes of part of a warp", "lanes of a warp", "lanes of several warps", "several tiles", "a partial tile"}},
};

TEST(Cases, HitTheVariantOfTheirGroup) {
  for (const GroupedCase& g : all_cases())
    EXPECT_EQ(name(plan_of(g.c).variant), std::string(name(g.variant))) << g.c.name;
}

TEST(Cases, HitEveryDeviceVariantWithEveryFeature) {
  std::map<std::string, int> hits;
  for (const GroupedCase& g : all_cases()) {
    const Plan plan = plan_of(g.c);
    for (const std::string& feature : features(g.c, plan)) ++hits[std::string(name(plan.variant)) + ": " + feature];
  }
  for (const VariantEntry& entry : gemv_variants()) {
    ASSERT_TRUE(of_some.contains(entry.variant)) << "no list of features for " << name(entry.variant);
    for (const auto* list : {&of_every_variant, &of_some.at(entry.variant)})
      for (const std::string& feature : *list) {
        const std::string key = std::string(name(entry.variant)) + ": " + feature;
        EXPECT_GT(hits[key], 0) << "no case for " << key;
      }
  }
}

TEST(Cases, OfDeterminismAreSplit) {
  for (const Case& c : split_cases()) EXPECT_GT(plan_of(c).splits, 1) << describe(c.problem);
}

TEST(Cases, HaveDifferentNames) {
  std::map<std::string, int> names;
  for (const GroupedCase& g : all_cases()) EXPECT_EQ(++names[g.c.name], 1) << g.c.name;
}

}  // namespace
}  // namespace onepass::test
