// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "reductions/lapack_peer.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "lapack/check.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

// What a call passes, as Fortran takes it.
struct Arguments {
  int m, n, k, ilo, ihi, lda, ldc, ldu, ldvt;
  const char *uplo, *vect, *side, *op, *job;
  Type type;
  LapackOperands o;
  void* work;
  int lwork;
  int info = 0;
};

template <class... A>
void invoke(void* function, A... arguments) {
  reinterpret_cast<void (*)(A...)>(function)(arguments...);
}

// Lengths of the words come last, as Fortran passes them.
constexpr std::size_t one = 1;

struct LapackRow {
  LapackRoutine routine;
  void (*call)(void* function, Arguments& a);
};

void hessenberg(void* f, Arguments& a) {
  invoke(f, &a.n, &a.ilo, &a.ihi, a.o.a, &a.lda, a.o.tau, a.work, &a.lwork, &a.info);
}

// Beside WORK it has one of integers, and heevd one of real numbers; of these it is asked nothing here.
void eigenproblem(void* f, Arguments& a) {
  thread_local std::vector<int> integers;
  thread_local std::vector<double> reals;
  const bool asks = a.lwork == -1;
  const std::size_t n = static_cast<std::size_t>(a.n);
  integers.resize(std::max(integers.size(), 3 + 5 * n));
  const int liwork = asks ? -1 : static_cast<int>(integers.size());
  if (!is_complex_type(a.type))
    return invoke(f, a.job, a.uplo, &a.n, a.o.a, &a.lda, a.o.w, a.work, &a.lwork, integers.data(), &liwork, &a.info,
                  one, one);
  reals.resize(std::max(reals.size(), 1 + 5 * n + 2 * n * n));
  const int lrwork = asks ? -1 : static_cast<int>(reals.size());
  invoke(f, a.job, a.uplo, &a.n, a.o.a, &a.lda, a.o.w, a.work, &a.lwork, reals.data(), &lrwork, integers.data(),
         &liwork, &a.info, one, one);
}

// By gesdd, the faster one of its two.
void singular_values(void* f, Arguments& a) {
  thread_local std::vector<int> integers;
  thread_local std::vector<double> reals;
  const std::size_t least = static_cast<std::size_t>(std::min(a.m, a.n)),
                    most = static_cast<std::size_t>(std::max(a.m, a.n));
  integers.resize(std::max(integers.size(), 8 * least));
  if (!is_complex_type(a.type))
    return invoke(f, a.job, &a.m, &a.n, a.o.a, &a.lda, a.o.w, a.o.u, &a.ldu, a.o.vt, &a.ldvt, a.work, &a.lwork,
                  integers.data(), &a.info, one);
  reals.resize(std::max({reals.size(), 5 * least * (least + 1), 2 * most * least + 2 * least * least + least}));
  invoke(f, a.job, &a.m, &a.n, a.o.a, &a.lda, a.o.w, a.o.u, &a.ldu, a.o.vt, &a.ldvt, a.work, &a.lwork, reals.data(),
         integers.data(), &a.info, one);
}

constexpr LapackRow rows[] = {
    {LapackRoutine::sytrd,
     [](void* f, Arguments& a) {
       invoke(f, a.uplo, &a.n, a.o.a, &a.lda, a.o.d, a.o.e, a.o.tau, a.work, &a.lwork, &a.info, one);
     }},
    {LapackRoutine::gebrd,
     [](void* f, Arguments& a) {
       invoke(f, &a.m, &a.n, a.o.a, &a.lda, a.o.d, a.o.e, a.o.tau, a.o.taup, a.work, &a.lwork, &a.info);
     }},
    {LapackRoutine::gehrd, hessenberg},
    {LapackRoutine::orgtr,
     [](void* f, Arguments& a) { invoke(f, a.uplo, &a.n, a.o.a, &a.lda, a.o.tau, a.work, &a.lwork, &a.info, one); }},
    {LapackRoutine::orgbr,
     [](void* f, Arguments& a) {
       invoke(f, a.vect, &a.m, &a.n, &a.k, a.o.a, &a.lda, a.o.tau, a.work, &a.lwork, &a.info, one);
     }},
    {LapackRoutine::orghr, hessenberg},
    {LapackRoutine::ormtr,
     [](void* f, Arguments& a) {
       invoke(f, a.side, a.uplo, a.op, &a.m, &a.n, a.o.a, &a.lda, a.o.tau, a.o.c, &a.ldc, a.work, &a.lwork, &a.info,
              one, one, one);
     }},
    {LapackRoutine::ormbr,
     [](void* f, Arguments& a) {
       invoke(f, a.vect, a.side, a.op, &a.m, &a.n, &a.k, a.o.a, &a.lda, a.o.tau, a.o.c, &a.ldc, a.work, &a.lwork,
              &a.info, one, one, one);
     }},
    {LapackRoutine::ormhr,
     [](void* f, Arguments& a) {
       invoke(f, a.side, a.op, &a.m, &a.n, &a.ilo, &a.ihi, a.o.a, &a.lda, a.o.tau, a.o.c, &a.ldc, a.work, &a.lwork,
              &a.info, one, one);
     }},
    {LapackRoutine::syevd, eigenproblem},
    {LapackRoutine::geqrf,
     [](void* f, Arguments& a) { invoke(f, &a.m, &a.n, a.o.a, &a.lda, a.o.tau, a.work, &a.lwork, &a.info); }},
    {LapackRoutine::orgqr,
     [](void* f, Arguments& a) { invoke(f, &a.m, &a.n, &a.k, a.o.a, &a.lda, a.o.tau, a.work, &a.lwork, &a.info); }},
    {LapackRoutine::ormqr,
     [](void* f, Arguments& a) {
       invoke(f, a.side, a.op, &a.m, &a.n, &a.k, a.o.a, &a.lda, a.o.tau, a.o.c, &a.ldc, a.work, &a.lwork, &a.info, one,
              one);
     }},
    {LapackRoutine::gesvd, singular_values},
};

