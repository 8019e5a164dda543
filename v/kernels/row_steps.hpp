// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Operations on rows between two products (problem/row_step.hpp). They are short and there are many of them in a step
// of a model, so each is one launch, lets the next one start at once, and loads 16 bytes at a time where it can.
#pragma once

#include <cstdint>

#include "kernels/blocks/operand.hpp"
#include "problem/row_step.hpp"

namespace onepass::kernels {

// A launch of rows and n that are not zero; by_vectors: every row of every argument begins on 16 bytes, and n, of
// rotary its half, is a whole number of vectors.
struct RowArgs {
  const void* x = nullptr;
  const void* other = nullptr;
  const void* sines = nullptr;
  void* y = nullptr;
  std::int64_t rows = 0, n = 0, ld_x = 0, ld_other = 0, ld_y = 0;
  double epsilon = 0;
  bool by_vectors = false;
};

inline constexpr int row_threads = 1024;         // at most, of a block that has a whole row
inline constexpr int elementwise_threads = 256;  // of a block that has a vector or an element for each thread

// V elements, or one in front of V - 1 zeros.
template <class T>
struct RowPiece {
  static constexpr int V = vector_length<T>;
  T element[V] = {};

  // load: of a 16-byte vector or of an element.
  template <class Load>
  static ONEPASS_DEVICE RowPiece at(const RowArgs& g, const T* p, Load load) {
    RowPiece piece;
    if (g.by_vectors) {
      unpack(load(reinterpret_cast<const exec::Vector16*>(p)), piece.element);
    } else {
      piece.element[0] = load(p);
    }
    return piece;
  }
  template <class Ex>
  ONEPASS_DEVICE void store(Ex ex, const RowArgs& g, T* p) const {
    if (g.by_vectors) {
      exec::Vector16 vector;
      std::memcpy(&vector, element, sizeof vector);
      ex.store(reinterpret_cast<exec::Vector16*>(p), vector);
    } else {
      ex.store(p, element[0]);
    }
  }
};

// What a thread has where each has one piece, of rows with so many contiguous elements.
template <class T>
struct RowPlace {
  std::int64_t row, i;

  template <class Ex>
  ONEPASS_DEVICE RowPlace(Ex ex, const RowArgs& g, std::int64_t run) {
    const int width = g.by_vectors ? vector_length<T> : 1;
    const std::int64_t pieces = run / width, number = ex.block_x() * ex.threads() + ex.thread();
    row = number / pieces;
    i = number % pieces * width;
  }
};

// A block has a row: its sum of squares, and then its elements again, from the L1.
template <class T>
struct RmsNorm {
  using S = Sum<T>;
  static constexpr int V = vector_length<T>;
  static constexpr int max_threads = row_threads, min_blocks = 1;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const RowArgs& g) {
    ex.launch_dependents();
    ex.grid_dependency_wait();
    const T* const x = static_cast<const T*>(g.x) + ex.block_x() * g.ld_x;
    const T* const weight = static_cast<const T*>(g.other);
    T* const y = static_cast<T*>(g.y) + ex.block_x() * g.ld_y;
    const auto own = [&](const auto* p) { return ex.load_own(p); };
    const auto shared = [&](const auto* p) { return ex.load_cached(p); };
    const int width = g.by_vectors ? V : 1;
    const std::int64_t first = static_cast<std::int64_t>(ex.thread()) * width, step = ex.threads() * width;
    S sum{};
#pragma unroll 1
    for (std::int64_t i = first; i < g.n; i += step) {
      const auto piece = RowPiece<T>::at(g, x + i, own);
#pragma unroll
      for (int v = 0; v < V; ++v) sum += widen(piece.element[v]) * widen(piece.element[v]);
    }
    const S factor = rms_factor(sum_of_block(ex, sum), g.n, g.epsilon);
#pragma unroll 1
    for (std::int64_t i = first; i < g.n; i += step) {
      auto piece = RowPiece<T>::at(g, x + i, own);
      RowPiece<T> weights;
      if (weight != nullptr) weights = RowPiece<T>::at(g, weight + i, shared);
#pragma unroll
      for (int v = 0; v < V; ++v) {
        const S value = widen(piece.element[v]) * factor;
        piece.element[v] = narrow<T>(weight == nullptr ? value : value * widen(weights.element[v]));
      }
      piece.store(ex, g, y + i);
    }
  }

