// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/sim/queue.hpp"

#include <algorithm>
#include <complex>
#include <cstring>

#include "lapack/element.hpp"
#include "lapack/gpu/elements.hpp"
#include "lapack/sim/instances.hpp"

namespace onepass::lapack {

Status SimQueue::launch_step(Step step, const Work& work, const void* args) {
  ++launches;
  sim::GridMemory memory;
  Status status = by_group(row(step).group, work.type, [&]<StepGroup group, class A>() {
    return SimKernels<group, A>::launch(memory, step, work, args);
  });
  if (status.ok() && seen_) seen_({step, work, args, memory});
  return status;
}

Status SimQueue::multiply(Type type, const Product& p) {
  ++products;
  return by_type(type, [&]<class T>(T) {
    const auto element = [](const ProductOperand& o, std::int64_t batch, std::int64_t row, std::int64_t column) {
      const T* const data = static_cast<const T*>(o.data) + batch * o.stride;
      return o.op == Op::n ? data[row + column * o.ld] : conjugate(data[column + row * o.ld]);
    };
    for (std::int64_t batch = 0; batch < p.batch; ++batch) {
      T* const c = static_cast<T*>(p.c) + batch * p.stride_c;
      for (std::int64_t j = 0; j < p.n; ++j)
        for (std::int64_t i = 0; i < p.m; ++i) {
          if (p.triangle && (*p.triangle == Uplo::lower ? i < j : i > j)) continue;
          T sum{};
          for (std::int64_t k = 0; k < p.k; ++k) {
            sum += element(p.a, batch, i, k) * element(p.b, batch, k, j);
            if (p.triangle) sum += conjugate(element(p.a, batch, j, k) * element(p.b, batch, k, i));
          }
          T& at = c[i + j * p.ldc];
          at = static_cast<T>(p.alpha) * sum + (p.beta == 0 ? T{} : static_cast<T>(p.beta) * at);
          if (p.triangle && i == j) at = real(at);
        }
    }
    return Status{};
  });
}

Status SimQueue::copy(Type type, const kernels::MatrixCopy& c) {
  const std::int64_t element = size_of(type);
  for (std::int64_t j = 0; j < c.columns; ++j)
    std::copy_n(static_cast<const std::byte*>(c.a) + j * c.lda * element, c.rows * element,
                static_cast<std::byte*>(c.b) + j * c.ldb * element);
  return {};
}

Status SimQueue::clear(void* data, std::size_t bytes) {
  std::memset(data, 0, bytes);
  return {};
}

}  // namespace onepass::lapack
