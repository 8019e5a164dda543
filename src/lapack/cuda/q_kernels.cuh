// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind q_kernels.hpp; included once per element type.
#pragma once

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/block_reflector.hpp"
#include "lapack/cuda/launch.cuh"
#include "lapack/cuda/q_kernels.hpp"

namespace onepass::lapack {

template <class A>
Status QKernels<A>::load() {
  for (Status (*one)() : {load_kernel<kernels::CopyReflectors<A>, kernels::CopyReflectorsArgs>,
                          load_kernel<kernels::SetIdentity<A>, kernels::SetIdentityArgs>,
                          load_kernel<kernels::TriangularFactor<A>, kernels::TriangularFactorArgs>})
    if (Status bad = one(); !bad.ok()) return bad;
  return {};
}

template <class A>
Status QKernels<A>::copy_reflectors(const kernels::CopyReflectorsArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::CopyReflectors<A>>("copying reflectors", args, blocks, 0, false, stream);
}
template <class A>
Status QKernels<A>::set_identity(const kernels::SetIdentityArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::SetIdentity<A>>("setting the unit matrix", args, blocks, 0, false, stream);
}
template <class A>
Status QKernels<A>::make_triangles(const kernels::TriangularFactorArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::TriangularFactor<A>>("the triangular factor", args, blocks,
                                              kernels::triangular_factor_shared_bytes(args.width, sizeof(A)), false,
                                              stream);
}

}  // namespace onepass::lapack
