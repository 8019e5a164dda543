// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// onepassPrefetch through both interfaces: its arguments, and that it changes nothing.
#include <gtest/gtest.h>

#include <vector>

#include "api/user.hpp"
#include "onepass/onepass.hpp"

namespace onepass_user {
namespace {

class PrefetchOn : public OnHost {};
INSTANTIATE_TEST_SUITE_P(Backend, PrefetchOn, host_backends(), host_name);

TEST_P(PrefetchOn, LeavesTheMatrixAsItIs) {
  const std::vector<double> a(12, 3.0), before = a;
  EXPECT_EQ(onepassPrefetch(handle, ONEPASS_TYPE_D, 3, 4, a.data(), 3, 0), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(onepassPrefetch(handle, ONEPASS_TYPE_D, 2, 4, a.data(), 3, SIZE_MAX), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(onepassPrefetch(handle, ONEPASS_TYPE_D, 0, 4, nullptr, 1, 0), ONEPASS_STATUS_SUCCESS);
  onepass::Handle owned(GetParam());
  onepass::prefetch(owned, onepass::MatrixView<const double>{a.data(), 4, 3, 3, onepass::Layout::row}, 16);
  EXPECT_EQ(a, before);
}

TEST_P(PrefetchOn, NamesTheArgumentThatIsWrong) {
  const std::vector<double> a(12, 3.0);
  EXPECT_ERROR(onepassPrefetch(nullptr, ONEPASS_TYPE_D, 3, 4, a.data(), 3, 0), ONEPASS_STATUS_NOT_INITIALIZED,
               "handle");
  EXPECT_ERROR(onepassPrefetch(handle, static_cast<onepassType_t>(9), 3, 4, a.data(), 3, 0),
               ONEPASS_STATUS_INVALID_ENUM, "type_a = 9");
  EXPECT_ERROR(onepassPrefetch(handle, ONEPASS_TYPE_D, -3, 4, a.data(), 3, 0), ONEPASS_STATUS_INVALID_SIZE, "m = -3");
  EXPECT_ERROR(onepassPrefetch(handle, ONEPASS_TYPE_D, 3, -4, a.data(), 3, 0), ONEPASS_STATUS_INVALID_SIZE, "n = -4");
  EXPECT_ERROR(onepassPrefetch(handle, ONEPASS_TYPE_D, 3, 4, a.data(), 2, 0), ONEPASS_STATUS_INVALID_LD, "lda = 2");
  EXPECT_ERROR(onepassPrefetch(handle, ONEPASS_TYPE_D, 3, 4, nullptr, 3, 0), ONEPASS_STATUS_INVALID_POINTER,
               "A is null");
  EXPECT_ERROR(onepassPrefetch(handle, ONEPASS_TYPE_D, 3, 3, reinterpret_cast<const char*>(a.data()) + 1, 3, 0),
               ONEPASS_STATUS_INVALID_ALIGNMENT, "A must be a multiple of 8 bytes");
}

}  // namespace
}  // namespace onepass_user
