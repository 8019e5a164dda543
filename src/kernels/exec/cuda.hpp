// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What kernels may do on the machine, as CUDA: each member function is one intrinsic or one instruction.
//
// A kernel is a struct with `template <class Ex> static void run(Ex ex, const Args&)`; `ex` is all that it knows of the
// machine. backends/sim/exec.hpp has the same functions for the simulator.
#pragma once

#include <cstdint>
#include <cstring>

#define ONEPASS_DEVICE __device__ __forceinline__

#include "kernels/exec/cuda_arithmetic.hpp"
#include "kernels/exec/cuda_between_blocks.hpp"
#include "kernels/exec/cuda_shared.hpp"
#include "kernels/exec/vector16.hpp"

namespace onepass::exec {

struct Cuda : CudaShared, CudaArithmetic, CudaBetweenBlocks {
  static constexpr int warp = 32;

  ONEPASS_DEVICE int thread() const { return static_cast<int>(threadIdx.x); }
  ONEPASS_DEVICE int threads() const { return static_cast<int>(blockDim.x); }
  ONEPASS_DEVICE std::int64_t block_x() const { return blockIdx.x; }
  ONEPASS_DEVICE std::int64_t block_y() const { return blockIdx.y; }
  ONEPASS_DEVICE std::int64_t block_z() const { return blockIdx.z; }
  ONEPASS_DEVICE std::int64_t grid_x() const { return gridDim.x; }
  ONEPASS_DEVICE std::int64_t grid_z() const { return gridDim.z; }

  ONEPASS_DEVICE void sync() const { __syncthreads(); }
  // Of the 32 lanes of a warp.
  ONEPASS_DEVICE void sync_warp() const { __syncwarp(); }

  // All 32 lanes of the warp take part: each gets the value of lane own ^ mask.
  template <class T>
  ONEPASS_DEVICE T shuffle_xor(T value, int mask) const {
    return by_words(value, [&](std::uint32_t word) { return __shfl_xor_sync(0xffffffffu, word, mask); });
  }
  // Likewise: all get the value of one lane.
  template <class T>
  ONEPASS_DEVICE T shuffle_from(T value, int lane) const {
    return by_words(value, [&](std::uint32_t word) { return __shfl_sync(0xffffffffu, word, lane); });
  }
  // Likewise: each gets the value of the lane that it names.
  template <class T>
  ONEPASS_DEVICE T shuffle_each(T value, int lane) const {
    return shuffle_from(value, lane);
  }

  // All 32 lanes of the warp take part: whether one of them says so.
  ONEPASS_DEVICE bool any(bool value) const { return __any_sync(0xffffffffu, static_cast<int>(value)) != 0; }

  // The same value, through a shuffle with the own lane: ptxas neither sinks it behind the instructions that follow nor
  // computes it again. All 32 lanes of the warp take part.
  ONEPASS_DEVICE int materialize(int value) const { return __shfl_sync(0xffffffffu, value, threadIdx.x & 31); }

  // Programmatic dependent launch: waits until the previous launch in the stream is complete and its writes are
  // visible.
  ONEPASS_DEVICE void grid_dependency_wait() const {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  }
  // Likewise, once all of `ready` is computed: the wait is predicated on a bit that depends on them, and waits with
  // either value of it. Else ptxas would compute them after the wait.
  template <class... Ready>
  ONEPASS_DEVICE void grid_dependency_wait(const Ready&... ready) const {
#if __CUDA_ARCH__ >= 900
    const std::uint32_t mix = (0u ^ ... ^ mixed(ready));
    asm volatile(
        "{ .reg .pred any;\n\t"
        "setp.ne.u32 any, %0, 0;\n\t"
        "@any griddepcontrol.wait;\n\t"
        "@!any griddepcontrol.wait; }" ::"r"(mix)
        : "memory");
#endif
  }
  // The next launch in the stream may start its blocks, up to their own grid-dependency wait.
  ONEPASS_DEVICE void launch_dependents() const {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
  }
  // Into the L2, which is coherent: what the previous launch still writes is seen by the later load.
  ONEPASS_DEVICE void prefetch_if(bool wanted, const void* p) const {
    asm volatile(
        "{ .reg .pred wanted;\n\t"
        "setp.ne.b32 wanted, %1, 0;\n\t"
        "@wanted prefetch.global.L2 [%0]; }" ::"l"(p),
        "r"(static_cast<int>(wanted)));
  }

