// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/check.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "problem/names.hpp"

namespace onepass {
namespace {

using enum LapackRoutine;
using lapack::Argument, lapack::Arguments;

constexpr int last_routine = static_cast<int>(lapack_routine_count) - 1;
constexpr std::int64_t most_matrices = std::int64_t{1} << 31;
// No memory holds so many elements, of all matrices of a batch together. Below it, and with sizes and leading
// dimensions that the integers of LAPACK, the host's BLAS and cuBLAS can say, no sum of bytes in a plan passes 2^60.
constexpr std::int64_t most_elements = std::int64_t{1} << 48;
constexpr std::int64_t most_size = std::numeric_limits<std::int32_t>::max();

Status wrong(onepassStatus_t code, const char* argument, std::int64_t value, const std::string& right) {
  return {code, std::string(argument) + " = " + std::to_string(value) + ": must be " + right};
}

Status one_of(const char* argument, int value, const char* first, const char* second) {
  if (value == 0 || value == 1) return {};
  return wrong(ONEPASS_STATUS_INVALID_ENUM, argument, value, std::string(first) + " (0) or " + second + " (1)");
}

Status within(const char* argument, std::int64_t value, std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return {};
  return wrong(ONEPASS_STATUS_INVALID_SIZE, argument, value,
               least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most));
}

Status at_least(onepassStatus_t code, const char* argument, std::int64_t value, std::int64_t least) {
  return value >= least ? Status{} : wrong(code, argument, value, "at least " + std::to_string(least));
}

Status check_op(const LapackProblem& p) {
  const Op other = is_complex_type(p.type) ? Op::c : Op::t;
  if (p.op == Op::n || p.op == other) return {};
  return wrong(ONEPASS_STATUS_INVALID_ENUM, "op", static_cast<int>(p.op),
               std::string("N (0) or ") + (other == Op::c ? "C (2) for complex types" : "T (1) for real types"));
}

// orgbr makes n columns of Q, or m rows of P^H: as many as there are reflectors at least, and no more than its order.
// orgqr likewise columns of Q, and says with k how many reflectors there are.
Status check_n(const LapackProblem& p) {
  if (p.routine == orgqr && p.n >= 0) return within("n", p.n, 0, p.m);
  if (p.n < 0 || p.routine != orgbr) return at_least(ONEPASS_STATUS_INVALID_SIZE, "n", p.n, 0);
  if (p.vect == Vect::q) return within("n", p.n, std::clamp<std::int64_t>(p.k, 0, p.m), p.m);
  if (p.m >= std::min(p.n, p.k)) return at_least(ONEPASS_STATUS_INVALID_SIZE, "n", p.n, p.m);
  return within("n", p.n, p.m, p.m);
}

std::int64_t rows_of_a(const LapackProblem& p) {
  if (is_rectangular(p.routine)) return p.m;
  if (p.routine == ormbr && p.vect == Vect::p) return std::min(order(p), p.k);
  return order(p);
}

std::int64_t columns_of_a(const LapackProblem& p) {
  if (p.routine == ormqr || (p.routine == ormbr && p.vect == Vect::q)) return std::min(order(p), p.k);
  return order(p);
}

Status check_k(const LapackProblem& p) {
  if (p.k < 0 || p.routine == orgbr || p.routine == ormbr) return at_least(ONEPASS_STATUS_INVALID_SIZE, "k", p.k, 0);
  return within("k", p.k, 0, order(p));
}

Status check_job(const LapackProblem& p) {
  const int job = static_cast<int>(p.job);
  if (p.routine == syevd || is_batched(p)) return one_of("jobz", job, "values", "vectors");
  if (job >= 0 && job <= 2) return {};
  return wrong(ONEPASS_STATUS_INVALID_ENUM, "jobz", job, "values (0), vectors (1) or all (2)");
}

// Sizes beyond any memory: checked where an argument is right otherwise.
Status at_most(const char* argument, std::int64_t value) {
  if (value <= most_size) return {};
  return wrong(ONEPASS_STATUS_TOO_LARGE, argument, value, "at most " + std::to_string(most_size));
}

// The matrices that a problem has at once; a count that is wrong is another argument's business.
std::int64_t matrices(const LapackProblem& p) {
  return is_batched(p) ? std::clamp<std::int64_t>(p.batch_count, 1, most_matrices) : 1;
}

// From the first element of a matrix to behind its last one.
std::int64_t span(std::int64_t ld, std::int64_t rows, std::int64_t columns) { return ld * (columns - 1) + rows; }

// A leading dimension, and the matrix that has it.
Status check_ld(const LapackProblem& p, const char* name, std::int64_t ld, std::int64_t rows, std::int64_t columns) {
  if (Status bad = at_least(ONEPASS_STATUS_INVALID_LD, name, ld, std::max<std::int64_t>(1, rows)); !bad.ok())
    return bad;
  if (Status bad = at_most(name, ld); !bad.ok() || rows == 0 || columns == 0) return bad;
  if (span(ld, rows, columns) <= most_elements / matrices(p)) return {};
  return {ONEPASS_STATUS_TOO_LARGE, std::string(name) + " = " + std::to_string(ld) + ": " + std::to_string(columns) +
                                        " columns" +
                                        (is_batched(p) ? " of " + std::to_string(p.batch_count) + " matrices" : "") +
                                        " must have at most 2^48 elements"};
}

// That no matrix, or its values, overlaps the next one: `least` elements from one to the next.
Status check_stride(const LapackProblem& p, const char* name, std::int64_t stride, std::int64_t least) {
  if (is_empty(p) || p.batch_count <= 1) return {};
  if (Status bad = at_least(ONEPASS_STATUS_INVALID_LD, name, stride, least); !bad.ok()) return bad;
  if (stride <= most_elements / matrices(p)) return {};
  return {ONEPASS_STATUS_TOO_LARGE, std::string(name) + " = " + std::to_string(stride) + ": " +
                                        std::to_string(p.batch_count) + " of them must be at most 2^48 elements"};
}
Status check_strided(const LapackProblem& p, Argument argument) {
  if (p.batch != Batch::strided) return {};
  if (argument == Argument::stride_a) return check_stride(p, "stride_a", p.stride_a, span(p.lda, rows_of_a(p), p.n));
  if (p.job == Job::values) return {};
  if (argument == Argument::stride_u) return check_stride(p, "stride_u", p.stride_u, span(p.ldu, p.m, columns_of_u(p)));
  return check_stride(p, "stride_vt", p.stride_vt, span(p.ldvt, rows_on_the_right(p), columns_on_the_right(p)));
}

Status check_wanted(const LapackProblem& p) {
  if (is_batched(p) && p.wanted != Wanted::all)
    return wrong(ONEPASS_STATUS_INVALID_ENUM, "range", static_cast<int>(p.wanted), "all (0) for a batch");
  switch (p.wanted) {
    case Wanted::all: return {};
    case Wanted::by_index:
      if (p.n == 0) return {};
      if (Status bad = within("il", p.il, 1, p.n); !bad.ok()) return bad;
      return within("iu", p.iu, p.il, p.n);
    case Wanted::by_value:
      if (p.job != Job::values)
        return wrong(ONEPASS_STATUS_INVALID_ENUM, "range", 2,
                     "all (0) or by index (1) with eigenvectors: how many there are by value is known to the device "
                     "alone");
      if (p.vl < p.vu) return {};
      return {ONEPASS_STATUS_INVALID_ARGUMENT,
              "vl = " + std::to_string(p.vl) + ": must be less than vu = " + std::to_string(p.vu)};
    default:
      return wrong(ONEPASS_STATUS_INVALID_ENUM, "range", static_cast<int>(p.wanted),
                   "all (0), by index (1) or by value (2)");
  }
}

Status check_one(const LapackProblem& p, Argument argument) {
  const auto small_enough = [](const Status& status, const char* name, std::int64_t value) {
    return status.ok() ? at_most(name, value) : status;
  };
  switch (argument) {
    case Argument::job: return check_job(p);
    case Argument::uplo: return one_of("uplo", static_cast<int>(p.uplo), "lower", "upper");
    case Argument::vect: return one_of("vect", static_cast<int>(p.vect), "Q", "P");
    case Argument::side: return one_of("side", static_cast<int>(p.side), "left", "right");
    case Argument::op: return check_op(p);
    case Argument::m: return small_enough(at_least(ONEPASS_STATUS_INVALID_SIZE, "m", p.m, 0), "m", p.m);
    case Argument::n: return small_enough(check_n(p), "n", p.n);
    case Argument::k: return small_enough(check_k(p), "k", p.k);
    case Argument::ilo: return within("ilo", p.ilo, 1, std::max<std::int64_t>(1, order(p)));
    case Argument::ihi: return within("ihi", p.ihi, std::min(p.ilo, order(p)), order(p));
    case Argument::lda: return check_ld(p, "lda", p.lda, rows_of_a(p), columns_of_a(p));
    case Argument::ldc: return check_ld(p, "ldc", p.ldc, p.m, p.n);
    case Argument::ldu: return check_ld(p, "ldu", p.ldu, p.job == Job::values ? 0 : p.m, columns_of_u(p));
    case Argument::ldvt: return check_ld(p, "ldvt", p.ldvt, rows_on_the_right(p), columns_on_the_right(p));
    case Argument::stride_a:
    case Argument::stride_u:
    case Argument::stride_vt: return check_strided(p, argument);
    case Argument::stride_w:
      return check_stride(p, p.routine == gesvd ? "stride_s" : "stride_w", p.stride_w,
                          p.routine == gesvd ? std::min(p.m, p.n) : p.n);
    case Argument::batch_count:
      if (p.batch_count >= 0 && p.batch_count <= most_matrices) return {};
      return wrong(ONEPASS_STATUS_INVALID_BATCH, "batch_count", p.batch_count, "0 to 2147483648");
    case Argument::wanted: return check_wanted(p);
    default: return {};
  }
}

std::int64_t least_lwork_of_gesdd(const LapackProblem& p) {
  const std::int64_t least = std::min(p.m, p.n), most = std::max(p.m, p.n), square = least * least;
  const bool all = p.job == Job::all;
  if (is_complex_type(p.type))
    return p.job == Job::values ? 2 * least + most : square + 2 * least + (all ? most : least);
  return p.job == Job::values ? 3 * least + std::max(most, 7 * least) : 4 * square + 6 * least + (all ? most : least);
}

}  // namespace

