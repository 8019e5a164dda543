// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Sizes, strides and enums: what is checked when a plan is made.
#include "problem/check.hpp"

#include <limits>

#include "problem/combinations.hpp"
#include "problem/names.hpp"

namespace onepass {
namespace {

Status bad(onepassStatus_t code, std::string text) { return {code, std::move(text)}; }

std::string is(const char* argument, std::int64_t value) {
  return std::string(argument) + " = " + std::to_string(value);
}

// A value that came through the C interface may lie outside its enum.
template <class E>
bool known(E value, E last) {
  return static_cast<int>(value) >= 0 && value <= last;
}

std::string all_routines() {
  std::string text;
  for (const RoutineRow& r : routines)
    text += (text.empty() ? "" : ", ") + std::string(r.name) + " (" + std::to_string(static_cast<int>(r.routine)) + ")";
  return text;
}

// The types of A, x and y that the routine offers.
Status check_types(const Problem& p) {
  const RoutineRow& r = row(p);
  const std::string types = "types " + type_name(p) + ": ";
  if (p.type_a != p.type_x || (p.type_y != p.type_a && !(r.wide_y && p.type_y == scalar_type(p.type_a))))
    return bad(ONEPASS_STATUS_INVALID_TYPES,
               types + (r.wide_y ? "A and x must have one type, and y the same or that of alpha and beta"
                                 : "A, x and y must have one type"));
  if (p.accumulate != Accumulate::standard && !r.accumulates)
    return bad(ONEPASS_STATUS_INVALID_ENUM,
               is("accumulate", static_cast<int>(p.accumulate)) + ": must be default (0) for " + r.name);
  if (p.tails != Tails::none && find_combination(p) == nullptr)
    return bad(ONEPASS_STATUS_INVALID_TYPES, types + "x as head and tail is for s, d, c and z, summed twice");
  if (find_combination(p) == nullptr)
    return bad(ONEPASS_STATUS_INVALID_TYPES,
               types + (p.accumulate == Accumulate::wider
                            ? "wider sums are for s, c, h and b; d and z can be summed twice"
                            : "sums of twice the digits are for s, d, c and z; h and b can be summed wider"));
  if (p.order == Order::canonical && !r.accumulates)
    return bad(ONEPASS_STATUS_INVALID_ENUM,
               is("order", static_cast<int>(p.order)) + ": must be default (0) for " + r.name);
  if (p.order == Order::canonical && !has_canonical_order(p))
    return bad(ONEPASS_STATUS_INVALID_TYPES,
               types + "the canonical order is for s, d, c and z, summed in their own type");
  if (r.types.find(name(p.type_a)) == std::string_view::npos)
    return bad(ONEPASS_STATUS_INVALID_TYPES,
               types + r.name + " takes one of " + std::string(r.types) + (r.hermitian ? ", the complex ones" : ""));
  return {};
}

// The fields that the routine has a use for, and those that it has none for.
Status check_selector(const Problem& p) {
  const RoutineRow& r = row(p);
  if (r.selector == Selector::uplo && !known(p.uplo, Uplo::upper))
    return bad(ONEPASS_STATUS_INVALID_ENUM, is("uplo", static_cast<int>(p.uplo)) + ": must be lower (0) or upper (1)");
  if (r.selector != Selector::op && p.op != Op::n)
    return bad(ONEPASS_STATUS_INVALID_ENUM, is("op", static_cast<int>(p.op)) + ": must be N (0) for " + r.name);
  if (r.storage == Storage::triangle && p.m != p.n && p.n >= 0)
    return bad(ONEPASS_STATUS_INVALID_SIZE, is("m", p.m) + ": must be " + is("n", p.n) + " for " + r.name);
  return {};
}

// (count - 1) * |stride| + extra elements of `size` bytes, or false if that passes 63 bits.
bool fits(std::int64_t count, std::int64_t stride, std::int64_t extra, std::int64_t size) {
  std::int64_t span = 0;
  if (stride == std::numeric_limits<std::int64_t>::min()) return false;
  return !__builtin_mul_overflow(count - 1, stride < 0 ? -stride : stride, &span) &&
         !__builtin_add_overflow(span, extra, &span) && !__builtin_mul_overflow(span, size, &span);
}

// No memory holds that much, and below it no sum of bytes, blocks or mailboxes that a plan counts passes 63 bits:
// matrices and vectors that all products of a batch share (a stride of 0) have no size of their own that would bound
// them.
Status check_totals(const Problem& p) {
  constexpr std::int64_t most_products = std::int64_t{1} << 40, most_elements = std::int64_t{1} << 56;
  if (p.batch > most_products) return bad(ONEPASS_STATUS_TOO_LARGE, is("batch", p.batch) + ": must be at most 2^40");
  if (p.lda > most_elements) return bad(ONEPASS_STATUS_TOO_LARGE, is("lda", p.lda) + ": must be at most 2^56");
  std::int64_t elements = 0;
  if (__builtin_mul_overflow(p.m, p.n, &elements) || __builtin_mul_overflow(elements, p.batch, &elements) ||
      elements > most_elements)
    return bad(ONEPASS_STATUS_TOO_LARGE, is("m", p.m) + ", " + is("n", p.n) + ", " + is("batch", p.batch) +
                                             ": the matrices of all products must have at most 2^56 elements together");
  return {};
}

}  // namespace

Status check(const Problem& p) {
  if (!known(p.routine, routines.back().routine))
    return bad(ONEPASS_STATUS_INVALID_ENUM,
               is("routine", static_cast<int>(p.routine)) + ": must be one of " + all_routines());
  if (!known(p.op, Op::c))
    return bad(ONEPASS_STATUS_INVALID_ENUM, is("op", static_cast<int>(p.op)) + ": must be N (0), T (1) or C (2)");
  if (!known(p.layout, Layout::row))
    return bad(ONEPASS_STATUS_INVALID_ENUM,
               is("layout", static_cast<int>(p.layout)) + ": must be column major (0) or row major (1)");
  if (!known(p.scalars, Scalars::device))
    return bad(ONEPASS_STATUS_INVALID_ENUM,
               is("pointer mode", static_cast<int>(p.scalars)) + ": must be host (0) or device (1)");
  if (!known(p.accumulate, Accumulate::twice))
    return bad(ONEPASS_STATUS_INVALID_ENUM,
               is("accumulate", static_cast<int>(p.accumulate)) + ": must be default (0), wider (1) or twice (2)");
  if (!known(p.order, Order::canonical))
    return bad(ONEPASS_STATUS_INVALID_ENUM,
               is("order", static_cast<int>(p.order)) + ": must be default (0) or canonical (1)");
  const struct {
    const char* argument;
    Type type;
  } types[] = {{"type_a", p.type_a}, {"type_x", p.type_x}, {"type_y", p.type_y}};
  for (const auto& t : types)
    if (!known(t.type, *std::rbegin(all_types)))
      return bad(ONEPASS_STATUS_INVALID_ENUM, is(t.argument, static_cast<int>(t.type)) + ": no such type");
  if (Status status = check_types(p); !status.ok()) return status;
  if (Status status = check_selector(p); !status.ok()) return status;
  if (p.m < 0 && !is_triangle(p)) return bad(ONEPASS_STATUS_INVALID_SIZE, is("m", p.m) + ": must not be negative");
  if (p.n < 0) return bad(ONEPASS_STATUS_INVALID_SIZE, is("n", p.n) + ": must not be negative");

  const Stored s = stored(p);
  if (p.lda < 1 || p.lda < s.rows)
    return bad(ONEPASS_STATUS_INVALID_LD,
               is("lda", p.lda) + ": must be at least max(1, " +
                   (p.layout == Layout::row || is_triangle(p) ? is("n", p.n) : is("m", p.m)) + ") for a " +
                   name(p.layout) + "-major matrix");
  if (p.incx == 0) return bad(ONEPASS_STATUS_INVALID_INCREMENT, "incx = 0: must not be zero");
  if (p.incy == 0) return bad(ONEPASS_STATUS_INVALID_INCREMENT, "incy = 0: must not be zero");
  if (p.tails != Tails::none && (p.batch != 1 || p.pointer_array))
    return bad(ONEPASS_STATUS_INVALID_BATCH, is("batch", p.batch) + (p.pointer_array ? ", as arrays of pointers" : "") +
                                                 ": x as head and tail is for single products");
  if (p.batch < 0) return bad(ONEPASS_STATUS_INVALID_BATCH, is("batch", p.batch) + ": must not be negative");

  if (is_empty(p)) return {};
  const std::int64_t widest = 16;  // bytes; one bound for all types
  if (!fits(s.cols, p.lda, s.rows, widest))
    return bad(ONEPASS_STATUS_TOO_LARGE, is("lda", p.lda) + ": the last element of A lies past 2^63 bytes");
  if (!fits(length_x(p), p.incx, 1, widest))
    return bad(ONEPASS_STATUS_TOO_LARGE, is("incx", p.incx) + ": the last element of x lies past 2^63 bytes");
  if (!fits(length_y(p), p.incy, 1, widest))
    return bad(ONEPASS_STATUS_TOO_LARGE, is("incy", p.incy) + ": the last element of y lies past 2^63 bytes");
  if (Status status = check_totals(p); !status.ok()) return status;
  if (p.alignment_a < 0 || (p.alignment_a & (p.alignment_a - 1)) != 0)
    return bad(ONEPASS_STATUS_INVALID_ALIGNMENT,
               is("alignment_a", p.alignment_a) + ": must be a power of two, or 0 if it is not known");
  if (!p.pointer_array) {
    if (row(p).a == Access::update && p.batch > 1 && p.stride_a == 0)
      return bad(ONEPASS_STATUS_INVALID_ARGUMENT, "stride_a = 0: a batch cannot write all its matrices to one place");
    if (!fits(p.batch, p.stride_a, 1, widest))
      return bad(ONEPASS_STATUS_TOO_LARGE, is("stride_a", p.stride_a) + ": the last matrix lies past 2^63 bytes");
    if (!fits(p.batch, p.stride_x, 1, widest))
      return bad(ONEPASS_STATUS_TOO_LARGE, is("stride_x", p.stride_x) + ": the last x lies past 2^63 bytes");
    if (!fits(p.batch, p.stride_y, 1, widest))
      return bad(ONEPASS_STATUS_TOO_LARGE, is("stride_y", p.stride_y) + ": the last y lies past 2^63 bytes");
  }
  if (!p.pointer_array && p.batch > 1 && p.alignment_a > 0 && p.stride_a * size_of(p.type_a) % p.alignment_a != 0)
    return bad(ONEPASS_STATUS_INVALID_ALIGNMENT, is("alignment_a", p.alignment_a) + ": stride_a must keep it, and is " +
                                                     std::to_string(p.stride_a) + " elements");
  return {};
}

}  // namespace onepass
