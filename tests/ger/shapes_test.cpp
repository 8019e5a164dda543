// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Any legal shape of a launch computes, not just those that the rule chooses; an illegal one is named.
#include <gtest/gtest.h>

#include "plan/registry.hpp"
#include "problem/names.hpp"
#include "support/family/on_backend.hpp"
#include "verify/random.hpp"

namespace onepass::test {
namespace {

class Shapes : public OnBackend {
 protected:
  void SetUp() override {
    if (!on_device(backend().id())) GTEST_SKIP() << "only devices have shapes of launches";
  }
};
INSTANTIATE_TEST_SUITE_P(Family, Shapes, every_backend(), backend_name);

TEST_P(Shapes, OfTilesComputeWhateverTheirNumbers) {
  Random random(21);
  for (int i = 0, wanted = backend().id() == BackendId::cuda ? 2000 : 150; i < wanted; ++i) {
    const std::vector<Problem> all = forms();
    const Problem& form = all[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(all.size())))];
    const std::string_view types = row(form).types;
    const std::string type(1, types[static_cast<std::size_t>(random.below(std::ssize(types)))]);
    Case c{.problem = sized(form, type.c_str(), 1 + random.below(150), 1 + random.below(90))};
    Problem& p = c.problem;
    p.lda += random.below(9);
    c.offset_a = random.below(9);
    if (random.one_in(3)) p.incx = random.one_in(2) ? -1 : 2;
    if (random.one_in(3)) p.incy = random.one_in(2) ? -3 : 2;
    const int lanes = 1 << random.below(8);
    const std::int64_t columns = 1 + random.below(100);
    const auto shape = [&](const Problem& known) {
      const bool on_sectors = known.alignment_a >= 32 && known.lda * size_of(known.type_a) % 32 == 0;
      Plan plan = shape_ger(known, on_sectors ? Variant::ger_aligned : Variant::ger, lanes, columns);
      plan.backend = backend().id();
      EXPECT_EQ(why_illegal_on_device(plan), "");
      return plan;
    };
    ASSERT_TRUE(agrees_with_reference(backend(), c, {.plan = shape})) << lanes << " lanes, " << columns << " columns";
  }
}

TEST(IllegalShapes, AreNamed) {
  const Problem p = sized({.routine = Routine::ger}, "s", 100, 50);
  Plan tiles = shape_ger(p, Variant::ger, 32, 8);
  EXPECT_EQ(why_illegal_on_device(tiles), "");
  --params<GerParams>(tiles).column_blocks;
  EXPECT_EQ(why_illegal_on_device(tiles), "the tiles do not cover the matrix");
  tiles = shape_ger(p, Variant::ger, 32, 8);
  params<GerParams>(tiles).lanes = 24;
  EXPECT_EQ(why_illegal_on_device(tiles), "lanes must be a power of two up to the threads of a block");
  params<GerParams>(tiles).lanes = 256;
  EXPECT_NE(why_illegal_on_device(tiles), "");
  tiles = shape_ger(p, Variant::ger, 32, 8);
  params<GerParams>(tiles).columns = 0;
  EXPECT_NE(why_illegal_on_device(tiles), "");

  EXPECT_EQ(why_illegal_on_device(shape_ger(p, Variant::ger_aligned, 32, 8)), "the columns do not begin on 32 bytes");

  Plan flat = shape_ger_flat(p);
  EXPECT_EQ(why_illegal_on_device(flat), "");
  --params<GerFlatParams>(flat).blocks;
  EXPECT_EQ(why_illegal_on_device(flat), "the blocks do not cover the matrix");
  Problem gaps = p;
  gaps.lda += 1;
  EXPECT_NE(why_illegal_on_device(shape_ger_flat(gaps)), "");
}

}  // namespace
}  // namespace onepass::test
