// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/pool_layout.hpp"

#include <algorithm>

#include "problem/cost.hpp"

namespace onepass::tools {

PoolLayout lay_out(const Point& point, std::size_t pool_bytes, std::size_t most, std::size_t least) {
  const Problem& p = point.problem;
  PoolLayout layout{
      .a_bytes = round_to_256(p.batch * p.lda * stored(p).cols * size_of(p.type_a)),
      .x_bytes = round_to_256(p.batch * length_x(p) * size_of(p.type_x)),
      .y_bytes = round_to_256(p.batch * length_y(p) * size_of(p.type_y)),
      .reads_y = row(p).y == Access::read,
      .is_chain = point.cache == Cache::chain,
  };
  if (layout.is_chain) layout.y_bytes = std::max(layout.x_bytes, layout.y_bytes);
  // Of a triangle half the bytes are never touched, so that they do not fill a cache.
  const auto touched = std::min(layout.input_stride(), static_cast<std::size_t>(cost(p).bytes()) + 1);
  if (from_memory(point.cache)) layout.sets = std::min(std::max(least, pool_bytes / touched + 1), most);
  return layout;
}

std::vector<Vectors> operands_of(const PoolLayout& layout, std::byte* inputs, std::byte* outputs) {
  std::vector<Vectors> sets;
  for (std::size_t i = 0; i < layout.sets; ++i) {
    std::byte* const set = inputs + i * layout.input_stride();
    std::byte* const behind = set + layout.a_bytes;
    std::byte* const x = layout.is_chain ? outputs + (i + layout.sets - 1) % layout.sets * layout.y_bytes : behind;
    sets.push_back({.a = set, .x = x, .y = layout.reads_y ? behind + layout.x_bytes : outputs + i * layout.y_bytes});
  }
  return sets;
}

// The products lie as those of a strided batch do: both kinds of batch read the same bytes.
std::vector<void*> pointers_of(const Problem& p, std::span<const Vectors> sets) {
  if (!p.pointer_array) return {};
  Problem strided = p;
  lay_tight(strided, p.lda - stored(p).rows, Batching::strided, p.batch);
  std::vector<void*> pointers;
  pointers.reserve(sets.size() * 3 * static_cast<std::size_t>(p.batch));
  for (const Vectors& v : sets) {
    for (std::int64_t i = 0; i < p.batch; ++i) pointers.push_back(const_cast<void*>(product(strided, v, i).a));
    for (std::int64_t i = 0; i < p.batch; ++i) pointers.push_back(const_cast<void*>(product(strided, v, i).x));
    for (std::int64_t i = 0; i < p.batch; ++i) pointers.push_back(product(strided, v, i).y);
  }
  return pointers;
}

Vectors in_array(const Problem& p, void** pointers, std::size_t i) {
  const auto batch = static_cast<std::size_t>(p.batch);
  void** set = pointers + 3 * batch * i;
  return {.a = set, .x = set + batch, .y = set + 2 * batch};
}

}  // namespace onepass::tools
