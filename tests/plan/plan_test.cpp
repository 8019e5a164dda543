// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A plan is a plain value: it compares, prints, and its names read back.
#include "plan/plan.hpp"

#include <gtest/gtest.h>

namespace onepass {
namespace {

Plan example() {
  return {.problem = {.m = 100, .n = 200, .lda = 100},
          .backend = BackendId::cuda,
          .kernel = {.variant = Variant::gemv_n, .form = Form::plain, .loads = Loads::few},
          .threads = 256,
          .params = GemvParams{.lanes = 32,
                               .tile = 25,
                               .tiles = 4,
                               .splits = 2,
                               .chunk = 128,
                               .products_per_block = 1,
                               .prefetch_blocks = 396,
                               .prefetch_vectors = 3},
          .shared_bytes = 1024,
          .workspace_bytes = 65536};
}

GemvParams& gemv(Plan& plan) { return params<GemvParams>(plan); }

TEST(Plan, ComparesEveryField) {
  const Plan plan = example();
  EXPECT_EQ(plan, example());
  void (*const changes[])(Plan&) = {
      [](Plan& p) { p.problem.incx = 2; },
      [](Plan& p) { p.backend = BackendId::sim; },
      [](Plan& p) { p.kernel.variant = Variant::gemv_t; },
      [](Plan& p) { p.kernel.form = Form::general; },
      [](Plan& p) { p.kernel.loads = Loads::many; },
      [](Plan& p) { p.threads = 128; },
      [](Plan& p) { gemv(p).lanes = 64; },
      [](Plan& p) { gemv(p).tile = 26; },
      [](Plan& p) { gemv(p).tiles = 5; },
      [](Plan& p) { gemv(p).splits = 3; },
      [](Plan& p) { gemv(p).chunk = 64; },
      [](Plan& p) { gemv(p).products_per_block = 2; },
      [](Plan& p) { gemv(p).prefetch_blocks = 0; },
      [](Plan& p) { gemv(p).prefetch_vectors = 0; },
      [](Plan& p) { p.params = FlatParams{}; },
      [](Plan& p) { p.shared_bytes = 0; },
      [](Plan& p) { p.workspace_bytes = 0; },
  };
  for (const auto change : changes) {
    Plan other = plan;
    change(other);
    EXPECT_NE(other, plan);
  }
}

TEST(Plan, PrintsItsFieldsInOneLine) {
  EXPECT_EQ(print(example()),
            "gemv_n plain few threads 256 lanes 32 tile 25 tiles 4 splits 2 chunk 128 products_per_block 1 "
            "prefetch_blocks 396 prefetch_vectors 3 shared 1024 workspace 65536");
}

TEST(Plan, OfAHostPrintsNothingOfGrids) {
  EXPECT_EQ(print({.problem = {},
                   .backend = BackendId::cpu,
                   .kernel = {.variant = Variant::cpu_t},
                   .threads = 2,
                   .params = HostParams{.tiles = 2}}),
            "cpu_t threads 2 tiles 2 splits 1 workspace 0");
  EXPECT_EQ(print({.problem = {}}), "loops threads 1");
}

TEST(PlanNames, ReadBack) {
  for (const BackendId b : {BackendId::cuda, BackendId::cpu, BackendId::sim, BackendId::reference})
    EXPECT_EQ(parse_backend(name(b)), b);
  for (int v = 0; v <= static_cast<int>(last_variant); ++v)
    EXPECT_EQ(parse_variant(name(static_cast<Variant>(v))), static_cast<Variant>(v));
  for (const Form form : {Form::plain, Form::general}) EXPECT_EQ(parse_form(name(form)), form);
  for (const Loads loads : {Loads::few, Loads::many}) EXPECT_EQ(parse_loads(name(loads)), loads);
  EXPECT_FALSE(parse_backend("gpu"));
  EXPECT_FALSE(parse_variant("gemm"));
  EXPECT_FALSE(parse_variant("?"));
  EXPECT_FALSE(parse_form(""));
  EXPECT_FALSE(parse_loads("several"));
}

}  // namespace
}  // namespace onepass
