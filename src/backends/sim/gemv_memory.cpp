// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/gemv_memory.hpp"

#include <vector>

#include "launch/gemv_args.hpp"

namespace onepass::sim {
namespace {

bool is_zero(const kernels::Scalar& s) { return s.re == 0 && s.im == 0; }

std::vector<const void*> bases(const Gemv& p, const void* data, std::int64_t stride, std::int64_t element) {
  std::vector<const void*> all;
  for (std::int64_t b = 0; b < p.batch; ++b)
    all.push_back(p.pointer_array ? static_cast<const void* const*>(data)[b]
                                  : static_cast<const char*>(data) + b * stride * element);
  return all;
}

}  // namespace

MemoryMap gemv_memory(const Plan& plan, const Operands& o, Workspace workspace) {
  const Gemv& p = plan.problem;
  Plan by_value = plan;
  by_value.problem.scalars = Scalars::host;
  const kernels::GemvArgs args = gemv_args(by_value, o, workspace);

  MemoryMap memory;
  const std::int64_t size_a = size_of(p.type_a), size_x = size_of(p.type_x), size_y = size_of(p.type_y);
  if (!is_zero(args.alpha)) {
    memory.add_batch(Role::matrix, {.rows = args.rows, .cols = args.cols, .lda = args.lda, .element = size_a},
                     bases(p, o.a, p.stride_a, size_a));
    memory.add_batch(Role::x, vector_pattern(length_x(p), p.incx, size_x), bases(p, o.x, p.stride_x, size_x));
  }
  memory.add_batch(Role::y, vector_pattern(length_y(p), p.incy, size_y), bases(p, o.y, p.stride_y, size_y));
  if (is_zero(args.beta)) memory.forbid_reading_y();

  if (plan.workspace_bytes > 0)
    memory.add(Role::workspace, {.rows = static_cast<std::int64_t>(plan.workspace_bytes) / 4, .element = 4},
               workspace.data);
  if (p.scalars == Scalars::device) {
    memory.add(Role::alpha, {.rows = 1, .element = size_of_sum(p.type_a)}, o.alpha);
    memory.add(Role::beta, {.rows = 1, .element = size_of_sum(p.type_a)}, o.beta);
  }
  if (p.pointer_array) {
    const Pattern pointers = {.rows = p.batch, .element = sizeof(void*)};
    if (!is_zero(args.alpha)) {
      memory.add(Role::a_pointers, pointers, o.a);
      memory.add(Role::x_pointers, pointers, o.x);
    }
    memory.add(Role::y_pointers, pointers, o.y);
  }
  return memory;
}

}  // namespace onepass::sim
