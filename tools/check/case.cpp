// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "check/case.hpp"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "problem/check.hpp"
#include "problem/names.hpp"
#include "support/arguments.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

std::string print(std::complex<double> v) {
  return v.imag() == 0 ? fmt::format("{}", v.real()) : fmt::format("{},{}", v.real(), v.imag());
}

class Words {
 public:
  explicit Words(std::string_view line) {
    for (std::size_t at = 0; (at = line.find_first_not_of(' ', at)) != std::string_view::npos;) {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      words_.push_back(line.substr(at, end - at));
      at = end;
    }
  }
  bool more() const { return next_ < words_.size(); }
  std::string_view word() {
    if (!more()) throw Failure(Exit::usage, "--problem: the line ends too early");
    return words_[next_++];
  }
  std::int64_t integer(std::string_view key) { return parse_integer(key, word(), INT64_MIN); }
  double real(std::string_view key, std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
      throw Failure(Exit::usage, fmt::format("--problem: {} \"{}\" must be a number, or two with a comma", key, text));
    return value;
  }
  std::complex<double> scalar(std::string_view key) {
    const std::string_view text = word();
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) return real(key, text);
    return {real(key, text.substr(0, comma)), real(key, text.substr(comma + 1))};
  }

 private:
  std::vector<std::string_view> words_;
  std::size_t next_ = 0;
};

}  // namespace

std::string print(const Case& c) {
  std::string text = describe(c.problem);
  text += fmt::format(" scalars {} offsets {} {} {} alpha {} beta {}", name(c.problem.scalars), c.offset_a, c.offset_x,
                      c.offset_y, print(c.alpha), print(c.beta));
  if (c.nan_y) text += " nan";
  return text + fmt::format(" seed {}", c.seed);
}

Case parse_case(std::string_view line) {
  Case c;
  Problem& p = c.problem;
  Words words(line);
  std::string_view types = words.word();
  if (const auto routine = parse_routine(types)) {
    p.routine = *routine;
    types = words.word();
  }
  if (!set_types(p, types))
    throw Failure(Exit::usage,
                  fmt::format("--problem \"{}\": must begin with a routine and a type, such as gemv s", line));
  if (row(p).selector == Selector::uplo) p.uplo = parse_uplos(words.word()).at(0);
  if (row(p).selector == Selector::op) p.op = parse_ops(words.word()).at(0);
  p.layout = parse_layout_name(words.word());
  const Shape shape = parse_shape(words.word());
  p.m = shape.m, p.n = shape.n;
  p.lda = std::max<std::int64_t>(1, stored(p).rows);
  while (words.more()) {
    const std::string_view key = words.word();
    if (key == "lda") {
      p.lda = words.integer(key);
    } else if (key == "incx") {
      p.incx = words.integer(key);
    } else if (key == "incy") {
      p.incy = words.integer(key);
    } else if (key == "batch") {
      p.batch = words.integer(key);
    } else if (key == "pointers") {
      p.pointer_array = true;
    } else if (key == "strides") {
      p.stride_a = words.integer(key), p.stride_x = words.integer(key), p.stride_y = words.integer(key);
    } else if (key == "scalars") {
      const std::string_view place = words.word();
      const auto scalars = parse_scalars(place);
      if (!scalars) throw Failure(Exit::usage, fmt::format("--problem: scalars \"{}\" must be host or device", place));
      p.scalars = *scalars;
    } else if (key == "offsets") {
      c.offset_a = words.integer(key), c.offset_x = words.integer(key), c.offset_y = words.integer(key);
    } else if (key == "alpha") {
      c.alpha = words.scalar(key);
    } else if (key == "beta") {
      c.beta = words.scalar(key);
    } else if (key == "nan") {
      c.nan_y = true;
    } else if (key == "seed") {
      c.seed = static_cast<std::uint64_t>(words.integer(key));
    } else {
      throw Failure(Exit::usage,
                    fmt::format("--problem: \"{}\" is no key; they are lda incx incy batch pointers strides "
                                "scalars offsets alpha beta nan seed",
                                key));
    }
  }
  if (c.nan_y && c.beta != 0.0) throw Failure(Exit::usage, "--problem: nan is for beta 0, which must not read y");
  if (c.offset_a < 0 || c.offset_x < 0 || c.offset_y < 0)
    throw Failure(Exit::usage, "--problem: offsets must not be negative");
  if (!p.pointer_array && p.batch > 1) {
    const std::int64_t span_y = length_y(p) == 0 ? 0 : (length_y(p) - 1) * std::abs(p.incy) + 1;
    if (p.stride_a < 0 || p.stride_x < 0 || p.stride_y < span_y)
      throw Failure(Exit::usage, fmt::format("--problem: strides of A and x must not be negative, and that of y at "
                                             "least {}, so that no two products share an output",
                                             span_y));
  }
  require(check(p));
  return c;
}

}  // namespace onepass::tools