// Null if there is none.
const LapackRow* find_row(LapackRoutine routine) {
  const auto* const found =
      std::find_if(std::begin(rows), std::end(rows), [&](const auto& row) { return row.routine == routine; });
  return found == std::end(rows) ? nullptr : found;
}

const char* job_of(const LapackProblem& p) {
  if (p.job == Job::values) return "N";
  return p.routine == LapackRoutine::syevd ? "V" : p.job == Job::vectors ? "S" : "A";
}

class Lapack final : public ReductionPeer {
 public:
  Lapack(void* library, int threads) : library_(library) {
    const auto set_threads = reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
    name_ = set_threads != nullptr ? "OpenBLAS" : "LAPACK";
    if (set_threads != nullptr) set_threads(threads);
  }
  std::string name() const override { return name_; }
  bool serves(const LapackProblem& p) const override {
    return !is_batched(p) && find_row(p.routine) != nullptr && function(p) != nullptr;
  }
  // By the question that LAPACK answers for lwork = -1, in the type of the call.
  std::size_t workspace_bytes(const LapackProblem& p, const LapackOperands& operands) const override {
    alignas(16) std::byte answer[16] = {};
    call(p, operands, answer, -1);
    const bool is_double = size_of_real(p.type) == 8;
    const double elements =
        is_double ? *reinterpret_cast<const double*>(answer) : *reinterpret_cast<const float*>(answer);
    return static_cast<std::size_t>(elements) * static_cast<std::size_t>(size_of(p.type));
  }
  void run(const LapackProblem& p, const LapackOperands& operands, void* workspace, std::size_t bytes) const override {
    call(p, operands, workspace, static_cast<int>(bytes / static_cast<std::size_t>(size_of(p.type))));
  }

 private:
  void* function(const LapackProblem& p) const {
    std::string name = lapack_name(p);
    if (p.routine == LapackRoutine::gesvd) name.replace(1, std::string::npos, "gesdd");
    return dlsym(library_, (name + "_").c_str());
  }
  void call(const LapackProblem& p, const LapackOperands& operands, void* work, int lwork) const {
    const auto integer = [](std::int64_t value) { return static_cast<int>(value); };
    Arguments a{.m = integer(p.m),
                .n = integer(p.n),
                .k = integer(p.k),
                .ilo = integer(p.ilo),
                .ihi = integer(p.ihi),
                .lda = integer(p.lda),
                .ldc = integer(p.ldc),
                .ldu = integer(p.ldu),
                .ldvt = integer(p.ldvt),
                .uplo = p.uplo == Uplo::lower ? "L" : "U",
                .vect = p.vect == Vect::q ? "Q" : "P",
                .side = p.side == Side::left ? "L" : "R",
                .op = p.op == Op::n   ? "N"
                      : p.op == Op::t ? "T"
                                      : "C",
                .job = job_of(p),
                .type = p.type,
                .o = operands,
                .work = work,
                .lwork = lwork};
    find_row(p.routine)->call(function(p), a);
    if (a.info != 0)
      throw Failure(Exit::failed, lapack_name(p) + " of " + name_ + ": info = " + std::to_string(a.info));
  }

  void* library_;
  std::string name_;
};

}  // namespace

std::unique_ptr<ReductionPeer> open_lapack(int threads) {
  void* library = dlopen(nullptr, RTLD_NOW);
  if (dlsym(library, "dsytrd_") == nullptr) library = dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL);
  return library == nullptr ? nullptr : std::make_unique<Lapack>(library, threads);
}

}  // namespace onepass::tools
