// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A problem as a plain value: what to compute, nothing about how.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "problem/routine.hpp"

namespace onepass {

// As wide as the enums of the C interface, so that a value that does not exist can be named.
enum class Type : int { s, d, c, z, h, b, w };
enum class Op : int { n, t, c };
enum class Uplo : int { lower, upper };
enum class Layout : int { column, row };
enum class Scalars : int { host, device };
// In what products are summed: the type of the scalars; s, c, h and b in double precision; with the digits of twice the
// type.
enum class Accumulate : int { standard, wider, twice };
// In which order they are summed: any, or the one of numbers/canonical_order.hpp, with the same bits everywhere.
enum class Order : int { standard, canonical };
// Which vectors are given as head and tail, two vectors whose sum is meant.
enum class Tails : int { none, x, xy };

inline constexpr Type all_types[] = {Type::s, Type::d, Type::c, Type::z, Type::h, Type::b, Type::w};
inline constexpr const char* type_names[] = {"s", "d", "c", "z", "h", "b", "w"};  // in the order of the enum
static_assert(std::size(type_names) == std::size(all_types));

// The formula of `routine` (problem/routine.hpp), for each of `batch` products. Fields that it has no use for keep
// their defaults: the op of a triangle, the triangle of a full matrix.
struct Problem {
  Routine routine = Routine::gemv;
  Type type_a = Type::s, type_x = Type::s, type_y = Type::s;
  Op op = Op::n;
  Uplo uplo = Uplo::lower;
  Layout layout = Layout::column;
  std::int64_t m = 0, n = 0;
  std::int64_t lda = 1;
  std::int64_t incx = 1, incy = 1;
  std::int64_t batch = 1;
  bool pointer_array = false;
  std::int64_t stride_a = 0, stride_x = 0, stride_y = 0;
  Scalars scalars = Scalars::host;
  Accumulate accumulate = Accumulate::standard;
  Order order = Order::standard;
  Tails tails = Tails::none;
  std::int64_t alignment_a = 0;  // every matrix lies on a multiple of so many bytes, a power of two; 0: not known

  bool operator==(const Problem&) const = default;
};

// The pointers of one call. With Problem::pointer_array, a, x and y point to arrays of pointers.
struct Operands {
  const void* alpha = nullptr;
  const void* a = nullptr;
  const void* x = nullptr;
  const void* beta = nullptr;
  void* y = nullptr;
  const void* x_tail = nullptr;  // where Problem::tails has them
  void* y_tail = nullptr;
  // Nothing that may still run writes A: a launch may load it before it has waited for the one ahead of it.
  bool settled_a = false;
  bool settled_x = false;  // nor x: all but the result may come before the wait
  // The next launch may start before this one has waited: whoever sets it knows what may be written by then.
  bool opens_first = false;
  // Everything ahead of the launch is complete when it starts.
  bool starts_alone = false;
};

constexpr std::int64_t size_of(Type t) {
  switch (t) {
    case Type::s: return 4;
    case Type::d: return 8;
    case Type::c: return 8;
    case Type::z: return 16;
    case Type::h: return 2;
    case Type::b: return 2;
    case Type::w: return 16;
  }
  return 0;
}

constexpr bool is_complex_type(Type t) { return t == Type::c || t == Type::z; }
// In which alpha and beta are given, and products are summed unless a problem asks for more.
constexpr Type scalar_type(Type t) { return t == Type::h || t == Type::b ? Type::s : t; }
constexpr std::int64_t size_of_scalar(Type t) { return size_of(scalar_type(t)); }
// The real type of a complex one; else the type itself.
constexpr Type real_type(Type t) { return t == Type::c ? Type::s : t == Type::z ? Type::d : t; }
constexpr std::int64_t size_of_real(Type t) { return size_of(real_type(t)); }

// Elements of two numbers, complex or head and tail. On a host they may lie as their components do.
constexpr bool is_pair_type(Type t) { return is_complex_type(t) || t == Type::w; }

constexpr const RoutineRow& row(const Problem& p) { return row(p.routine); }
constexpr Family family(const Problem& p) { return row(p).family; }

// Whether A is square, and only its triangle `uplo` is stored.
constexpr bool is_triangle(const Problem& p) { return row(p).storage == Storage::triangle; }

// Whether there is nothing to compute, and y stays as it is.
constexpr bool is_empty(const Problem& p) { return p.m == 0 || p.n == 0 || p.batch == 0; }

constexpr std::int64_t length(const Problem& p, Length l) {
  const bool turned = p.op != Op::n && (l == Length::rows_of_op || l == Length::columns_of_op);
  return (l == Length::rows || l == Length::rows_of_op) != turned ? p.m : p.n;
}

// Elements of x and y.
constexpr std::int64_t length_x(const Problem& p) { return length(p, row(p).x_length); }
constexpr std::int64_t length_y(const Problem& p) { return length(p, row(p).y_length); }

// Index of the first element of a vector: BLAS starts at the far end if the increment is negative.
constexpr std::int64_t first_element(std::int64_t length, std::int64_t inc) { return inc < 0 ? (1 - length) * inc : 0; }

// The matrix as it lies in memory: `rows` contiguous elements per column, columns `lda` apart.
// A row-major matrix is its transpose seen so; `transposed` says whether outputs lie along the
// columns (y[c] = sum over r) instead of along the rows (y[r] = sum over c).
//
// Of a triangle nothing is transposed. A row-major one lies here as the other triangle, and the transpose of a
// Hermitian matrix is its conjugate: element (r, c) of A is that of memory, conjugated or not, and (c, r) the same
// (symv) or the conjugate of that (hemv).
struct Stored {
  std::int64_t rows = 0, cols = 0;
  bool transposed = false;
  bool conjugate = false;
  Uplo uplo = Uplo::lower;  // of a triangle

