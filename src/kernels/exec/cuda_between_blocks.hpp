// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What blocks of one launch tell each other: numbers past the L1, grid barriers, mailboxes. A part of exec/cuda.hpp.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/exec/mailbox.hpp"

namespace onepass::exec {

struct CudaBetweenBlocks {
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
  // flag is set, the results are not valid, and nobody waits again. meanwhile() is called once the block has arrived,
  // and may do what needs no other block.
  template <class Meanwhile>
  ONEPASS_DEVICE void grid_barrier(std::uint32_t* counter, std::uint32_t target, std::uint32_t* timed_out,
                                   Meanwhile meanwhile) const {
    constexpr std::uint32_t given_up = 0x80000000u;
    __syncthreads();
    if (threadIdx.x == 0) asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
    meanwhile();
    if (threadIdx.x == 0) {
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
  ONEPASS_DEVICE void grid_barrier(std::uint32_t* counter, std::uint32_t target, std::uint32_t* timed_out) const {
    grid_barrier(counter, target, timed_out, [] {});
  }

  // Partial sums from block to block (exec/mailbox.hpp). Relaxed accesses are enough: each part of a number arrives in
  // one piece, carries no other data with it, and is its own flag. Two parts go in one instruction.
  template <class S>
  ONEPASS_DEVICE void publish(S* mailbox, S value) const {
    Part<S> parts[part_count<S>];
    std::memcpy(parts, &value, sizeof(S));
#pragma unroll
    for (int i = 0; i < part_count<S>; ++i) parts[i] = encode_part(parts[i]);
    store_parts(mailbox, parts);
  }
  template <class S>
  ONEPASS_DEVICE Polled<S> poll(const S* mailbox) const {
    Part<S> parts[part_count<S>];
    Polled<S> polled{.value = {}, .arrived = true};
    if constexpr (part_count<S> == 1) {
      parts[0] = load_relaxed(part(mailbox, 0));
    } else {
#pragma unroll
      for (int i = 0; i < part_count<S>; i += 2) load_relaxed(part(mailbox, i), parts[i], parts[i + 1]);
    }
#pragma unroll
    for (int i = 0; i < part_count<S>; ++i) {
      polled.arrived = polled.arrived && parts[i] != 0;
      parts[i] = decode_part(parts[i]);
    }
    std::memcpy(static_cast<void*>(&polled.value), parts, sizeof(S));
    return polled;
  }
  template <class S>
  ONEPASS_DEVICE void reset(S* mailbox) const {
    store_parts(mailbox, {});
  }
  // Four neighbouring mailboxes on 16 bytes, of numbers of four, in one instruction. Each is its own flag as ever.
  template <class S>
  ONEPASS_DEVICE PolledFour<S> poll_four(const S* mailboxes) const {
    static_assert(sizeof(S) == 4);
    std::uint32_t parts[4];
    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(parts[0]), "=r"(parts[1]), "=r"(parts[2]), "=r"(parts[3])
                 : "l"(mailboxes)
                 : "memory");
    PolledFour<S> polled{.value = {}, .arrived = true};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      polled.arrived = polled.arrived && parts[i] != 0;
      parts[i] = decode_part(parts[i]);
    }
    std::memcpy(static_cast<void*>(polled.value), parts, sizeof(parts));
    return polled;
  }
  template <class S>
  ONEPASS_DEVICE void reset_four(S* mailboxes) const {
    static_assert(sizeof(S) == 4);
    asm volatile("st.relaxed.gpu.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(mailboxes), "r"(0) : "memory");
  }
  // As long as a partial sum is missing and `polls` are left. One that has not come after that many will not come.
  ONEPASS_DEVICE bool poll_again(bool missing, int& polls) const { return missing && polls-- > 0; }
  // Tells the host that a sum of this launch lacks a term. `flag`: a word of host memory, or null.
  ONEPASS_DEVICE void report_timeout(std::uint32_t* flag) const {
    if (flag != nullptr) asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
  }

 private:
  template <class S>
  static ONEPASS_DEVICE auto part(S* mailbox, int i) {
    using Word = Part<std::remove_const_t<S>>;
    return reinterpret_cast<std::conditional_t<std::is_const_v<S>, const Word, Word>*>(mailbox) + i;
  }
  template <class S>
  static ONEPASS_DEVICE void store_parts(S* mailbox, const Part<S> (&parts)[part_count<S>]) {
    if constexpr (part_count<S> == 1) {
      store_relaxed(part(mailbox, 0), parts[0]);
    } else {
#pragma unroll
      for (int i = 0; i < part_count<S>; i += 2) store_relaxed(part(mailbox, i), parts[i], parts[i + 1]);
    }
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
  static ONEPASS_DEVICE void load_relaxed(const std::uint32_t* p, std::uint32_t& v, std::uint32_t& w) {
    asm volatile("ld.relaxed.gpu.global.v2.u32 {%0, %1}, [%2];" : "=r"(v), "=r"(w) : "l"(p) : "memory");
  }
  static ONEPASS_DEVICE void load_relaxed(const std::uint64_t* p, std::uint64_t& v, std::uint64_t& w) {
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(v), "=l"(w) : "l"(p) : "memory");
  }
  static ONEPASS_DEVICE void store_relaxed(std::uint32_t* p, std::uint32_t v) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
  }
  static ONEPASS_DEVICE void store_relaxed(std::uint64_t* p, std::uint64_t v) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
  }
  static ONEPASS_DEVICE void store_relaxed(std::uint32_t* p, std::uint32_t v, std::uint32_t w) {
    asm volatile("st.relaxed.gpu.global.v2.u32 [%0], {%1, %2};" ::"l"(p), "r"(v), "r"(w) : "memory");
  }
  static ONEPASS_DEVICE void store_relaxed(std::uint64_t* p, std::uint64_t v, std::uint64_t w) {
    asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(p), "l"(v), "l"(w) : "memory");
  }
};

}  // namespace onepass::exec
