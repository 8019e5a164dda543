// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "verify/case.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <vector>

#include "problem/check.hpp"
#include "problem/names.hpp"
#include "support/json.hpp"
#include "verify/output.hpp"

namespace onepass::verify {
namespace {

// In as few digits as name the number.
std::string print(double v) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, v).ptr};
}
std::string print(Value v) { return v.imag() == 0 ? print(v.real()) : print(v.real()) + "," + print(v.imag()); }

std::string quoted(std::string_view text) { return "\"" + shortened(std::string(text)) + "\""; }

[[noreturn]] void wrong(std::string_view key, std::string_view text, std::string_view right) {
  throw std::invalid_argument(std::string(key) + " " + quoted(text) + " must be " + std::string(right));
}

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
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
    if (!more()) throw std::invalid_argument("the line ends too early");
    return words_[next_++];
  }
  template <class T>
  T named(std::string_view key, std::optional<T> (*parse)(std::string_view), std::string_view right) {
    const std::string_view text = word();
    const std::optional<T> value = parse(text);
    if (!value) wrong(key, text, right);
    return *value;
  }
  std::int64_t integer(std::string_view key) { return named<std::int64_t>(key, number, "a whole number"); }
  Value scalar(std::string_view key) {
    const std::string_view text = word();
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto re = number<double>(text.substr(0, comma));
    const auto im = comma == text.size() ? 0.0 : number<double>(text.substr(comma + 1));
    if (!re || !im) wrong(key, text, "a number, or two with a comma");
    return {*re, *im};
  }
  void shape(Problem& p) {
    const std::string_view text = word();
    const std::size_t cross = std::min(text.find('x'), text.size());
    const auto m = number<std::int64_t>(text.substr(0, cross));
    const auto n = cross == text.size() ? m : number<std::int64_t>(text.substr(cross + 1));
    if (!m || !n) wrong("shape", text, "rows x columns, such as 4096x512, or 4096 for a square");
    p.m = *m, p.n = *n;
  }

 private:
  std::vector<std::string_view> words_;
  std::size_t next_ = 0;
};

// Reads the value of a key, if it has one.
void read(Words& words, std::string_view key, Case& c) {
  Problem& p = c.problem;
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
    p.scalars = words.named(key, parse_scalars, "host or device");
  } else if (key == "accumulate") {
    p.accumulate = words.named(key, parse_accumulate, "default, wider or twice");
  } else if (key == "order") {
    p.order = words.named(key, parse_order, "default or canonical");
  } else if (key == "tails") {
    p.tails = words.named(key, parse_tails, "none, x or xy");
  } else if (key == "offsets") {
    c.offset_a = words.integer(key), c.offset_x = words.integer(key), c.offset_y = words.integer(key);
  } else if (key == "alpha") {
    c.alpha = words.scalar(key);
  } else if (key == "beta") {
    c.beta = words.scalar(key);
  } else if (key == "nan") {
    c.nan_output = true;
  } else if (key == "seed") {
    c.seed = static_cast<std::uint64_t>(words.integer(key));
  } else {
    throw std::invalid_argument(quoted(key) +
                                " is no key; they are lda incx incy batch pointers strides accumulate order tails "
                                "scalars offsets alpha beta nan seed");
  }
}

// What no call refuses, but what two products of a batch would write to in any order.
void check_outputs(const Case& c) {
  const Problem& p = c.problem;
  if (c.nan_output && (!row(p).has_beta || c.beta != 0.0))
    throw std::invalid_argument("nan is for beta 0, which must not read the output");
  constexpr std::int64_t most_offset = 1 << 20;
  for (const std::int64_t offset : {c.offset_a, c.offset_x, c.offset_y})
    if (offset < 0 || offset > most_offset)
      throw std::invalid_argument("offsets must not be negative, and at most " + std::to_string(most_offset));
  if (const Status status = check(p); !status.ok()) throw std::invalid_argument(status.text);
  if (p.pointer_array || p.batch < 2) return;
  if (p.stride_a < 0 || p.stride_x < 0 || p.stride_y < 0) throw std::invalid_argument("strides must not be negative");
  const std::int64_t span = writes_a(p) ? span_a(p) : span_y(p);
  if ((writes_a(p) ? p.stride_a : p.stride_y) < span)
    throw std::invalid_argument(std::string("the stride of ") + output_name(p) + " must be at least " +
                                std::to_string(span) + ", so that no two products share an output");
}

}  // namespace

std::string print(const Case& c) {
  std::string text = describe(c.problem) + " scalars " + name(c.problem.scalars) + " offsets";
  for (const std::int64_t offset : {c.offset_a, c.offset_x, c.offset_y}) text += " " + std::to_string(offset);
  text += " alpha " + print(c.alpha);
  if (row(c.problem).has_beta) text += " beta " + print(c.beta);
  if (c.nan_output) text += " nan";
  return text + " seed " + std::to_string(c.seed);
}

Case parse_case(std::string_view line) {
  Case c{.alpha = 1.0, .beta = 0.0, .fill = Fill::reals};
  Problem& p = c.problem;
  Words words(line);
  std::string_view types = words.word();
  if (const auto routine = parse_routine(types)) {
    p.routine = *routine;
    types = words.word();
  }
  if (!set_types(p, types)) wrong("the line", line, "of a routine, a type and more, such as gemv s N column 5x7");
  if (row(p).selector == Selector::uplo) p.uplo = words.named("uplo", parse_uplo, "L or U");
  if (row(p).selector == Selector::op) p.op = words.named("op", parse_op, "N, T or C");
  p.layout = words.named("layout", parse_layout, "column or row");
  words.shape(p);
  p.lda = std::max<std::int64_t>(1, stored(p).rows);
  while (words.more()) read(words, words.word(), c);
  check_outputs(c);
  return c;
}

}  // namespace onepass::verify
