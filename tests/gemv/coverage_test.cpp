// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table of cases hits every compiled kernel, and every feature of the plans of each variant.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "plan/gemv.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/registry.hpp"
#include "problem/names.hpp"
#include "support/family/cases.hpp"
#include "support/family/kernels.hpp"

namespace onepass::test {
namespace {

// How the blocks of any variant share the outputs and the sums.
GemvParams shape_of(const Plan& plan) {
  if (const auto* flat = std::get_if<FlatParams>(&plan.params))
    return {.lanes = flat->lanes, .tile = flat->outputs, .tiles = flat->blocks};
  return params<GemvParams>(plan);
}

// The features of a case that a kernel treats apart.
std::vector<std::string> features(const Case& c, const Plan& plan) {
  const Problem& p = c.problem;
  const GemvParams shape = shape_of(plan);
  const std::int64_t v = 16 / size_of(p.type_a);
  return {
      shape.splits > 1 ? "split" : "no split",
      shape.lanes == 1   ? "one lane"
      : shape.lanes < 32 ? "lanes of part of a warp"
      : shape.lanes > 32 ? "lanes of several warps"
                         : "lanes of a warp",
      shape.tiles > 1 ? "several tiles" : "one tile",
      length_y(p) % shape.tile != 0 ? "a partial tile" : "whole tiles",
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
    "scalars on the host",
    "incx 1",
    "negative incy",
    "incy",
    "incy 1",
};

const std::vector<std::string> of_gemv_n_and_t = {
    "one tile",
    "whole tiles",
    "pointer array",
    "one product",
    "strided batch",
    "negative incx",
    "incx",
    "scalars on the device",
    "split",
    "several tiles",
    "a partial tile",
    "lanes of part of a warp",
    "lanes of a warp",
    "lanes of several warps",
};
const std::vector<std::string> of_small = {
    "whole tiles",   "one product",    "negative incx",           "incx",
    "several tiles", "a partial tile", "lanes of part of a warp", "lanes of a warp",
};
const std::map<Variant, std::vector<std::string>> of_some = {
    {Variant::gemv_flat,
     {"strided batch", "negative incx", "incx", "several tiles", "a partial tile", "lanes of part of a warp"}},
    {Variant::gemv_n, of_gemv_n_and_t},
    {Variant::gemv_t, of_gemv_n_and_t},
    {Variant::gemv_n_small, of_small},
    {Variant::gemv_t_small, of_small},
    {Variant::gemv_t_short, {"one product", "negative incx", "incx", "several tiles", "lanes of part of a warp"}},
    {Variant::gemv_t_tensor,
     {"split", "one product", "several tiles", "whole tiles", "a partial tile", "lanes of several warps"}},
    {Variant::gemv_n_canonical, of_gemv_n_and_t},
    {Variant::gemv_t_canonical, of_gemv_n_and_t},
    {Variant::gemv_n_small_canonical,
     {"whole tiles", "one product", "negative incx", "incx", "several tiles", "a partial tile",
      "lanes of part of a warp", "lanes of a warp", "lanes of several warps"}},
    {Variant::gemv_t_small_canonical,
     {"whole tiles", "one product", "negative incx", "incx", "several tiles", "a partial tile",
      "lanes of several warps"}},
    {Variant::gemv_t_once,
     {"one tile", "whole tiles", "one product", "several tiles", "a partial tile", "lanes of part of a warp",
      "lanes of a warp", "lanes of several warps"}},
};

// In the canonical order rules choose; in the usual one those cases that name no launch are the planner's.
std::optional<Variant> expected(const GroupedCase& g, const Plan& plan) {
  if (plan.problem.order == Order::standard) return g.c.choice ? std::optional(g.variant) : std::nullopt;
  for (const Variant variant : {Variant::gemv_n_small_canonical, Variant::gemv_t_small_canonical})
    if (decline_canonical(variant, plan.problem, h200_traits()) == nullptr) return variant;
  return g.variant;
}

TEST(Cases, HitTheVariantOfTheirGroup) {
  for (const GroupedCase& g : all_cases()) {
    const Plan plan = plan_of(g.c);
    if (const std::optional<Variant> variant = expected(g, plan); variant) {
      EXPECT_STREQ(name(plan.kernel.variant), name(*variant)) << g.c.name;
    }
  }
}

TEST(Cases, HitEveryKernelInEveryType) { EXPECT_EQ(kernels_without_a_case(Family::gemv), ""); }

TEST(Cases, HitEveryDeviceVariantWithEveryFeature) {
  std::map<std::string, int> hits;
  for (const GroupedCase& g : all_cases()) {
    const Plan plan = plan_of(g.c);
    for (const std::string& feature : features(g.c, plan))
      ++hits[std::string(name(plan.kernel.variant)) + ": " + feature];
  }
  for (const VariantRow& row : variants_of(Family::gemv)) {
    ASSERT_TRUE(of_some.contains(row.variant)) << "no list of features for " << name(row.variant);
    // Of types that have a canonical order; two-byte elements of a column are loaded in vectors only, and
    // double-doubles have no kernels for small matrices.
    const bool canonical = std::ranges::find(gemv_kernels, row.variant) == std::end(gemv_kernels);
    const bool small = row.variant == Variant::gemv_n_small || row.variant == Variant::gemv_t_small;
    const auto has = [&](const std::string& types) {
      if (canonical) return std::string("sdcz").find(types) != std::string::npos;
      if (row.variant == Variant::gemv_t_tensor) return types[0] == 'h' || types[0] == 'b';
      return !((small || row.variant == Variant::gemv_t_short) && types == "w") &&
             !(row.variant == Variant::gemv_t_small && (types[0] == 'h' || types[0] == 'b'));
    };
    for (const char* types : all_type_names) {
      if (!has(types)) continue;
      EXPECT_GT(hits[name(row.variant) + std::string(": type ") + types], 0) << name(row.variant) << " " << types;
    }
    for (const auto* list : {&of_every_variant, &of_some.at(row.variant)})
      for (const std::string& feature : *list) {
        if ((canonical || row.variant == Variant::gemv_t_small) && feature == "wide y") continue;
        if (row.variant == Variant::gemv_t_tensor && feature == "conjugate") continue;  // its types are real
        const std::string key = std::string(name(row.variant)) + ": " + feature;
        EXPECT_GT(hits[key], 0) << "no case for " << key;
      }
  }
}

TEST(Cases, OfDeterminismAreSplit) {
  for (const Case& c : split_cases()) EXPECT_GT(params<GemvParams>(plan_of(c)).splits, 1) << describe(c.problem);
}

TEST(Cases, HaveDifferentNames) {
  std::map<std::string, int> names;
  for (const GroupedCase& g : all_cases()) EXPECT_EQ(++names[g.c.name], 1) << g.c.name;
}

}  // namespace
}  // namespace onepass::test
