// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What every routine refuses, in every type and on both host backends: pointers that are no multiple of their elements,
// and sizes whose workspace no program could count.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "onepass/lapack.h"

namespace {

using Problem = onepassLapackProblem_t;
using Pointers = onepassLapackOperands_t;

constexpr onepassType_t types[] = {ONEPASS_TYPE_S, ONEPASS_TYPE_D, ONEPASS_TYPE_C, ONEPASS_TYPE_Z};
constexpr int routines = 14;

class LapackRefusals : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { ASSERT_EQ(onepassLapackCreateOn(&handle, GetParam()), ONEPASS_STATUS_SUCCESS); }
  void TearDown() override { onepassLapackDestroy(handle); }
  onepassLapackHandle_t handle = nullptr;
};
INSTANTIATE_TEST_SUITE_P(Hosts, LapackRefusals, testing::Values("cpu", "reference"),
                         [](const auto& info) { return std::string(info.param); });

bool applies(int routine) {
  return (routine >= ONEPASS_LAPACK_ORMTR && routine <= ONEPASS_LAPACK_ORMHR) || routine == ONEPASS_LAPACK_ORMQR;
}
bool solves(int routine) { return routine == ONEPASS_LAPACK_SYEVD || routine == ONEPASS_LAPACK_GESVD; }

// The problems of a routine on m x n matrices, or on matrices of order n where it takes no others.
std::vector<Problem> problems(int routine, onepassType_t type, std::int64_t m, std::int64_t n) {
  Problem p = onepassLapackProblemDefault(static_cast<onepassLapackRoutine_t>(routine), type, m, n);
  const bool rectangular = routine == ONEPASS_LAPACK_GEBRD || routine == ONEPASS_LAPACK_ORGBR ||
                           routine == ONEPASS_LAPACK_GEQRF || routine == ONEPASS_LAPACK_ORGQR ||
                           routine == ONEPASS_LAPACK_GESVD;
  if (!rectangular && !applies(routine)) p.lda = n;
  if (routine == ONEPASS_LAPACK_ORGBR || routine == ONEPASS_LAPACK_ORMBR) p.k = m;
  if (routine == ONEPASS_LAPACK_ORGQR || routine == ONEPASS_LAPACK_ORMQR) p.k = std::min(m, n);
  if (!solves(routine)) return {p};
  std::vector<Problem> all = {p};
  p.job = ONEPASS_JOB_VECTORS;
  all.push_back(p);
  p.batch = ONEPASS_BATCH_POINTERS, p.batch_count = 3, p.stride_w = std::min(m, n);
  all.push_back(p);
  p.batch = ONEPASS_BATCH_STRIDED, p.stride_a = p.stride_u = p.lda * n, p.stride_vt = p.ldvt * n;
  all.push_back(p);
  p.batch = ONEPASS_BATCH_NONE;
  if (routine == ONEPASS_LAPACK_GESVD) {
    p.job = ONEPASS_JOB_ALL;
  } else {
    p.job = ONEPASS_JOB_VALUES, p.range = ONEPASS_RANGE_VALUE, p.vl = 0, p.vu = 1;
  }
  all.push_back(p);
  return all;
}

std::string text_of(const Problem& p) {
  return "routine " + std::to_string(p.routine) + " type " + std::to_string(p.type) + " m " + std::to_string(p.m) +
         " n " + std::to_string(p.n) + " job " + std::to_string(p.job) + " batch " + std::to_string(p.batch);
}

// Memory for the operands of small problems.
struct Memory {
  static constexpr std::size_t bytes = 2048;
  alignas(256) std::array<std::array<std::byte, bytes>, 12> arrays{};
  std::array<std::array<void*, 3>, 3> matrices{};

  explicit Memory(const Problem& p) {
    for (std::size_t operand = 0; operand < 3; ++operand)
      for (std::size_t i = 0; i < 3; ++i) matrices[operand][i] = arrays[operand].data() + 512 * i;
    const bool by_pointers = p.batch == ONEPASS_BATCH_POINTERS;
    const auto matrix = [&](std::size_t i) -> void* {
      return by_pointers ? static_cast<void*>(matrices[i].data()) : arrays[i].data();
    };
    operands.a = matrix(0);
    operands.u = matrix(1);
    operands.vt = matrix(2);
    operands.d = arrays[3].data();
    operands.e = arrays[4].data();
    operands.tau = arrays[5].data();
    operands.taup = arrays[6].data();
    operands.c = arrays[7].data();
    operands.w = arrays[8].data();
    operands.info = reinterpret_cast<int*>(arrays[9].data());
    operands.found = reinterpret_cast<int*>(arrays[10].data());
  }
  Pointers operands{};
};

