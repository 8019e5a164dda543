// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The prices of a kernel as one list of numbers.
#pragma once

#include <string>

#include "plan/gemv_model.hpp"
#include "problem/names.hpp"

namespace onepass::tools {

// visit(name, price, unit); the price of a load has a name for each kind of elements, such as "load s wider".
template <class Prices, class Visit>
void each_price(Prices& prices, Visit visit) {
  GemvPrices::fields(prices, [&](const std::string& key, auto& value, const char* unit) {
    if constexpr (requires { value.size(); }) {
      for (std::size_t i = 0; i < value.size(); ++i) visit(key + " " + name(all_ids[i]), value[i], unit);
    } else {
      visit(key, value, unit);
    }
  });
}

}  // namespace onepass::tools
