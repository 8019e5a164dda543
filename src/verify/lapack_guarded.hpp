// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Operands between canaries: every byte that is no element of an operand must be as it was.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "lapack/backend.hpp"
#include "verify/lapack_matrix.hpp"

namespace onepass::verify {

// rows x columns elements, columns ld apart, with more around them. A vector is one column.
template <class T>
class Guarded {
 public:
  Guarded(std::int64_t rows, std::int64_t columns, std::int64_t ld)
      : rows_(rows),
        columns_(columns),
        ld_(ld),
        bytes_((2 * guard + static_cast<std::size_t>(ld * columns)) * sizeof(T)) {
    // A NaN in every type, and no two bytes of it alike.
    for (std::size_t i = 0; i < bytes_.size(); ++i)
      bytes_[i] = static_cast<unsigned char>(0xff - (i % sizeof(float)) / 2);
    before_ = bytes_;
  }
  explicit Guarded(std::int64_t n) : Guarded(n, 1, std::max<std::int64_t>(1, n)) {}

  T* data() { return reinterpret_cast<T*>(bytes_.data()) + guard; }
  T& operator()(std::int64_t r, std::int64_t c) { return data()[r + c * ld_]; }
  T& operator[](std::int64_t i) { return data()[i]; }
  std::int64_t ld() const { return ld_; }

  // Elements outside `keep` are poison, and must stay so.
  template <class Keep>
  void set(const Dense<Exact<T>>& values, Keep keep) {
    for (std::int64_t c = 0; c < columns_; ++c)
      for (std::int64_t r = 0; r < rows_; ++r)
        if (keep(r, c)) (*this)(r, c) = static_cast<T>(values(r, c));
    before_ = bytes_;
  }
  void set(const Dense<Exact<T>>& values) {
    set(values, [](std::int64_t, std::int64_t) { return true; });
  }
  Dense<Exact<T>> values() {
    Dense<Exact<T>> out(rows_, columns_);
    for (std::int64_t c = 0; c < columns_; ++c)
      for (std::int64_t r = 0; r < rows_; ++r) out(r, c) = static_cast<Exact<T>>((*this)(r, c));
    return out;
  }

  // Whether nothing but elements inside `keep` has changed since `set`.
  template <class Keep>
  bool intact(Keep keep) {
    std::vector<unsigned char> now = bytes_;
    for (std::int64_t c = 0; c < columns_; ++c)
      for (std::int64_t r = 0; r < rows_; ++r)
        if (keep(r, c)) {
          const std::size_t at = (guard + static_cast<std::size_t>(r + c * ld_)) * sizeof(T);
          std::memcpy(now.data() + at, before_.data() + at, sizeof(T));
        }
    return now == before_;
  }
  bool intact() {
    return intact([](std::int64_t, std::int64_t) { return true; });
  }
  bool untouched() const { return bytes_ == before_; }
  const std::vector<unsigned char>& bytes() const { return bytes_; }

 private:
  static constexpr std::size_t guard = 16;
  std::int64_t rows_, columns_, ld_;
  std::vector<unsigned char> bytes_, before_;
};

// Runs a problem with exactly the workspace that its plan asks for, between canaries. False if one of those was lost.
inline bool run(const LapackBackend& backend, const LapackProblem& problem, const LapackOperands& operands,
                int threads = 1) {
  const LapackPlan plan = backend.plan(problem, threads);
  constexpr std::size_t line = 64;
  std::vector<unsigned char> memory(plan.workspace_bytes + 3 * line, 0xff);
  const std::size_t start = line + (line - reinterpret_cast<std::uintptr_t>(memory.data()) % line);
  const Status status = backend.run(plan, operands, memory.data() + start);
  const auto is_canary = [](unsigned char byte) { return byte == 0xff; };
  const auto workspace = memory.begin() + static_cast<std::ptrdiff_t>(start);
  const auto behind = workspace + static_cast<std::ptrdiff_t>(plan.workspace_bytes);
  return status.ok() && std::all_of(memory.begin(), workspace, is_canary) &&
         std::all_of(behind, memory.end(), is_canary);
}

}  // namespace onepass::verify
