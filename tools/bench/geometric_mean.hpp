// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The geometric mean of values that come one by one.
#pragma once

#include <cmath>
#include <cstddef>

namespace onepass::tools {

class GeometricMean {
 public:
  void add(double value) {
    const double log = std::log(value);
    sum_ += log;
    squares_ += log * log;
    ++count_;
  }
  double value() const { return count_ == 0 ? 0 : std::exp(sum_ / count()); }

  // Of the logarithm of the mean: sqrt(variance of the logarithms / count).
  double standard_error_of_log() const {
    if (count_ < 2) return 0;
    const double variance = (squares_ - sum_ * sum_ / count()) / (count() - 1);
    return std::sqrt(std::fmax(variance, 0) / count());
  }

 private:
  double count() const { return static_cast<double>(count_); }

  double sum_ = 0, squares_ = 0;
  std::size_t count_ = 0;
};

}  // namespace onepass::tools
