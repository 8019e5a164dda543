// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Operands of one product: its matrix and vectors, alpha and beta, vectors of elements.
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

// Which arguments a kernel has to look at. A single product with scalars on the host is the common
// case, and short problems feel every instruction: about 2.5 cycles each on an H200, since the code of
// a short kernel runs from cold instruction caches.
enum class Form { plain, general };

// The operand of product b: at a stride, or behind a pointer.
template <class T, Form F, class X>
ONEPASS_DEVICE const T* operand(X ex, const GemvArgs& g, const void* data, std::int64_t stride, std::int64_t first,
                                std::int64_t b) {
  if constexpr (F == Form::plain) {
    return static_cast<const T*>(data);
  } else {
    if (g.pointer_array) return ex.read_cached(static_cast<const T* const*>(data) + b) + first;
    return static_cast<const T*>(data) + b * stride;
  }
}
template <class T, Form F, class X>
ONEPASS_DEVICE const T* matrix(X ex, const GemvArgs& g, std::int64_t b) {
  return operand<T, F>(ex, g, g.a, g.stride_a, 0, b);
}
template <class T, Form F, class X>
ONEPASS_DEVICE const T* vector_x(X ex, const GemvArgs& g, std::int64_t b) {
  return operand<T, F>(ex, g, g.x, g.stride_x, g.first_x, b);
}
template <class T, Form F, class X>
ONEPASS_DEVICE T* vector_y(X ex, const GemvArgs& g, std::int64_t b) {
  return const_cast<T*>(operand<T, F>(ex, g, g.y, g.stride_y, g.first_y, b));
}

template <class S, Form F, class X>
ONEPASS_DEVICE S scalar(X ex, const Scalar& value, const void* pointer) {
  if constexpr (F == Form::general) {
    if (pointer != nullptr) return ex.read_cached(static_cast<const S*>(pointer));
  }
  if constexpr (is_complex<S>) {
    return {static_cast<decltype(S::re)>(value.re), static_cast<decltype(S::re)>(value.im)};
  } else {
    return static_cast<S>(value.re);
  }
}
template <class S, Form F, class X>
ONEPASS_DEVICE S alpha_of(X ex, const GemvArgs& g) {
  return scalar<S, F>(ex, g.alpha, g.alpha_pointer);
}

// body(b) for each product of this block. The products share the shared memory.
template <Form F, class X, class Body>
ONEPASS_DEVICE void each_product(X ex, const GemvArgs& g, Body body) {
  if constexpr (F == Form::plain) {
    body(std::int64_t{0});
  } else {
    for (std::int64_t b = ex.block_z(); b < g.batch; b += ex.grid_z()) {
      if (b != ex.block_z()) ex.sync();
      body(b);
    }
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
template <int V, class Int>
struct Stretch {
  Int last;  // slots first to last - 1 are whole vectors
  int first, shift, head, edges;

  ONEPASS_DEVICE Stretch(Int length, int shift_, Int slots) : shift(shift_) {
    first = shift == 0 ? 0 : 1;
    const int body = first * V - shift;
    if (length < body) {
      last = first;
      head = edges = static_cast<int>(length);
      return;
    }
    head = body;
    last = (length + shift) / V;
    if (last > slots) last = slots;
    edges = head + static_cast<int>(length - (last * V - shift));
  }
  // Position of edge e in the stretch.
  ONEPASS_DEVICE Int edge(int e) const { return e < head ? e : last * V - shift + (e - head); }
};

}  // namespace onepass::kernels
