// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "check/reductions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lapack/element.hpp"
#include "problem/names.hpp"
#include "verify/lapack_batch.hpp"
#include "verify/lapack_cases.hpp"
#include "verify/lapack_eigen.hpp"
#include "verify/lapack_reduction.hpp"
#include "verify/lapack_svd.hpp"
#include "verify/lapack_svd_batch.hpp"

namespace onepass::tools {
namespace {

std::vector<std::int64_t> orders_up_to(std::int64_t most) {
  std::vector<std::int64_t> orders;
  for (std::int64_t n = 1; n <= std::min<std::int64_t>(40, most); ++n) orders.push_back(n);
  for (const std::int64_t n : {63, 64, 65, 97, 128, 129, 255, 257, 300, 513, 700, 1025, 1300, 2049})
    if (n <= most) orders.push_back(n);
  return orders;
}

// From the largest order on that the reference takes seconds for, the cpu backend makes Q of the reflectors.
const LapackBackend& generator_for(const LapackProblem& p) {
  return std::max(p.m, p.n) <= 100 ? lapack_reference() : lapack_cpu();
}

// On operands of the host, which are copied to where the backend works and back.
class Runner {
 public:
  Runner(const ReductionHandle& handle, ReductionClock& clock) : handle_(handle), clock_(clock) {}

  bool operator()(const LapackProblem& p, const LapackOperands& host) const {
    const auto real = static_cast<std::size_t>(size_of_real(p.type)),
               element = static_cast<std::size_t>(size_of(p.type));
    const bool solver = solves(p.routine), svd = p.routine == LapackRoutine::gesvd;
    const verify::ReductionVectors vectors = solver ? verify::ReductionVectors{} : verify::vectors_of(p);
    const auto count = [](std::int64_t elements) { return static_cast<std::size_t>(elements); };
    LapackOperands there;
    void* info = nullptr;
    struct Part {
      Room room;
      void* host;
      void** there;
      std::size_t bytes;
    };
    const std::int64_t matrices = p.batch_count, values = is_batched(p) ? p.stride_w * matrices
                                                          : svd         ? std::min(p.m, p.n)
                                                                        : p.n;
    const Part parts[] = {
        {Room::a, host.a, &there.a, count(p.lda * p.n * matrices) * element},
        {Room::d, host.d, &there.d, count(vectors.d) * real},
        {Room::e, host.e, &there.e, count(vectors.e) * real},
        {Room::tau, host.tau, &there.tau, count(vectors.tau) * element},
        {Room::taup, host.taup, &there.taup, count(vectors.taup) * element},
        {Room::w, host.w, &there.w, solver ? count(values) * real : 0},
        {Room::info, host.info, &info, solver ? count(matrices) * sizeof(int) : 0},
        {Room::u, host.u, &there.u, svd ? count(p.ldu * columns_of_u(p) * matrices) * element : 0},
        {Room::vt, host.vt, &there.vt, svd && rows_of_vt(p) > 0 ? count(p.ldvt * p.n * matrices) * element : 0}};
    for (const Part& part : parts) {
      *part.there = clock_.memory(part.room, part.bytes);
      clock_.copy(*part.there, part.host, part.bytes);
    }
    there.info = static_cast<int*>(info);
    const std::size_t bytes = handle_.workspace_bytes(p);
    handle_.run(p, there, clock_.memory(Room::workspace, bytes), bytes);
    for (const Part& part : parts) clock_.copy(part.host, *part.there, part.bytes);
    return true;
  }

