// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "verify/buffer.hpp"

#include <cstring>
#include <stdexcept>

#include "verify/element.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace onepass::verify {
namespace {

constexpr std::size_t guard = 256;

void must(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.text);
}

// AddressSanitizer then reports reads of the guards too. Device memory is not its business.
void forbid([[maybe_unused]] const Backend& backend, [[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  if (backend.id() != BackendId::cuda) __asan_poison_memory_region(data, bytes);
#endif
}
void allow([[maybe_unused]] const Backend& backend, [[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  if (backend.id() != BackendId::cuda) __asan_unpoison_memory_region(data, bytes);
#endif
}

}  // namespace

Buffer::Buffer(const Backend& backend, std::span<const std::byte> content, std::size_t offset)
    : backend_(backend), front_(guard + offset), size_(content.size()), total_(front_ + size_ + guard) {
  std::vector<std::byte> image(total_);
  poison(image.data(), front_);
  if (size_ != 0) std::memcpy(image.data() + front_, content.data(), size_);
  poison(image.data() + front_ + size_, guard);
  must(backend_.allocate(total_, &base_));
  must(backend_.copy_in(base_, image.data(), total_));
  forbid(backend_, base_, front_);
  forbid(backend_, static_cast<std::byte*>(data()) + size_, guard);
}

Buffer::~Buffer() {
  allow(backend_, base_, total_);
  backend_.release(base_);
}

std::vector<std::byte> Buffer::content() const {
  std::vector<std::byte> image(size_);
  if (size_ != 0) must(backend_.copy_out(image.data(), data(), size_));
  return image;
}

void Buffer::write(std::span<const std::byte> content) const {
  if (size_ != 0) must(backend_.copy_in(data(), content.data(), size_));
}

bool Buffer::is_guard(void* from, std::size_t bytes) const {
  std::vector<std::byte> image(bytes), fresh(bytes);
  allow(backend_, from, bytes);
  must(backend_.copy_out(image.data(), from, bytes));
  forbid(backend_, from, bytes);
  poison(fresh.data(), bytes);
  return equal_bytes(image, fresh);
}

bool Buffer::guards_intact() const {
  return is_guard(base_, front_) && is_guard(static_cast<std::byte*>(data()) + size_, guard);
}

bool equal_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

}  // namespace onepass::verify
