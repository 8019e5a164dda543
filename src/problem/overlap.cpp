// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "problem/overlap.hpp"

namespace onepass {
namespace {

using Address = std::uint64_t;

// `count` pieces of `width` bytes, `step` bytes from one to the next.
struct Pieces {
  Address begin = 0, step = 0, width = 0, count = 0;

  Address end() const { return begin + (count - 1) * step + width; }
  // Pieces without gaps are one.
  bool is_one() const { return count == 1 || step == width; }
};

// A vector begins at its lowest address, whatever the sign of its increment.
Pieces vector(const void* data, std::int64_t length, std::int64_t inc, Type type) {
  const auto size = static_cast<Address>(size_of(type));
  return {.begin = reinterpret_cast<Address>(data),
          .step = static_cast<Address>(inc < 0 ? -inc : inc) * size,
          .width = size,
          .count = static_cast<Address>(length)};
}

// The columns of A as stored; of a triangle its diagonal, which belongs to either one.
Pieces matrix(const Problem& p, const void* data) {
  const Stored s = stored(p);
  const auto size = static_cast<Address>(size_of(p.type_a));
  const bool triangle = is_triangle(p);
  return {.begin = reinterpret_cast<Address>(data),
          .step = static_cast<Address>(triangle ? p.lda + 1 : p.lda) * size,
          .width = triangle ? size : static_cast<Address>(s.rows) * size,
          .count = static_cast<Address>(s.cols)};
}

// Whether a piece has a byte in [begin, end).
bool reaches_into(const Pieces& pieces, Address begin, Address end) {
  // The first piece that ends behind `begin`.
  const Address first =
      begin < pieces.begin + pieces.width ? 0 : (begin - pieces.begin - pieces.width) / pieces.step + 1;
  return first < pieces.count && pieces.begin + first * pieces.step < end;
}

// Pieces at the same distance, `low` not behind `high`: the first of `high` meets the piece of `low` before it or the
// one after it, or none meets any.
bool mesh(const Pieces& low, const Pieces& high) {
  const Address distance = high.begin - low.begin, before = distance / low.step, past = distance % low.step;
  return (past < low.width && before < low.count) || (past + high.width > low.step && before + 1 < low.count);
}

bool share(const Pieces& a, const Pieces& b) {
  if (a.begin >= b.end() || b.begin >= a.end()) return false;
  if (a.is_one()) return reaches_into(b, a.begin, a.end());
  if (b.is_one()) return reaches_into(a, b.begin, b.end());
  if (a.step == b.step) return a.begin <= b.begin ? mesh(a, b) : mesh(b, a);
  return false;
}

}  // namespace

const char* shares_elements_with_output(const Problem& p, const Operands& o) {
  if (p.pointer_array || is_empty(p)) return nullptr;
  const Pieces a = matrix(p, o.a);
  const Pieces x = vector(o.x, length_x(p), p.incx, p.type_x);
  const Pieces y = vector(o.y, length_y(p), p.incy, p.type_y);
  const bool updates_a = row(p).a == Access::update;
  if (share(x, updates_a ? a : y)) return "x";
  if (share(a, y)) return updates_a ? "y" : "A";
  return nullptr;
}

}  // namespace onepass
