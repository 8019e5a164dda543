// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/memory/lattice.hpp"

#include <algorithm>
#include <bit>

namespace onepass::sim {

Lattice::Lattice(Pattern p, std::span<const void* const> bases) {
  if (p.rows <= 0 || p.cols <= 0) return;
  if (p.lda == p.rows && p.part == Part::whole)
    p = {.rows = p.rows * p.cols, .cols = 1, .lda = 0, .element = p.element};
  rows_ = p.rows;
  cols_ = p.cols;
  per_base_ = rows_ * cols_;
  part_ = p.part;
  existing_ = part_ == Part::whole ? per_base_ : rows_ * (rows_ + 1) / 2;
  shift_ = std::countr_zero(static_cast<std::uint64_t>(p.element));
  run_bytes_ = static_cast<std::uint64_t>(rows_) << shift_;
  lda_bytes_ = static_cast<std::uint64_t>(p.lda) << shift_;
  span_ = static_cast<std::uint64_t>(cols_ - 1) * lda_bytes_ + run_bytes_;

  std::vector<std::uintptr_t> sorted;
  for (const void* base : bases) sorted.push_back(reinterpret_cast<std::uintptr_t>(base));
  std::sort(sorted.begin(), sorted.end());
  for (const std::uintptr_t address : sorted) {
    if (!bases_.empty() && bases_.back().address == address) {
      ++bases_.back().repeats;
    } else {
      bases_.push_back({.address = address, .repeats = 1});
    }
  }
}

std::optional<Lattice::Elements> Lattice::find_at(std::size_t base, std::uintptr_t address, std::uint64_t bytes,
                                                  std::uint64_t before, std::uint64_t behind) const {
  std::uint64_t offset = address - bases_[base].address;
  if (offset < before || offset + bytes + behind > span_) return std::nullopt;
  std::int64_t col = 0;
  if (cols_ > 1) {
    col = static_cast<std::int64_t>(offset / lda_bytes_);
    offset -= static_cast<std::uint64_t>(col) * lda_bytes_;
  }
  if (offset + bytes > run_bytes_) return std::nullopt;
  const auto first = static_cast<std::int64_t>(offset >> shift_);
  const auto last = static_cast<std::int64_t>((offset + bytes - 1) >> shift_);
  if (first < first_row(col) || last >= last_row(col)) return std::nullopt;
  const std::int64_t run = static_cast<std::int64_t>(base) * cols_ + col;
  return Elements{.first = run * rows_ + first, .count = last - first + 1};
}

bool Lattice::exists(std::int64_t number) const {
  const std::int64_t row = number % rows_, col = number / rows_ % cols_;
  return row >= first_row(col) && row < last_row(col);
}

std::size_t Lattice::base_below(std::uintptr_t address) const {
  const std::size_t count = bases_.size();
  if (!(bases_[last_].address <= address && (last_ + 1 == count || address < bases_[last_ + 1].address))) {
    const auto above = std::upper_bound(bases_.begin(), bases_.end(), address,
                                        [](std::uintptr_t a, const Base& b) { return a < b.address; });
    last_ = static_cast<std::size_t>(above - bases_.begin()) - 1;
  }
  return last_;
}

std::optional<Lattice::Elements> Lattice::find(std::uintptr_t address, std::int64_t bytes, std::int64_t before,
                                               std::int64_t behind) const {
  if (bases_.empty() || address < bases_.front().address) return std::nullopt;
  // Matrices of a batch may lie side by side in one larger matrix: then the spans overlap, and an
  // earlier base may own the address. Where two of them share an element, the later one counts.
  for (std::size_t base = base_below(address);; --base) {
    if (const auto found = find_at(base, address, static_cast<std::uint64_t>(bytes), static_cast<std::uint64_t>(before),
                                   static_cast<std::uint64_t>(behind)))
      return found;
    if (base == 0 || bases_[base - 1].address + span_ <= address) return std::nullopt;
  }
}

bool Lattice::spans(std::uintptr_t address) const {
  if (bases_.empty() || address < bases_.front().address) return false;
  return address - bases_[base_below(address)].address < span_;
}

std::int64_t Lattice::count_gaps(std::uintptr_t address, std::int64_t bytes) const {
  if (empty()) return 0;
  std::int64_t gaps = 0;
  for (std::uintptr_t at = address; at < address + static_cast<std::uintptr_t>(bytes); at += std::size_t{1} << shift_) {
    if (at >= begin() && at < end() && !find(at, 1)) ++gaps;
  }
  return gaps;
}

std::int64_t Lattice::count_sectors() const {
  struct Range {
    std::uintptr_t first, last;
  };
  std::vector<Range> ranges;
  ranges.reserve(bases_.size() * static_cast<std::size_t>(cols_));
  for (const Base& base : bases_) {
    for (std::int64_t col = 0; col < cols_; ++col) {
      const std::uintptr_t run = base.address + static_cast<std::uint64_t>(col) * lda_bytes_;
      const std::uintptr_t begin = run + (static_cast<std::uint64_t>(first_row(col)) << shift_);
      const std::uintptr_t end = run + (static_cast<std::uint64_t>(last_row(col)) << shift_);
      ranges.push_back({.first = begin / 32, .last = (end - 1) / 32});
    }
  }
  const auto before = [](const Range& a, const Range& b) { return a.first < b.first; };
  if (!std::is_sorted(ranges.begin(), ranges.end(), before)) std::sort(ranges.begin(), ranges.end(), before);
  std::int64_t sectors = 0;
  std::uintptr_t next = 0;  // the first sector that is not counted yet
  for (const Range& range : ranges) {
    const std::uintptr_t first = std::max(range.first, next);
    if (range.last < first) continue;
    sectors += static_cast<std::int64_t>(range.last - first + 1);
    next = range.last + 1;
  }
  return sectors;
}

}  // namespace onepass::sim
