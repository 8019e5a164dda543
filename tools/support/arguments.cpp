// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <sstream>

#include "backends/registry.hpp"
#include "problem/names.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

[[noreturn]] void wrong(std::string_view option, std::string_view text, std::string_view right) {
  throw Failure(Exit::usage, fmt::format("{} \"{}\": {}", option, text, right));
}

bool read_integer(std::string_view text, std::int64_t* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc{} && end == text.data() + text.size();
}

bool read_shape(std::string_view text, Shape* shape) {
  const std::size_t cross = text.find('x');
  const std::string_view columns = cross == std::string_view::npos ? text : text.substr(cross + 1);
  return read_integer(text.substr(0, cross), &shape->m) && read_integer(columns, &shape->n) && shape->m >= 0 &&
         shape->n >= 0;
}

}  // namespace

std::vector<std::string> parse_list(std::string_view option, std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    if (comma == begin) wrong(option, text, "must be words with one comma between two of them");
    words.emplace_back(text.substr(begin, comma - begin));
    if (comma == text.size()) return words;
    begin = comma + 1;
  }
}

std::int64_t parse_integer(std::string_view option, std::string_view text, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  if (!read_integer(text, &value) || value < least || value > most)
    wrong(option, text,
          most == unbounded ? fmt::format("must be a whole number, at least {}", least)
                            : fmt::format("must be a whole number from {} to {}", least, most));
  return value;
}

std::vector<std::int64_t> parse_integers(std::string_view option, std::string_view text, std::int64_t least,
                                         std::int64_t most) {
  std::vector<std::int64_t> values;
  for (const std::string& word : parse_list(option, text)) values.push_back(parse_integer(option, word, least, most));
  return values;
}

Range parse_range(std::string_view option, std::string_view text) {
  Range range;
  const std::size_t first = text.find(':');
  const std::size_t second = std::min(text.find(':', std::min(first, text.size() - 1) + 1), text.size());
  const bool stepped = second < text.size();
  if (first == std::string_view::npos || !read_integer(text.substr(0, first), &range.from) ||
      !read_integer(text.substr(first + 1, second - first - 1), &range.to) ||
      (stepped && !read_integer(text.substr(second + 1), &range.step)) || range.from < 1 || range.to < range.from ||
      range.step < 1)
    wrong(option, text, "must be first:last:step, such as 1:5000:1, with 1 <= first <= last and a step of 1 or more");
  return range;
}

Shape parse_shape(std::string_view text) {
  Shape shape;
  if (!read_shape(text, &shape)) wrong("shape", text, "must be rows x columns, such as 4096x512, or 4096 for a square");
  return shape;
}

std::vector<Shape> parse_shapes(std::string_view text) {
  std::vector<Shape> shapes;
  for (const std::string& word : parse_list("--shape", text)) shapes.push_back(parse_shape(word));
  return shapes;
}

std::vector<Shape> parse_shape_lines(std::string_view text, std::string_view file) {
  std::vector<Shape> shapes;
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string first, second, third;
    words >> first >> second >> third;
    if (first.empty()) continue;
    Shape shape;
    if (!third.empty() || !read_shape(second.empty() ? first : first + "x" + second, &shape))
      wrong(fmt::format("{} line {}", file, number), line, "must be rows x columns, such as 4096x512");
    shapes.push_back(shape);
  }
  if (shapes.empty()) throw Failure(Exit::usage, fmt::format("{} has no shape: it should have one per line", file));
  return shapes;
}

std::string type_list() { return fmt::format("{}", fmt::join(all_type_names, " ")); }

std::vector<std::string> parse_type_names(std::string_view text) {
  if (text == "all") return {std::begin(all_type_names), std::end(all_type_names)};
  std::vector<std::string> names = parse_list("--type", text);
  for (const std::string& name : names)
    if (std::find(std::begin(all_type_names), std::end(all_type_names), name) == std::end(all_type_names))
      wrong("--type", name, fmt::format("must be one of {}, or all", type_list()));
  return names;
}

std::vector<Op> parse_ops(std::string_view text) {
  std::vector<Op> ops;
  for (const std::string& word : parse_list("--op", text)) {
    const auto op = parse_op(word);
    if (!op) wrong("--op", word, "must be N, T or C");
    ops.push_back(*op);
  }
  return ops;
}

std::vector<Uplo> parse_uplos(std::string_view text) {
  std::vector<Uplo> uplos;
  for (const std::string& word : parse_list("--uplo", text)) {
    const auto uplo = parse_uplo(word);
    if (!uplo) wrong("--uplo", word, "must be L or U");
    uplos.push_back(*uplo);
  }
  return uplos;
}

std::vector<Routine> parse_routines(std::string_view text) {
  std::vector<Routine> chosen;
  if (text == "all") {
    for (const RoutineRow& row : routines) chosen.push_back(row.routine);
    return chosen;
  }
  for (const std::string& word : parse_list("--routine", text)) {
    const auto routine = parse_routine(word);
    if (!routine) wrong("--routine", word, fmt::format("must be one of {}, or all", routine_names()));
    chosen.push_back(*routine);
  }
  return chosen;
}

const std::vector<std::string>& all_routine_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const RoutineRow& row : routines) list.emplace_back(row.name);
    return list;
  }();
  return names;
}

std::string routine_names(const char* separator) {
  return fmt::format("{}", fmt::join(all_routine_names(), separator));
}

std::string routines_with(Selector selector) {
  std::vector<std::string> names;
  for (const RoutineRow& row : routines)
    if (row.selector == selector) names.emplace_back(row.name);
  return fmt::format("{}", fmt::join(names, " and "));
}

std::vector<Accumulate> parse_accumulates(std::string_view text) {
  std::vector<Accumulate> list;
  for (const std::string& word : parse_list("--accumulate", text)) {
    const auto accumulate = parse_accumulate(word);
    if (!accumulate) wrong("--accumulate", word, "must be default, wider or twice");
    list.push_back(*accumulate);
  }
  return list;
}

std::vector<Order> parse_orders(std::string_view text) {
  std::vector<Order> list;
  for (const std::string& word : parse_list("--order", text)) {
    const auto order = parse_order(word);
    if (!order) wrong("--order", word, "must be default or canonical");
    list.push_back(*order);
  }
  return list;
}

Layout parse_layout_name(std::string_view text) {
  const auto layout = parse_layout(text);
  if (!layout) wrong("--layout", text, "must be column or row");
  return *layout;
}

const Backend& require_backend(std::string_view wanted) {
  if (!wanted.empty() && !parse_backend(wanted)) wrong("--backend", wanted, "must be cuda, cpu, sim or reference");
  const Backend* chosen = nullptr;
  const Status status = choose_backend(wanted, &chosen);
  if (!status.ok())
    throw Failure(Exit::unavailable, status.text + "\n`onepass info` lists the backends that work here");
  return *chosen;
}

}  // namespace onepass::tools