template <class T>
T* moved(T* pointer, std::intptr_t bytes) {
  return reinterpret_cast<T*>(reinterpret_cast<std::intptr_t>(pointer) + bytes);
}

// Which operands a problem needs is what it says of null: a pointer that is off by a byte must be refused by that name,
// too.
TEST_P(LapackRefusals, APointerThatIsNoMultipleOfItsElements) {
  int refused = 0;
  for (int routine = 0; routine < routines; ++routine)
    for (const onepassType_t type : types)
      for (const Problem& p : problems(routine, type, 4, 4)) {
        SCOPED_TRACE(text_of(p));
        const auto expect_refused = [&](auto Pointers::*operand) {
          Memory memory(p);
          const auto right = memory.operands.*operand;
          memory.operands.*operand = nullptr;
          if (onepassLapackRun(handle, &p, &memory.operands, nullptr, 0) != ONEPASS_STATUS_INVALID_POINTER) return;
          const std::string null = onepassLapackLastErrorMessage(), name = null.substr(0, null.find(' '));
          memory.operands.*operand = moved(right, 1);
          const Memory before = memory;
          ASSERT_EQ(onepassLapackRun(handle, &p, &memory.operands, nullptr, 0), ONEPASS_STATUS_INVALID_ALIGNMENT)
              << name;
          const std::string text = onepassLapackLastErrorMessage();
          EXPECT_EQ(text.find(name + " must be a multiple of "), 0u) << text;
          EXPECT_NE(text.find(", and is 1 past one"), std::string::npos) << text;
          EXPECT_EQ(memory.arrays, before.arrays);
          ++refused;
        };
        for (auto operand : {&Pointers::a, &Pointers::d, &Pointers::e, &Pointers::tau, &Pointers::taup, &Pointers::c,
                             &Pointers::w, &Pointers::u, &Pointers::vt})
          expect_refused(operand);
        for (auto operand : {&Pointers::info, &Pointers::found}) expect_refused(operand);
      }
  // a of all, d and e, tau and taup, c; w and info of ten problems, found of one, u and vt of four
  EXPECT_EQ(refused, 4 * (22 + 4 + 13 + 4 + 20 + 1 + 8));
}

// On a host complex numbers lie as their components do, as LAPACK's.
TEST_P(LapackRefusals, NoComplexNumberThatIsAMultipleOfItsComponents) {
  for (const onepassType_t type : {ONEPASS_TYPE_C, ONEPASS_TYPE_Z}) {
    const Problem p = onepassLapackProblemDefault(ONEPASS_LAPACK_GEHRD, type, 4, 4);
    Memory memory(p);
    const std::intptr_t component = type == ONEPASS_TYPE_C ? 4 : 8;
    memory.operands.a = moved(memory.operands.a, component);
    memory.operands.tau = moved(memory.operands.tau, component);
    EXPECT_EQ(onepassLapackRun(handle, &p, &memory.operands, nullptr, 0), ONEPASS_STATUS_SUCCESS)
        << onepassLapackLastErrorMessage();
  }
}

TEST_P(LapackRefusals, AWorkspaceThatIsNoMultipleOf64Bytes) {
  for (int routine = 0; routine < routines; ++routine) {
    const Problem p = problems(routine, ONEPASS_TYPE_D, 4, 4).front();
    std::size_t bytes = 0;
    ASSERT_EQ(onepassLapackWorkspace(handle, &p, &bytes), ONEPASS_STATUS_SUCCESS);
    if (bytes == 0) continue;  // not looked at
    std::vector<std::byte> own(bytes + 128);
    void* const work =
        moved(own.data(), 64 - static_cast<std::intptr_t>(reinterpret_cast<std::uintptr_t>(own.data()) % 64));
    Memory memory(p);
    EXPECT_EQ(onepassLapackRun(handle, &p, &memory.operands, moved(work, 8), bytes), ONEPASS_STATUS_INVALID_ALIGNMENT);
    EXPECT_STREQ(onepassLapackLastErrorMessage(), "workspace must be a multiple of 64 bytes, and is 8 past one");
    EXPECT_EQ(onepassLapackRun(handle, &p, &memory.operands, work, bytes), ONEPASS_STATUS_SUCCESS)
        << onepassLapackLastErrorMessage();
  }
}

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t sizes[] = {1L << 30, (1L << 31) - 1, 1L << 31, 1L << 32, 1L << 40, 1L << 58, 1L << 62, largest};

