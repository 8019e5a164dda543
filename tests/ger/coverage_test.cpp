// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table of cases hits every compiled kernel, and each of the variants with every feature of a call.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "plan/registry.hpp"
#include "problem/names.hpp"
#include "support/family/cases.hpp"
#include "support/family/kernels.hpp"

namespace onepass::test {
namespace {

std::int64_t blocks(const Plan& plan) {
  if (const auto* flat = std::get_if<GerFlatParams>(&plan.params)) return flat->blocks;
  const GerParams& tiles = params<GerParams>(plan);
  return tiles.tiles * tiles.column_blocks;
}

std::vector<std::string> features(const Case& c, const Plan& plan) {
  const Problem& p = c.problem;
  const std::int64_t line = 128 / size_of(p.type_a), rows = stored(p).rows;
  return {
      std::string(name(p.routine)) + " " + type_name(p) + " " + name(p.layout),
      p.pointer_array ? "pointer array"
      : p.batch > 1   ? "strided batch"
                      : "one product",
      std::string("alpha on the ") + name(p.scalars),
      p.incx < 0   ? "negative incx"
      : p.incx > 1 ? "incx"
                   : "incx 1",
      p.incy < 0   ? "negative incy"
      : p.incy > 1 ? "incy"
                   : "incy 1",
      c.offset_a % line != 0 ? "A within a line" : "A at the beginning of a line",
      rows % line == 0  ? "whole lines"
      : rows % 2 != 0   ? "odd rows"
      : rows % line > 1 ? "even rows"
                        : "rows",
      blocks(plan) > 1 ? "several blocks" : "one block",
      p.batch > 1 && !p.pointer_array && (p.stride_x == 0 || p.stride_y == 0) ? "a shared vector"
                                                                              : "vectors of their own",
  };
}

// ger_aligned knows where its columns begin, which pointers of which nothing is known do not tell.
bool can_have(Variant variant, const std::string& feature) {
  return variant != Variant::ger_aligned || (feature != "pointer array" && feature != "A within a line");
}

const std::vector<std::string> of_all = {
    "pointer array",
    "strided batch",
    "one product",
    "alpha on the host",
    "alpha on the device",
    "negative incx",
    "incx",
    "incx 1",
    "negative incy",
    "incy",
    "incy 1",
    "A within a line",
    "A at the beginning of a line",
    "whole lines",
    "odd rows",
    "even rows",
    "several blocks",
    "one block",
    "a shared vector",
};

TEST(Cases, HitTheVariantOfTheirGroup) {
  for (const GroupedCase& g : all_cases()) EXPECT_STREQ(name(plan_of(g.c).kernel.variant), name(g.variant)) << g.c.name;
}

TEST(Cases, HitEveryKernelInEveryType) { EXPECT_EQ(kernels_without_a_case(Family::ger), ""); }

TEST(Cases, HitEveryDeviceVariantWithEveryFeature) {
  std::map<std::string, int> hits;
  for (const GroupedCase& g : all_cases())
    for (const std::string& feature : features(g.c, plan_of(g.c))) ++hits[name(g.variant) + (": " + feature)];
  std::vector<std::string> wanted = of_all;
  for (const Problem& form : forms())
    for (const char type : row(form).types)
      wanted.push_back(std::string(name(form.routine)) + " " + type + " " + name(form.layout));
  for (const VariantRow& row : variants_of(Family::ger))
    for (const std::string& feature : wanted) {
      if (!can_have(row.variant, feature)) continue;
      EXPECT_GT(hits[name(row.variant) + (": " + feature)], 0) << name(row.variant) << ": " << feature;
    }
}

TEST(Cases, OfDeterminismHaveSeveralBlocks) {
  for (const Case& c : split_cases()) EXPECT_GT(blocks(plan_of(c)), 1) << describe(c.problem);
}

TEST(Cases, HaveDifferentNames) {
  std::map<std::string, int> names;
  for (const GroupedCase& g : all_cases()) EXPECT_EQ(++names[g.c.name], 1) << g.c.name;
}

}  // namespace
}  // namespace onepass::test
