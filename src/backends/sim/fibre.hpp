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
  // The stack outlives the fibre.
  Fibre(std::span<std::byte> stack, std::function<void()> body);
  ~Fibre();
  Fibre(const Fibre&) = delete;
  Fibre& operator=(const Fibre&) = delete;

  // From outside: runs until the body suspends or ends; the next call then starts it again.
  // The body must have ended before the fibre is destroyed.
  void resume();
  // From inside.
  void suspend();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace onepass::sim