 private:
  // In every thread.
  template <class Ex>
  static ONEPASS_DEVICE S sum_of_block(Ex ex, S sum) {
    const auto of_warps = ex.template shared<S>(0);
    const int lane = ex.thread() % Ex::warp, warps = ex.threads() / Ex::warp;
    sum = sum_of_warp(ex, sum);
    if (lane == 0) of_warps.put(ex.thread() / Ex::warp, sum);
    ex.sync();
    return sum_of_warp(ex, lane < warps ? of_warps.get(lane) : S{});
  }
  template <class Ex>
  static ONEPASS_DEVICE S sum_of_warp(Ex ex, S sum) {
#pragma unroll
    for (int mask = Ex::warp / 2; mask > 0; mask /= 2) sum += ex.shuffle_xor(sum, mask);
    return sum;
  }
};

template <class T>
struct Swiglu {
  static constexpr int V = vector_length<T>;
  static constexpr int max_threads = elementwise_threads, min_blocks = 1;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const RowArgs& g) {
    ex.launch_dependents();
    ex.grid_dependency_wait();
    const auto [row, i] = RowPlace<T>(ex, g, g.n);
    if (row >= g.rows) return;
    const auto own = [&](const auto* p) { return ex.load_own(p); };
    auto piece = RowPiece<T>::at(g, static_cast<const T*>(g.x) + (row * g.ld_x + i), own);
    const auto up = RowPiece<T>::at(g, static_cast<const T*>(g.other) + (row * g.ld_other + i), own);
#pragma unroll
    for (int v = 0; v < V; ++v) piece.element[v] = narrow<T>(swiglu(widen(piece.element[v]), widen(up.element[v])));
    piece.store(ex, g, static_cast<T*>(g.y) + (row * g.ld_y + i));
  }
};

// A thread has a vector or an element of the first half of a row and its pair in the second, so that y may be x.
template <class T>
struct Rotary {
  static constexpr int V = vector_length<T>;
  static constexpr int max_threads = elementwise_threads, min_blocks = 1;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const RowArgs& g) {
    ex.launch_dependents();
    ex.grid_dependency_wait();
    const RowPlace<T> place(ex, g, g.n / 2);
    if (place.row >= g.rows) return;
    const auto own = [&](const auto* p) { return ex.load_own(p); };
    const auto shared = [&](const auto* p) { return ex.load_cached(p); };
    const auto both = [&](const void* from, std::int64_t at, const auto& load) {
      const T* const p = static_cast<const T*>(from) + (at + place.i);
      return RotaryPair<RowPiece<T>>{RowPiece<T>::at(g, p, load), RowPiece<T>::at(g, p + g.n / 2, load)};
    };
    auto x = both(g.x, place.row * g.ld_x, own);
    const auto cosine = both(g.other, 0, shared), sine = both(g.sines, 0, shared);
    const auto at = [](const RotaryPair<RowPiece<T>>& piece, int v) {
      return RotaryPair<Sum<T>>{widen(piece.first.element[v]), widen(piece.second.element[v])};
    };
#pragma unroll
    for (int v = 0; v < V; ++v) {
      const RotaryPair<Sum<T>> y = rotated(at(x, v), at(cosine, v), at(sine, v));
      x.first.element[v] = narrow<T>(y.first);
      x.second.element[v] = narrow<T>(y.second);
    }
    T* const y = static_cast<T*>(g.y) + (place.row * g.ld_y + place.i);
    x.first.store(ex, g, y);
    x.second.store(ex, g, y + g.n / 2);
  }
};

}  // namespace onepass::kernels
