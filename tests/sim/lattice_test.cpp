// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From an address to an element: padding, batches that overlap, distances past 2^31.
#include "backends/sim/memory/lattice.hpp"

#include <gtest/gtest.h>

namespace onepass::sim {
namespace {

const void* at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

Lattice lattice(Pattern pattern, std::vector<const void*> bases) { return {pattern, bases}; }

std::int64_t first(const Lattice& l, std::uintptr_t address, std::int64_t bytes = 4) {
  const auto found = l.find(address, bytes);
  return found ? found->first : -1;
}

TEST(Lattice, NumbersElementsRunByRun) {
  const Lattice l = lattice({.rows = 3, .cols = 2, .lda = 5, .element = 4}, {at(4096)});
  EXPECT_EQ(l.size(), 6);
  EXPECT_EQ(first(l, 4096), 0);
  EXPECT_EQ(first(l, 4096 + 2 * 4), 2);
  EXPECT_EQ(first(l, 4096 + 3 * 4), -1);
  EXPECT_EQ(first(l, 4096 + 5 * 4), 3);
  EXPECT_EQ(first(l, 4096 + 8 * 4), -1);
  EXPECT_EQ(first(l, 4096 - 4), -1);
}

TEST(Lattice, AnAccessLiesInOneRun) {
  const Lattice l = lattice({.rows = 6, .cols = 2, .lda = 8, .element = 4}, {at(4096)});
  EXPECT_EQ(l.find(4096, 16)->count, 4);
  EXPECT_EQ(first(l, 4096 + 16, 16), -1);
  EXPECT_EQ(l.count_gaps(4096 + 16, 16), 2);
}

TEST(Lattice, RunsThatTouchAreOne) {
  const Lattice l = lattice({.rows = 6, .cols = 2, .lda = 6, .element = 4}, {at(4096)});
  EXPECT_EQ(first(l, 4096 + 16, 16), 4);
  EXPECT_EQ(first(l, 4096 + 48), -1);
}

TEST(Lattice, ATriangleHasTheElementsOfOneSideAndTheDiagonal) {
  const Lattice lower = lattice({.rows = 3, .cols = 3, .lda = 3, .element = 4, .part = Part::lower}, {at(4096)});
  const Lattice upper = lattice({.rows = 3, .cols = 3, .lda = 3, .element = 4, .part = Part::upper}, {at(4096)});
  for (int number = 0; number < 9; ++number) {
    const int row = number % 3, column = number / 3;
    EXPECT_EQ(first(lower, 4096 + 4 * number), row >= column ? number : -1);
    EXPECT_EQ(first(upper, 4096 + 4 * number), row <= column ? number : -1);
    EXPECT_EQ(lower.exists(number), row >= column);
    EXPECT_EQ(upper.exists(number), row <= column);
  }
  EXPECT_EQ(lower.existing(), 6);
  EXPECT_EQ(lower.find(4096, 12)->count, 3);
  EXPECT_EQ(first(upper, 4096, 12), -1);
}

TEST(Lattice, SectorsOfATriangle) {
  // 16 columns of 64 bytes, on sectors: a column has two of them, or one where it lies in half of its rows.
  const auto count = [](Part part) {
    return lattice({.rows = 16, .cols = 16, .lda = 16, .element = 4, .part = part}, {at(4096)}).count_sectors();
  };
  EXPECT_EQ(count(Part::whole), 32);
  EXPECT_EQ(count(Part::lower), 16 + 7 + 1);
  EXPECT_EQ(count(Part::upper), 16 + 8);
}

TEST(Lattice, APartOfAnElementIsThatElement) {
  const Lattice l = lattice({.rows = 4, .element = 16}, {at(4096)});
  EXPECT_EQ(l.find(4096 + 24, 8)->first, 1);
  EXPECT_EQ(l.find(4096 + 24, 8)->count, 1);
}

TEST(Lattice, BasesInAnyOrder) {
  const Lattice l = lattice({.rows = 2, .element = 4}, {at(8192), at(4096), at(12288), at(4096)});
  EXPECT_EQ(l.size(), 6);
  EXPECT_EQ(first(l, 12288 + 4), 5);
  EXPECT_EQ(first(l, 4096), 0);
  EXPECT_EQ(first(l, 8192), 2);
  EXPECT_EQ(first(l, 6000), -1);
  EXPECT_EQ(l.repeats(0), 2);
  EXPECT_EQ(l.repeats(1), 1);
}

// The products of a batch as blocks of rows of one tall matrix.
TEST(Lattice, MatricesSideBySideInALargerOne) {
  const Lattice l = lattice({.rows = 2, .cols = 3, .lda = 6, .element = 4}, {at(4096), at(4104), at(4112)});
  for (int element = 0; element < 18; ++element) {
    const int base = element % 6 / 2, col = element / 6, row = element % 2;
    EXPECT_EQ(first(l, 4096 + 4u * static_cast<unsigned>(element)), base * 6 + col * 2 + row) << element;
  }
  EXPECT_EQ(l.count_sectors(), 3);  // 72 bytes from a multiple of 32 on
}

TEST(Lattice, TablesAreSizedByElementsNotBySpan) {
  const std::int64_t lda = std::int64_t{3} << 31;
  const Lattice l = lattice({.rows = 4, .cols = 5, .lda = lda, .element = 8}, {at(4096)});
  EXPECT_EQ(l.size(), 20);
  const auto last = 4096 + static_cast<std::uintptr_t>(4 * lda + 3) * 8;
  EXPECT_EQ(first(l, last, 8), 19);
  EXPECT_EQ(first(l, last + 8, 8), -1);
  EXPECT_EQ(l.count_sectors(), 5);
}

TEST(Lattice, SectorsThatTwoRunsShareCountOnce) {
  EXPECT_EQ(lattice({.rows = 4, .cols = 2, .lda = 5, .element = 4}, {at(4096)}).count_sectors(), 2);
  EXPECT_EQ(lattice({.rows = 4, .cols = 2, .lda = 5, .element = 4}, {at(4096 + 28)}).count_sectors(), 2);
  EXPECT_EQ(lattice({.rows = 8, .cols = 4, .lda = 16, .element = 4}, {at(4096)}).count_sectors(), 4);
  EXPECT_EQ(lattice({.rows = 8, .cols = 4, .lda = 16, .element = 4}, {at(4096 + 4)}).count_sectors(), 8);
}

TEST(Lattice, AWordMayRunOverButNotOutOfTheSpan) {
  const Lattice l = lattice({.rows = 6, .cols = 2, .lda = 8, .element = 4}, {at(4096 + 8)});
  EXPECT_EQ(l.find(4096 + 8 + 16, 8, 8, 0)->first, 4);   // neighbours of the same run in front
  EXPECT_EQ(l.find(4096 + 8 + 20, 4, 4, 8)->first, 5);   // the gap behind
  EXPECT_EQ(l.find(4096 + 8 + 32, 4, 12, 0)->first, 6);  // the gap in front
  EXPECT_FALSE(l.find(4096 + 8 + 24, 4, 0, 12));         // in the gap
  EXPECT_EQ(l.find(4096 + 8, 8, 0, 8)->count, 2);
  EXPECT_FALSE(l.find(4096 + 8, 8, 8, 0));  // before the first element
  EXPECT_EQ(l.find(4096 + 8 + 44, 12, 4, 0)->count, 3);
  EXPECT_FALSE(l.find(4096 + 8 + 44, 12, 0, 4));  // behind the last
}

// A vector of a product lies in that product's span, though the next one may begin where it ends.
TEST(Lattice, AWordMayNotRunIntoTheNextBase) {
  const Lattice l = lattice({.rows = 6, .element = 4}, {at(4096), at(4096 + 24)});
  EXPECT_EQ(l.find(4096 + 16, 8)->first, 4);
  EXPECT_FALSE(l.find(4096 + 16, 8, 0, 8));
  EXPECT_FALSE(l.find(4096 + 24, 8, 8, 0));
  EXPECT_EQ(l.find(4096 + 32, 16, 0, 0)->first, 8);
}

TEST(Lattice, SpansReachFromTheFirstToTheLastByteOfEachBase) {
  const Lattice l = lattice({.rows = 2, .cols = 2, .lda = 4, .element = 4}, {at(4096), at(8192)});
  EXPECT_FALSE(l.spans(4095));
  EXPECT_TRUE(l.spans(4096 + 12));
  EXPECT_TRUE(l.spans(4096 + 23));
  EXPECT_FALSE(l.spans(4096 + 24));
  EXPECT_TRUE(l.spans(8192));
  EXPECT_FALSE(Lattice().spans(4096));
}

TEST(Lattice, NothingHasNoElements) {
  const Lattice l = lattice({.rows = 0, .cols = 3, .lda = 1, .element = 4}, {at(4096)});
  EXPECT_TRUE(l.empty());
  EXPECT_EQ(first(l, 4096), -1);
  EXPECT_EQ(l.count_sectors(), 0);
}

}  // namespace
}  // namespace onepass::sim
