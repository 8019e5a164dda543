// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// cuBLAS, as its users call it: gemv, symv, hemv, ger and gerc for s, d, c and z, symv and hemv with atomics as well;
// for half types a GEMM with one column, and the batched gemv.
#pragma once

#include <cublas_v2.h>

#include <memory>
#include <string>
#include <vector>

#include "measure/cuda/device.hpp"
#include "measure/host/provider.hpp"
#include "measure/peers.hpp"

namespace onepass::tools {

PeerInfo find_cublas();
std::string cublas_version();

class CublasHandle {
 public:
  explicit CublasHandle(cudaStream_t stream);
  ~CublasHandle();
  CublasHandle(const CublasHandle&) = delete;
  CublasHandle& operator=(const CublasHandle&) = delete;
  cublasHandle_t get() const { return handle_; }

 private:
  cublasHandle_t handle_ = nullptr;
  CudaMemory workspace_;
};

// "cuBLAS", "cuBLAS atomics", "cuBLAS gemm" and "cuBLAS gemv", all on one handle; null for their names alone.
std::vector<std::unique_ptr<HostProvider>> open_cublas(cublasHandle_t handle);

}  // namespace onepass::tools
