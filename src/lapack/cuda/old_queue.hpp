// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a CUDA device does for the steps of a routine: everything is queued on the stream of the call.
#pragma once

#include "lapack/cuda/call.hpp"
#include "lapack/cuda/scale_kernels.hpp"

namespace onepass::lapack {

// `Device`: the interface of the steps.
template <class A, class Device>
class OldQueue : public Device {
 public:
  OldQueue(Type type, const DeviceCall& call) : type_(type), call_(call) {}
  Status multiply(const Product& product) override { return call_.cublas->gemm(type_, product); }

 protected:
  Type type() const { return type_; }
  cudaStream_t stream() const { return call_.stream; }

 private:
  Type type_;
  const DeviceCall& call_;
};

// Of steps that scale a matrix.
template <class A, class Device>
class ScalingQueue : public OldQueue<A, Device> {
 public:
  using OldQueue<A, Device>::OldQueue;
  Status scale(const kernels::ScaleArgs& args, int blocks) override {
    return ScaleKernels<A>::run(args, blocks, this->stream());
  }
};

}  // namespace onepass::lapack
