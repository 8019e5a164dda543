// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The pointers of a call: what is checked at each run, whether operands overlap, and the quick returns of BLAS.
#include <cstdlib>
#include <cstring>

#include "numbers/double_length.hpp"
#include "problem/check.hpp"

namespace onepass {
namespace {

// A complex scalar of a caller lies on a multiple of its components alone.
template <class T>
bool is_value(const void* pointer, T value) {
  T read;
  std::memcpy(&read, pointer, sizeof read);
  return read == value;
}

bool is_value(Type sum, const void* pointer, double value) {
  switch (sum) {
    case Type::d: return is_value(pointer, value);
    case Type::c: return is_value(pointer, Complex<float>{static_cast<float>(value), 0.0f});
    case Type::z: return is_value(pointer, Complex<double>{value, 0.0});
    case Type::w: return is_value(pointer, DoubleDouble{value, 0.0});
    default: return is_value(pointer, static_cast<float>(value));
  }
}

bool usable(const void* pointer, std::int64_t alignment) {
  return pointer != nullptr && is_multiple(pointer, alignment);
}

Status unusable(const char* argument, const void* pointer, std::int64_t alignment) {
  if (pointer == nullptr)
    return {ONEPASS_STATUS_INVALID_POINTER, std::string(argument) + " is null, but its operand is not empty"};
  return misaligned(argument, pointer, alignment);
}

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

// "x", "y" or "A": what the operand that is written certainly shares an element with; null if it does not, or if that
// is not seen. It is seen where one of the two is contiguous or both have the same distance of elements (of A: of
// columns). Vectors and matrices that interleave without a common element are none of its business. Of a batch, the
// first products are looked at; of a triangle, the diagonal; arrays of pointers are not followed.
const char* shares_elements_with_output(const Problem& p, const Operands& o) {
  if (p.pointer_array) return nullptr;
  const Pieces a = matrix(p, o.a);
  const Pieces x = vector(o.x, length_x(p), p.incx, p.type_x);
  const Pieces y = vector(o.y, length_y(p), p.incy, p.type_y);
  const bool updates_a = row(p).a == Access::update;
  if (share(x, updates_a ? a : y)) return "x";
  if (share(a, y)) return updates_a ? "y" : "A";
  return nullptr;
}

// Of a product it is y that lies in the wrong place, of an update an input.
Status overlapping(const Problem& p, const char* input, const Operands& o) {
  const bool updates_a = row(p).a == Access::update;
  const void* const at = *input == 'x' ? o.x : *input == 'y' ? o.y : o.a;
  const char* const wrong = updates_a ? input : "y";
  const char* const other = updates_a ? "A" : input;
  const auto begin = reinterpret_cast<std::intptr_t>(updates_a ? o.a : at);
  const std::intptr_t behind = reinterpret_cast<std::intptr_t>(updates_a ? at : o.y) - begin;
  const std::string where = behind == 0 ? "where "
                                        : std::to_string(std::abs(behind)) + " bytes " +
                                              (behind < 0 ? "before " : "behind the beginning of ");
  return {ONEPASS_STATUS_INVALID_POINTER, std::string(wrong) + " begins " + where + other +
                                              (behind == 0 ? " does" : "") + " and shares elements with it: " + wrong +
                                              " must not overlap " + (updates_a ? "A" : "x or A")};
}

// What a pointer to elements of a type must be a multiple of.
std::int64_t multiple(const Problem& p, Type t, Alignment alignment) {
  return p.pointer_array ? static_cast<std::int64_t>(sizeof(void*)) : multiple_of(t, alignment);
}

// The tails of x and y, and what y and its tail share elements with. unread: x and A are not looked at.
Status check_tails(const Problem& p, const Operands& o, std::int64_t align_x, std::int64_t align_y, bool unread) {
  if (!unread && !usable(o.x_tail, align_x)) return unusable("the tail of x", o.x_tail, align_x);
  if (p.tails == Tails::xy && !usable(o.y_tail, align_y)) return unusable("the tail of y", o.y_tail, align_y);
  struct Named {
    const char* name;
    Pieces at;
  };
  const auto of_x = [&](const void* data) { return vector(data, length_x(p), p.incx, p.type_x); };
  const Named y{"y", vector(o.y, length_y(p), p.incy, p.type_y)},
      y_tail{"the tail of y", vector(o.y_tail, length_y(p), p.incy, p.type_y)}, x{"x", of_x(o.x)},
      x_tail{"the tail of x", of_x(o.x_tail)}, a{"A", matrix(p, o.a)};
  const auto overlap = [](const Named& written, const Named& other) -> Status {
    if (!share(written.at, other.at)) return {};
    return {ONEPASS_STATUS_INVALID_POINTER, std::string(written.name) + " shares elements with " + other.name + ": " +
                                                written.name + " must not overlap any other operand"};
  };
  if (!unread)
    if (Status bad = overlap(y, x_tail); !bad.ok()) return bad;
  if (p.tails != Tails::xy) return {};
  if (Status bad = overlap(y_tail, y); !bad.ok()) return bad;
  if (unread) return {};
  for (const Named& read : {x, x_tail, a})
    if (Status bad = overlap(y_tail, read); !bad.ok()) return bad;
  return {};
}

}  // namespace

Status check_matrix(const Problem& p, const void* a, Alignment alignment) {
  const std::int64_t align = multiple(p, p.type_a, alignment);
  return is_empty(p) || usable(a, align) ? Status{} : unusable("A", a, align);
}

Status check(const Problem& p, const Operands& o, Alignment alignment) {
  if (is_empty(p)) return {};
  const bool known = !p.pointer_array && p.alignment_a > size_of(p.type_a);
  const auto align = [&](Type t) { return multiple(p, t, alignment); };
  const Type sum = scalar_type(p.type_a);
  const std::int64_t scalar_align = size_of(sum) / (is_pair_type(sum) ? 2 : 1);
  if (!usable(o.alpha, scalar_align)) return unusable("alpha", o.alpha, scalar_align);
  if (row(p).has_beta && !usable(o.beta, scalar_align)) return unusable("beta", o.beta, scalar_align);
  // alpha == 0: what is only read is never read then, so it may be null; what has no beta stays as it is.
  const bool unread = p.scalars == Scalars::host && is_value(sum, o.alpha, 0.0);
  if (unread && !row(p).has_beta) return {};
  const std::int64_t align_a = known ? p.alignment_a : align(p.type_a);
  if (!unread && !usable(o.a, align_a)) return unusable("A", o.a, align_a);
  if (!unread && !usable(o.x, align(p.type_x))) return unusable("x", o.x, align(p.type_x));
  if (!usable(o.y, align(p.type_y))) return unusable("y", o.y, align(p.type_y));
  if (p.tails != Tails::none)
    if (Status bad = check_tails(p, o, align(p.type_x), align(p.type_y), unread); !bad.ok()) return bad;
  if (unread) return {};
  if (const char* input = shares_elements_with_output(p, o)) return overlapping(p, input, o);
  return {};
}

bool nothing_to_do(const Problem& p, const Operands& o) {
  if (is_empty(p)) return true;
  const Type sum = scalar_type(p.type_a);
  return p.scalars == Scalars::host && is_value(sum, o.alpha, 0.0) && (!row(p).has_beta || is_value(sum, o.beta, 1.0));
}

}  // namespace onepass
