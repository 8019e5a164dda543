// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/fibre.hpp"

#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <boost/context/stack_context.hpp>
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

// What Boost calls when a fibre has ended; its stack belongs to someone else.
struct BorrowedStack {
  void deallocate(boost::context::stack_context&) {}
};

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

Fibre::Fibre(std::span<std::byte> stack, std::function<void()> body) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.body = std::move(body);
  s.inner_bottom = stack.data();
  s.inner_size = stack.size();
  boost::context::stack_context context;
  context.sp = stack.data() + stack.size();
  context.size = stack.size();
  s.inner = boost::context::fiber(std::allocator_arg, boost::context::preallocated(context.sp, context.size, context),
                                  BorrowedStack{}, [this, &s](boost::context::fiber&& outer) {
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
