// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A user's view of the C interface: handles that end themselves, elements of every type, texts.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "onepass/onepass.h"

// From c_language.c: calls with enums that hold any int, which C++ does not allow.
extern "C" {
int onepass_from_c(float* y);
onepassStatus_t onepass_op_from_c(onepassHandle_t handle, int op, const float* one, float* y);
onepassStatus_t onepass_uplo_from_c(onepassHandle_t handle, int uplo, const float* one, float* y);
onepassStatus_t onepass_mode_from_c(onepassHandle_t handle, int mode);
onepassStatus_t onepass_problem_from_c(onepassHandle_t handle, int type, int layout, int mode, const float* one,
                                       float* y);
}

namespace onepass_user {

// A handle on one of the backends whose pointers are the host's.
class HostHandle {
 public:
  explicit HostHandle(const char* backend) { status = onepassCreateOn(&handle_, backend); }
  ~HostHandle() { onepassDestroy(handle_); }
  HostHandle(const HostHandle&) = delete;
  HostHandle& operator=(const HostHandle&) = delete;
  operator onepassHandle_t() const { return handle_; }

  onepassStatus_t status;

 private:
  onepassHandle_t handle_ = nullptr;
};

// Tests on each host backend by name; one that is left out of the build is skipped.
class OnHost : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (handle.status == ONEPASS_STATUS_BACKEND_UNAVAILABLE) GTEST_SKIP() << onepassLastErrorMessage();
    ASSERT_EQ(handle.status, ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  }
  HostHandle handle{GetParam()};
};

inline auto host_backends() { return testing::Values("cpu", "sim", "reference"); }
inline std::string host_name(const testing::TestParamInfo<const char*>& info) { return info.param; }

inline bool mentions(const char* word) { return std::strstr(onepassLastErrorMessage(), word) != nullptr; }

#define EXPECT_ERROR(call, expected_status, word)             \
  do {                                                        \
    EXPECT_EQ((call), expected_status);                       \
    EXPECT_TRUE(mentions(word)) << onepassLastErrorMessage(); \
  } while (false)

// Small whole numbers, which every type holds.
inline void set(float& e, int v) { e = static_cast<float>(v); }
inline void set(double& e, int v) { e = v; }
inline void set(onepassComplex_t& e, int v) { e = {static_cast<float>(v), static_cast<float>(-v)}; }
inline void set(onepassDoubleComplex_t& e, int v) { e = {static_cast<double>(v), static_cast<double>(-v)}; }
inline void set(onepassDoubleDouble_t& e, int v) { e = {static_cast<double>(v), 0}; }
inline void set(onepassHalf_t& e, int v) {
  if (v == 0) return void(e.bits = 0);
  int exponent = 0;  // |v| = fraction 2^exponent, fraction in [0.5, 1)
  const double fraction = std::frexp(std::abs(v), &exponent);
  const auto mantissa = static_cast<unsigned>(std::lround((2 * fraction - 1) * 1024));
  e.bits = static_cast<std::uint16_t>((v < 0 ? 0x8000u : 0u) | static_cast<unsigned>(exponent + 14) << 10 | mantissa);
}
inline void set(onepassBfloat16_t& e, int v) {
  const auto f = static_cast<float>(v);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &f, sizeof(bits));
  e.bits = static_cast<std::uint16_t>(bits >> 16);
}

template <class T>
T element(int v) {
  T e{};
  set(e, v);
  return e;
}

template <class T>
std::vector<T> elements(const std::vector<int>& values) {
  std::vector<T> list;
  for (const int v : values) list.push_back(element<T>(v));
  return list;
}

template <class T>
bool same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// A text of the C interface, by the two calls that it takes.
template <class Call>
std::string text(Call call) {
  std::size_t length = 0;
  EXPECT_EQ(call(nullptr, 0, &length), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  std::string result(length + 1, '?');
  EXPECT_EQ(call(result.data(), result.size(), &length), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  EXPECT_EQ(result.back(), '\0');
  result.pop_back();
  return result;
}

}  // namespace onepass_user
