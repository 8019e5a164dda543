// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/memory/problem_memory.hpp"

#include <cstring>
#include <vector>

#include "numbers/double_length.hpp"

namespace onepass::sim {
namespace {

// Of alpha or beta. The pairs of a host's complex numbers may lie as loosely as their parts.
template <class S>
bool equals_zero(const void* scalar) {
  S value;
  std::memcpy(static_cast<void*>(&value), scalar, sizeof(S));
  return value == S{};
}
bool is_zero(const Problem& p, const void* scalar) {
  switch (scalar_type(p.type_a)) {
    case Type::d: return equals_zero<double>(scalar);
    case Type::c: return equals_zero<Complex<float>>(scalar);
    case Type::z: return equals_zero<Complex<double>>(scalar);
    case Type::w: return equals_zero<DoubleDouble>(scalar);
    default: return equals_zero<float>(scalar);
  }
}

std::vector<const void*> bases(const Problem& p, const void* data, std::int64_t stride, std::int64_t element) {
  std::vector<const void*> all;
  for (std::int64_t b = 0; b < p.batch; ++b)
    all.push_back(p.pointer_array ? static_cast<const void* const*>(data)[b]
                                  : static_cast<const char*>(data) + b * stride * element);
  return all;
}

}  // namespace

MemoryMap problem_memory(const Plan& plan, const Operands& o, Workspace workspace) {
  const Problem& p = plan.problem;
  const RoutineRow& routine = row(p);
  const Stored s = stored(p);
  const bool multiplies = !is_zero(p, o.alpha);  // else nothing is read but what is scaled

  Part part = Part::whole;
  if (is_triangle(p)) part = s.uplo == Uplo::upper ? Part::upper : Part::lower;

  MemoryMap memory;
  const std::int64_t size_a = size_of(p.type_a), size_x = size_of(p.type_x), size_y = size_of(p.type_y);
  const auto add_matrices = [&] {
    // Matrices one behind the other are one matrix: a vector may belong to two of them. So are columns.
    const bool joined = !is_triangle(p) && !p.pointer_array && p.stride_a == p.lda * s.cols;
    const std::int64_t cols = joined ? s.cols * p.batch : s.cols;
    std::vector<const void*> matrices = bases(p, o.a, p.stride_a, size_a);
    if (joined) matrices.resize(1);
    const bool flat = routine.a == onepass::Access::update && p.lda == s.rows;
    memory.add_batch(
        Role::matrix,
        {.rows = flat ? s.rows * cols : s.rows, .cols = flat ? 1 : cols, .lda = p.lda, .element = size_a, .part = part},
        matrices);
  };
  const auto add_x = [&] {
    memory.add_batch(Role::x, vector_pattern(length_x(p), p.incx, size_x), bases(p, o.x, p.stride_x, size_x));
  };
  const auto add_y = [&] {
    memory.add_batch(Role::y, vector_pattern(length_y(p), p.incy, size_y), bases(p, o.y, p.stride_y, size_y));
  };
  if (multiplies) {
    add_matrices();
    add_x();
    if (p.tails != Tails::none) memory.add(Role::x_tail, vector_pattern(length_x(p), p.incx, size_x), o.x_tail);
  }
  if (routine.y == onepass::Access::update || multiplies) add_y();
  if (p.tails == Tails::xy) memory.add(Role::y_tail, vector_pattern(length_y(p), p.incy, size_y), o.y_tail);
  if (routine.a == onepass::Access::update) memory.set_output(Role::matrix);
  if (routine.has_beta && is_zero(p, o.beta)) memory.forbid_reading_output();
  memory.settle(o.settled_a, o.settled_x);

  if (plan.workspace_bytes > 0)
    memory.add(Role::workspace, {.rows = static_cast<std::int64_t>(plan.workspace_bytes) / 4, .element = 4},
               workspace.data);
  if (p.scalars == Scalars::device) {
    memory.add(Role::alpha, {.rows = 1, .element = size_of_scalar(p.type_a)}, o.alpha);
    if (routine.has_beta) memory.add(Role::beta, {.rows = 1, .element = size_of_scalar(p.type_a)}, o.beta);
  }
  if (p.pointer_array) {
    const Pattern pointers = {.rows = p.batch, .element = sizeof(void*)};
    if (multiplies) {
      memory.add(Role::a_pointers, pointers, o.a);
      memory.add(Role::x_pointers, pointers, o.x);
    }
    if (routine.y == onepass::Access::update || multiplies) memory.add(Role::y_pointers, pointers, o.y);
    for (const void* const array : {o.a, o.x, static_cast<const void*>(o.y)})
      memory.allow_prefetch(array, p.batch * static_cast<std::int64_t>(sizeof(void*)));
  }
  return memory;
}

}  // namespace onepass::sim
