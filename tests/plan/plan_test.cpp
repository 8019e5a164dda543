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
          .variant = Variant::gemv_n,
          .threads = 256,
          .lanes = 32,
          .tile = 25,
          .tiles = 4,
          .splits = 2,
          .chunk = 128,
          .combine = Combine::letters,
          .shallow = true,
          .prefetch = true,
          .shared_bytes = 1024,
          .workspace_bytes = 65536};
}

TEST(Plan, ComparesEveryField) {
  const Plan plan = example();
  EXPECT_EQ(plan, example());
  void (*const changes[])(Plan&) = {
      [](Plan& p) { p.problem.incx = 2; },
      [](Plan& p) { p.backend = BackendId::sim; },
      [](Plan& p) { p.variant = Variant::gemv_t; },
      [](Plan& p) { p.threads = 128; },
      [](Plan& p) { p.lanes = 64; },
      [](Plan& p) { p.tile = 26; },
      [](Plan& p) { p.tiles = 5; },
      [](Plan& p) { p.splits = 3; },
      [](Plan& p) { p.chunk = 64; },
      [](Plan& p) { p.combine = Combine::none; },
      [](Plan& p) { p.shallow = false; },
      [](Plan& p) { p.prefetch = false; },
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
  EXPECT_EQ(
      print(example()),
      "gemv_n threads 256 lanes 32 tile 25 tiles 4 splits 2 chunk 128 combine letters shallow prefetch shared 1024 "
      "workspace 65536");
}

TEST(Plan, OfAHostPrintsNothingOfGrids) {
  EXPECT_EQ(print({.problem = {}, .backend = BackendId::cpu, .variant = Variant::cpu_t, .threads = 2}),
            "cpu_t threads 2");
}

TEST(PlanNames, ReadBack) {
  for (const BackendId b : {BackendId::cuda, BackendId::cpu, BackendId::sim, BackendId::reference})
    EXPECT_EQ(parse_backend(name(b)), b);
  for (const Variant v : {Variant::gemv_n, Variant::gemv_t, Variant::gemv_flat, Variant::symv, Variant::symv_small,
                          Variant::cpu_n, Variant::cpu_t, Variant::cpu_symv, Variant::loops})
    EXPECT_EQ(parse_variant(name(v)), v);
  for (const Combine c : {Combine::none, Combine::letters}) EXPECT_EQ(parse_combine(name(c)), c);
  EXPECT_FALSE(parse_backend("gpu"));
  EXPECT_FALSE(parse_variant("gemm"));
  EXPECT_FALSE(parse_combine(""));
}

}  // namespace
}  // namespace onepass
