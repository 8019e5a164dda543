// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/stacks.hpp"

#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

#include <new>

#include "backends/sim/warp_log.hpp"

namespace onepass::sim {
namespace {

// Pages are taken as they are touched: a deep stack costs address space alone. Tops of stacks a power of two apart
// share their places in the caches: the few bytes more make shuffles and barriers 8 % faster.
constexpr std::size_t stack_bytes = 256 * 1024 + 320;
// Of any page size in use.
constexpr std::size_t guard_bytes = 64 * 1024;
constexpr std::size_t mapping_bytes = guard_bytes + warp_lanes * stack_bytes;

}  // namespace

// Hundreds of blocks may wait at once, and Linux allows a process 65530 mappings, of which each guard takes
// one: there is one for the whole warp. All lanes run the same kernel, so that one too deep for its stack
// meets the guard in lane 0. A huge page would fill the stacks of eight lanes for the few bytes that one uses.
Stacks::Stacks() {
  void* memory = mmap(nullptr, mapping_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mapping_.reset(static_cast<std::byte*>(memory));
  if (mprotect(memory, guard_bytes, PROT_NONE) != 0) throw std::bad_alloc();
  madvise(memory, mapping_bytes, MADV_NOHUGEPAGE);
}

std::span<std::byte> Stacks::operator[](int lane) const {
  return {mapping_.get() + guard_bytes + static_cast<std::size_t>(lane) * stack_bytes, stack_bytes};
}

// AddressSanitizer's marks of the frames that lived here must not outlive the mapping: the next stack at this
// address would inherit them.
void Stacks::Unmap::operator()(std::byte* mapping) const {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(mapping, mapping_bytes);
#endif
  munmap(mapping, mapping_bytes);
}

}  // namespace onepass::sim
