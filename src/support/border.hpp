// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The border to C: no exception crosses it, and a failure leaves its text behind.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>

#include "problem/status.hpp"

namespace onepass {

// A text that takes no memory, so that even a failure for want of memory has one. Longer ones are cut off. It has no
// destructor: glibc takes memory to register that of a thread_local, and ends the process where there is none.
class ErrorText {
 public:
  void set(std::string_view text) noexcept {
    const std::size_t length = std::min(text.size(), text_.size() - 1);
    std::copy_n(text.data(), length, text_.data());
    text_[length] = '\0';
  }
  const char* c_str() const { return text_.data(); }

 private:
  std::array<char, 2048> text_{};
};

// What a C entry point ends in. `last`: the text of this thread's last failure.
template <class Body>
onepassStatus_t at_border(ErrorText& last, Body body) noexcept {
  const auto failed = [&](onepassStatus_t code, const char* text) {
    last.set(text);
    return code;
  };
  try {
    const Status status = body();
    if (!status.ok()) last.set(status.text);
    return status.code;
  } catch (const std::bad_alloc&) {
    return failed(ONEPASS_STATUS_OUT_OF_MEMORY, "not enough memory on the host");
  } catch (const std::length_error&) {
    return failed(ONEPASS_STATUS_OUT_OF_MEMORY, "more memory than a process has");
  } catch (const std::exception& e) {
    return failed(ONEPASS_STATUS_EXECUTION_FAILED, e.what());
  } catch (...) {
    return failed(ONEPASS_STATUS_EXECUTION_FAILED, "unknown failure");
  }
}

}  // namespace onepass
