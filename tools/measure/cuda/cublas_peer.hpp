// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// cuBLAS, as its user would call it: gemv where there is one, else a GEMM with one column.
#pragma once

#include <cublas_v2.h>

#include <string>

#include "measure/cuda/device.hpp"
#include "measure/host/provider.hpp"
#include "measure/peers.hpp"

namespace onepass::tools {

PeerInfo find_cublas();

class CublasProvider final : public HostProvider {
 public:
  explicit CublasProvider(cudaStream_t stream);
  ~CublasProvider() override;
  CublasProvider(const CublasProvider&) = delete;
  CublasProvider& operator=(const CublasProvider&) = delete;

  std::string name() const override { return "cuBLAS"; }
  std::string version() const override;
  bool serves(const Gemv& p) const override;
  void set_threads(int) override {}
  void call(const Gemv& p, const Vectors& v) override;

 private:
  cublasHandle_t handle_ = nullptr;
  CudaMemory workspace_;
};

}  // namespace onepass::tools
