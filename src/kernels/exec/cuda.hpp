// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The vocabulary of the kernels, as CUDA: each word is one intrinsic or one instruction.
//
// A kernel is a struct with `template <class X> static void run(X ex, const Args&)`; `ex` is all it
// knows of the machine. exec/sim.hpp gives the same words their second meaning.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/exec/word16.hpp"

#define ONEPASS_DEVICE __device__ __forceinline__

namespace onepass::exec {

struct Cuda {
  static constexpr int warp = 32;

  ONEPASS_DEVICE int thread() const { return static_cast<int>(threadIdx.x); }
  ONEPASS_DEVICE int threads() const { return static_cast<int>(blockDim.x); }
  ONEPASS_DEVICE std::int64_t block_x() const { return blockIdx.x; }
  ONEPASS_DEVICE std::int64_t block_y() const { return blockIdx.y; }
  ONEPASS_DEVICE std::int64_t block_z() const { return blockIdx.z; }
  ONEPASS_DEVICE std::int64_t grid_x() const { return gridDim.x; }
  ONEPASS_DEVICE std::int64_t grid_z() const { return gridDim.z; }

  ONEPASS_DEVICE void sync() const { __syncthreads(); }

  // All 32 lanes of the warp take part.
  template <class T>
  ONEPASS_DEVICE T shuffle_xor(T value, int mask) const {
    static_assert(sizeof(T) % 4 == 0);
    std::uint32_t words[sizeof(T) / 4];
    std::memcpy(words, &value, sizeof(T));
#pragma unroll
    for (unsigned i = 0; i < sizeof(T) / 4; ++i) words[i] = __shfl_xor_sync(0xffffffffu, words[i], mask);
    std::memcpy(&value, words, sizeof(T));
    return value;
  }

  // Matrix data: read by one thread, once; leaves the caches to others. Zeros where not wanted: a
  // predicated load into registers cleared before it, since a branch around a plain load makes the
  // compiler wait for one load before it issues the next.
  ONEPASS_DEVICE Word16 read_once_if(bool wanted, const Word16* p) const {
    Word16 v;
    asm volatile(
        "{ .reg .pred wanted;\n\t"
        "setp.ne.b32 wanted, %5, 0;\n\t"
        "mov.b32 %0, 0; mov.b32 %1, 0; mov.b32 %2, 0; mov.b32 %3, 0;\n\t"
        "@wanted ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4]; }"
        : "=&r"(v.word[0]), "=&r"(v.word[1]), "=&r"(v.word[2]), "=&r"(v.word[3])
        : "l"(p), "r"(static_cast<int>(wanted)));
    return v;
  }
  template <class T>
  ONEPASS_DEVICE T read_once(const T* p) const {
    return *p;
  }
  // Vectors and scalars that many threads read and nobody writes.
  template <class T>
  ONEPASS_DEVICE T read_cached(const T* p) const {
    return *p;
  }
  // y: read and then written by the same thread.
  template <class T>
  ONEPASS_DEVICE T read_own(const T* p) const {
    return *p;
  }
  // Workspace: written by another block before the ticket that let this one in.
  template <class T>
  ONEPASS_DEVICE T read_fresh(const T* p) const {
    if constexpr (sizeof(T) == 4) {
      const auto v = __ldcg(reinterpret_cast<const unsigned*>(p));
      return *reinterpret_cast<const T*>(&v);
    } else if constexpr (sizeof(T) == 8) {
      const auto v = __ldcg(reinterpret_cast<const uint2*>(p));
      return *reinterpret_cast<const T*>(&v);
    } else {
      static_assert(sizeof(T) == 16);
      const auto v = __ldcg(reinterpret_cast<const uint4*>(p));
      return *reinterpret_cast<const T*>(&v);
    }
  }
  template <class T>
  ONEPASS_DEVICE void write(T* p, T value) const {
    *p = value;
  }

  // Adds one to a counter that wraps to zero after `count` calls, and returns its old value. What
  // this block wrote before the sync() that precedes it is seen by the block that comes last.
  ONEPASS_DEVICE unsigned ticket(unsigned* counter, unsigned count) const {
    unsigned old;
    asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;" : "=r"(old) : "l"(counter), "r"(count - 1) : "memory");
    return old;
  }

  // The block's shared memory from a byte offset on, as an array.
  template <class T>
  struct Shared {
    T* data;
    ONEPASS_DEVICE T get(int i) const { return data[i]; }
    ONEPASS_DEVICE void put(int i, T value) const { data[i] = value; }
  };
  template <class T>
  ONEPASS_DEVICE Shared<T> shared(int byte_offset) const {
    extern __shared__ Word16 onepass_shared[];
    return {reinterpret_cast<T*>(reinterpret_cast<char*>(onepass_shared) + byte_offset)};
  }
};

}  // namespace onepass::exec
