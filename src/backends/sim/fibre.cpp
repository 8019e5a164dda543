// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/fibre.hpp"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstddef>
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

// AddressSanitizer must be told of each change of the stack.
void leave([[maybe_unused]] void** fake_stack, [[maybe_unused]] const void* bottom, [[maybe_unused]] std::size_t size) {
#ifdef ONEPASS_ASAN_FIBRES
  __sanitizer_start_switch_fiber(fake_stack, bottom, size);
#endif
}
void arrive([[maybe_unused]] void* fake_stack, [[maybe_unused]] const void** bottom,
            [[maybe_unused]] std::size_t* size) {
#ifdef ONEPASS_ASAN_FIBRES
  __sanitizer_finish_switch_fiber(fake_stack, bottom, size);
#endif
}

}  // namespace

struct Fibre::State {
  std::function<void()> body;
  bool quit = false;
  const void* inner_bottom = nullptr;
  const void* outer_bottom = nullptr;
  std::size_t inner_size = 0, outer_size = 0;
  boost::context::fiber inner, outer;
};

Fibre::Fibre(std::function<void()> body) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.body = std::move(body);
  boost::context::protected_fixedsize_stack stacks(stack_bytes);
  const boost::context::stack_context stack = stacks.allocate();
  s.inner_bottom = static_cast<char*>(stack.sp) - stack.size;
  s.inner_size = stack.size;
  s.inner = boost::context::fiber(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack), stacks,
                                  [this, &s](boost::context::fiber&& outer) {
                                    arrive(nullptr, &s.outer_bottom, &s.outer_size);
                                    s.outer = std::move(outer);
                                    while (!s.quit) {
                                      s.body();
                                      suspend();
                                    }
                                    leave(nullptr, s.outer_bottom, s.outer_size);
                                    return std::move(s.outer);
                                  });
}

Fibre::~Fibre() {
  state_->quit = true;
  resume();
}

void Fibre::resume() {
  State& s = *state_;
  void* fake_stack = nullptr;
  leave(&fake_stack, s.inner_bottom, s.inner_size);
  s.inner = std::move(s.inner).resume();
  arrive(fake_stack, nullptr, nullptr);
}

void Fibre::suspend() {
  State& s = *state_;
  void* fake_stack = nullptr;
  leave(&fake_stack, s.outer_bottom, s.outer_size);
  s.outer = std::move(s.outer).resume();
  arrive(fake_stack, &s.outer_bottom, &s.outer_size);
}

}  // namespace onepass::sim