  // Likewise up to some KB, both ends on multiples of 16 bytes; one instruction on sm_90 and newer.
  ONEPASS_DEVICE void prefetch_piece(const char* p, int bytes) const {
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(p), "r"(bytes) : "memory");
#else
    constexpr int line = 128;
    for (int i = 0; i < bytes; i += line) prefetch_if(true, p + i);
#endif
  }

  // Matrix data, loaded once by one thread, past the L1: a whole vector on a 16-byte boundary, of which elements `from`
  // to `to` - 1 count (for the simulator). Zeros where not wanted: a predicated load into registers that were zeroed
  // before, since a branch around a plain load makes the compiler wait for one load before it issues the next.
  template <class T>
  ONEPASS_DEVICE Vector16 load_vector_if(bool wanted, const T* vector, int, int) const {
    Vector16 v;
    asm volatile(
        "{ .reg .pred wanted;\n\t"
        "setp.ne.b32 wanted, %5, 0;\n\t"
        "mov.b32 %0, 0; mov.b32 %1, 0; mov.b32 %2, 0; mov.b32 %3, 0;\n\t"
        "@wanted ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4]; }"
        : "=&r"(v.word[0]), "=&r"(v.word[1]), "=&r"(v.word[2]), "=&r"(v.word[3])
        : "l"(vector), "r"(static_cast<int>(wanted)));
    return v;
  }
  // Likewise, with anything at all in the registers where not wanted.
  template <class T>
  ONEPASS_DEVICE Vector16 load_vector_or_garbage(bool wanted, const T* vector, int, int) const {
    Vector16 v;
    asm volatile(
        "{ .reg .pred wanted;\n\t"
        "setp.ne.b32 wanted, %5, 0;\n\t"
        "@wanted ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4]; }"
        : "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3])
        : "l"(vector), "r"(static_cast<int>(wanted)));
    return v;
  }
  // Single elements of the matrix.
  template <class T>
  ONEPASS_DEVICE T load_once_if(bool wanted, const T* p) const {
    __builtin_assume(__isGlobal(p));  // a pointer loaded from an array could be any
    return wanted ? *p : T{};
  }
  // x and scalars, which many threads load and nobody writes.
  template <class T>
  ONEPASS_DEVICE T load_cached(const T* p) const {
    return *p;
  }
  template <class T>
  ONEPASS_DEVICE T load_cached_if(bool wanted, const T* p) const {
    return wanted ? *p : T{};
  }
  // Likewise, always one predicated instruction and never a branch, which the loads behind it would wait for.
  template <class T>
  ONEPASS_DEVICE T load_once_predicated(bool wanted, const T* p) const {
    return predicated(wanted, p);
  }
  template <class T>
  ONEPASS_DEVICE T load_cached_predicated(bool wanted, const T* p) const {
    return predicated(wanted, p);
  }
  // A single element of the matrix that leaves the caches before anything else.
  template <class T>
  ONEPASS_DEVICE T load_streamed(const T* p) const {
    using Half = unsigned short;
    using Words = std::conditional_t<
        sizeof(T) == 2, Half,
        std::conditional_t<sizeof(T) == 4, unsigned, std::conditional_t<sizeof(T) == 8, uint2, uint4>>>;
    static_assert(sizeof(T) == sizeof(Words));
    const Words words = __ldcs(reinterpret_cast<const Words*>(p));
    T value;
    std::memcpy(static_cast<void*>(&value), &words, sizeof(T));
    return value;
  }
  // Of a matrix that the launch will overwrite.
  template <class T>
  ONEPASS_DEVICE T load_matrix(const T* p) const {
    return *p;
  }
  // The output, y or A: loaded and then stored by the same thread.
  template <class T>
  ONEPASS_DEVICE T load_own(const T* p) const {
    return *p;
  }
  template <class T>
  ONEPASS_DEVICE void store(T* p, T value) const {
    *p = value;
  }
  // Adds to an element of the output in one atomic instruction. Blocks add in any order, so that the bits of a sum of
  // several may differ from run to run.
  template <class T>
  ONEPASS_DEVICE void add(T* p, T value) const {
    atomicAdd(p, value);
  }
  // Like store(), of what nobody reads soon: first to leave the L2.
  template <class T>
  ONEPASS_DEVICE void store_streaming(T* p, T value) const {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
    if constexpr (sizeof(T) == 4) {
      std::uint32_t bits;
      std::memcpy(&bits, &value, sizeof(T));
      asm volatile("st.global.cs.b32 [%0], %1;" ::"l"(p), "r"(bits) : "memory");
    } else if constexpr (sizeof(T) == 8) {
      std::uint64_t bits;
      std::memcpy(&bits, &value, sizeof(T));
      asm volatile("st.global.cs.b64 [%0], %1;" ::"l"(p), "l"(bits) : "memory");
    } else {
      std::uint64_t bits[2];
      std::memcpy(bits, &value, sizeof(T));
      asm volatile("st.global.cs.v2.b64 [%0], {%1, %2};" ::"l"(p), "l"(bits[0]), "l"(bits[1]) : "memory");
    }
  }

