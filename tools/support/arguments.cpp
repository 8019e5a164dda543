// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <sstream>

#include "backends/registry.hpp"
#include "problem/names.hpp"
#include "support/failure.hpp"
#include "support/json.hpp"

namespace onepass::tools {
namespace {

constexpr double seconds_of_a_year = 365 * 86400.0;

// All of the text, where it is one number that the type holds.
template <class Number>
std::optional<Number> read_all(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// "4096x512" or "4096"; where it is wrong, `where` and `shown` say what the user wrote.
Shape read_shape(std::string_view where, std::string_view shown, std::string_view word, std::int64_t least,
                 std::string_view right) {
  const std::size_t cross = word.find('x');
  const std::string_view rows = word.substr(0, cross),
                         columns = cross == std::string_view::npos ? rows : word.substr(cross + 1);
  if (!is_digits(rows) || !is_digits(columns)) refuse(where, shown, right);
  const std::int64_t m = read_all<std::int64_t>(rows).value_or(unbounded),
                     n = read_all<std::int64_t>(columns).value_or(unbounded);
  if (m > most_elements || n > most_elements || m > most_elements / std::max<std::int64_t>(1, n))
    refuse(where, shown, "must have at most 2^56 elements");
  if (m < least || n < least) refuse(where, shown, fmt::format("must be {0}x{0} or more", least));
  return {m, n};
}

}  // namespace

void refuse(std::string_view option, std::string_view text, std::string_view right) {
  const nlohmann::json word = shortened(std::string(text));
  throw Failure(Exit::usage, fmt::format("{} {}: {}", option,
                                         word.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), right));
}

std::string with_short_words(std::string_view text) {
  std::string line;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    line += shortened(std::string(text.substr(begin, end - begin)));
    if (end < text.size()) line += text[end];
    begin = end + 1;
  }
  return line;
}

std::vector<std::string> parse_list(std::string_view option, std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    if (comma == begin) refuse(option, text, "must be words with one comma between two of them");
    words.emplace_back(text.substr(begin, comma - begin));
    if (comma == text.size()) return words;
    begin = comma + 1;
  }
}

std::int64_t parse_integer(std::string_view option, std::string_view text, std::int64_t least, std::int64_t most) {
  const auto value = read_all<std::int64_t>(text);
  if (value && *value >= least && *value <= most) return *value;
  const bool too_large = !value && is_digits(text);
  refuse(option, text,
         most == unbounded && !too_large ? fmt::format("must be a whole number, at least {}", least)
                                         : fmt::format("must be a whole number from {} to {}", least, most));
}

std::vector<std::int64_t> parse_integers(std::string_view option, std::string_view text, std::int64_t least,
                                         std::int64_t most) {
  std::vector<std::int64_t> values;
  for (const std::string& word : parse_list(option, text)) values.push_back(parse_integer(option, word, least, most));
  return values;
}

double parse_number(std::string_view option, std::string_view text, double least, double most) {
  const auto value = read_all<double>(text);
  if (value && *value >= least && *value <= most) return *value;
  refuse(option, text, fmt::format("must be a number from {:g} to {:g}", least, most));
}

double parse_positive(std::string_view option, std::string_view text, double most) {
  const auto value = read_all<double>(text);
  if (value && *value > 0 && *value <= most) return *value;
  refuse(option, text, fmt::format("must be a number above 0, at most {:g}", most));
}

double parse_duration(std::string_view option, std::string_view text) {
  const std::size_t digits = text.find_last_not_of("smh") + 1;
  const std::string_view unit = text.substr(digits);
  const double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  const double seconds = factor * read_all<double>(text.substr(0, digits)).value_or(0);
  if (seconds > 0 && seconds <= seconds_of_a_year) return seconds;
  refuse(option, text, "must be a time such as 90s, 9m or 1h, at most a year");
}

Range parse_range(std::string_view option, std::string_view text) {
  constexpr std::int64_t most_order = std::int64_t{1} << 28;
  static_assert(most_order * most_order == most_elements);
  std::vector<std::int64_t> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t colon = std::min(text.find(':', begin), text.size());
    const std::string_view word = text.substr(begin, colon - begin);
    numbers.push_back(is_digits(word) ? read_all<std::int64_t>(word).value_or(unbounded) : 0);
    begin = colon + 1;
  }
  if (numbers.size() == 2) numbers.push_back(1);
  if (numbers.size() != 3 || *std::ranges::min_element(numbers) < 1 || numbers[1] < numbers[0])
    refuse(option, text, "must be first:last:step, such as 1:5000:1, with 1 <= first <= last and a step of 1 or more");
  const Range range{numbers[0], numbers[1], numbers[2]};
  if (range.to > most_order) refuse(option, text, fmt::format("must end at {} or before", most_order));
  if (const std::int64_t sizes = (range.to - range.from) / range.step + 1; sizes > most_sizes)
    refuse(option, text, fmt::format("has {} sizes, and must have at most {}: take a larger step", sizes, most_sizes));
  return range;
}

Shape parse_shape(std::string_view text, std::int64_t least) {
  return read_shape("shape", text, text, least, "must be rows x columns, such as 4096x512, or 4096 for a square");
}

std::vector<Shape> parse_shapes(std::string_view text, std::int64_t least) {
  std::vector<Shape> shapes;
  for (const std::string& word : parse_list("--shape", text)) shapes.push_back(parse_shape(word, least));
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
    const std::string_view right = "must be rows x columns, such as 4096x512";
    const std::string where = fmt::format("{} line {}", file, number);
    if (!third.empty()) refuse(where, line, right);
    shapes.push_back(read_shape(where, line, second.empty() ? first : first + "x" + second, 0, right));
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
      refuse("--type", name, fmt::format("must be one of {}, or all", type_list()));
  return names;
}

std::vector<Op> parse_ops(std::string_view text) {
  std::vector<Op> ops;
  for (const std::string& word : parse_list("--op", text)) {
    const auto op = parse_op(word);
    if (!op) refuse("--op", word, "must be N, T or C");
    ops.push_back(*op);
  }
  return ops;
}

std::vector<Uplo> parse_uplos(std::string_view text) {
  std::vector<Uplo> uplos;
  for (const std::string& word : parse_list("--uplo", text)) {
    const auto uplo = parse_uplo(word);
    if (!uplo) refuse("--uplo", word, "must be L or U");
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
    if (!routine) refuse("--routine", word, fmt::format("must be one of {}, or all", routine_names()));
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
    if (!accumulate) refuse("--accumulate", word, "must be default, wider or twice");
    list.push_back(*accumulate);
  }
  return list;
}

std::vector<Order> parse_orders(std::string_view text) {
  std::vector<Order> list;
  for (const std::string& word : parse_list("--order", text)) {
    const auto order = parse_order(word);
    if (!order) refuse("--order", word, "must be default or canonical");
    list.push_back(*order);
  }
  return list;
}

Layout parse_layout_name(std::string_view text) {
  const auto layout = parse_layout(text);
  if (!layout) refuse("--layout", text, "must be column or row");
  return *layout;
}

const Backend& require_backend(std::string_view wanted) {
  if (!wanted.empty() && !parse_backend(wanted)) refuse("--backend", wanted, "must be cuda, cpu, sim or reference");
  const Backend* chosen = nullptr;
  const Status status = choose_backend(wanted, &chosen);
  if (!status.ok())
    throw Failure(Exit::unavailable, status.text + "\n`onepass info` lists the backends that work here");
  return *chosen;
}

}  // namespace onepass::tools
