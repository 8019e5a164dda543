// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Memory that a thread keeps from call to call, for the drop-in libraries of the host.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdlib>

namespace onepass {

// One for all threads. A thread_local with a destructor would do, but glibc ends the process where it has no memory to
// register one; a key of pthreads says so.
class ThreadMemory {
 public:
  static constexpr std::size_t alignment = 256;

  ThreadMemory() : has_key_(pthread_key_create(&key_, std::free) == 0) {}
  ThreadMemory(const ThreadMemory&) = delete;
  ThreadMemory& operator=(const ThreadMemory&) = delete;

  // That of the calling thread: at least so many bytes, whatever they hold, on a multiple of the alignment; null if
  // there are none.
  void* at_least(std::size_t bytes) {
    if (!has_key_) return nullptr;
    if (Block* const block = own(); block != nullptr && block->bytes >= bytes) return block + 1;
    replace(nullptr);
    if (bytes > most) return nullptr;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    auto* const made = static_cast<Block*>(std::aligned_alloc(alignment, sizeof(Block) + rounded));
    if (made == nullptr || !replace(made)) return nullptr;
    made->bytes = rounded;
    return made + 1;
  }

  // Frees it if it is more than so many bytes.
  void keep_at_most(std::size_t bytes) {
    if (Block* const block = has_key_ ? own() : nullptr; block != nullptr && block->bytes > bytes) replace(nullptr);
  }

 private:
  static constexpr std::size_t most = ~std::size_t{0} / 2;
  struct alignas(alignment) Block {
    std::size_t bytes = 0;
  };
  Block* own() const { return static_cast<Block*>(pthread_getspecific(key_)); }
  // Frees what the thread has and gives it another block, or frees that one, too.
  bool replace(Block* block) {
    std::free(own());
    if (pthread_setspecific(key_, block) == 0) return true;
    std::free(block);
    return false;
  }

  pthread_key_t key_{};
  bool has_key_;
};

}  // namespace onepass
