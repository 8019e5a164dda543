// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The exact set of elements of an operand, and the way from an address to one of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "launch/region.hpp"

namespace onepass::sim {

// `cols` runs of `rows` contiguous elements, the runs `lda` elements apart.
struct Pattern {
  std::int64_t rows = 0;
  std::int64_t cols = 1;
  std::int64_t lda = 0;
  std::int64_t element = 1;  // bytes, a power of two
  Part part = Part::whole;
};

// A vector as BLAS strides it, from its lowest address on.
constexpr Pattern vector_pattern(std::int64_t length, std::int64_t inc, std::int64_t element) {
  return {.rows = 1, .cols = length, .lda = inc < 0 ? -inc : inc, .element = element};
}

// One pattern at each of several addresses. Elements are numbered address by address, run by run,
// so that a table over them has the size of the operand and not that of the memory it spans. Those of the other
// triangle have numbers too, and do not exist.
class Lattice {
 public:
  Lattice() = default;
  Lattice(Pattern pattern, std::span<const void* const> bases);

  struct Elements {
    std::int64_t first, count;
  };
  // The elements that an access touches, if all of it lies in one run; and if as many bytes before and behind it as
  // a vector takes besides lie between the first and the last byte at the same address, in whatever run or gap.
  std::optional<Elements> find(std::uintptr_t address, std::int64_t bytes, std::int64_t before = 0,
                               std::int64_t behind = 0) const;
  // Whether an address lies between the first and the last byte at some base, in a run or in a gap.
  bool spans(std::uintptr_t address) const;

  bool empty() const { return bases_.empty(); }
  std::int64_t size() const { return per_base_ * static_cast<std::int64_t>(bases_.size()); }
  // Elements that exist, of each base and of all; and whether the one with a number does.
  std::int64_t existing() const { return existing_ * static_cast<std::int64_t>(bases_.size()); }
  bool exists(std::int64_t number) const;
  std::int64_t element_bytes() const { return std::int64_t{1} << shift_; }
  std::size_t bases() const { return bases_.size(); }
  // How often a base was given: how many products share its elements.
  std::int64_t repeats(std::size_t base) const { return bases_[base].repeats; }

  std::uintptr_t begin() const { return bases_.front().address; }
  std::uintptr_t end() const { return bases_.back().address + span_; }
  // The elements of an access that lie in the span of the pattern but in none of its runs.
  std::int64_t count_gaps(std::uintptr_t address, std::int64_t bytes) const;
  // Distinct 32-byte sectors that hold an element.
  std::int64_t count_sectors() const;

 private:
  struct Base {
    std::uintptr_t address;
    std::int64_t repeats;
  };
  std::optional<Elements> find_at(std::size_t base, std::uintptr_t address, std::uint64_t bytes, std::uint64_t before,
                                  std::uint64_t behind) const;
  // The rows of a run: from first to last - 1.
  std::int64_t first_row(std::int64_t col) const { return part_ == Part::lower ? col : 0; }
  std::int64_t last_row(std::int64_t col) const { return part_ == Part::upper ? col + 1 : rows_; }
  // The last base that is not above the address, which is not below the first one.
  std::size_t base_below(std::uintptr_t address) const;

  std::vector<Base> bases_;  // ascending
  std::int64_t cols_ = 0, rows_ = 0, per_base_ = 0, existing_ = 0;
  std::uint64_t run_bytes_ = 0, lda_bytes_ = 0, span_ = 0;
  int shift_ = 0;
  Part part_ = Part::whole;
  mutable std::size_t last_ = 0;
};

}  // namespace onepass::sim
