// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What kernels may do on the machine, as CUDA: each member function is one intrinsic or one instruction.
//
// A kernel is a struct with `template <class Ex> static void run(Ex ex, const Args&)`; `ex` is all that it knows of the
// machine. exec/sim.hpp has the same functions for the simulator.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#define ONEPASS_DEVICE __device__ __forceinline__

#include "kernels/exec/mailbox.hpp"
#include "kernels/exec/vector16.hpp"

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

  // Of a launch whose blocks are all on the device at once: what a block stores before a grid barrier every block can
  // load after it, past the L1.
  template <class T>
  ONEPASS_DEVICE T load_fresh(const T* p) const {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
    using Bits = std::conditional_t<sizeof(T) == 4, float, std::conditional_t<sizeof(T) == 8, double, double2>>;
    const Bits bits = __ldcg(reinterpret_cast<const Bits*>(p));
    T value;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
    return value;
  }
  // Likewise, a predicated instruction, with zero where not wanted: addresses of loads that follow do not wait for it.
  template <class T>
  ONEPASS_DEVICE T load_fresh_if(bool wanted, const T* p) const {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
    const int yes = static_cast<int>(wanted);
    T value;
    if constexpr (sizeof(T) == 4) {
      std::uint32_t bits;
      asm volatile("{ .reg .pred yes; setp.ne.b32 yes, %2, 0; mov.b32 %0, 0; @yes ld.global.cg.b32 %0, [%1]; }"
                   : "=&r"(bits)
                   : "l"(p), "r"(yes));
      std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
    } else if constexpr (sizeof(T) == 8) {
      std::uint64_t bits;
      asm volatile("{ .reg .pred yes; setp.ne.b32 yes, %2, 0; mov.b64 %0, 0; @yes ld.global.cg.b64 %0, [%1]; }"
                   : "=&l"(bits)
                   : "l"(p), "r"(yes));
      std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
    } else {
      std::uint64_t bits[2];
      asm volatile(
          "{ .reg .pred yes; setp.ne.b32 yes, %3, 0; mov.b64 %0, 0; mov.b64 %1, 0; @yes ld.global.cg.v2.b64 {%0, %1}, "
          "[%2]; }"
          : "=&l"(bits[0]), "=&l"(bits[1])
          : "l"(p), "r"(yes));
      std::memcpy(static_cast<void*>(&value), bits, sizeof(T));
    }
    return value;
  }
  template <class T>
  ONEPASS_DEVICE void store_fresh(T* p, T value) const {
    *p = value;
  }
  // The counter has `target` arrivals once all blocks are here. Gives up after `most_polls`, once in a launch: then the
  // flag is set, the results are not valid, and nobody waits again.
  ONEPASS_DEVICE void grid_barrier(std::uint32_t* counter, std::uint32_t target, std::uint32_t* timed_out) const {
    constexpr std::uint32_t given_up = 0x80000000u;
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
      std::uint32_t arrived = 0;
      for (int polls = most_polls;; --polls) {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(arrived) : "l"(counter) : "memory");
        if (arrived >= target) break;
        if (polls == 0) {
          asm volatile("red.relaxed.gpu.global.or.b32 [%0], %1;" ::"l"(counter), "r"(given_up) : "memory");
          report_timeout(timed_out);
          break;
        }
      }
    }
    __syncthreads();
  }

  // D += A B by a warp, D of 16 x 8 with four terms, as PTX spreads them over lanes 4 g + t: D has columns 2 t and 2 t
  // + 1 of row g, then of row g + 8; A column t of rows g and g + 8; B row t of column g.
  ONEPASS_DEVICE void matrix_multiply_add(double (&d)[4], const double (&a)[2], double b) const {
#if __CUDA_ARCH__ >= 900
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                 : "d"(a[0]), "d"(a[1]), "d"(b));
#else
#pragma unroll
    for (int i = 0; i < 2; ++i)
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                   : "+d"(d[2 * i]), "+d"(d[2 * i + 1])
                   : "d"(a[i]), "d"(b));
