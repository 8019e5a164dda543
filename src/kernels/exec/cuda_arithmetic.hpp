// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic of kernels that CUDA has instructions for: products by the tensor cores, reciprocals and their roots,
// powers of two. A part of exec/cuda.hpp.
#pragma once

#include <cstdint>
#include <type_traits>

#include "numbers/scalar.hpp"

namespace onepass::exec {

struct CudaArithmetic {
  // D += A B by a warp, D of 16 x 8 with four terms, as PTX spreads them over lanes 4 g + t: D has columns 2 t and 2 t
  // + 1 of row g, then of row g + 8; A column t of rows g and g + 8; B row t of column g.
  ONEPASS_DEVICE void matrix_multiply_add(double (&d)[4], const double (&a)[2], double b) const {
#if __CUDA_ARCH__ >= 900
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                 : "d"(a[0]), "d"(a[1]), "d"(b));
#else
#pragma unroll
    for (int i = 0; i < 2; ++i)
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                   : "+d"(d[2 * i]), "+d"(d[2 * i + 1])
                   : "d"(a[i]), "d"(b));
#endif
  }

  // Likewise of elements T of two bytes, with 16 terms and sums of floats. Words have two elements: those of A columns
  // 2 t and 2 t + 1 of row g, of row g + 8, then both 8 columns on; those of B likewise rows of column g.
  template <class T>
  ONEPASS_DEVICE void matrix_multiply_add(float (&d)[4], std::uint32_t a0, std::uint32_t a1, std::uint32_t a2,
                                          std::uint32_t a3, std::uint32_t b0, std::uint32_t b1) const {
    if constexpr (std::is_same_v<T, Bfloat16>)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "
          "%2, %3};"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
          : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    else
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "
          "%2, %3};"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
          : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  }

  // Likewise with eight terms, of the first 11 bits of numbers: A has column t of rows g and g + 8, then column t + 4;
  // B rows t and t + 4 of column g. Sums are cut off, not rounded.
  ONEPASS_DEVICE void matrix_multiply_add(float (&d)[4], const float (&a)[4], const float (&b)[2]) const {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
          "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
  }
  // D = A B.
  ONEPASS_DEVICE void matrix_multiply(float (&d)[4], const float (&a)[4], const float (&b)[2]) const {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%10, %10, %10, %10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
          "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])), "f"(0.0f));
  }
  // To 11 bits. cvt.rna.tf32 is more instructions, for infinity and NaN, which a number less this is NaN for in any
  // case.
  ONEPASS_DEVICE float round_to_tf32(float x) const {
    return __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
  }

  ONEPASS_DEVICE float reciprocal_sqrt(float x) const { return __frsqrt_rn(x); }
  ONEPASS_DEVICE float reciprocal(float x) const { return __frcp_rn(x); }
  // Some 22 bits, in one instruction.
  ONEPASS_DEVICE float approximate_reciprocal(float x) const {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  }
  ONEPASS_DEVICE float approximate_sqrt(float x) const {
    float y;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  }
  // From an approximation of some 20 bits by Newton's steps, of normal numbers: half the latency of sqrt and division.
  ONEPASS_DEVICE double reciprocal_sqrt(double x) const {
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    double error = fma(-x * y, y, 1.0);
    y = fma(y * error, fma(error, 0.375, 0.5), y);
    error = fma(-x * y, y, 1.0);
    return fma(0.5 * y, error, y);
  }
  ONEPASS_DEVICE double reciprocal(double x) const {
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    double error = fma(-x, y, 1.0);
    y = fma(y, fma(error, error, error), y);
    error = fma(-x, y, 1.0);
    return fma(y, error, y);
  }
  // 2^-e of a number of 2^e to 2^(e+1), as far as that is a normal number; of a power of two its reciprocal; 1 of 0.
  // Not by the units that multiply doubles.
  ONEPASS_DEVICE double flip_sign_if(bool flips, double x) const {
    return __hiloint2double(__double2hiint(x) ^ static_cast<int>(static_cast<unsigned>(flips) << 31),
                            __double2loint(x));
  }
  ONEPASS_DEVICE double power_of_two_near_reciprocal(double x) const {
    if (x == 0) return 1;
    const long long exponent = 2046 - (__double_as_longlong(x) >> 52 & 2047);
    return __longlong_as_double((exponent < 1 ? 1 : exponent > 2045 ? 2045 : exponent) << 52);
  }
  ONEPASS_DEVICE float power_of_two_near_reciprocal(float x) const {
    if (x == 0) return 1;
    const int exponent = 254 - (__float_as_int(x) >> 23 & 255);
    return __int_as_float((exponent < 1 ? 1 : exponent > 253 ? 253 : exponent) << 23);
  }
};

}  // namespace onepass::exec
