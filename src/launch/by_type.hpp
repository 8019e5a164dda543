// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From the type as a value to the element types as types.
#pragma once

#include <type_traits>

#include "problem/status.hpp"
#include "types/elements.hpp"

namespace onepass {

// body(std::type_identity<E>{}) for the Elements E that `type` names.
template <class Body>
Status by_type(Type type, Body body) {
  Status status;
  const auto call = [&]<class... Combinations>(ElementsList<Combinations...>) {
    return (
        (Combinations::type == type && (status = body(std::type_identity<typename Combinations::Elements>{}), true)) ||
        ...);
  };
  if (call(all_elements)) return status;
  return {ONEPASS_STATUS_INVALID_PLAN, "no kernel has this element type"};
}

}  // namespace onepass
