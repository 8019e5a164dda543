// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A fibre: it runs a body, again and again on one stack, and can stop in its middle.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace onepass::sim {

class Fibre {
 public:
  // Where fibres are resumed from: one of them, which may go on to others of the same caller before it returns there.
  class Caller {
   public:
    Caller();
    ~Caller();

   private:
    friend class Fibre;
    struct State;
    std::unique_ptr<State> state_;
  };

  // The caller and the stack outlive the fibre. The body returns which fibre goes on when it has ended; null: the
  // caller.
  Fibre(Caller& caller, std::span<std::byte> stack, std::function<Fibre*()> body);
  ~Fibre();
  Fibre(const Fibre&) = delete;
  Fibre& operator=(const Fibre&) = delete;

  // From outside: until a fibre goes on to the caller. One whose body has ended starts it again.
  // The body must have ended before the fibre is destroyed.
  void resume();
  // From inside: goes on to `next`, or to the caller if that is null.
  void suspend(Fibre* next);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace onepass::sim