BadArgument check(const LapackProblem& p) {
  if (const int routine = static_cast<int>(p.routine); routine < 0 || routine > last_routine)
    return {.position = 1,
            .status = wrong(ONEPASS_STATUS_INVALID_ENUM, "routine", routine,
                            std::string(lapack_routines[0].name) + " (0) to " + lapack_routines[last_routine].name +
                                " (" + std::to_string(last_routine) + ")")};
  if (static_cast<int>(p.type) < 0 || p.type > Type::z)
    return {.position = 1,
            .status = {ONEPASS_STATUS_INVALID_TYPES,
                       "type " + std::to_string(static_cast<int>(p.type)) + ": must be s (0), d (1), c (2) or z (3)"}};
  const int batch = static_cast<int>(p.batch);
  if (batch < 0 || batch > 2 || (batch > 0 && !solves(p.routine)))
    return {.position = 1,
            .status = wrong(ONEPASS_STATUS_INVALID_ENUM, "batch", batch,
                            solves(p.routine) ? "none (0), strided (1) or pointers (2)"
                                              : "none (0): of all routines syevd and gesvd alone take many matrices")};
  if (p.plain_v && (p.routine != gesvd || !is_batched(p)))
    return {.position = 1,
            .status = wrong(ONEPASS_STATUS_INVALID_ENUM, "plain_v", 1, "0: gesvd of a batch alone makes V")};
  int position = 0;
  for (const Argument argument : arguments(p)) {
    ++position;
    if (Status status = check_one(p, argument); !status.ok()) return {.position = position, .status = status};
  }
  return {};
}

