// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a CUDA device does for the steps of a routine: everything is queued on the stream of the call.
#pragma once

#include "lapack/cuda/call.hpp"
#include "lapack/cuda/q_kernels.hpp"
#include "lapack/cuda/scale_kernels.hpp"

namespace onepass::lapack {

// `Device`: the interface of the steps.
template <class A, class Device>
class Queue : public Device {
 public:
  Queue(Type type, const DeviceCall& call) : type_(type), call_(call) {}
  Status multiply(const Product& product) override { return call_.cublas->gemm(type_, product); }

 protected:
  cudaStream_t stream() const { return call_.stream; }

 private:
  Type type_;
  const DeviceCall& call_;
};

// Of steps that scale a matrix.
template <class A, class Device>
class ScalingQueue : public Queue<A, Device> {
 public:
  using Queue<A, Device>::Queue;
  Status scale(const kernels::ScaleArgs& args, int blocks) override {
    return ScaleKernels<A>::run(args, blocks, this->stream());
  }
};

// Of steps that generate or apply a Q. `Base`: one of the others.
template <class A, class Base>
class QQueue : public Base {
 public:
  using Base::Base;
  Status copy_reflectors(const kernels::CopyReflectorsArgs& args, int blocks) override {
    return QKernels<A>::copy_reflectors(args, blocks, this->stream());
  }
  Status set_identity(const kernels::SetIdentityArgs& args, int blocks) override {
    return QKernels<A>::set_identity(args, blocks, this->stream());
  }
  Status make_triangles(const kernels::TriangularFactorArgs& args, int blocks) override {
    return QKernels<A>::make_triangles(args, blocks, this->stream());
  }
};

}  // namespace onepass::lapack
