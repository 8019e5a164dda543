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
namespace stacks {  // of no anonymous namespace: Fibre::State has a Place

// What Boost calls when a fibre has ended; its stack belongs to someone else.
struct BorrowedStack {
  void deallocate(boost::context::stack_context&) {}
};

// Who stands still: how to go on there, and the stack, for AddressSanitizer.
struct Place {
  boost::context::fiber fibre;
  const void* bottom = nullptr;
  std::size_t size = 0;
};

// AddressSanitizer must be told of each change of the stack.
static void leave_for([[maybe_unused]] const Place& place, [[maybe_unused]] void** fake_stack) {
#ifdef ONEPASS_ASAN_FIBRES
  __sanitizer_start_switch_fiber(fake_stack, place.bottom, place.size);
#endif
}
static void arrive_from([[maybe_unused]] Place& place, [[maybe_unused]] void* fake_stack) {
#ifdef ONEPASS_ASAN_FIBRES
  __sanitizer_finish_switch_fiber(fake_stack, &place.bottom, &place.size);
#endif
}

}  // namespace stacks
using stacks::Place;

struct Fibre::Caller::State {
  Place outside;
  Place* left = nullptr;  // by whoever went on to another place last

  void go(Place& from, Place& to) {
    left = &from;
    void* fake_stack = nullptr;
    leave_for(to, &fake_stack);
    arrive(std::move(to.fibre).resume(), fake_stack);
  }
  void arrive(boost::context::fiber&& from, void* fake_stack) {
    arrive_from(*left, fake_stack);
    left->fibre = std::move(from);
  }
};

Fibre::Caller::Caller() : state_(std::make_unique<State>()) {}
Fibre::Caller::~Caller() = default;

struct Fibre::State {
  Caller::State& caller;
  std::function<Fibre*()> body;
  bool quit = false;
  Place inside;
};

Fibre::Fibre(Caller& caller, std::span<std::byte> stack, std::function<Fibre*()> body)
    : state_(std::make_unique<State>(State{*caller.state_, std::move(body), false, {{}, stack.data(), stack.size()}})) {
  State& s = *state_;
  boost::context::stack_context context;
  context.sp = stack.data() + stack.size();
  context.size = stack.size();
  s.inside.fibre =
      boost::context::fiber(std::allocator_arg, boost::context::preallocated(context.sp, context.size, context),
                            stacks::BorrowedStack{}, [this, &s](boost::context::fiber&& from) {
                              s.caller.arrive(std::move(from), nullptr);
                              while (!s.quit) suspend(s.body());
                              s.caller.left = &s.inside;
                              leave_for(s.caller.outside, nullptr);
                              return std::move(s.caller.outside.fibre);
                            });
}

Fibre::~Fibre() {
  state_->quit = true;
  resume();
}

void Fibre::resume() { state_->caller.go(state_->caller.outside, state_->inside); }

void Fibre::suspend(Fibre* next) {
  Caller::State& caller = state_->caller;
  caller.go(state_->inside, next != nullptr ? next->state_->inside : caller.outside);
}

}  // namespace onepass::sim
