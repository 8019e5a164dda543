// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "check/images.hpp"

#include <cstdlib>
#include <limits>

#include "check/random_case.hpp"
#include "check/value.hpp"

namespace onepass::tools {
namespace {

struct Place {
  std::int64_t span = 0;    // elements that one product covers
  std::int64_t stride = 0;  // of a strided batch
  std::int64_t offset = 0;
};

// Pointer arrays get their products in reverse order, three elements apart: no stride describes them.
void place_products(Image& image, const Problem& p, const Place& place) {
  const std::int64_t size = size_of(image.type);
  const std::int64_t stride = p.pointer_array ? -(place.span + 3) : place.stride;
  const std::int64_t steps = p.batch > 0 ? p.batch - 1 : 0;
  const std::int64_t before = stride < 0 ? -stride * steps : 0;
  const std::int64_t start = static_cast<std::int64_t>(guard_bytes) + place.offset * size;
  for (std::int64_t i = 0; i < p.batch; ++i)
    image.product_bytes.push_back(static_cast<std::size_t>(start + (before + i * stride) * size));
  const std::int64_t covered = std::abs(stride) * steps + place.span;
  image.bytes.assign(static_cast<std::size_t>(start + covered * size) + guard_bytes, canary);
}

Image vector_image(const Problem& p, Type type, std::int64_t length, std::int64_t inc, Place place) {
  Image image{.type = type, .rows = length, .step_r = inc, .first = first_element(length, inc)};
  place.span = length == 0 ? 0 : (length - 1) * std::abs(inc) + 1;
  place_products(image, p, place);
  return image;
}

// The stored elements of A alone: the other triangle of a symmetric matrix stays canaries, and so does what is
// imaginary on the diagonal of a Hermitian one.
template <class Value>
void fill_matrix(Image& image, const Problem& p, Value value) {
  for (std::size_t product = 0; product < image.product_bytes.size(); ++product)
    for (std::int64_t c = 0; c < image.cols; ++c)
      for (std::int64_t r = 0; r < image.rows; ++r) {
        if (!is_stored(p, r, c)) continue;
        std::complex<double> element = value();
        if (p.routine == Routine::hemv && r == c) element.imag(std::numeric_limits<double>::quiet_NaN());
        write_value(image.type, &image.bytes[image.at(product, r, c)], element);
      }
}

template <class Value>
void fill(Image& image, Value value) {
  for (std::size_t product = 0; product < image.product_bytes.size(); ++product)
    for (std::int64_t c = 0; c < image.cols; ++c)
      for (std::int64_t r = 0; r < image.rows; ++r)
        write_value(image.type, &image.bytes[image.at(product, r, c)], value());
}

}  // namespace

Images make_images(const Case& c) {
  const Problem& p = c.problem;
  const Stored s = stored(p);
  Images images;
  images.a = {.type = p.type_a, .rows = s.rows, .cols = s.cols, .step_c = p.lda};
  const std::int64_t span_a = s.rows == 0 || s.cols == 0 ? 0 : (s.cols - 1) * p.lda + s.rows;
  place_products(images.a, p, {.span = span_a, .stride = p.stride_a, .offset = c.offset_a});
  images.x = vector_image(p, p.type_x, length_x(p), p.incx, {.stride = p.stride_x, .offset = c.offset_x});
  images.y = vector_image(p, p.type_y, length_y(p), p.incy, {.stride = p.stride_y, .offset = c.offset_y});

  Random random(c.seed);
  const auto value = [&] { return std::complex<double>(random.symmetric(), random.symmetric()); };
  const auto nan = [] {
    constexpr double v = std::numeric_limits<double>::quiet_NaN();
    return std::complex<double>(v, v);
  };
  // alpha = 0 must not read A or x: there they stay canaries.
  if (c.alpha != 0.0) {
    fill_matrix(images.a, p, value);
    fill(images.x, value);
  }
  if (c.nan_y) {
    fill(images.y, nan);
  } else {
    fill(images.y, value);
  }
  return images;
}

}  // namespace onepass::tools