std::int64_t least_lwork(const LapackProblem& p) {
  const auto least = [&]() -> std::int64_t {
    switch (p.routine) {
      case sytrd: return 1;
      case gebrd: return is_empty(p) ? 1 : std::max(p.m, p.n);
      case geqrf: return is_empty(p) ? 1 : p.n;
      case gehrd:
      case orgqr: return p.n;
      case orgtr: return p.n - 1;
      case orgbr: return std::min(p.m, p.n);
      case orghr: return p.ihi - p.ilo;
      case syevd:
        if (p.n <= 1) return 1;
        if (is_complex_type(p.type)) return p.job == Job::vectors ? p.n * (p.n + 2) : p.n + 1;
        return p.job == Job::vectors ? 1 + 6 * p.n + 2 * p.n * p.n : 2 * p.n + 1;
      case gesvd: return least_lwork_of_gesdd(p);
      default: return p.side == Side::left ? p.n : p.m;
    }
  }();
  return std::max<std::int64_t>(1, least);
}

int position_of_lwork(LapackRoutine routine) {
  const LapackProblem problem = {.routine = routine};
  const Arguments& all = arguments(problem);
  return static_cast<int>(std::find(all.begin(), all.end(), Argument::lwork) - all.begin()) + 1;
}

std::string lapack_name(const LapackProblem& p) {
  static constexpr std::array<const char*, 3> batches = {"", "StridedBatched", "Batched"};
  return std::string(name(p.type)) + (is_complex_type(p.type) ? row(p.routine).complex_name : row(p.routine).name) +
         batches[static_cast<std::size_t>(p.batch)];
}

}  // namespace onepass
