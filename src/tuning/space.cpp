// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tuning/space.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "plan/gemv_shape.hpp"
#include "support/json.hpp"
#include "tuning/built_in.hpp"

namespace onepass {
namespace {

using nlohmann::ordered_json;

constexpr Variant kernels_with_space[] = {Variant::gemv_n, Variant::gemv_t, Variant::gemv_flat, Variant::symv};

using Space = std::array<KernelSpace, std::size(kernels_with_space)>;

Comparison::Relation read_relation(const std::string& word) {
  if (word == "<=") return Comparison::Relation::at_most;
  if (word == ">=") return Comparison::Relation::at_least;
  if (word == "divides") return Comparison::Relation::divides;
  throw std::invalid_argument("no relation is called " + word);
}

Constraint read_constraint(const std::string& text) {
  Constraint constraint{.text = text, .either = {}};
  std::istringstream words(text);
  std::string relation, next = "or";
  for (Comparison c; next == "or" && words >> c.left >> relation >> c.right; words >> next) {
    c.relation = read_relation(relation);
    constraint.either.push_back(c);
    next.clear();
  }
  return constraint;
}

std::vector<Parameter> read_parameters(const ordered_json& object) {
  std::vector<Parameter> parameters;
  for (const auto& [name, values] : object.items()) parameters.push_back({name, values.get<std::vector<int>>()});
  return parameters;
}

KernelSpace read_kernel(const std::string& name, const ordered_json& object) {
  KernelSpace kernel{.name = name, .parameters = read_parameters(object.at("parameters")), .constraints = {}};
  for (const auto& text : object.at("constraints")) kernel.constraints.push_back(read_constraint(text));
  return kernel;
}

const Space& space() {
  static const Space read = [] {
    const auto document = parse_json<ordered_json>(tuning_space);
    const ordered_json& object = document.root();
    Space made;
    for (std::size_t i = 0; i < std::size(kernels_with_space); ++i) {
      const std::string kernel = name(kernels_with_space[i]);
      made[i] = read_kernel(kernel, object.at("kernels").at(kernel));
    }
    return made;
  }();
  return read;
}

const std::vector<int>* find(const std::vector<Parameter>& parameters, std::string_view name) {
  const auto found = std::ranges::find(parameters, name, &Parameter::name);
  return found == parameters.end() ? nullptr : &found->values;
}

std::optional<std::int64_t> value_of(const std::string& word, const NamedValues& values) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc{} && end == word.data() + word.size()) return number;
  const auto found = std::ranges::find(values, word, &NamedValue::name);
  return found == values.end() ? std::nullopt : std::optional(found->value);
}

bool holds(const Comparison& c, const NamedValues& values) {
  const std::optional<std::int64_t> left = value_of(c.left, values), right = value_of(c.right, values);
  if (!left || !right) return true;
  switch (c.relation) {
    case Comparison::Relation::at_most: return *left <= *right;
    case Comparison::Relation::at_least: return *left >= *right;
    case Comparison::Relation::divides: return *left != 0 && *right % *left == 0;
  }
  return false;
}

}  // namespace

const std::vector<int>& KernelSpace::values(std::string_view parameter) const {
  static const std::vector<int> none;
  const std::vector<int>* const found = find(parameters, parameter);
  return found != nullptr ? *found : none;
}

std::string KernelSpace::why_outside(const NamedValues& choice) const {
  for (const Parameter& parameter : parameters)
    if (const auto value = value_of(parameter.name, choice);
        value && std::ranges::find(parameter.values, *value) == parameter.values.end())
      return parameter.name + " = " + std::to_string(*value) + " is outside the space of " + name;
  for (const Constraint& constraint : constraints)
    if (std::ranges::none_of(constraint.either, [&](const Comparison& c) { return holds(c, choice); }))
      return "\"" + constraint.text + "\" does not hold in the space of " + name;
  return "";
}

const KernelSpace& space_of(Variant variant) {
  const auto found = std::ranges::find(kernels_with_space, variant);
  if (found == std::end(kernels_with_space)) throw std::invalid_argument("a kernel without a space");
  return space()[static_cast<std::size_t>(found - kernels_with_space)];
}

NamedValues values_of(const Problem& p) {
  return {{"vectors", ceil_power_of_two(vectors_of_column(p))},
          {"classes", classes_to_keep_apart(p)},
          {"batch", p.batch},
          {"plain", is_plain(p) ? 1 : 0}};
}

}  // namespace onepass
