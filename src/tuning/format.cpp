// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tuning/format.hpp"

#include <charconv>
#include <stdexcept>

#include "problem/names.hpp"
#include "support/json.hpp"

namespace onepass {
namespace {

// Numbers between slashes from the front of a text, and what follows them.
class Numbers {
 public:
  explicit Numbers(const std::string& text) : text_(text), at_(text.data()), end_(at_ + text.size()) {}
  std::int16_t number() {
    std::int16_t value = 0;
    const auto [next, error] = std::from_chars(at_, end_, value);
    if (error != std::errc{} || value < 0) wrong();
    at_ = next;
    return value;
  }
  bool take(char character) {
    if (at_ == end_ || *at_ != character) return false;
    ++at_;
    return true;
  }
  void slash() {
    if (!take('/')) wrong();
  }
  void end() const {
    if (at_ != end_) wrong();
  }

 private:
  [[noreturn]] void wrong() const { throw std::invalid_argument(in_quotes(text_) + " is no entry"); }
  const std::string& text_;
  const char *at_, *end_;
};

template <class Cell>
Cell inside_space(const Cell& cell, const std::string& text, Variant kernel) {
  if (const std::string why = space_of(kernel).why_outside(values_of(cell)); !why.empty())
    throw std::invalid_argument(in_quotes(text) + ": " + why);
  return cell;
}

template <class Read>
auto if_readable(Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

}  // namespace

std::string print(const Tuned& t) {
  return std::to_string(t.threads) + "/" + std::to_string(t.lanes) + "/" + std::to_string(t.split_threads) +
         (t.few_loads ? "f" : "") + (t.prefetch ? "p" : "");
}

std::string print(const TunedSymv& t) {
  return std::to_string(t.threads) + "/" + std::to_string(t.panels) + "/" +
         (t.columns > 0 ? "c" + std::to_string(t.columns) : std::to_string(t.split_threads));
}

Tuned read_tuned(const std::string& text, Variant kernel) {
  Numbers numbers(text);
  Tuned cell;
  cell.threads = numbers.number(), numbers.slash();
  cell.lanes = numbers.number(), numbers.slash();
  cell.split_threads = numbers.number();
  cell.few_loads = numbers.take('f');
  cell.prefetch = numbers.take('p');
  numbers.end();
  return inside_space(cell, text, kernel);
}

TunedSymv read_tuned_symv(const std::string& text) {
  Numbers numbers(text);
  TunedSymv cell;
  cell.threads = numbers.number(), numbers.slash();
  cell.panels = numbers.number(), numbers.slash();
  const bool columns = numbers.take('c');
  (columns ? cell.columns : cell.split_threads) = numbers.number();
  numbers.end();
  return inside_space(cell, text, Variant::symv);
}

std::optional<Tuned> parse_tuned(std::string_view text, Variant kernel) {
  return if_readable([&] { return read_tuned(std::string(text), kernel); });
}

std::optional<TunedSymv> parse_tuned_symv(std::string_view text) {
  return if_readable([&] { return read_tuned_symv(std::string(text)); });
}

NamedValues values_of(const Tuned& t) {
  return {{"threads", t.threads},     {"lanes", t.lanes},       {"split_threads", t.split_threads},
          {"few_loads", t.few_loads}, {"prefetch", t.prefetch}, {"groups", t.lanes > 0 ? t.threads / t.lanes : 0}};
}

NamedValues values_of(const TunedSymv& t) {
  return {{"threads", t.threads},
          {"panels", t.panels},
          {"split_threads", t.split_threads},
          {"columns", t.columns},
          {"warps", t.threads / 32}};
}

std::string mesh_name(Routine routine, Type type, bool second, bool aligned) {
  const char* const op_or_uplo = routine == Routine::gemv ? (second ? "T" : "N") : second ? "U" : "L";
  return std::string(name(type)) + " " + op_or_uplo + (aligned ? " aligned" : " any");
}

}  // namespace onepass
