// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Values by name, in the order in which their names came first.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace onepass::tools {

template <class T>
class Groups {
 public:
  // Valid until the next name that is new.
  T& operator[](const std::string& name) {
    const auto [found, added] = index_.try_emplace(name, groups_.size());
    if (added) groups_.push_back({name, {}});
    return groups_[found->second].second;
  }
  std::size_t size() const { return groups_.size(); }
  auto begin() { return groups_.begin(); }
  auto end() { return groups_.end(); }

 private:
  std::vector<std::pair<std::string, T>> groups_;
  std::map<std::string, std::size_t> index_;
};

}  // namespace onepass::tools