  bool operator==(const Stored&) const = default;
};

constexpr Stored stored(const Problem& p) {
  const bool row_major = p.layout == Layout::row;
  if (is_triangle(p))
    return {
        .rows = p.n,
        .cols = p.n,
        .conjugate = row_major && row(p).hermitian,
        .uplo = row_major == (p.uplo == Uplo::lower) ? Uplo::upper : Uplo::lower,
    };
  return {
      .rows = row_major ? p.n : p.m,
      .cols = row_major ? p.m : p.n,
      .transposed = (p.op != Op::n) != row_major,
      .conjugate = row(p).hermitian || (p.op == Op::c && is_complex_type(p.type_a)),
  };
}

// Whether stored element (row, column) belongs to A: of a triangle, those on its side of the diagonal.
constexpr bool is_stored(const Problem& p, std::int64_t row, std::int64_t column) {
  return !is_triangle(p) || (stored(p).uplo == Uplo::lower ? row >= column : row <= column);
}

// Whether op(A)(i, k) is stored element (k, i) rather than (i, k).
constexpr bool is_mirrored(const Problem& p, std::int64_t i, std::int64_t k) {
  return is_triangle(p) ? !is_stored(p, i, k) : stored(p).transposed;
}

// Whether sums have more digits than the arithmetic of the machine.
constexpr bool is_accurate(const Problem& p) { return p.accumulate != Accumulate::standard || p.type_a == Type::w; }

// Whether a problem is a single product of plain vectors with its scalars on the host: the common case.
constexpr bool is_plain(const Problem& p) {
  return p.batch == 1 && !p.pointer_array && p.scalars == Scalars::host && p.tails == Tails::none;
}

// What is known of Problem::alignment_a once A is: no more than a sector of memory, which is all that counts.
inline std::int64_t alignment_of(const Problem& p, const void* a) {
  if (p.pointer_array) return p.alignment_a;
  auto bits = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(a)) | 32;
  if (p.batch > 1) bits |= static_cast<std::uint64_t>(p.stride_a) * static_cast<std::uint64_t>(size_of(p.type_a));
  return static_cast<std::int64_t>(bits & (~bits + 1));
}

}  // namespace onepass