// Either too large, or the bytes are at least those of a smaller matrix: none have wrapped.
TEST_P(LapackRefusals, SizesWhoseWorkspaceWouldWrap) {
  const auto bytes_of = [&](const Problem& p, std::size_t* bytes) {
    const onepassStatus_t status = onepassLapackWorkspace(handle, &p, bytes);
    if (status != ONEPASS_STATUS_SUCCESS) {
      EXPECT_EQ(status, ONEPASS_STATUS_TOO_LARGE) << text_of(p) << ": " << onepassLapackLastErrorMessage();
    }
    return status;
  };
  for (int routine = 0; routine < routines; ++routine)
    for (const onepassType_t type : types)
      for (const std::int64_t few : {std::int64_t{0}, std::int64_t{1}, std::int64_t{5}})
        for (const bool tall : {false, true}) {
          std::vector<std::size_t> before;
          for (const std::int64_t size : sizes) {
            const std::int64_t m = few == 0 || tall ? size : few, n = few == 0 || !tall ? size : few;
            // Those that take no other matrices have the one shape.
            if (few > 0 && !applies(routine) && routine != ONEPASS_LAPACK_GEBRD && routine != ONEPASS_LAPACK_GEQRF &&
                routine != ONEPASS_LAPACK_GESVD && !(tall && routine == ONEPASS_LAPACK_ORGQR))
              continue;
            Problem p = onepassLapackProblemDefault(static_cast<onepassLapackRoutine_t>(routine), type, m, n);
            if (routine == ONEPASS_LAPACK_ORGBR || routine == ONEPASS_LAPACK_ORMBR) p.k = m;
            if (routine == ONEPASS_LAPACK_ORGQR || routine == ONEPASS_LAPACK_ORMQR) p.k = std::min(m, n);
            std::vector<Problem> all = {p};
            if (solves(routine)) {
              p.job = ONEPASS_JOB_VECTORS;
              all.push_back(p);
              p.batch = ONEPASS_BATCH_POINTERS, p.batch_count = std::int64_t{1} << 31, p.stride_w = std::min(m, n);
              all.push_back(p);
            }
            std::vector<std::size_t> now;
            for (const Problem& problem : all) {
              std::size_t bytes = 0;
              if (bytes_of(problem, &bytes) != ONEPASS_STATUS_SUCCESS) bytes = std::numeric_limits<std::size_t>::max();
              EXPECT_TRUE(bytes == std::numeric_limits<std::size_t>::max() || bytes >> 60 == 0) << text_of(problem);
              EXPECT_TRUE(size < std::int64_t{1} << 31 || bytes == std::numeric_limits<std::size_t>::max());
              if (!before.empty()) {
                EXPECT_GE(bytes, before[now.size()]) << text_of(problem);
              }
              now.push_back(bytes);
            }
            before = now;
          }
        }
}

TEST_P(LapackRefusals, StridesAndLeadingDimensionsBeyondAnyMemory) {
  const auto refused = [&](const Problem& p, const char* name) {
    std::size_t bytes = 0;
    EXPECT_EQ(onepassLapackWorkspace(handle, &p, &bytes), ONEPASS_STATUS_TOO_LARGE);
    const std::string text = onepassLapackLastErrorMessage();
    EXPECT_EQ(text.find(std::string(name) + " = "), 0u) << text;
  };
  for (const std::int64_t much : {std::int64_t{1} << 47, std::int64_t{1} << 60, largest}) {
    Problem p = problems(ONEPASS_LAPACK_GESVD, ONEPASS_TYPE_Z, 4, 4)[3];
    p.stride_a = much;
    refused(p, "stride_a");
    p.stride_a = 16, p.stride_u = much;
    refused(p, "stride_u");
    p.stride_u = 16, p.stride_vt = much;
    refused(p, "stride_vt");
    p.stride_vt = 16, p.stride_w = much;
    refused(p, "stride_s");
    for (const auto& [ld, name] : {std::pair{&Problem::lda, "lda"}, {&Problem::ldu, "ldu"}, {&Problem::ldvt, "ldvt"}}) {
      p = problems(ONEPASS_LAPACK_GESVD, ONEPASS_TYPE_Z, 4, 4)[1];
      p.*ld = much;
      refused(p, name);
    }
    p = problems(ONEPASS_LAPACK_ORMQR, ONEPASS_TYPE_Z, 4, 4)[0];
    p.ldc = much;
    refused(p, "ldc");
  }
}

}  // namespace