 private:
  const ReductionHandle& handle_;
  ReductionClock& clock_;
};

template <class T>
ReductionVerdict check_of_type(const Runner& run, const ReductionCase& c, std::uint64_t seed) {
  verify::Reduction<T> first(c.problem, c.pattern, seed, run);
  const verify::Reduction<T> second(c.problem, c.pattern, seed, run);
  if (!first.intact) return {"something beside the outputs was written"};
  if (!first.same_bits(second)) return {"a second run gave other bits"};
  const verify::Residuals found = first.residuals(generator_for(c.problem));
  const double worst = found.worst();
  if (worst < verify::residual_limit) return {"", worst};
  return {
      fmt::format("|A - Q R P^H| / (|A| n eps) = {:.3g}, |I - Q Q^H| / (n eps) = {:.3g}, of P {:.3g}: must be below {}",
                  found.reduction, found.q, found.right, verify::residual_limit),
      worst};
}

template <class T>
ReductionVerdict check_eigenproblem(const Runner& run, const ReductionCase& c, std::uint64_t seed) {
  verify::Eigenproblem<T> first(c.problem, c.pattern, seed, run);
  const verify::Eigenproblem<T> second(c.problem, c.pattern, seed, run);
  if (!first.intact()) return {"something beside the outputs was written"};
  if (!first.same_bits(second)) return {"a second run gave other bits"};
  for (const int info : {first.vectors.info[0], first.values.info[0]})
    if (info != 0) return {fmt::format("info = {}: must be 0", info)};
  if (!first.is_sorted()) return {"eigenvalues are not in ascending order"};
  const verify::EigenResiduals found = first.residuals();
  const double worst = found.worst();
  if (worst < verify::residual_limit) return {"", worst};
  return {fmt::format("|A - V L V^H| / (|A| n eps) = {:.3g}, |I - V^H V| / (n eps) = {:.3g}, eigenvalues without V "
                      "{:.3g}: must be below {}",
                      found.equation, found.orthogonality, found.values, verify::residual_limit),
          worst};
}

// Of every pattern, and some more random ones; twice, the second time turned around.
template <class Solved>
ReductionVerdict check_batch(const Runner& run, const ReductionCase& c, std::uint64_t seed) {
  std::vector<verify::Pattern> patterns(std::begin(verify::finite_patterns), std::end(verify::finite_patterns));
  if (c.problem.n > 2 && (c.problem.m > 2 || !is_rectangular(c.problem.routine)))
    patterns.insert(patterns.begin() + 1, verify::Pattern::nan);
  patterns.resize(patterns.size() + 3, verify::Pattern::random);
  std::vector<std::uint64_t> seeds;
  for (std::size_t i = 0; i < patterns.size(); ++i) seeds.push_back(seed + i);
  Solved first(c.problem, patterns, seeds, run);
  const auto last = static_cast<std::int64_t>(patterns.size()) - 1;
  std::reverse(patterns.begin(), patterns.end());
  std::reverse(seeds.begin(), seeds.end());
  Solved second(c.problem, patterns, seeds, run);
  if (!first.intact() || !second.intact()) return {"something beside the outputs was written"};
  double worst = 0;
  for (std::int64_t i = 0; i <= last; ++i) {
    const verify::Pattern pattern = patterns[static_cast<std::size_t>(last - i)];
    const auto failed = [&](const std::string& why) {
      return ReductionVerdict{fmt::format("matrix {} ({}): {}", i, verify::name(pattern), why), worst};
    };
    if (!first.same_bits(i, second, last - i)) return failed("other bits at another place of the batch");
    if (pattern == verify::Pattern::nan) {
      if (!first.has_failed(i)) return failed("no info, or values, of a matrix that is not finite");
      continue;
    }
    const double found = first.worst(i);
    if (!(found < verify::residual_limit))
      return failed(fmt::format("residual = {:.3g}: must be below {}", found, verify::residual_limit));
    worst = std::max(worst, found);
  }
  return {"", worst};
}

template <class T>
ReductionVerdict check_svd(const Runner& run, const ReductionCase& c, std::uint64_t seed) {
  verify::Svd<T> first(c.problem, c.pattern, seed, run);
  const verify::Svd<T> second(c.problem, c.pattern, seed, run);
  if (!first.intact()) return {"something beside the outputs was written"};
  if (!first.same_bits(second)) return {"a second run gave other bits"};
  for (const int info : {first.values.info[0], first.vectors.info[0], first.all.info[0]})
    if (info != 0) return {fmt::format("info = {}: must be 0", info)};
  if (!first.is_sorted()) return {"singular values are not in descending order"};
  double worst = 0;
  for (const Job job : {Job::vectors, Job::all}) {
    const verify::SvdResiduals found = first.residuals(job);
    if (!(found.worst() < verify::residual_limit))
      return {fmt::format("|A - U S V^H| / (|A| n eps) = {:.3g}, |I - U^H U| / (n eps) = {:.3g}, of V {:.3g}, singular "
                          "values without vectors {:.3g}: must be below {}",
                          found.equation, found.u, found.v, found.values, verify::residual_limit),
              found.worst()};
    worst = std::max(worst, found.worst());
  }
  return {"", worst};
}

template <class T>
ReductionVerdict check_case(const Runner& run, const ReductionCase& c, std::uint64_t seed) {
  if (is_batched(c.problem))
    return c.problem.routine == LapackRoutine::gesvd ? check_batch<verify::SvdBatch<T>>(run, c, seed)
                                                     : check_batch<verify::EigenBatch<T>>(run, c, seed);
  switch (c.problem.routine) {
    case LapackRoutine::syevd: return check_eigenproblem<T>(run, c, seed);
    case LapackRoutine::gesvd: return check_svd<T>(run, c, seed);
    default: return check_of_type<T>(run, c, seed);
  }
}

}  // namespace

std::vector<ReductionCase> reduction_cases(LapackRoutine routine, Type type, std::int64_t max_size, bool batched) {
  std::vector<ReductionCase> cases;
  const std::int64_t most = !batched ? max_size : routine == LapackRoutine::gesvd ? 256 : 512;
  for (const std::int64_t n : orders_up_to(std::min(max_size, most)))
    for (LapackProblem problem : verify::reductions_of(routine, n, n % 3))
      for (const verify::Pattern pattern : verify::finite_patterns) {
        if (pattern != verify::Pattern::random && (batched || (n != 2 && n != 9 && n != 35))) continue;
        if (batched && std::max(problem.m, problem.n) > most) continue;
        problem.type = type;
        if (batched) problem.batch = Batch::strided;
        cases.push_back({problem, pattern});
      }
  return cases;
}

std::string print(const ReductionCase& c) {
  const LapackProblem& p = c.problem;
  std::string text = is_rectangular(p.routine) ? fmt::format("{}x{}", p.m, p.n) : fmt::format("n = {}", p.n);
  if (p.routine == LapackRoutine::sytrd || p.routine == LapackRoutine::syevd)
    text += p.uplo == Uplo::lower ? ", uplo L" : ", uplo U";
  if (p.routine == LapackRoutine::gehrd) text += fmt::format(", ilo {}, ihi {}", p.ilo, p.ihi);
  if (is_batched(p)) return text + fmt::format(", lda {}, a batch", p.lda);
  return text + fmt::format(", lda {}, {}", p.lda, verify::name(c.pattern));
}

ReductionVerdict check_reduction(const ReductionHandle& handle, ReductionClock& clock, const ReductionCase& c,
                                 std::uint64_t seed) {
  const Runner run(handle, clock);
  switch (c.problem.type) {
    case Type::s: return check_case<float>(run, c, seed);
    case Type::d: return check_case<double>(run, c, seed);
    case Type::c: return check_case<std::complex<float>>(run, c, seed);
    default: return check_case<std::complex<double>>(run, c, seed);
  }
}

}  // namespace onepass::tools
