// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A copy of a matrix on the device.
#pragma once

#include <cuda_runtime_api.h>

#include "backends/cuda/cuda_status.hpp"
#include "kernels/lapack/adjoint_args.hpp"

namespace onepass::lapack {

inline Status copy_matrix(const kernels::MatrixCopy& c, std::size_t element, cudaStream_t stream) {
  const auto bytes = [&](std::int64_t elements) { return static_cast<std::size_t>(elements) * element; };
  return cuda::result("copying the matrix",
                      cudaMemcpy2DAsync(c.b, bytes(c.ldb), c.a, bytes(c.lda), bytes(c.rows),
                                        static_cast<std::size_t>(c.columns), cudaMemcpyDeviceToDevice, stream));
}

}  // namespace onepass::lapack
