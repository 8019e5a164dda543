// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/check.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>

#include "problem/names.hpp"

namespace onepass {
namespace {

using enum LapackRoutine;

constexpr std::size_t routine_count = 14;
constexpr std::int64_t most_matrices = std::int64_t{1} << 31;

// The arguments of a routine in LAPACK's order: what is at each position.
enum class Argument {
  job,
  uplo,
  vect,
  side,
  op,
  m,
  n,
  k,
  ilo,
  ihi,
  a,
  lda,
  d,
  e,
  tau,
  taup,
  c,
  ldc,
  w,
  u,
  ldu,
  vt,
  ldvt,
  work,
  lwork,
  iwork,
  liwork,
  info,
  stride_a,
  stride_w,
  stride_u,
  stride_vt,
  batch_count,
  wanted,
  found
};

// Those of one routine, in memory that needs no allocation.
class Arguments {
 public:
  constexpr Arguments(std::initializer_list<Argument> list) : count_(list.size()) {
    std::copy(list.begin(), list.end(), list_.begin());
  }
  constexpr const Argument* begin() const { return list_.data(); }
  constexpr const Argument* end() const { return list_.data() + count_; }

 private:
  std::array<Argument, 17> list_{};
  std::size_t count_;
};

const Arguments& arguments(const LapackProblem& p) {
  using enum Argument;
  static constexpr Arguments eigen_batch = {job, uplo,     n,    a,    lda,         stride_a,
                                            w,   stride_w, work, info, batch_count, wanted};
  static constexpr Arguments svd_batch = {job, m,        n,  a,    lda,       stride_a, w,    stride_w,   u,
                                          ldu, stride_u, vt, ldvt, stride_vt, work,     info, batch_count};
  if (is_batched(p)) return p.routine == gesvd ? svd_batch : eigen_batch;
  static constexpr std::array<Arguments, routine_count> lists = {{
      {uplo, n, a, lda, d, e, tau, work, lwork},                     // sytrd
      {m, n, a, lda, d, e, tau, taup, work, lwork},                  // gebrd
      {n, ilo, ihi, a, lda, tau, work, lwork},                       // gehrd
      {uplo, n, a, lda, tau, work, lwork},                           // orgtr
      {vect, m, n, k, a, lda, tau, work, lwork},                     // orgbr
      {n, ilo, ihi, a, lda, tau, work, lwork},                       // orghr
      {side, uplo, op, m, n, a, lda, tau, c, ldc, work, lwork},      // ormtr
      {vect, side, op, m, n, k, a, lda, tau, c, ldc, work, lwork},   // ormbr
      {side, op, m, n, ilo, ihi, a, lda, tau, c, ldc, work, lwork},  // ormhr
      // syevd; heevd has rwork, too, and the last ones are syevdx's
      {job, uplo, n, a, lda, w, work, lwork, iwork, liwork, info, wanted, found},
      {m, n, a, lda, tau, work, lwork},                                    // geqrf
      {m, n, k, a, lda, tau, work, lwork},                                 // orgqr
      {side, op, m, n, k, a, lda, tau, c, ldc, work, lwork},               // ormqr
      {job, m, n, a, lda, w, u, ldu, vt, ldvt, work, lwork, iwork, info},  // gesvd: those of gesdd
  }};
  return lists[static_cast<std::size_t>(p.routine)];
}

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

std::int64_t order(const LapackProblem& p) { return applies(p.routine) ? order_applied(p) : p.n; }

std::int64_t rows_of_a(const LapackProblem& p) {
  if (is_rectangular(p.routine)) return p.m;
  if (p.routine == ormbr && p.vect == Vect::p) return std::min(order(p), p.k);
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

// That no matrix of `rows` x `lines`, or its values, overlaps the next one.
Status check_stride(const LapackProblem& p, const char* name, std::int64_t stride, std::int64_t ld, std::int64_t rows,
                    std::int64_t lines) {
  std::int64_t least = 0, most = 0;
  if (is_empty(p) || p.batch_count <= 1) return {};
  if (__builtin_mul_overflow(ld, lines - 1, &least) || __builtin_add_overflow(least, rows, &least) ||
      (stride >= least && __builtin_mul_overflow(stride, p.batch_count, &most)))
    return {ONEPASS_STATUS_TOO_LARGE, "n = " + std::to_string(p.n) + ", batch_count = " +
                                          std::to_string(p.batch_count) + ": more elements than addresses"};
  return at_least(ONEPASS_STATUS_INVALID_LD, name, stride, least);
}
Status check_strided(const LapackProblem& p, Argument argument) {
  if (p.batch != Batch::strided) return {};
  if (argument == Argument::stride_a) return check_stride(p, "stride_a", p.stride_a, p.lda, rows_of_a(p), p.n);
  if (p.job == Job::values) return {};
  if (argument == Argument::stride_u) return check_stride(p, "stride_u", p.stride_u, p.ldu, p.m, columns_of_u(p));
  return check_stride(p, "stride_vt", p.stride_vt, p.ldvt, rows_on_the_right(p), columns_on_the_right(p));
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
  const auto check_ld = [](const char* name, std::int64_t ld, std::int64_t rows) {
    return at_least(ONEPASS_STATUS_INVALID_LD, name, ld, std::max<std::int64_t>(1, rows));
  };
  switch (argument) {
    case Argument::job: return check_job(p);
    case Argument::uplo: return one_of("uplo", static_cast<int>(p.uplo), "lower", "upper");
    case Argument::vect: return one_of("vect", static_cast<int>(p.vect), "Q", "P");
    case Argument::side: return one_of("side", static_cast<int>(p.side), "left", "right");
    case Argument::op: return check_op(p);
    case Argument::m: return at_least(ONEPASS_STATUS_INVALID_SIZE, "m", p.m, 0);
    case Argument::n: return check_n(p);
    case Argument::k: return check_k(p);
    case Argument::ilo: return within("ilo", p.ilo, 1, std::max<std::int64_t>(1, order(p)));
    case Argument::ihi: return within("ihi", p.ihi, std::min(p.ilo, order(p)), order(p));
    case Argument::lda: return check_ld("lda", p.lda, rows_of_a(p));
    case Argument::ldc: return check_ld("ldc", p.ldc, p.m);
    case Argument::ldu: return check_ld("ldu", p.ldu, p.job == Job::values ? 0 : p.m);
    case Argument::ldvt: return check_ld("ldvt", p.ldvt, rows_on_the_right(p));
    case Argument::stride_a:
    case Argument::stride_u:
    case Argument::stride_vt: return check_strided(p, argument);
    case Argument::stride_w:
      return check_stride(p, p.routine == gesvd ? "stride_s" : "stride_w", p.stride_w, 0,
                          p.routine == gesvd ? std::min(p.m, p.n) : p.n, 1);
    case Argument::batch_count:
      if (p.batch_count >= 0 && p.batch_count <= most_matrices) return {};
      return wrong(ONEPASS_STATUS_INVALID_BATCH, "batch_count", p.batch_count, "0 to 2147483648");
    case Argument::wanted: return check_wanted(p);
    default: return {};
  }
}

// Whether a call with this problem reads or writes something behind the argument.
bool needs(const LapackProblem& p, Argument argument) {
  if (is_batched(p) && p.batch_count == 0) return false;
  if (argument == Argument::info) return true;
  if (argument == Argument::found) return p.wanted == Wanted::by_value;
  if (is_empty(p)) return false;
  switch (argument) {
    case Argument::e: return p.routine == sytrd ? p.n > 1 : std::min(p.m, p.n) > 1;
    case Argument::u:
    case Argument::vt: return p.job != Job::values;
    case Argument::tau:
      if (p.routine == gebrd || p.routine == geqrf) return true;
      if (p.routine == orgbr || p.routine == ormbr || p.routine == orgqr || p.routine == ormqr) return p.k > 0;
      if (p.routine == gehrd || p.routine == orghr || p.routine == ormhr) return p.ihi > p.ilo;
      return order(p) > 1;
    default: return true;
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
  if (static_cast<int>(p.routine) < 0 || p.routine > gesvd)
    return {.position = 1,
            .status =
                wrong(ONEPASS_STATUS_INVALID_ENUM, "routine", static_cast<int>(p.routine), "sytrd (0) to gesvd (13)")};
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

BadArgument check(const LapackProblem& p, const LapackOperands& operands) {
  int position = 0;
  const auto is_null = [&](Argument argument, const char** name) {
    switch (argument) {
      case Argument::a: *name = "a"; return operands.a == nullptr;
      case Argument::d: *name = "d"; return operands.d == nullptr;
      case Argument::e: *name = "e"; return operands.e == nullptr;
      case Argument::tau: *name = p.routine == gebrd ? "tauq" : "tau"; return operands.tau == nullptr;
      case Argument::taup: *name = "taup"; return operands.taup == nullptr;
      case Argument::c: *name = "c"; return operands.c == nullptr;
      case Argument::w: *name = p.routine == gesvd ? "s" : "w"; return operands.w == nullptr;
      case Argument::u: *name = "u"; return operands.u == nullptr;
      case Argument::vt: *name = "vt"; return operands.vt == nullptr;
      case Argument::info: *name = "info"; return operands.info == nullptr;
      case Argument::found: *name = "found"; return operands.found == nullptr;
      default: return false;
    }
  };
  for (const Argument argument : arguments(p)) {
    ++position;
    const char* name = "";
    if (is_null(argument, &name) && needs(p, argument))
      return {.position = position,
              .status = {ONEPASS_STATUS_INVALID_POINTER, std::string(name) + " is null, and must not be"}};
  }
  return {};
}

std::int64_t least_lwork(const LapackProblem& p) {
  const auto least = [&]() -> std::int64_t {
    switch (p.routine) {
      case sytrd: return 1;
      case gebrd: return std::max(p.m, p.n);
      case gehrd:
      case geqrf:
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
  const Arguments& all = arguments({.routine = routine});
  return static_cast<int>(std::find(all.begin(), all.end(), Argument::lwork) - all.begin()) + 1;
}

std::string lapack_name(const LapackProblem& p) {
  static constexpr std::array<const char*, routine_count> real = {"sytrd", "gebrd", "gehrd", "orgtr", "orgbr",
                                                                  "orghr", "ormtr", "ormbr", "ormhr", "syevd",
                                                                  "geqrf", "orgqr", "ormqr", "gesvd"};
  static constexpr std::array<const char*, routine_count> complex = {"hetrd", "gebrd", "gehrd", "ungtr", "ungbr",
                                                                     "unghr", "unmtr", "unmbr", "unmhr", "heevd",
                                                                     "geqrf", "ungqr", "unmqr", "gesvd"};
  static constexpr std::array<const char*, 3> batches = {"", "StridedBatched", "Batched"};
  return std::string(name(p.type)) + (is_complex_type(p.type) ? complex : real)[static_cast<std::size_t>(p.routine)] +
         batches[static_cast<std::size_t>(p.batch)];
}

}  // namespace onepass
