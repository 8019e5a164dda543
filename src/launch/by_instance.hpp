// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From family and type as values to family and type at compile time.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "launch/by_type.hpp"
#include "problem/names.hpp"
#include "problem/problem.hpp"
#include "problem/status.hpp"

namespace onepass {

// Whether a routine of the family takes such a matrix: the kernels are compiled for those alone.
constexpr bool is_compiled_for(Family family, Type type) {
  constexpr std::string_view letters = "sdczhb";
  for (const RoutineRow& row : routines)
    if (row.family == family && row.types.find(letters[static_cast<std::size_t>(type)]) != std::string_view::npos)
      return true;
  return false;
}

// body.operator()<T, family>() for the element type and the family of a problem.
template <class Body>
Status by_instance(Family family, Type type, Body body) {
  Status status{ONEPASS_STATUS_INVALID_PLAN, "no kernel has this element type"};
  const auto try_family = [&]<Family f>() {
    if (family != f) return;
    status = by_type(type, [&]<class T>(std::type_identity<T>) -> Status {
      if constexpr (is_compiled_for(f, type_of_element<T>)) {
        return body.template operator()<T, f>();
      } else {
        return {ONEPASS_STATUS_INVALID_PLAN, std::string(name(f)) + " has no kernel for this element type"};
      }
    });
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) { (try_family.template operator()<all_families[i]>(), ...); }
  (std::make_index_sequence<all_families.size()>{});
  return status;
}

}  // namespace onepass