#endif
  }

  ONEPASS_DEVICE float reciprocal_sqrt(float x) const { return __frsqrt_rn(x); }
  ONEPASS_DEVICE float reciprocal(float x) const { return __frcp_rn(x); }
  // Some 22 bits, in one instruction.
  ONEPASS_DEVICE float approximate_reciprocal(float x) const {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  }
  ONEPASS_DEVICE float approximate_sqrt(float x) const {
    float y;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  }
  // From an approximation of some 20 bits by Newton's steps, of normal numbers: half the latency of sqrt and division.
  ONEPASS_DEVICE double reciprocal_sqrt(double x) const {
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    double error = fma(-x * y, y, 1.0);
    y = fma(y * error, fma(error, 0.375, 0.5), y);
    error = fma(-x * y, y, 1.0);
    return fma(0.5 * y, error, y);
  }
  ONEPASS_DEVICE double reciprocal(double x) const {
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    double error = fma(-x, y, 1.0);
    y = fma(y, fma(error, error, error), y);
    error = fma(-x, y, 1.0);
    return fma(y, error, y);
  }
  // 2^-e of a number of 2^e to 2^(e+1), as far as that is a normal number; of a power of two its reciprocal; 1 of 0.
  ONEPASS_DEVICE double power_of_two_near_reciprocal(double x) const {
    if (x == 0) return 1;
    const long long exponent = 2046 - (__double_as_longlong(x) >> 52 & 2047);
    return __longlong_as_double((exponent < 1 ? 1 : exponent > 2045 ? 2045 : exponent) << 52);
  }
  ONEPASS_DEVICE float power_of_two_near_reciprocal(float x) const {
    if (x == 0) return 1;
    const int exponent = 254 - (__float_as_int(x) >> 23 & 255);
    return __int_as_float((exponent < 1 ? 1 : exponent > 253 ? 253 : exponent) << 23);
  }

  // Partial sums from block to block (exec/mailbox.hpp). Relaxed accesses are enough: each part of a number arrives in
  // one piece, carries no other data with it, and is its own flag.
  template <class S>
  ONEPASS_DEVICE void publish(S* mailbox, S value) const {
    Part<S> parts[part_count<S>];
    std::memcpy(parts, &value, sizeof(S));
#pragma unroll
    for (int i = 0; i < part_count<S>; ++i) store_relaxed(part(mailbox, i), encode_part(parts[i]));
  }
  template <class S>
  ONEPASS_DEVICE Polled<S> poll(const S* mailbox) const {
    Part<S> parts[part_count<S>];
    Polled<S> polled{.value = {}, .arrived = true};
#pragma unroll
    for (int i = 0; i < part_count<S>; ++i) {
      const auto code = load_relaxed(part(mailbox, i));
      polled.arrived = polled.arrived && code != 0;
      parts[i] = decode_part(code);
    }
    std::memcpy(static_cast<void*>(&polled.value), parts, sizeof(S));
    return polled;
  }
  template <class S>
  ONEPASS_DEVICE void reset(S* mailbox) const {
#pragma unroll
    for (int i = 0; i < part_count<S>; ++i) store_relaxed(part(mailbox, i), Part<S>{});
  }
  // As long as a partial sum is missing and `polls` are left. One that has not come after that many will not come.
  ONEPASS_DEVICE bool poll_again(bool missing, int& polls) const { return missing && polls-- > 0; }
  // Tells the host that a sum of this launch lacks a term. `flag`: a word of host memory, or null.
  ONEPASS_DEVICE void report_timeout(std::uint32_t* flag) const {
    if (flag != nullptr) asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
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
    extern __shared__ Vector16 onepass_shared[];
    return {reinterpret_cast<T*>(reinterpret_cast<char*>(onepass_shared) + byte_offset)};
  }

  // A vector of the matrix into shared memory, past the registers; zeros where not wanted. After wait_for_copies() a
  // thread sees its own copies, and no other thread does.
  template <class T>
  ONEPASS_DEVICE void copy_vector_if(bool wanted, Shared<Vector16> to, int i, const T* vector, int, int) const {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(
                     static_cast<std::uint32_t>(__cvta_generic_to_shared(to.data + i))),
                 "l"(vector), "r"(wanted ? 16 : 0)
                 : "memory");
  }
  ONEPASS_DEVICE void wait_for_copies() const { asm volatile("cp.async.wait_all;" ::: "memory"); }
  // Likewise one element. Copies between two commit_copies() are a group; a thread may wait for all but the last n
  // groups.
  template <class T>
  ONEPASS_DEVICE void copy_element_if(bool wanted, Shared<T> to, int i, const T* from) const {
    const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(to.data + i));
    if constexpr (sizeof(T) == 16)
      asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(at), "l"(from), "r"(wanted ? 16 : 0)
                   : "memory");
    else
      asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %3, %2;" ::"r"(at), "l"(from),
                   "r"(wanted ? static_cast<int>(sizeof(T)) : 0), "n"(static_cast<int>(sizeof(T)))
                   : "memory");
  }
  // How the L2 treats a stream that is larger than it and is read again and again: it keeps some sixteenths of it, by
  // address and so always the same, and lets the rest go before anything else.
  struct StreamPolicy {
    std::uint64_t bits;
  };
  ONEPASS_DEVICE StreamPolicy stream_policy(int kept_sixteenths) const {
    StreamPolicy policy;
    if (kept_sixteenths > 0)
      asm volatile("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %0, %1;"
                   : "=l"(policy.bits)
                   : "f"(static_cast<float>(kept_sixteenths) / 16));
    else
      asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy.bits));
    return policy;
  }
  // Like copy_element_if(), of such a stream.
  template <class T>
  ONEPASS_DEVICE void stream_element_if(bool wanted, Shared<T> to, int i, const T* from, StreamPolicy policy) const {
    constexpr int size = static_cast<int>(sizeof(T));
    const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(to.data + i));
    if constexpr (size == 16)
      asm volatile("cp.async.cg.shared.global.L2::cache_hint.L2::128B [%0], [%1], 16, %2, %3;" ::"r"(at), "l"(from),
                   "r"(wanted ? 16 : 0), "l"(policy.bits)
                   : "memory");
    else
      asm volatile("cp.async.ca.shared.global.L2::cache_hint.L2::128B [%0], [%1], %3, %2, %4;" ::"r"(at), "l"(from),
                   "r"(wanted ? size : 0), "n"(size), "l"(policy.bits)
                   : "memory");
  }
  // Likewise n adjacent elements, one or 16 aligned bytes of them. Those before `first` are not wanted, and may be
  // anything; from `end` on there are zeros.
  template <int n, class T>
  ONEPASS_DEVICE void copy_elements(Shared<T> to, int i, const T* from, int first, int end) const {
    if constexpr (n == 1) {
      copy_element_if(first < end, to, i, from);
    } else {
      static_assert(n * sizeof(T) == 16);
      asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(
                       static_cast<std::uint32_t>(__cvta_generic_to_shared(to.data + i))),
                   "l"(from), "r"(first < end ? end * static_cast<int>(sizeof(T)) : 0)
                   : "memory");
    }
  }
  ONEPASS_DEVICE void commit_copies() const { asm volatile("cp.async.commit_group;" ::: "memory"); }
  template <int n>
  ONEPASS_DEVICE void wait_for_copies_but() const {
    asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory");
  }

  // Runs of elements into slots of shared memory, `parts` of them into each, a run by one instruction. `at`: the byte
  // offset of a word of 8 bytes for each slot. A thread reads of a slot every threads()th vector alone.
  ONEPASS_DEVICE void open_slots(int at, int slots, int parts) const {
    if (threadIdx.x == 0) {
      for (int i = 0; i < slots; ++i)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(full(at, i)), "r"(parts) : "memory");
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    order_before_copies();
    __syncthreads();
  }
  // What the thread has stored into a slot comes before the copies that fill it later.
  ONEPASS_DEVICE void order_before_copies() const { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
  // fill(part) calls copy_run() once for each part of a slot. A barrier of the block is behind its last reads.
  template <class Fill>
  ONEPASS_DEVICE void fill_slot(int parts, Fill fill) const {
    if (static_cast<int>(threadIdx.x) < parts) fill(static_cast<int>(threadIdx.x));
  }
  // Blocks of a launch by clusters. Element i of the shared memory of block `rank` of the own cluster; what is written
  // there is seen behind the next barrier of the cluster.
  template <class T>
  ONEPASS_DEVICE void put_in_cluster(Shared<T> to, int i, int rank, T value) const {
#if __CUDA_ARCH__ >= 900
    *static_cast<T*>(__cluster_map_shared_rank(to.data + i, static_cast<unsigned>(rank))) = value;
#endif
  }
  ONEPASS_DEVICE void cluster_barrier() const {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
  }
  // Both ends are aligned to 16 bytes: some elements at its begin and its end, fewer than a vector, are not wanted.
  template <class T>
  ONEPASS_DEVICE void copy_run(int at, int slot, Shared<T> to, int i, const T* from, int count, int, int,
                               StreamPolicy policy) const {
    if (count == 0) {
      asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(full(at, slot)) : "memory");
      return;
    }
    const auto bytes = static_cast<std::uint32_t>(count) * static_cast<std::uint32_t>(sizeof(T));
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(full(at, slot)), "r"(bytes) : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;" ::
            "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(to.data + i))),
        "l"(from), "r"(bytes), "r"(full(at, slot)), "l"(policy.bits)
        : "memory");
  }
  // Until the slot is filled for the `use`th time; `later` slots were filled after it.
  ONEPASS_DEVICE void wait_for_slot(int at, int slot, int use, int) const {
    std::uint32_t done = 0;
    do {
      asm volatile(
          "{ .reg .pred done;\n\t"
          "mbarrier.try_wait.parity.shared.b64 done, [%1], %2;\n\t"
          "selp.u32 %0, 1, 0, done; }"
          : "=r"(done)
          : "r"(full(at, slot)), "r"(static_cast<std::uint32_t>(use) & 1u)
          : "memory");
    } while (done == 0);
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
  static ONEPASS_DEVICE std::uint32_t full(int at, int slot) {
    extern __shared__ Vector16 onepass_shared[];
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(onepass_shared)) +
           static_cast<std::uint32_t>(at + 8 * slot);
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
  template <class S>
  static ONEPASS_DEVICE auto part(S* mailbox, int i) {
    using Word = Part<std::remove_const_t<S>>;
    return reinterpret_cast<std::conditional_t<std::is_const_v<S>, const Word, Word>*>(mailbox) + i;
  }
  static ONEPASS_DEVICE std::uint32_t load_relaxed(const std::uint32_t* p) {
    std::uint32_t v;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
  }
  static ONEPASS_DEVICE std::uint64_t load_relaxed(const std::uint64_t* p) {
    std::uint64_t v;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
  }
  static ONEPASS_DEVICE void store_relaxed(std::uint32_t* p, std::uint32_t v) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
  }
  static ONEPASS_DEVICE void store_relaxed(std::uint64_t* p, std::uint64_t v) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
  }
};

}  // namespace onepass::exec
