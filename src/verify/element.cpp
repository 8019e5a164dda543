// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "verify/element.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "numbers/double_length.hpp"

namespace onepass::verify {
namespace {

template <class T>
T load(const void* base, std::int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(base) + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

template <class T>
void store(void* base, std::int64_t index, T value) {
  std::memcpy(static_cast<char*>(base) + index * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
}

}  // namespace

void put(Type type, void* base, std::int64_t index, Value v) {
  const auto re = static_cast<float>(v.real());
  switch (type) {
    case Type::s: return store(base, index, re);
    case Type::d: return store(base, index, v.real());
    case Type::c: return store(base, index, Complex<float>{re, static_cast<float>(v.imag())});
    case Type::z: return store(base, index, Complex<double>{v.real(), v.imag()});
    case Type::h: return store(base, index, narrow<Half>(re));
    case Type::b: return store(base, index, narrow<Bfloat16>(re));
    case Type::w: return store(base, index, settled(DoubleDouble{v.real(), v.imag()}));
  }
}

Value get(Type type, const void* base, std::int64_t index) {
  switch (type) {
    case Type::s: return load<float>(base, index);
    case Type::d: return load<double>(base, index);
    case Type::c: {
      const auto v = load<Complex<float>>(base, index);
      return {v.re, v.im};
    }
    case Type::z: {
      const auto v = load<Complex<double>>(base, index);
      return {v.re, v.im};
    }
    case Type::w: {
      const auto v = load<DoubleDouble>(base, index);
      return {v.head, v.tail};
    }
    case Type::h: return widen(load<Half>(base, index));
    case Type::b: return widen(load<Bfloat16>(base, index));
  }
  return {};
}

Value random_element(Type type, double first, double second) {
  return {first, type == Type::w ? second * 0x1p-54 : second};
}
Value difference(Type type, Value a, Value b) {
  return type == Type::w ? (a.real() - b.real()) + (a.imag() - b.imag()) : a - b;
}

double epsilon(Type type) {
  switch (type) {
    case Type::d:
    case Type::z: return std::numeric_limits<double>::epsilon();
    case Type::h: return 0x1p-10;
    case Type::b: return 0x1p-7;
    case Type::w: return 0x1p-105;
    default: return std::numeric_limits<float>::epsilon();
  }
}

double smallest(Type type) {
  switch (type) {
    case Type::d:
    case Type::w:
    case Type::z: return std::numeric_limits<double>::denorm_min();
    case Type::h: return 0x1p-24;
    case Type::b: return 0x1p-133;
    default: return std::numeric_limits<float>::denorm_min();
  }
}

// A copy of what is there already doubles it: an element at a time takes long under sanitizers.
void poison(void* base, std::size_t bytes) {
  constexpr std::uint16_t nan = 0xfff5;
  const std::size_t whole = bytes / sizeof(nan) * sizeof(nan);
  if (whole == 0) return;
  auto* const first = static_cast<std::byte*>(base);
  std::memcpy(first, &nan, sizeof(nan));
  for (std::size_t done = sizeof(nan); done < whole; done *= 2)
    std::memcpy(first + done, first, std::min(done, whole - done));
}

}  // namespace onepass::verify
