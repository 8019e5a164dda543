// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// onepassPrefetch: arguments -> the bytes of a matrix, and nothing else.
#include <limits>

#include "api/handle.hpp"
#include "plan/plan.hpp"
#include "problem/check.hpp"

onepassStatus_t onepassPrefetch(onepassHandle_t handle, onepassType_t type, int64_t m, int64_t n, const void* A,
                                int64_t lda, size_t most_bytes) {
  return onepass::guarded([&]() -> onepass::Status {
    if (handle == nullptr) return onepass::no_handle();
    if (onepass::Status bad = handle->check_device(); !bad.ok()) return bad;
    const auto of_a = static_cast<onepass::Type>(type);
    const onepass::Problem matrix{.type_a = of_a, .type_x = of_a, .type_y = of_a, .m = m, .n = n, .lda = lda};
    if (onepass::Status bad = onepass::check(matrix); !bad.ok()) return bad;
    if (onepass::Status bad = onepass::check_matrix(matrix, A, handle->backend->alignment()); !bad.ok()) return bad;
    constexpr auto most = static_cast<size_t>(std::numeric_limits<int64_t>::max());
    // Half of the L2 is left to what runs meanwhile.
    const int64_t bound = most_bytes == 0 ? handle->backend->traits().l2_bytes / 2
                                          : static_cast<int64_t>(most_bytes < most ? most_bytes : most);
    const onepass::PrefetchRuns runs = onepass::prefetch_runs(matrix, bound);
    return runs.runs == 0 ? onepass::Status{} : handle->backend->prefetch(A, runs, handle->stream);
  });
}
