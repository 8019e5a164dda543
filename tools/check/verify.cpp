// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "check/verify.hpp"

#include <fmt/format.h>

#include <cmath>

#include "backends/registry.hpp"
#include "check/execute.hpp"
#include "check/value.hpp"

namespace onepass::tools {
namespace {

double magnitude(const Image& image, std::size_t at) { return std::abs(read_value(image.type, &image.bytes[at])); }

double magnitude_of_a(const Problem& p, const Image& a, std::size_t product, std::int64_t i, std::int64_t k) {
  const std::size_t at = is_mirrored(p, i, k) ? a.at(product, k, i) : a.at(product, i, k);
  if (p.routine == Routine::hemv && i == k) return std::abs(read_value(a.type, &a.bytes[at]).real());
  return magnitude(a, at);
}

// sum over k of |op(A)(i, k)| |x(k)|
double absolute_product(const Problem& p, const Images& images, std::size_t product, std::int64_t i) {
  double sum = 0;
  for (std::int64_t k = 0; k < images.x.rows; ++k)
    sum += magnitude_of_a(p, images.a, product, i, k) * magnitude(images.x, images.x.at(product, k, 0));
  return sum;
}

// |error| <= 2 (n + 8) eps (|alpha| |A||x| + |beta| |y|), with eps of the sum and twice that for complex products,
// and one rounding to y's type on each side.
double bound(const Case& c, const Images& images, std::size_t product, std::int64_t i, double expected) {
  const Problem& p = c.problem;
  double values = 0;
  if (c.alpha != 0.0) values += std::abs(c.alpha) * absolute_product(p, images, product, i);
  if (c.beta != 0.0) values += std::abs(c.beta) * magnitude(images.y, images.y.at(product, i, 0));
  const double eps = epsilon(sum_type(p.type_a)) * (is_complex_type(p.type_a) ? 2 : 1);
  const double sum = 2 * static_cast<double>(images.x.rows + 8) * eps * values;
  return sum + epsilon(p.type_y) * (expected + sum) + 2 * smallest(p.type_y);
}

bool same(std::complex<double> a, std::complex<double> b) {
  const auto equal = [](double u, double v) { return u == v || (std::isnan(u) && std::isnan(v)); };
  return equal(a.real(), b.real()) && equal(a.imag(), b.imag());
}

// The bytes of y that are no element must not change.
std::string gaps_of_y(const Images& images, std::vector<std::byte> after) {
  const auto size = static_cast<std::size_t>(size_of(images.y.type));
  for (std::size_t product = 0; product < images.y.product_bytes.size(); ++product)
    for (std::int64_t i = 0; i < images.y.rows; ++i) {
      const std::size_t at = images.y.at(product, i, 0);
      std::fill_n(after.begin() + static_cast<std::ptrdiff_t>(at), size, canary);
    }
  for (std::size_t at = 0; at < after.size(); ++at)
    if (after[at] != canary)
      return fmt::format("a byte between or around the elements of y was written, {} bytes from the first pointer",
                         static_cast<std::ptrdiff_t>(at) - static_cast<std::ptrdiff_t>(guard_bytes));
  return {};
}

std::string text(std::complex<double> v) {
  return v.imag() == 0 ? fmt::format("{:.9g}", v.real()) : fmt::format("({:.9g}, {:.9g})", v.real(), v.imag());
}

Verdict compare(const Case& c, const Images& images, const std::vector<std::byte>& got,
                const std::vector<std::byte>& expected) {
  Verdict verdict;
  for (std::size_t product = 0; product < images.y.product_bytes.size(); ++product)
    for (std::int64_t i = 0; i < images.y.rows; ++i) {
      const std::size_t at = images.y.at(product, i, 0);
      const auto value = read_value(c.problem.type_y, &got[at]);
      const auto truth = read_value(c.problem.type_y, &expected[at]);
      if (same(value, truth)) continue;
      const double limit = bound(c, images, product, i, std::abs(truth));
      const double error = std::abs(value - truth);
      if (!(error <= limit)) {
        verdict.failure = fmt::format("y[{}]{} is {}, the reference says {}, allowed error {:.3g}", i,
                                      c.problem.batch > 1 ? fmt::format(" of product {}", product) : "", text(value),
                                      text(truth), limit);
        return verdict;
      }
      verdict.worst = std::max(verdict.worst, error / limit);
    }
  return verdict;
}

}  // namespace

Verdict verify(const Case& c, const Backend& backend, int threads) {
  const Images images = make_images(c);
  const Outcome expected = execute(c, images, reference_backend(), 1);
  if (!expected.failure.empty()) return {.failure = "reference: " + expected.failure};
  const Outcome got = execute(c, images, backend, threads);
  if (!got.failure.empty()) return {.failure = got.failure};
  if (std::string gap = gaps_of_y(images, got.y); !gap.empty()) return {.failure = gap};
  Verdict verdict = compare(c, images, got.y, expected.y);
  if (verdict.failure.empty() && got.y != got.again) verdict.failure = "a second call gave other bits";
  return verdict;
}

}  // namespace onepass::tools
