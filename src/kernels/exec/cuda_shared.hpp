// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The shared memory of a block and of its cluster, and the ways of data from global memory into it that do not go
// through registers: single elements and vectors, streams that the L2 keeps a part of, whole runs into slots. A part of
// exec/cuda.hpp.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/exec/vector16.hpp"

namespace onepass::exec {

struct CudaShared {
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
  // Like copy_vector_if() and copy_element_if(), of such a stream.
  template <class T>
  ONEPASS_DEVICE void stream_vector_if(bool wanted, Shared<Vector16> to, int i, const T* vector, int, int,
                                       StreamPolicy policy) const {
    asm volatile("cp.async.cg.shared.global.L2::cache_hint.L2::128B [%0], [%1], 16, %2, %3;" ::"r"(
                     static_cast<std::uint32_t>(__cvta_generic_to_shared(to.data + i))),
                 "l"(vector), "r"(wanted ? 16 : 0), "l"(policy.bits)
                 : "memory");
  }
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
  // A box in the shared memory of one block of the cluster, whose it is `mine`, that the others fill, `bytes` of it in
  // all. `at`: the byte offset of a word of 8 bytes. All threads of all blocks open it, and each waits until all have
  // before it puts an element there. wait_for_box(): until it is full.
  ONEPASS_DEVICE void open_box(int at, int bytes, bool mine) const {
#if __CUDA_ARCH__ >= 900
    if (mine && threadIdx.x == 0) {
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(full(at, 0)) : "memory");
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
      expect(at, bytes);
    }
    reach_cluster();
#endif
  }
  ONEPASS_DEVICE void wait_for_open_box() const {
#if __CUDA_ARCH__ >= 900
    __syncwarp();
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
  }
  // Of block `rank` of the cluster.
  template <class T>
  ONEPASS_DEVICE void put_in_box(Shared<T> box, int i, int at, int rank, T value) const {
#if __CUDA_ARCH__ >= 900
    using Part = std::conditional_t<sizeof(T) % 8 == 0, std::uint64_t, std::uint32_t>;
    constexpr int size = static_cast<int>(sizeof(Part)), parts = static_cast<int>(sizeof(T)) / size;
    Part part[parts];
    std::memcpy(part, &value, sizeof(T));
    std::uint32_t to, word;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(to)
                 : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(box.data + i))), "r"(rank));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(word) : "r"(full(at, 0)), "r"(rank));
#pragma unroll
    for (int p = 0; p < parts; ++p) {
      if constexpr (size == 8)
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(to + p * size),
                     "l"(part[p]), "r"(word)
                     : "memory");
      else
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to + p * size),
                     "r"(part[p]), "r"(word)
                     : "memory");
    }
#endif
  }
  ONEPASS_DEVICE void wait_for_box(int at, bool mine) const {
    if (mine) wait_for_full_box(at, 0);
  }
  // Behind pass_cluster() all threads of all blocks have been at reach_cluster() and have read what they read before of
  // their shared memory, so that it may be put there anew. What was written before is not ordered.
  ONEPASS_DEVICE void reach_cluster() const {
#if __CUDA_ARCH__ >= 900
    __syncwarp();
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
#endif
  }
  ONEPASS_DEVICE void pass_cluster() const { wait_for_open_box(); }
  // Boxes of every block, that all blocks of the cluster fill again and again, with `bytes` each time. Words one behind
  // the other. A barrier of the cluster is behind open_boxes(). What threads of the block have put into shared memory
  // otherwise need not be seen behind wait_for_boxes().
  ONEPASS_DEVICE void open_boxes(int at, int count, int bytes) const {
#if __CUDA_ARCH__ >= 900
    if (threadIdx.x == 0) {
      for (int i = 0; i < count; ++i) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(full(at, i)) : "memory");
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();  // the compiler lets the warp do what one thread opens: racecheck sees a race without a barrier
    if (threadIdx.x == 0)
      for (int i = 0; i < count; ++i) expect(at + 8 * i, bytes);
    __syncwarp();
#endif
  }
  // Until the own box is full for the `use`th time. Nobody puts anything into it before all threads of all blocks have
  // read it.
  ONEPASS_DEVICE void wait_for_boxes(int at, int use, int bytes) const {
    wait_for_full_box(at, use);
    if (threadIdx.x == 0) expect(at, bytes);
  }
  // Both ends are aligned to 16 bytes: some elements at its begin and its end, fewer than a vector, are not wanted.
  template <class T>
  ONEPASS_DEVICE void copy_run(int at, int slot, Shared<T> to, int i, const T* from, int count, int, int,
                               StreamPolicy policy) const {
    if (count == 0) {
      asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(full(at, slot)) : "memory");
      return;
    }
    const int bytes = count * static_cast<int>(sizeof(T));
    expect(at + 8 * slot, bytes);
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
  static ONEPASS_DEVICE void expect(int at, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(full(at, 0)), "r"(bytes) : "memory");
  }
  static ONEPASS_DEVICE void wait_for_full_box(int at, int use) {
#if __CUDA_ARCH__ >= 900
    std::uint32_t done = 0;
    while (done == 0) {
      asm volatile(
          "{ .reg .pred done;\n\t"
          "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%1], %2;\n\t"
          "selp.u32 %0, 1, 0, done; }"
          : "=r"(done)
          : "r"(full(at, 0)), "r"(static_cast<std::uint32_t>(use) & 1u)
          : "memory");
    }
#endif
  }
  static ONEPASS_DEVICE std::uint32_t full(int at, int slot) {
    extern __shared__ Vector16 onepass_shared[];
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(onepass_shared)) +
           static_cast<std::uint32_t>(at + 8 * slot);
  }
};

}  // namespace onepass::exec
