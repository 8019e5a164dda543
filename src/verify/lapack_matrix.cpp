// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "verify/lapack_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace onepass::verify {
namespace {

template <class W>
class Maker {
 public:
  Maker(std::int64_t rows, std::int64_t columns, bool hermitian, std::uint64_t seed)
      : a_(rows, columns), hermitian_(hermitian), random_(seed) {}

  // `element(r, c)` for each element, or for each of the lower triangle.
  template <class F>
  Dense<W> fill(F element) {
    for (std::int64_t c = 0; c < a_.columns; ++c)
      for (std::int64_t r = hermitian_ ? c : 0; r < a_.rows; ++r) {
        a_(r, c) = element(r, c);
        if (!hermitian_) continue;
        if (r == c) a_(r, c) = lapack::real(a_(r, c));
        a_(c, r) = lapack::conjugate(a_(r, c));
      }
    return a_;
  }
  W number() {
    const auto part = [&] { return std::uniform_real_distribution<double>(-1, 1)(random_); };
    if constexpr (lapack::is_complex<W>) {
      const double re = part();
      return {re, part()};
    } else {
      return part();
    }
  }

  // A diagonal with value(i) between products of reflectors: its spectrum is known.
  template <class F>
  Dense<W> with_values(F value) {
    for (std::int64_t i = 0; i < std::min(a_.rows, a_.columns); ++i) a_(i, i) = value(i);
    for (int step = 0; step < 40; ++step) {
      const std::vector<W> left = unit(a_.rows), right = hermitian_ ? left : unit(a_.columns);
      for (std::int64_t c = 0; c < a_.columns; ++c) {  // A := A - 2 u (u^H A)
        W sum{};
        for (std::int64_t r = 0; r < a_.rows; ++r) sum += lapack::conjugate(left[at(r)]) * a_(r, c);
        for (std::int64_t r = 0; r < a_.rows; ++r) a_(r, c) -= 2.0 * left[at(r)] * sum;
      }
      for (std::int64_t r = 0; r < a_.rows; ++r) {  // A := A - 2 (A u) u^H
        W sum{};
        for (std::int64_t c = 0; c < a_.columns; ++c) sum += a_(r, c) * right[at(c)];
        for (std::int64_t c = 0; c < a_.columns; ++c) a_(r, c) -= 2.0 * sum * lapack::conjugate(right[at(c)]);
      }
    }
    return fill([&](std::int64_t r, std::int64_t c) { return a_(r, c); });
  }

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  std::vector<W> unit(std::int64_t n) {
    std::vector<W> v(at(n));
    double squares = 0;
    for (W& x : v) squares += std::norm(x = number());
    for (W& x : v) x /= std::sqrt(squares);
    return v;
  }

  Dense<W> a_;
  bool hermitian_;
  std::mt19937_64 random_;
};

// Rounded to T, and back.
template <class T>
Dense<Exact<T>> rounded(Dense<Exact<T>> a) {
  for (auto& x : a.data) x = static_cast<Exact<T>>(static_cast<T>(x));
  return a;
}

}  // namespace

const char* name(Pattern pattern) {
  switch (pattern) {
    case Pattern::random: return "random";
    case Pattern::graded: return "graded";
    case Pattern::clustered: return "clustered";
    case Pattern::repeated: return "repeated";
    case Pattern::wilkinson: return "wilkinson";
    case Pattern::differences: return "differences";
    case Pattern::zero: return "zero";
    case Pattern::identity: return "identity";
    case Pattern::reduced: return "reduced";
    case Pattern::huge: return "huge";
    case Pattern::tiny: return "tiny";
    case Pattern::nan: return "nan";
    case Pattern::infinity: return "infinity";
    case Pattern::rank_one: return "rank one";
    case Pattern::diagonal: return "diagonal";
  }
  return "?";
}

