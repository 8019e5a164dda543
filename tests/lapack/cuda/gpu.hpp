// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The cuda backend as tests see the others: through the C interface, with guards around what lies on the device.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "lapack/api/problem_c.hpp"
#include "lapack/backend.hpp"
#include "lapack/reflectors.hpp"
#include "onepass/lapack.h"

namespace onepass::test {

inline onepassLapackHandle_t handle() {
  static onepassLapackHandle_t made = [] {
    onepassLapackHandle_t h = nullptr;
    onepassLapackCreateOn(&h, "cuda");
    return h;
  }();
  return made;
}

inline std::size_t workspace_bytes(const onepassLapackProblem_t& problem) {
  std::size_t bytes = 0;
  EXPECT_EQ(onepassLapackWorkspace(handle(), &problem, &bytes), ONEPASS_STATUS_SUCCESS)
      << onepassLapackLastErrorMessage();
  return bytes;
}

// By the last error: what a workspace has, and what it must have.
inline void expect_both_sizes_in_the_message(std::size_t bytes) {
  const std::string text = onepassLapackLastErrorMessage();
  EXPECT_NE(text.find(std::to_string(bytes)), std::string::npos) << text;
  EXPECT_NE(text.find(std::to_string(bytes - 1)), std::string::npos) << text;
}

// A copy on the device between guards, copied back whole.
class OnDevice {
 public:
  OnDevice(void* host, std::size_t bytes) : host_(host), bytes_(bytes) {
    EXPECT_EQ(cudaMalloc(&data_, bytes + 2 * guard), cudaSuccess);
    EXPECT_EQ(cudaMemset(data_, 0xa5, bytes + 2 * guard), cudaSuccess);
    if (bytes > 0) {
      EXPECT_EQ(cudaMemcpy(data(), host, bytes, cudaMemcpyHostToDevice), cudaSuccess);
    }
  }
  ~OnDevice() { cudaFree(data_); }
  void* data() const { return static_cast<std::byte*>(data_) + guard; }
  // False if a guard was touched.
  bool back() const {
    std::vector<unsigned char> all(bytes_ + 2 * guard);
    EXPECT_EQ(cudaMemcpy(all.data(), data_, all.size(), cudaMemcpyDeviceToHost), cudaSuccess);
    if (bytes_ > 0 && host_ != nullptr) std::memcpy(host_, all.data() + guard, bytes_);
    for (std::size_t i = 0; i < guard; ++i)
      if (all[i] != 0xa5 || all[guard + bytes_ + i] != 0xa5) return false;
    return true;
  }

 private:
  static constexpr std::size_t guard = 256;
  void* host_;
  std::size_t bytes_;
  void* data_ = nullptr;
};

// Elements behind the pointers of a call.
struct OperandSizes {
  std::int64_t a = 0, d = 0, e = 0, tau = 0, taup = 0, c = 0, w = 0, info = 0, u = 0, vt = 0, found = 0;

  explicit OperandSizes(const LapackProblem& p) {
    if (solves(p.routine)) {
      a = p.lda * p.n;
      w = p.routine == LapackRoutine::gesvd ? std::min(p.m, p.n) : p.n;
      info = 1;
      found = p.wanted == Wanted::by_value ? 1 : 0;
      u = p.routine == LapackRoutine::gesvd ? p.ldu * columns_of_u(p) : 0;
      vt = rows_of_vt(p) > 0 && p.routine == LapackRoutine::gesvd ? p.ldvt * p.n : 0;
      return;
    }
    const lapack::Reflectors q = lapack::reflectors(p);
    const bool is_gebrd = p.routine == LapackRoutine::gebrd, is_ormbr = p.routine == LapackRoutine::ormbr;
    const bool by_columns = is_ormbr && !q.by_rows;
    const std::int64_t columns = by_columns || p.routine == LapackRoutine::ormqr ? std::min(q.order, p.k)
                                 : applies(p.routine)                            ? q.order
                                                                                 : p.n;
    a = p.lda * columns;
    d = p.routine == LapackRoutine::sytrd ? p.n : is_gebrd ? std::min(p.m, p.n) : 0;
    e = std::max<std::int64_t>(0, d - 1);
    tau = is_gebrd ? d : q.count + lapack::first_tau(p);
    taup = is_gebrd ? d : 0;
    c = applies(p.routine) ? p.ldc * p.n : 0;
  }
};

// The operands of a call, copied to the device.
class OperandsOnDevice {
 public:
  OperandsOnDevice(const LapackProblem& p, const LapackOperands& o)
      : OperandsOnDevice(OperandSizes(p), o, static_cast<std::size_t>(size_of(p.type)),
                         static_cast<std::size_t>(size_of_real(p.type))) {}
  onepassLapackOperands_t operands() const {
    return {a_.data(),
            d_.data(),
            e_.data(),
            tau_.data(),
            taup_.data(),
            c_.data(),
            w_.data(),
            static_cast<int*>(info_.data()),
            u_.data(),
            vt_.data(),
            static_cast<int*>(found_.data())};
  }
  bool back() const {
    return a_.back() && d_.back() && e_.back() && tau_.back() && taup_.back() && c_.back() && w_.back() &&
           info_.back() && u_.back() && vt_.back() && found_.back();
  }

 private:
  OperandsOnDevice(const OperandSizes& sizes, const LapackOperands& o, std::size_t element, std::size_t real)
      : a_(o.a, static_cast<std::size_t>(sizes.a) * element),
        d_(o.d, static_cast<std::size_t>(sizes.d) * real),
        e_(o.e, static_cast<std::size_t>(sizes.e) * real),
        tau_(o.tau, static_cast<std::size_t>(sizes.tau) * element),
        taup_(o.taup, static_cast<std::size_t>(sizes.taup) * element),
        c_(o.c, static_cast<std::size_t>(sizes.c) * element),
        w_(o.w, static_cast<std::size_t>(sizes.w) * real),
        info_(o.info, static_cast<std::size_t>(sizes.info) * sizeof(int)),
        u_(o.u, static_cast<std::size_t>(sizes.u) * element),
        vt_(o.vt, static_cast<std::size_t>(sizes.vt) * element),
        found_(o.found, static_cast<std::size_t>(sizes.found) * sizeof(int)) {}
  OnDevice a_, d_, e_, tau_, taup_, c_, w_, info_, u_, vt_, found_;
};

inline Status run_there(const LapackPlan& plan, const LapackOperands& o, void*) {
  const OperandsOnDevice there(plan.problem, o);
  const onepassLapackProblem_t problem = problem_to_c(plan.problem);
  const onepassLapackOperands_t operands = there.operands();
  const std::size_t bytes = workspace_bytes(problem);
  std::vector<unsigned char> poison(bytes, 0xff);
  const OnDevice workspace(poison.data(), bytes);
  const Status status = {onepassLapackRun(handle(), &problem, &operands, workspace.data(), bytes),
                         onepassLapackLastErrorMessage()};
  EXPECT_TRUE(status.ok()) << status.text;
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const bool intact = there.back() && workspace.back();
  return intact ? Status{} : Status{ONEPASS_STATUS_EXECUTION_FAILED, "a guard on the device was touched"};
}

inline const LapackBackend& cuda() {
  static constexpr LapackBackend backend = {
      .id = BackendId::cuda,
      .plan = [](const LapackProblem& problem,
                 int) { return LapackPlan{.problem = problem, .backend = BackendId::cuda}; },
      .run = run_there};
  return backend;
}

}  // namespace onepass::test
