// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Operands of one product of a batch: its matrix and vectors, alpha and beta, vectors of elements.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/args.hpp"
#include "kernels/exec/word16.hpp"
#include "problem/scalar.hpp"

namespace onepass::kernels {

// Elements in one 16-byte load.
template <class T>
inline constexpr int vector_length = 16 / static_cast<int>(sizeof(T));

// The operand of product b: at a stride, or behind a pointer.
template <class T, class X>
ONEPASS_DEVICE const T* input(X ex, const void* data, bool pointer_array, std::int64_t stride, std::int64_t b) {
  if (pointer_array) return ex.read_cached(static_cast<const T* const*>(data) + b);
  return static_cast<const T*>(data) + b * stride;
}

template <class S, class X>
ONEPASS_DEVICE S scalar(X ex, const Scalar& s) {
  if (s.pointer != nullptr) return ex.read_cached(static_cast<const S*>(s.pointer));
  if constexpr (is_complex<S>) {
    return {static_cast<decltype(S::re)>(s.re), static_cast<decltype(S::re)>(s.im)};
  } else {
    return static_cast<S>(s.re);
  }
}

template <class T>
ONEPASS_DEVICE void unpack(const exec::Word16& word, T (&elements)[vector_length<T>]) {
  std::memcpy(static_cast<void*>(elements), &word, sizeof(word));
}

// How far an address lies past a 16-byte boundary, in elements.
template <class T>
ONEPASS_DEVICE int offset_in_vector(const T* p) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(p) / sizeof(T)) & (vector_length<T> - 1);
}

// One stretch of a column, cut at the 16-byte boundaries of memory. Slot i holds the elements
// i * V - shift to i * V - shift + V - 1 of the stretch; a slot that lies wholly inside is read by
// one vector load, and the elements of the two cut ones (the edges) by one scalar load each:
//
//        head   |  slot first  | ... | slot last-1  |  tail
//        edges  |       V      |     |      V       |  edges
//
// `slots` bounds the vectors; what lies behind them is tail.
template <int V>
struct Stretch {
  std::int64_t first, last;  // slots of whole vectors
  int shift, head, edges;

  ONEPASS_DEVICE Stretch(std::int64_t length, int shift_, std::int64_t slots) : shift(shift_) {
    first = shift == 0 ? 0 : 1;
    const std::int64_t body = first * V - shift;
    if (length < body) {
      last = first;
      head = edges = static_cast<int>(length);
      return;
    }
    head = static_cast<int>(body);
    last = (length + shift) / V;
    if (last > slots) last = slots;
    edges = head + static_cast<int>(length - (last * V - shift));
  }
  // Position of edge e in the stretch.
  ONEPASS_DEVICE std::int64_t edge(int e) const { return e < head ? e : last * V - shift + (e - head); }
};

}  // namespace onepass::kernels
