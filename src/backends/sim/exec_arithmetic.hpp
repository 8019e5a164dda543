// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic of kernels that CUDA has instructions for (exec/cuda_arithmetic.hpp), as the simulator. A part of
// exec.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "backends/sim/thread.hpp"
#include "numbers/scalar.hpp"

namespace onepass::exec {

struct SimArithmetic {
  using Site = sim::Site;

  sim::Thread* self;

  void matrix_multiply_add(double (&d)[4], const double (&a)[2], double b, Site site = Site::here()) const {
    struct Given {
      double a[2], b;
    };
    const Given mine = {{a[0], a[1]}, b};
    std::array<Given, 32> of{};
    self->gather(&mine, sizeof(Given), of.data(), site);
    const auto lane = static_cast<std::size_t>(self->index() % 32), row = lane / 4;
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t column = 2 * (lane % 4) + i % 2;
        d[i] = std::fma(of[4 * row + k].a[i / 2], of[4 * column + k].b, d[i]);
      }
  }
  template <class T>
  void matrix_multiply_add(float (&d)[4], std::uint32_t a0, std::uint32_t a1, std::uint32_t a2, std::uint32_t a3,
                           std::uint32_t b0, std::uint32_t b1, Site site = Site::here()) const {
    // As numbers that are added, of which each is converted once.
    struct Given {
      float a[4][2], b[2][2];
    };
    const std::uint32_t words[] = {a0, a1, a2, a3, b0, b1};
    struct Pairs {
      T of[6][2];
    };
    const auto pairs = std::bit_cast<Pairs>(words);
    Given mine;
    for (std::size_t w = 0; w < 6; ++w)
      for (std::size_t k = 0; k < 2; ++k) (w < 4 ? mine.a[w] : mine.b[w - 4])[k] = as<float>(pairs.of[w][k]);
    std::array<Given, 32> of{};
    self->gather(&mine, sizeof(Given), of.data(), site);
    const auto lane = static_cast<std::size_t>(self->index() % 32), row = lane / 4;
    for (std::size_t k = 0; k < 16; ++k)
      for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t column = 2 * (lane % 4) + i % 2, term = k / 2 % 4, high = k / 8;
        d[i] = std::fma(of[4 * row + term].a[i / 2 + 2 * high][k % 2], of[4 * column + term].b[high][k % 2], d[i]);
      }
  }

  void matrix_multiply_add(float (&d)[4], const float (&a)[4], const float (&b)[2], Site site = Site::here()) const {
    struct Given {
      float a[4], b[2];
    };
    const Given mine = {{a[0], a[1], a[2], a[3]}, {b[0], b[1]}};
    std::array<Given, 32> of{};
    self->gather(&mine, sizeof(Given), of.data(), site);
    const auto lane = static_cast<std::size_t>(self->index() % 32), row = lane / 4;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t column = 2 * (lane % 4) + i % 2;
      double sum = static_cast<double>(d[i]);
      for (std::size_t k = 0; k < 8; ++k)
        sum += first_bits(of[4 * row + k % 4].a[i / 2 + k / 4 * 2]) * first_bits(of[4 * column + k % 4].b[k / 4]);
      d[i] = static_cast<float>(sum);
      if (std::abs(static_cast<double>(d[i])) > std::abs(sum)) d[i] = std::nextafter(d[i], 0.0f);
    }
  }
  void matrix_multiply(float (&d)[4], const float (&a)[4], const float (&b)[2], Site site = Site::here()) const {
    for (float& number : d) number = 0;
    matrix_multiply_add(d, a, b, site);
  }
  static double first_bits(float x) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0xffffe000u); }
  float round_to_tf32(float x) const {
    return std::bit_cast<float>((std::bit_cast<std::uint32_t>(x) + 0x1000u) & 0xffffe000u);
  }

  float reciprocal_sqrt(float x) const { return static_cast<float>(1 / std::sqrt(static_cast<double>(x))); }
  double reciprocal_sqrt(double x) const { return 1 / std::sqrt(x); }
  template <class R>
  R reciprocal(R x) const {
    return 1 / x;
  }
  float approximate_reciprocal(float x) const { return 1 / x; }
  float approximate_sqrt(float x) const { return std::sqrt(x); }
  double flip_sign_if(bool flips, double x) const { return flips ? -x : x; }
  double power_of_two_near_reciprocal(double x) const {
    if (x == 0) return 1;
    const auto exponent = static_cast<std::int64_t>(2046 - (std::bit_cast<std::uint64_t>(x) >> 52 & 2047));
    return std::bit_cast<double>(std::clamp<std::int64_t>(exponent, 1, 2045) << 52);
  }
  float power_of_two_near_reciprocal(float x) const {
    if (x == 0) return 1;
    const auto exponent = static_cast<std::int32_t>(254 - (std::bit_cast<std::uint32_t>(x) >> 23 & 255));
    return std::bit_cast<float>(std::clamp(exponent, 1, 253) << 23);
  }
};

}  // namespace onepass::exec
