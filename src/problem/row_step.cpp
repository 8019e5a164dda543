// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "problem/row_step.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>

namespace onepass {
namespace {

struct RowArgument {
  const char* name;
  const char* ld_name;
  const void* data;
  std::int64_t ld;
};

// As many blocks as a launch may have.
Status check_size(const char* name, std::int64_t value) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (value >= 0 && value <= most) return {};
  return {ONEPASS_STATUS_INVALID_SIZE,
          std::string(name) + " = " + std::to_string(value) + ": must be from 0 to " + std::to_string(most)};
}

Status check_argument(const RowStep& s, const RowArgument& a) {
  if (a.ld < (s.n > 1 ? s.n : 1))
    return {ONEPASS_STATUS_INVALID_LD, std::string(a.ld_name) + " = " + std::to_string(a.ld) +
                                           ": must be at least n = " + std::to_string(s.n) + ", and 1"};
  if (a.ld > std::numeric_limits<std::int64_t>::max() / size_of(s.type) / (s.rows > 0 ? s.rows : 1))
    return {ONEPASS_STATUS_INVALID_LD,
            std::string(a.ld_name) + " = " + std::to_string(a.ld) + ": so many rows pass 63 bits of bytes"};
  if (s.rows == 0 || s.n == 0) return {};
  if (a.data == nullptr) return {ONEPASS_STATUS_INVALID_POINTER, std::string(a.name) + " is null, but there are rows"};
  if (reinterpret_cast<std::uintptr_t>(a.data) % static_cast<std::uintptr_t>(size_of(s.type)) != 0)
    return {ONEPASS_STATUS_INVALID_ALIGNMENT,
            std::string(a.name) + " must be a multiple of " + std::to_string(size_of(s.type)) + " bytes"};
  return {};
}

}  // namespace

Status check(const RowStep& s) {
  if (s.type != Type::s && s.type != Type::d && s.type != Type::h && s.type != Type::b)
    return {ONEPASS_STATUS_INVALID_ENUM,
            "type = " + std::to_string(static_cast<int>(s.type)) + ": must be s (0), d (1), h (4) or b (5)"};
  if (Status bad = check_size("rows", s.rows); !bad.ok()) return bad;
  if (Status bad = check_size("n", s.n); !bad.ok()) return bad;
  const std::int64_t whole = std::max<std::int64_t>(s.n, 1);
  const auto first_bad = [&](std::initializer_list<RowArgument> arguments) {
    for (const RowArgument& a : arguments)
      if (Status bad = check_argument(s, a); !bad.ok()) return bad;
    return Status{};
  };
  switch (s.operation) {
    case RowOperation::rms_norm:
      if (!(s.epsilon >= 0))
        return {ONEPASS_STATUS_INVALID_SIZE, "epsilon = " + std::to_string(s.epsilon) + ": must not be negative"};
      if (s.other == nullptr) return first_bad({{"x", "ldx", s.x, s.ld_x}, {"y", "ldy", s.y, s.ld_y}});
      return first_bad({{"x", "ldx", s.x, s.ld_x}, {"weight", "", s.other, whole}, {"y", "ldy", s.y, s.ld_y}});
    case RowOperation::swiglu:
      return first_bad(
          {{"gate", "ld_gate", s.x, s.ld_x}, {"up", "ld_up", s.other, s.ld_other}, {"y", "ldy", s.y, s.ld_y}});
    case RowOperation::rotary: break;
  }
  if (s.n % 2 != 0) return {ONEPASS_STATUS_INVALID_SIZE, "n = " + std::to_string(s.n) + ": must be even"};
  return first_bad({{"x", "ldx", s.x, s.ld_x},
                    {"cosines", "", s.other, whole},
                    {"sines", "", s.sines, whole},
                    {"y", "ldy", s.y, s.ld_y}});
}

}  // namespace onepass
