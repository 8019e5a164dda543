// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "reductions/cusolver_peer.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "lapack/check.hpp"
#include "problem/names.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

// What a call passes; enums have cuSOLVER's values as Onepass has them.
struct Arguments {
  void* handle;
  int uplo, side, op, m, n, k, lda, ldc, ldu, ldvt, job;
  LapackOperands o;
  void* params;         // of the calls for every type, which name the types, too
  int type, real_type;  // a cudaDataType
  std::int64_t batch;
  void* jacobi;  // parameters of gesvdj
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
    {LapackRoutine::geqrf,
     [](void* f, const Arguments& a, int* elements) { return invoke(f, a.handle, a.m, a.n, a.o.a, a.lda, elements); },
     [](void* f, const Arguments& a, void* work, int elements, int* info) {
       return invoke(f, a.handle, a.m, a.n, a.o.a, a.lda, a.o.tau, work, elements, info);
     }},
    {LapackRoutine::orgqr,
     [](void* f, const Arguments& a, int* elements) {
       return invoke(f, a.handle, a.m, a.n, a.k, a.o.a, a.lda, a.o.tau, elements);
     },
     [](void* f, const Arguments& a, void* work, int elements, int* info) {
       return invoke(f, a.handle, a.m, a.n, a.k, a.o.a, a.lda, a.o.tau, work, elements, info);
     }},
    {LapackRoutine::ormqr,
     [](void* f, const Arguments& a, int* elements) {
       return invoke(f, a.handle, a.side, a.op, a.m, a.n, a.k, a.o.a, a.lda, a.o.tau, a.o.c, a.ldc, elements);
     },
     [](void* f, const Arguments& a, void* work, int elements, int* info) {
       return invoke(f, a.handle, a.side, a.op, a.m, a.n, a.k, a.o.a, a.lda, a.o.tau, a.o.c, a.ldc, work, elements,
                     info);
     }},
};

// Singular values of a batch. Both make V and not V^H; gesvdj all of its columns and of those of U.
constexpr CusolverRow approximate_batch = {
    LapackRoutine::gesvd,
    [](void* f, const Arguments& a, int* elements) {
      const int k = std::min(a.m, a.n);
      const auto apart = [](int lines, int ld) { return static_cast<long long>(lines) * ld; };
      return invoke(f, a.handle, a.job, k, a.m, a.n, a.o.a, a.lda, apart(a.n, a.lda), a.o.w, static_cast<long long>(k),
                    a.o.u, a.ldu, apart(k, a.ldu), a.o.vt, a.n, apart(k, a.n), elements, static_cast<int>(a.batch));
    },
    [](void* f, const Arguments& a, void* work, int elements, int*) {
      const int k = std::min(a.m, a.n);
      const auto apart = [](int lines, int ld) { return static_cast<long long>(lines) * ld; };
      void* const residuals = nullptr;
      return invoke(f, a.handle, a.job, k, a.m, a.n, a.o.a, a.lda, apart(a.n, a.lda), a.o.w, static_cast<long long>(k),
                    a.o.u, a.ldu, apart(k, a.ldu), a.o.vt, a.n, apart(k, a.n), work, elements, a.o.info, residuals,
                    static_cast<int>(a.batch));
    }};
constexpr CusolverRow jacobi_batch = {LapackRoutine::gesvd,
                                      [](void* f, const Arguments& a, int* elements) {
                                        return invoke(f, a.handle, a.job, a.m, a.n, a.o.a, a.lda, a.o.w, a.o.u, a.ldu,
                                                      a.o.vt, a.n, elements, a.jacobi, static_cast<int>(a.batch));
                                      },
                                      [](void* f, const Arguments& a, void* work, int elements, int*) {
                                        return invoke(f, a.handle, a.job, a.m, a.n, a.o.a, a.lda, a.o.w, a.o.u, a.ldu,
                                                      a.o.vt, a.n, work, elements, a.o.info, a.jacobi,
                                                      static_cast<int>(a.batch));
                                      }};

// Workspace in bytes, on the device and on the host.
struct Sizes {
  std::size_t device = 0, host = 0;
};

// One call for every type, with 64-bit sizes: of the older and the newer call, the faster one.
struct GenericRow {
  LapackRoutine routine;
  bool batched;
  const char* name;
  int (*size)(void* function, const Arguments& a, Sizes* sizes);
  int (*run)(void* function, const Arguments& a, void* work, void* host_work, Sizes sizes, int* info);
};

signed char job_of_svd(const Arguments& a) { return a.job == 0 ? 'N' : 'S'; }

