// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/fibre.hpp"

#include <boost/context/protected_fixedsize_stack.hpp>
#include <memory>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define ONEPASS_ASAN_FIBRES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ONEPASS_ASAN_FIBRES 1
#endif
#endif
#ifdef ONEPASS_ASAN_FIBRES
#include <sanitizer/common_interface_defs.h>
#endif

namespace onepass::sim {
namespace {

// Pages are taken as they are touched: a deep stack costs address space alone.
constexpr std::size_t stack_bytes = 256 * 1024;

// Stacks start at page boundaries, where their hot lines would all fall into the same few sets of
// the caches; so each starts a little lower than the one before.
class ShiftedStack {
 public:
  ShiftedStack(int index, const void** bottom, std::size_t* size)
      : shift_(static_cast<std::size_t>(index) * 256 % 16384), bottom_(bottom), size_(size) {}

  boost::context::stack_context allocate() {
    boost::context::stack_context stack = pages_.allocate();
    stack.sp = static_cast<char*>(stack.sp) - shift_;
    stack.size -= shift_;
    *bottom_ = static_cast<char*>(stack.sp) - stack.size;
    *size_ = stack.size;
    return stack;
  }
  void deallocate(boost::context::stack_context& stack) {
    stack.sp = static_cast<char*>(stack.sp) + shift_;
    stack.size += shift_;
    pages_.deallocate(stack);
  }

 private:
  boost::context::protected_fixedsize_stack pages_{stack_bytes};
  std::size_t shift_;
  const void** bottom_;
  std::size_t* size_;
};

}  // namespace

Fibre::Fibre(int index, std::function<void()> body) : body_(std::move(body)) {
  inner_ = boost::context::fiber(std::allocator_arg, ShiftedStack(index, &stack_bottom_, &stack_size_),
                                 [this](boost::context::fiber&& outer) {
                                   annotate_arrive(nullptr, &outer_bottom_, &outer_size_);
                                   outer_ = std::move(outer);
                                   while (!quit_) {
                                     body_();
                                     suspend();
                                   }
                                   annotate_leave(nullptr, outer_bottom_, outer_size_);
                                   return std::move(outer_);
                                 });
}

Fibre::~Fibre() {
  quit_ = true;
  resume();
}

void Fibre::resume() {
  void* fake_stack = nullptr;
  annotate_leave(&fake_stack, stack_bottom_, stack_size_);
  inner_ = std::move(inner_).resume();
  annotate_arrive(fake_stack, nullptr, nullptr);
}

void Fibre::suspend() {
  annotate_leave(&inner_fake_, outer_bottom_, outer_size_);
  outer_ = std::move(outer_).resume();
  annotate_arrive(inner_fake_, &outer_bottom_, &outer_size_);
}

// AddressSanitizer must be told of each change of the stack.
void Fibre::annotate_leave([[maybe_unused]] void** fake_stack, [[maybe_unused]] const void* bottom,
                           [[maybe_unused]] std::size_t size) {
#ifdef ONEPASS_ASAN_FIBRES
  __sanitizer_start_switch_fiber(fake_stack, bottom, size);
#endif
}
void Fibre::annotate_arrive([[maybe_unused]] void* fake_stack, [[maybe_unused]] const void** bottom,
                            [[maybe_unused]] std::size_t* size) {
#ifdef ONEPASS_ASAN_FIBRES
  __sanitizer_finish_switch_fiber(fake_stack, bottom, size);
#endif
}

}  // namespace onepass::sim
