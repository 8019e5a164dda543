// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/blas/call.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

#include "backends/registry.hpp"
#include "interop/blas/log.hpp"

namespace onepass::blas {
namespace {

constexpr std::align_val_t workspace_alignment{256};

struct Release {
  void operator()(std::byte* data) const { ::operator delete(data, workspace_alignment); }
};

// The workspace of this thread: at least so many bytes, whatever they hold. The cpu backend reads nothing that it did
// not write.
Workspace workspace(std::size_t bytes) {
  thread_local std::unique_ptr<std::byte, Release> data;
  thread_local std::size_t size = 0;
  if (bytes > size) {
    data.reset();
    size = 0;
    data.reset(static_cast<std::byte*>(::operator new(bytes, workspace_alignment)));
    size = bytes;
  }
  return {.data = data.get(), .bytes = size};
}

}  // namespace

int first_bad(const Problem& p) {
  // SYMV has no N of its own beside M: its arguments stand one place earlier.
  const int shift = is_triangle(p) ? 1 : 0;
  if (shift == 1 ? p.uplo == no_uplo : p.op == no_op) return 1;
  if (p.m < 0) return 2;
  if (p.n < 0) return 3;
  if (p.lda < std::max<std::int64_t>(1, stored(p).rows)) return 6 - shift;
  if (p.incx == 0) return 8 - shift;
  if (p.incy == 0) return 11 - shift;
  return 0;
}

void run(const Problem& p, const Operands& operands) noexcept {
  count_call(p);
  if (nothing_to_do(p, operands)) return;
  const Backend& backend = cpu_backend();
  const Plan plan = backend.plan(p, 0);
  const Workspace room = plan.workspace_bytes == 0 ? Workspace{} : workspace(plan.workspace_bytes);
  backend.launch(plan, operands, room, nullptr);
}

}  // namespace onepass::blas