constexpr GenericRow generic_rows[] = {
    {LapackRoutine::syevd, false, "cusolverDnXsyevd",
     [](void* f, const Arguments& a, Sizes* sizes) {
       return invoke(f, a.handle, a.params, a.job, a.uplo, std::int64_t{a.n}, a.type, a.o.a, std::int64_t{a.lda},
                     a.real_type, a.o.w, a.type, &sizes->device, &sizes->host);
     },
     [](void* f, const Arguments& a, void* work, void* host_work, Sizes sizes, int* info) {
       return invoke(f, a.handle, a.params, a.job, a.uplo, std::int64_t{a.n}, a.type, a.o.a, std::int64_t{a.lda},
                     a.real_type, a.o.w, a.type, work, sizes.device, host_work, sizes.host, info);
     }},
    // Matrices one behind the other, with an info for each.
    {LapackRoutine::syevd, true, "cusolverDnXsyevBatched",
     [](void* f, const Arguments& a, Sizes* sizes) {
       return invoke(f, a.handle, a.params, a.job, a.uplo, std::int64_t{a.n}, a.type, a.o.a, std::int64_t{a.lda},
                     a.real_type, a.o.w, a.type, &sizes->device, &sizes->host, a.batch);
     },
     [](void* f, const Arguments& a, void* work, void* host_work, Sizes sizes, int*) {
       return invoke(f, a.handle, a.params, a.job, a.uplo, std::int64_t{a.n}, a.type, a.o.a, std::int64_t{a.lda},
                     a.real_type, a.o.w, a.type, work, sizes.device, host_work, sizes.host, a.o.info, a.batch);
     }},
    // Of tall matrices alone.
    {LapackRoutine::gesvd, false, "cusolverDnXgesvd",
     [](void* f, const Arguments& a, Sizes* sizes) {
       return invoke(f, a.handle, a.params, job_of_svd(a), job_of_svd(a), std::int64_t{a.m}, std::int64_t{a.n}, a.type,
                     a.o.a, std::int64_t{a.lda}, a.real_type, a.o.w, a.type, a.o.u, std::int64_t{a.ldu}, a.type, a.o.vt,
                     std::int64_t{a.ldvt}, a.type, &sizes->device, &sizes->host);
     },
     [](void* f, const Arguments& a, void* work, void* host_work, Sizes sizes, int* info) {
       return invoke(f, a.handle, a.params, job_of_svd(a), job_of_svd(a), std::int64_t{a.m}, std::int64_t{a.n}, a.type,
                     a.o.a, std::int64_t{a.lda}, a.real_type, a.o.w, a.type, a.o.u, std::int64_t{a.ldu}, a.type, a.o.vt,
                     std::int64_t{a.ldvt}, a.type, work, sizes.device, host_work, sizes.host, info);
     }},
};

// It makes V and not V^H, of n rows; 1: min(m, n) columns of U and V.
constexpr GenericRow polar_rows[] = {
    {LapackRoutine::gesvd, false, "cusolverDnXgesvdp",
     [](void* f, const Arguments& a, Sizes* sizes) {
       return invoke(f, a.handle, a.params, a.job, 1, std::int64_t{a.m}, std::int64_t{a.n}, a.type, a.o.a,
                     std::int64_t{a.lda}, a.real_type, a.o.w, a.type, a.o.u, std::int64_t{a.ldu}, a.type, a.o.vt,
                     std::int64_t{a.n}, a.type, &sizes->device, &sizes->host);
     },
     [](void* f, const Arguments& a, void* work, void* host_work, Sizes sizes, int* info) {
       double largest_change = 0;
       return invoke(f, a.handle, a.params, a.job, 1, std::int64_t{a.m}, std::int64_t{a.n}, a.type, a.o.a,
                     std::int64_t{a.lda}, a.real_type, a.o.w, a.type, a.o.u, std::int64_t{a.ldu}, a.type, a.o.vt,
                     std::int64_t{a.n}, a.type, work, sizes.device, host_work, sizes.host, info, &largest_change);
     }},
};

template <class Row, std::size_t count>
const Row* find_row(const Row (&all)[count], const LapackProblem& p) {
  const auto* const found = std::find_if(std::begin(all), std::end(all), [&](const auto& row) {
    if constexpr (requires { row.batched; })
      return row.routine == p.routine && row.batched == is_batched(p);
    else
      return row.routine == p.routine;
  });
  return found == std::end(all) ? nullptr : found;
}

// "dsytrd" is cusolverDnDsytrd.
std::string name_of(std::string name) {
  name[0] = static_cast<char>(std::toupper(name[0]));
  return "cusolverDn" + name;
}
bool is_svd_batch(const LapackProblem& p) { return p.routine == LapackRoutine::gesvd && is_batched(p); }

