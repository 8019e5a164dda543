// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From family and type as values to family and element types at compile time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "problem/names.hpp"
#include "problem/status.hpp"
#include "types/elements.hpp"

namespace onepass {

// Whether a routine of the family takes such a matrix: the kernels are compiled for those alone.
constexpr bool is_compiled_for(Family family, Type type) {
  for (const RoutineRow& row : routines)
    if (row.family == family && row.types.find(type_names[static_cast<std::size_t>(type)]) != std::string_view::npos)
      return true;
  return false;
}

// body.operator()<E, family>() for the Elements E that `type` names, and the family.
template <class Body>
Status by_instance(Family family, Type type, Body body) {
  Status status{ONEPASS_STATUS_INVALID_PLAN, std::string(name(family)) + " has no kernel for this element type"};
  const auto try_one = [&]<Family f, class Combination>() {
    if constexpr (is_compiled_for(f, Combination::type)) {
      if (family == f && type == Combination::type)
        status = body.template operator()<typename Combination::Elements, f>();
    }
  };
  const auto try_types = [&]<Family f, class... Combinations>(ElementsList<Combinations...>) {
    (try_one.template operator()<f, Combinations>(), ...);
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (try_types.template operator()<all_families[i]>(all_elements), ...);
  }
  (std::make_index_sequence<all_families.size()>{});
  return status;
}

}  // namespace onepass
