// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A fibre with a stack that is reused: it runs a body, again and again, and can stop in its middle.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <functional>

namespace onepass::sim {

class Fibre {
 public:
  // `index` shifts the top of the stack: see the reason in the source.
  Fibre(int index, std::function<void()> body);
  ~Fibre();
  Fibre(const Fibre&) = delete;
  Fibre& operator=(const Fibre&) = delete;

  // From outside: runs until the body suspends or ends; the next call then starts it again.
  // The body must have ended before the fibre is destroyed.
  void resume();
  // From inside.
  void suspend();

 private:
  void annotate_leave(void** fake_stack, const void* bottom, std::size_t size);
  void annotate_arrive(void* fake_stack, const void** bottom, std::size_t* size);

  std::function<void()> body_;
  bool quit_ = false;
  const void* stack_bottom_ = nullptr;
  std::size_t stack_size_ = 0;
  const void* outer_bottom_ = nullptr;
  std::size_t outer_size_ = 0;
  void* inner_fake_ = nullptr;
  boost::context::fiber inner_, outer_;
};

}  // namespace onepass::sim
