// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The number types of a problem, the same on host and device: complex, half, bfloat16 and their sums.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#if defined(__CUDACC__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define ONEPASS_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define ONEPASS_HOST_DEVICE inline
#endif

namespace onepass {

template <class R>
struct alignas(2 * sizeof(R)) Complex {
  R re{}, im{};
  bool operator==(const Complex&) const = default;
};

struct Half {
  std::uint16_t bits{};
  bool operator==(const Half&) const = default;
};

struct Bfloat16 {
  std::uint16_t bits{};
  bool operator==(const Bfloat16&) const = default;
};

// The type in which a product of T is summed, and in which alpha and beta are given.
template <class T>
struct SumOf {
  using type = T;
};
template <>
struct SumOf<Half> {
  using type = float;
};
template <>
struct SumOf<Bfloat16> {
  using type = float;
};
template <class T>
using Sum = typename SumOf<T>::type;

template <class T>
inline constexpr bool is_complex = false;
template <class R>
inline constexpr bool is_complex<Complex<R>> = true;

// The real type of a complex one; else the type itself.
template <class T>
struct RealOfType {
  using type = T;
};
template <class R>
struct RealOfType<Complex<R>> {
  using type = R;
};
template <class T>
using RealOf = typename RealOfType<T>::type;

namespace detail {

ONEPASS_HOST_DEVICE float half_to_float(std::uint16_t h) {
  const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000u) << 16;
  const std::uint32_t exponent = (h >> 10) & 0x1fu;
  const std::uint32_t mantissa = h & 0x3ffu;
  // A subnormal is mantissa * 2^-24, exactly; infinities and NaNs keep their payload.
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 5.9604644775390625e-8f;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 31 ? 255u : exponent + 112u;
  return std::bit_cast<float>(sign | (wide << 23) | (mantissa << 13));
}

// Round to nearest, ties to even.
ONEPASS_HOST_DEVICE std::uint16_t float_to_half(float f) {
  const std::uint32_t x = std::bit_cast<std::uint32_t>(f);
  const std::uint32_t sign = (x >> 16) & 0x8000u;
  const std::uint32_t magnitude = x & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);
  if (magnitude >= 0x47800000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
  std::uint32_t kept, dropped, tie;
  if (magnitude < 0x38800000u) {  // subnormal or zero
    const std::uint32_t shift = 126u - (magnitude >> 23);
    if (shift > 24u) return static_cast<std::uint16_t>(sign);
    const std::uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
    kept = mantissa >> shift;
    dropped = mantissa & ((1u << shift) - 1u);
    tie = 1u << (shift - 1u);
  } else {
    kept = (magnitude - 0x38000000u) >> 13;
    dropped = magnitude & 0x1fffu;
    tie = 0x1000u;
  }
  if (dropped > tie || (dropped == tie && (kept & 1u) != 0)) ++kept;
  return static_cast<std::uint16_t>(sign | kept);
}

ONEPASS_HOST_DEVICE float bfloat16_to_float(std::uint16_t b) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(b) << 16);
}

ONEPASS_HOST_DEVICE std::uint16_t float_to_bfloat16(float f) {
  const std::uint32_t x = std::bit_cast<std::uint32_t>(f);
  if ((x & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((x >> 16) | 0x40u);
  return static_cast<std::uint16_t>((x + 0x7fffu + ((x >> 16) & 1u)) >> 16);
}

}  // namespace detail

// Into the type of the sum.
template <class T>
ONEPASS_HOST_DEVICE T widen(T v) {
  return v;
}
ONEPASS_HOST_DEVICE float widen(Half v) {
#if defined(__CUDA_ARCH__)
  return __half2float(__ushort_as_half(v.bits));
#else
  return detail::half_to_float(v.bits);
#endif
}
ONEPASS_HOST_DEVICE float widen(Bfloat16 v) { return detail::bfloat16_to_float(v.bits); }

// Out of the type of the sum, rounded to nearest even.
template <class T>
ONEPASS_HOST_DEVICE T narrow(Sum<T> v) {
  if constexpr (std::is_same_v<T, Half>) {
#if defined(__CUDA_ARCH__)
    return Half{__half_as_ushort(__float2half_rn(v))};
#else
    return Half{detail::float_to_half(v)};
#endif
  } else if constexpr (std::is_same_v<T, Bfloat16>) {
#if defined(__CUDA_ARCH__)
    return Bfloat16{__bfloat16_as_ushort(__float2bfloat16_rn(v))};
#else
    return Bfloat16{detail::float_to_bfloat16(v)};
#endif
  } else {
    return v;
  }
}

// s + a * b, one rounding a step for real numbers.
template <class R>
ONEPASS_HOST_DEVICE R multiply_add(R s, R a, R b) {
  return s + a * b;
}
template <class R>
ONEPASS_HOST_DEVICE Complex<R> multiply_add(Complex<R> s, Complex<R> a, Complex<R> b) {
  s.re = s.re + a.re * b.re;
  s.im = s.im + a.re * b.im;
  s.re = s.re - a.im * b.im;
  s.im = s.im + a.im * b.re;
  return s;
}

template <class R>
ONEPASS_HOST_DEVICE Complex<R> operator+(Complex<R> a, Complex<R> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class R>
ONEPASS_HOST_DEVICE Complex<R> operator*(Complex<R> a, Complex<R> b) {
  return multiply_add(Complex<R>{}, a, b);
}

template <class T>
ONEPASS_HOST_DEVICE T conjugate_if(bool conjugate, T v) {
  if constexpr (is_complex<T>) {
    if (conjugate) v.im = -v.im;
  }
  return v;
}

}  // namespace onepass
