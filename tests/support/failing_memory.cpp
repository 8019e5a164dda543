// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "failing_memory.hpp"

#include <atomic>
#include <cerrno>
#include <utility>

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);
}

namespace failing_memory {
namespace {

constinit thread_local long left = 0;  // until one fails; 0: none does
constinit thread_local bool goes_on = false, has_failed = false;
constinit std::atomic<long> count = 0;

bool fails() {
  if (!(has_failed && goes_on) && (left == 0 || --left > 0)) return false;
  has_failed = true;
  errno = ENOMEM;
  return true;
}

template <class Allocate>
void* counted(Allocate allocate) {
  void* const memory = fails() ? nullptr : allocate();
  if (memory != nullptr) ++count;
  return memory;
}

}  // namespace

void begin(long number, bool all_after) {
  left = number;
  goes_on = all_after;
  has_failed = false;
}
bool end() {
  left = 0;
  return std::exchange(has_failed, false);
}
long blocks() { return count; }

}  // namespace failing_memory

// They are found before those of the C library by each library of the process.
#pragma GCC visibility push(default)
extern "C" {

using failing_memory::counted;

void* malloc(std::size_t bytes) {
  return counted([&] { return __libc_malloc(bytes); });
}
void* calloc(std::size_t number, std::size_t bytes) {
  return counted([&] { return __libc_calloc(number, bytes); });
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  return counted([&] { return __libc_memalign(alignment, bytes); });
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  *memory = memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}
void* realloc(void* memory, std::size_t bytes) {
  if (memory == nullptr) return malloc(bytes);
  return failing_memory::fails() ? nullptr : __libc_realloc(memory, bytes);
}
void free(void* memory) {
  if (memory != nullptr) --failing_memory::count;
  __libc_free(memory);
}

}  // extern "C"
#pragma GCC visibility pop
