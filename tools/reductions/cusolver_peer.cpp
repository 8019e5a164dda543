// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "reductions/cusolver_peer.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>

#include "lapack/check.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

// What a call passes; enums have cuSOLVER's values as Onepass has them.
struct Arguments {
  void* handle;
  int uplo, side, op, m, n, k, lda, ldc, job;
  LapackOperands o;
};

template <class... A>
int invoke(void* function, A... arguments) {
  return reinterpret_cast<int (*)(A...)>(function)(arguments...);
}

// The calls of a routine, by their signatures in cuSOLVER's documentation.
struct CusolverRow {
  LapackRoutine routine;
  int (*size)(void* function, const Arguments& a, int* elements);
  int (*run)(void* function, const Arguments& a, void* work, int elements, int* info);
};

// orgbr has a side in the place of vect: left for Q, right for P.
constexpr CusolverRow rows[] = {
    {LapackRoutine::sytrd,
     [](void* f, const Arguments& a, int* elements) {
       return invoke(f, a.handle, a.uplo, a.n, a.o.a, a.lda, a.o.d, a.o.e, a.o.tau, elements);
     },
     [](void* f, const Arguments& a, void* work, int elements, int* info) {
       return invoke(f, a.handle, a.uplo, a.n, a.o.a, a.lda, a.o.d, a.o.e, a.o.tau, work, elements, info);
     }},
    {LapackRoutine::gebrd,
     [](void* f, const Arguments& a, int* elements) { return invoke(f, a.handle, a.m, a.n, elements); },
     [](void* f, const Arguments& a, void* work, int elements, int* info) {
       return invoke(f, a.handle, a.m, a.n, a.o.a, a.lda, a.o.d, a.o.e, a.o.tau, a.o.taup, work, elements, info);
     }},
    {LapackRoutine::orgtr,
     [](void* f, const Arguments& a, int* elements) {
       return invoke(f, a.handle, a.uplo, a.n, a.o.a, a.lda, a.o.tau, elements);
     },
     [](void* f, const Arguments& a, void* work, int elements, int* info) {
       return invoke(f, a.handle, a.uplo, a.n, a.o.a, a.lda, a.o.tau, work, elements, info);
     }},
    {LapackRoutine::orgbr,
     [](void* f, const Arguments& a, int* elements) {
       return invoke(f, a.handle, a.side, a.m, a.n, a.k, a.o.a, a.lda, a.o.tau, elements);
     },
     [](void* f, const Arguments& a, void* work, int elements, int* info) {
       return invoke(f, a.handle, a.side, a.m, a.n, a.k, a.o.a, a.lda, a.o.tau, work, elements, info);
     }},
    {LapackRoutine::ormtr,
     [](void* f, const Arguments& a, int* elements) {
       return invoke(f, a.handle, a.side, a.uplo, a.op, a.m, a.n, a.o.a, a.lda, a.o.tau, a.o.c, a.ldc, elements);
     },
     [](void* f, const Arguments& a, void* work, int elements, int* info) {
       return invoke(f, a.handle, a.side, a.uplo, a.op, a.m, a.n, a.o.a, a.lda, a.o.tau, a.o.c, a.ldc, work, elements,
                     info);
     }},
    {LapackRoutine::syevd,
     [](void* f, const Arguments& a, int* elements) {
       return invoke(f, a.handle, a.job, a.uplo, a.n, a.o.a, a.lda, a.o.w, elements);
     },
     [](void* f, const Arguments& a, void* work, int elements, int* info) {
       return invoke(f, a.handle, a.job, a.uplo, a.n, a.o.a, a.lda, a.o.w, work, elements, info);
     }},
};

const CusolverRow* row_of(const LapackProblem& p) {
  const auto* const found =
      std::find_if(std::begin(rows), std::end(rows), [&](const auto& row) { return row.routine == p.routine; });
  return found == std::end(rows) ? nullptr : found;
}

// "dsytrd" is cusolverDnDsytrd.
std::string name_of(const LapackProblem& p) {
  std::string name = lapack_name(p);
  name[0] = static_cast<char>(std::toupper(name[0]));
  return "cusolverDn" + name;
}

class Cusolver final : public ReductionPeer {
 public:
  Cusolver(void* library, void* handle) : library_(library), handle_(handle) {}
  std::string name() const override { return "cuSOLVER"; }
  bool serves(const LapackProblem& p) const override {
    return row_of(p) != nullptr && function(name_of(p)) != nullptr && function(name_of(p) + "_bufferSize") != nullptr;
  }
  std::size_t workspace_bytes(const LapackProblem& p, const LapackOperands& operands) const override {
    int elements = 0;
    const std::string name = name_of(p) + "_bufferSize";
    check(name, row_of(p)->size(function(name), arguments(p, operands), &elements));
    return static_cast<std::size_t>(elements) * static_cast<std::size_t>(size_of(p.type)) + room_for_info;
  }
  void run(const LapackProblem& p, const LapackOperands& operands, void* workspace, std::size_t bytes) const override {
    const std::size_t work = bytes - room_for_info;
    void* const info = static_cast<std::byte*>(workspace) + work;
    const int elements = static_cast<int>(work / static_cast<std::size_t>(size_of(p.type)));
    const std::string name = name_of(p);
    check(name, row_of(p)->run(function(name), arguments(p, operands), workspace, elements, static_cast<int*>(info)));
  }

 private:
  static constexpr std::size_t room_for_info = 256;
  static void check(const std::string& name, int status) {
    if (status != 0) throw Failure(Exit::failed, name + " failed with status " + std::to_string(status));
  }
  void* function(const std::string& name) const { return dlsym(library_, name.c_str()); }
  Arguments arguments(const LapackProblem& p, const LapackOperands& operands) const {
    const auto integer = [](std::int64_t value) { return static_cast<int>(value); };
    const bool has_vect = p.routine == LapackRoutine::orgbr;
    return {.handle = handle_,
            .uplo = static_cast<int>(p.uplo),
            .side = has_vect ? static_cast<int>(p.vect) : static_cast<int>(p.side),
            .op = static_cast<int>(p.op),
            .m = integer(p.m),
            .n = integer(p.n),
            .k = integer(p.k),
            .lda = integer(p.lda),
            .ldc = integer(p.ldc),
            .job = static_cast<int>(p.job),
            .o = operands};
  }

  void* library_;
  void* handle_;
};

}  // namespace

std::unique_ptr<ReductionPeer> open_cusolver() {
  void* library = nullptr;
  for (const char* name : {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"})
    if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  void* handle = nullptr;
  void* const create = dlsym(library, "cusolverDnCreate");
  if (create == nullptr || invoke(create, &handle) != 0) return nullptr;
  return std::make_unique<Cusolver>(library, handle);
}

}  // namespace onepass::tools