template <class T>
Dense<Exact<T>> make_matrix(Pattern pattern, std::int64_t rows, std::int64_t columns, bool hermitian,
                            std::uint64_t seed) {
  using W = Exact<T>;
  constexpr bool is_single = std::is_same_v<lapack::Real<T>, float>;
  Maker<W> maker(rows, columns, hermitian, seed);
  const double last = static_cast<double>(rows + columns);
  const auto scaled = [&](double scale) {
    return rounded<T>(maker.fill([&](std::int64_t, std::int64_t) { return scale * maker.number(); }));
  };
  const auto with = [&](double special) {
    return rounded<T>(maker.fill([&](std::int64_t r, std::int64_t c) {
      return r == rows / 2 + 1 && c == columns / 2 ? W(special) : maker.number();
    }));
  };
  switch (pattern) {
    case Pattern::random: return scaled(1);
    case Pattern::graded:
      return rounded<T>(maker.fill([&](std::int64_t r, std::int64_t c) {
        return std::pow(10.0, -8 * static_cast<double>(r + c) / last) * maker.number();
      }));
    case Pattern::clustered:
      return rounded<T>(maker.with_values([&](std::int64_t i) {
        return 2 * i < std::min(rows, columns) ? 1 : std::numeric_limits<lapack::Real<T>>::epsilon();
      }));
    case Pattern::repeated:
      return rounded<T>(maker.with_values([](std::int64_t i) {
        const std::int64_t value = i / 3;
        return static_cast<double>(value);
      }));
    case Pattern::wilkinson:
      return maker.fill([&](std::int64_t r, std::int64_t c) {
        if (r != c) return W(std::abs(r - c) == 1 ? 1 : 0);
        return W(static_cast<double>(std::abs(r - rows / 2)));
      });
    case Pattern::differences:  // (I - 2/n 1 1^T) T (I - 2/n 1 1^T), T = (2, -1) by diagonals, whose rows have the sums
                                // 1, 0, .., 0, 1
      return rounded<T>(maker.fill([&](std::int64_t r, std::int64_t c) {
        const auto sum = [&](std::int64_t i) { return i == 0 || i == rows - 1 ? 1.0 : 0.0; };
        const double t = r == c ? 2 : std::abs(r - c) == 1 ? -1 : 0, n = static_cast<double>(rows);
        return W(t - 2 / n * (sum(r) + sum(c)) + 8 / n / n);
      }));
    case Pattern::zero: return maker.fill([](std::int64_t, std::int64_t) { return W{}; });
    case Pattern::identity: return maker.fill([](std::int64_t r, std::int64_t c) { return W(r == c ? 1 : 0); });
    case Pattern::reduced:
      return rounded<T>(
          maker.fill([&](std::int64_t r, std::int64_t c) { return std::abs(r - c) <= 1 ? maker.number() : W{}; }));
    case Pattern::huge: return scaled(is_single ? 1e30 : 1e300);
    case Pattern::tiny: return scaled(is_single ? 1e-30 : 1e-300);
    case Pattern::nan: return with(std::numeric_limits<double>::quiet_NaN());
    case Pattern::infinity: return with(std::numeric_limits<double>::infinity());
    case Pattern::rank_one: return maker.fill([](std::int64_t, std::int64_t) { return W(1); });
    case Pattern::diagonal:
      return maker.fill(
          [](std::int64_t r, std::int64_t c) { return W(r == c ? static_cast<double>(r * 7 % 5 - 2) : 0); });
  }
  return {};
}

template Dense<double> make_matrix<float>(Pattern, std::int64_t, std::int64_t, bool, std::uint64_t);
template Dense<double> make_matrix<double>(Pattern, std::int64_t, std::int64_t, bool, std::uint64_t);
template Dense<std::complex<double>> make_matrix<std::complex<float>>(Pattern, std::int64_t, std::int64_t, bool,
                                                                      std::uint64_t);
template Dense<std::complex<double>> make_matrix<std::complex<double>>(Pattern, std::int64_t, std::int64_t, bool,
                                                                       std::uint64_t);

}  // namespace onepass::verify