class Cusolver final : public ReductionPeer {
 public:
  Cusolver(void* library, void* handle, void* params, void* jacobi, Beside beside)
      : library_(library), handle_(handle), params_(params), jacobi_(jacobi), beside_(beside) {}
  std::string name() const override {
    return beside_ == Beside::polar ? "cuSOLVER gesvdp" : beside_ == Beside::jacobi ? "cuSOLVER gesvdj" : "cuSOLVER";
  }
  bool serves(const LapackProblem& p) const override {
    if (p.routine == LapackRoutine::gesvd && p.m < p.n && beside_ != Beside::polar) return false;
    if (beside_ == Beside::jacobi && (p.m != p.n || p.n > 32)) return false;
    const std::string name = call_of(p);
    return !name.empty() && function(name) != nullptr && function(name + "_bufferSize") != nullptr;
  }
  std::size_t workspace_bytes(const LapackProblem& p, const LapackOperands& operands) const override {
    return sizes_of(p, operands).device + room_for_info;
  }
  void run(const LapackProblem& p, const LapackOperands& operands, void* workspace, std::size_t bytes) const override {
    const std::string name = call_of(p);
    const std::size_t work = bytes - room_for_info;
    auto* const info = static_cast<int*>(static_cast<void*>(static_cast<std::byte*>(workspace) + work));
    const Arguments a = arguments(p, operands);
    if (const GenericRow* const row = generic_row(p)) {
      const Sizes sizes{work, sizes_of(p, operands).host};
      if (host_work_.size() < sizes.host) host_work_.resize(sizes.host);
      check(name, row->run(function(name), a, workspace, host_work_.data(), sizes, info));
      return;
    }
    const int elements = static_cast<int>(work / static_cast<std::size_t>(size_of(p.type)));
    check(name, typed_row(p)->run(function(name), a, workspace, elements, info));
  }

 private:
  static constexpr std::size_t room_for_info = 256;
  static void check(const std::string& name, int status) {
    if (status != 0) throw Failure(Exit::failed, name + " failed with status " + std::to_string(status));
  }
  void* function(const std::string& name) const { return dlsym(library_, name.c_str()); }
  const GenericRow* generic_row(const LapackProblem& p) const {
    return beside_ == Beside::polar ? find_row(polar_rows, p) : find_row(generic_rows, p);
  }
  const CusolverRow* typed_row(const LapackProblem& p) const {
    if (!is_svd_batch(p)) return find_row(rows, p);
    return beside_ == Beside::jacobi ? &jacobi_batch : &approximate_batch;
  }
  // Empty if there is none.
  std::string call_of(const LapackProblem& p) const {
    if (const GenericRow* const row = generic_row(p)) return row->name;
    if (is_svd_batch(p))
      return name_of(onepass::name(p.type) +
                     std::string(beside_ == Beside::jacobi ? "gesvdjBatched" : "gesvdaStridedBatched"));
    return typed_row(p) != nullptr ? name_of(lapack_name(p)) : "";
  }
  Sizes sizes_of(const LapackProblem& p, const LapackOperands& operands) const {
    Sizes sizes;
    const std::string name = call_of(p) + "_bufferSize";
    const Arguments a = arguments(p, operands);
    if (const GenericRow* const row = generic_row(p)) {
      check(name, row->size(function(name), a, &sizes));
      return sizes;
    }
    int elements = 0;
    check(name, typed_row(p)->size(function(name), a, &elements));
    sizes.device = static_cast<std::size_t>(elements) * static_cast<std::size_t>(size_of(p.type));
    return sizes;
  }
  Arguments arguments(const LapackProblem& p, const LapackOperands& operands) const {
    const auto integer = [](std::int64_t value) { return static_cast<int>(value); };
    // CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F are 0, 1, 4, 5.
    const int wide = p.type == Type::d || p.type == Type::z ? 1 : 0;
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
            .ldu = integer(is_svd_batch(p) ? std::max(p.ldu, p.m) : p.ldu),
            .ldvt = integer(p.ldvt),
            .job = static_cast<int>(p.job),
            .o = operands,
            .params = params_,
            .type = (p.type == Type::c || p.type == Type::z ? 4 : 0) + wide,
            .real_type = wide,
            .batch = p.batch_count,
            .jacobi = jacobi_};
  }

  void* library_;
  void* handle_;
  void* params_;
  void* jacobi_;
  Beside beside_;
  mutable std::vector<std::byte> host_work_;
};

}  // namespace

std::unique_ptr<ReductionPeer> open_cusolver(Beside beside) {
  void* library = nullptr;
  for (const char* name : {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"})
    if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  void* handle = nullptr;
  void* const create = dlsym(library, "cusolverDnCreate");
  if (create == nullptr || invoke(create, &handle) != 0) return nullptr;
  void* params = nullptr;
  void* const create_params = dlsym(library, "cusolverDnCreateParams");
  if (create_params == nullptr || invoke(create_params, &params) != 0) return nullptr;
  void* jacobi = nullptr;
  void* const create_jacobi = dlsym(library, "cusolverDnCreateGesvdjInfo");
  if (create_jacobi == nullptr || invoke(create_jacobi, &jacobi) != 0) return nullptr;
  return std::make_unique<Cusolver>(library, handle, params, jacobi, beside);
}

}  // namespace onepass::tools