 private:
  template <class T, class Shuffle>
  static ONEPASS_DEVICE T by_words(T value, Shuffle shuffle) {
    static_assert(sizeof(T) % 4 == 0);
    std::uint32_t words[sizeof(T) / 4];
    std::memcpy(words, &value, sizeof(T));
#pragma unroll
    for (unsigned i = 0; i < sizeof(T) / 4; ++i) words[i] = shuffle(words[i]);
    std::memcpy(&value, words, sizeof(T));
    return value;
  }
  template <class T>
  static ONEPASS_DEVICE T predicated(bool wanted, const T* p) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
    const int yes = static_cast<int>(wanted);
    T value;
    if constexpr (sizeof(T) == 2) {
      std::uint16_t bits;
      asm volatile("{ .reg .pred yes; setp.ne.b32 yes, %2, 0; mov.b16 %0, 0; @yes ld.global.b16 %0, [%1]; }"
                   : "=&h"(bits)
                   : "l"(p), "r"(yes));
      std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
    } else if constexpr (sizeof(T) == 4) {
      std::uint32_t bits;
      asm volatile("{ .reg .pred yes; setp.ne.b32 yes, %2, 0; mov.b32 %0, 0; @yes ld.global.b32 %0, [%1]; }"
                   : "=&r"(bits)
                   : "l"(p), "r"(yes));
      std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
    } else if constexpr (sizeof(T) == 8) {
      std::uint64_t bits;
      asm volatile("{ .reg .pred yes; setp.ne.b32 yes, %2, 0; mov.b64 %0, 0; @yes ld.global.b64 %0, [%1]; }"
                   : "=&l"(bits)
                   : "l"(p), "r"(yes));
      std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
    } else {
      std::uint64_t bits[2];
      asm volatile(
          "{ .reg .pred yes; setp.ne.b32 yes, %3, 0; mov.b64 %0, 0; mov.b64 %1, 0; @yes ld.global.v2.b64 {%0, %1}, "
          "[%2]; }"
          : "=&l"(bits[0]), "=&l"(bits[1])
          : "l"(p), "r"(yes));
      std::memcpy(static_cast<void*>(&value), bits, sizeof(T));
    }
    return value;
  }
  static ONEPASS_DEVICE std::uint32_t mixed(int value) { return static_cast<std::uint32_t>(value); }
  static ONEPASS_DEVICE std::uint32_t mixed(std::uint32_t value) { return value; }
  static ONEPASS_DEVICE std::uint32_t mixed(std::int64_t value) {
    return static_cast<std::uint32_t>(value) ^ static_cast<std::uint32_t>(value >> 32);
  }
  static ONEPASS_DEVICE std::uint32_t mixed(const void* p) { return mixed(reinterpret_cast<std::int64_t>(p)); }
  static ONEPASS_DEVICE std::uint32_t mixed(const Vector16& vector) { return mixed(vector.word); }
  template <class V, std::size_t n>
  static ONEPASS_DEVICE std::uint32_t mixed(const V (&values)[n]) {
    std::uint32_t mix = 0;
#pragma unroll
    for (std::size_t i = 0; i < n; ++i) mix ^= mixed(values[i]);
    return mix;
  }
};

}  // namespace onepass::exec
