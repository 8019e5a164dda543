// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Operands of one product: matrix and vectors, alpha and beta; the start of a launch; 16-byte vectors of elements.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "kernels/exec/vector16.hpp"
#include "kernels/gemv/args.hpp"
#include "numbers/double_length.hpp"

namespace onepass::kernels {

// V: elements in one 16-byte load.
template <class T>
inline constexpr int vector_length = 16 / static_cast<int>(sizeof(T));
template <class T>
inline constexpr int log2_vector_length = std::countr_zero(static_cast<unsigned>(vector_length<T>));

// Where the result of product b goes. y: what the array of pointers says, if there is one.
struct Target {
  std::int64_t b = 0;
  void* y = nullptr;
};
template <Form F, class Ex>
ONEPASS_DEVICE Target target_of(Ex ex, const GemvArgs& g, std::int64_t b) {
  if constexpr (F == Form::general) {
    if (g.pointer_array) return {.b = b, .y = ex.load_cached(static_cast<void* const*>(g.y) + b)};
  }
  return {.b = b};
}
template <class Y, Form F>
ONEPASS_DEVICE Y* vector_y(const GemvArgs& g, const Target& target) {
  if constexpr (F == Form::general) {
    if (g.pointer_array) return static_cast<Y*>(target.y) + g.first_y;
    return static_cast<Y*>(g.y) + target.b * g.stride_y;
  }
  return static_cast<Y*>(g.y);
}

// The place of an element of x: of its head and of its tail, where it has one.
template <class T>
struct HeadTailPointer {
  const T *head = nullptr, *tail = nullptr;

  ONEPASS_DEVICE HeadTailPointer operator+(std::int64_t n) const { return {head + n, tail + n}; }
  ONEPASS_DEVICE HeadTailPointer& operator+=(std::int64_t n) { return *this = *this + n; }
};
template <class X>
struct VectorPointerOf {
  using type = const X*;
};
template <class T>
struct VectorPointerOf<HeadTail<T>> {
  using type = HeadTailPointer<T>;
};
template <class X>
using VectorPointer = typename VectorPointerOf<X>::type;

template <class X>
ONEPASS_DEVICE VectorPointer<X> vector_x(const GemvArgs& g) {
  if constexpr (is_head_tail<X>) {
    using T = decltype(X::head);
    return {static_cast<const T*>(g.x), static_cast<const T*>(g.x_tail)};
  } else {
    return static_cast<const X*>(g.x);
  }
}

// ex.load_cached() and its like, of any x.
template <class Ex, class T>
ONEPASS_DEVICE T load_cached_if(Ex ex, bool wanted, const T* p) {
  return ex.load_cached_if(wanted, p);
}
template <class Ex, class T>
ONEPASS_DEVICE HeadTail<T> load_cached_if(Ex ex, bool wanted, HeadTailPointer<T> p) {
  return {ex.load_cached_if(wanted, p.head), ex.load_cached_if(wanted, p.tail)};
}
template <class Ex, class T>
ONEPASS_DEVICE T load_cached_predicated(Ex ex, bool wanted, const T* p) {
  return ex.load_cached_predicated(wanted, p);
}
template <class Ex, class T>
ONEPASS_DEVICE HeadTail<T> load_cached_predicated(Ex ex, bool wanted, HeadTailPointer<T> p) {
  return {ex.load_cached_predicated(wanted, p.head), ex.load_cached_predicated(wanted, p.tail)};
}
template <class Ex, class T>
ONEPASS_DEVICE T load_cached(Ex ex, const T* p) {
  return ex.load_cached(p);
}
template <class Ex, class T>
ONEPASS_DEVICE HeadTail<T> load_cached(Ex ex, HeadTailPointer<T> p) {
  return {ex.load_cached(p.head), ex.load_cached(p.tail)};
}

// The operands of product b: at strides, or behind pointers. The three pointers are loaded in one branch, since a
// branch waits at its end for what was loaded in it: one round trip to memory.
template <class E>
struct Operands {
  const typename E::A* a = nullptr;
  VectorPointer<typename E::X> x = {};
  Target target = {};
};
template <class E, Form F, class Ex>
ONEPASS_DEVICE Operands<E> operands_of(Ex ex, const GemvArgs& g, std::int64_t b, std::int64_t first_a = 0) {
  using A = typename E::A;
  using X = typename E::X;
  const A* const a = static_cast<const A*>(g.a);
  const VectorPointer<X> x = vector_x<X>(g);
  if constexpr (F == Form::plain || is_head_tail<X>) {
    return {.a = a, .x = x};
  } else {
    if (!g.pointer_array) return {.a = a + b * g.stride_a, .x = x + b * g.stride_x, .target = {.b = b}};
    const A* const a_b = ex.load_cached(static_cast<const A* const*>(g.a) + b);
    const X* const x_b = ex.load_cached(static_cast<const X* const*>(g.x) + b);
    return {.a = a_b + first_a, .x = x_b + g.first_x, .target = target_of<F>(ex, g, b)};
  }
}

template <class S, Form F, class Ex>
ONEPASS_DEVICE S scalar(Ex ex, const Scalar& value, const void* pointer) {
  if constexpr (F == Form::general) {
    if (pointer != nullptr) return ex.load_cached(static_cast<const S*>(pointer));
  }
  S result;
  std::memcpy(static_cast<void*>(&result), value.bytes, sizeof(S));
  return result;
}
template <class S, Form F, class Ex>
ONEPASS_DEVICE S alpha_of(Ex ex, const GemvArgs& g) {
  return scalar<S, F>(ex, g.alpha, g.alpha_pointer);
}

// With programmatic dependent launch, a block may start while the previous launch in the stream still runs. It waits
// here until that launch is complete and its writes are visible; then it lets the next launch start in the same way.
// `ready`: numbers and pointers that must be computed before the wait.
template <class Ex, class... Ready>
ONEPASS_DEVICE void wait_for_previous_launch(Ex ex, const Ready&... ready) {
  ex.grid_dependency_wait(ready...);
  ex.launch_dependents();
}

// Where nothing that it reads may still be written (GemvArgs::settled_x), a launch lets the next one start at once
// (GemvArgs::opens_first), and does not wait before it reads but before it writes: to y, which it reads then, too, and
// to mailboxes, which the launch before may still use.
template <class Ex>
ONEPASS_DEVICE void open_first(Ex ex, const GemvArgs& g) {
  if (g.opens_first) ex.launch_dependents();
}
template <class Ex>
ONEPASS_DEVICE void wait_to_read(Ex ex, const GemvArgs& g) {
  if (!g.settled_x) wait_for_previous_launch(ex);
}
// Of all threads of a block; it may come again.
template <class Ex>
ONEPASS_DEVICE void wait_to_write(Ex ex, const GemvArgs& g) {
  if (g.settled_x) wait_for_previous_launch(ex);
}

// Likewise. `early`: nothing that may still run writes A (Operands::settled_a), so that a thread's first loads of A
// come before the wait, and those of x, which the launch before may have made, behind it; or nothing writes x either,
// and the wait comes before the result. The next launch then starts before anything else, or where this one has issued
// its last loads of A: its own find the bus free, while sums are still on their way here.
template <bool early, class Ex>
class WaitForPreviousLaunch {
 public:
  // `at_once`: this thread has no loads to issue before those of x.
  ONEPASS_DEVICE WaitForPreviousLaunch(Ex ex, const GemvArgs& g, bool at_once = false)
      : ex_(ex), opened_(g.opens_first), settled_x_(g.settled_x), due_(early && (g.settled_x || !at_once)) {
    if (early && opened_) ex_.launch_dependents();
    if (!due_) wait_for_previous_launch(ex_);
  }
  // A round of loads of A was issued; what comes next may load x. The branch keeps the first round in front of the
  // wait: ptxas moves loads of constant data behind a wait that follows them in a straight line.
  ONEPASS_DEVICE void loads_issued(bool last_round) {
    if constexpr (early) {
      if (settled_x_) return;
      if (due_) ex_.grid_dependency_wait();
      due_ = false;
      if (last_round && !opened_) ex_.launch_dependents();
    }
  }
  // What comes next may load and store anything.
  ONEPASS_DEVICE void before_result() {
    if constexpr (early) {
      if (due_) wait_for_previous_launch(ex_);
      due_ = false;
    }
  }

 private:
  Ex ex_;
  bool opened_, settled_x_, due_;
};

// Whether this block prefetches before the wait: blocks of the first wave only. Later ones start when the previous
// launch has long ended.
template <class Ex>
ONEPASS_DEVICE bool prefetches(Ex ex, const GemvArgs& g) {
  return ex.block_x() + ex.block_y() * ex.grid_x() < g.prefetch_blocks;
}

// body(b) for each product of this block, one after the other in the same shared memory. A body calls
// wait_for_previous_launch() itself, after what it can do before. With pointers to operands or scalars there is nothing
// to do before, since the previous launch may still write them, but to ask for the pointers.
template <Form F, class Ex, class Body>
ONEPASS_DEVICE void each_product(Ex ex, const GemvArgs& g, Body body) {
  if constexpr (F == Form::plain) {
    body(std::int64_t{0});
  } else {
    const std::int64_t first = ex.block_z() * g.products_per_block,
                       beyond = first + g.products_per_block < g.batch ? first + g.products_per_block : g.batch;
    if (g.pointer_array && g.batch <= gemv_most_prefetched_pointers) {
      const void* const array = ex.thread() == 0 ? g.a : ex.thread() == 1 ? g.x : g.y;
      ex.prefetch_if(ex.thread() < 3, static_cast<const void* const*>(array) + first);
    }
    if (g.pointer_array || g.alpha_pointer != nullptr) wait_for_previous_launch(ex);
    for (std::int64_t b = first; b < beyond; ++b) {
      if (b != first) ex.sync();
      body(b);
    }
  }
}

template <class T>
ONEPASS_DEVICE void unpack(const exec::Vector16& vector, T (&elements)[vector_length<T>]) {
  std::memcpy(static_cast<void*>(elements), &vector, sizeof(vector));
}

// How far an address lies past a 16-byte boundary, in elements.
template <class T>
ONEPASS_DEVICE int offset_in_vector(const T* p) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(p) / sizeof(T)) & (vector_length<T> - 1);
}

ONEPASS_DEVICE int at_most(std::int64_t value, int limit) { return value < limit ? static_cast<int>(value) : limit; }

// The vector with zeros for all but its elements `from` to `to` - 1.
template <class T>
ONEPASS_DEVICE exec::Vector16 keep(exec::Vector16 vector, int from, int to) {
  constexpr int bits = 8 * static_cast<int>(sizeof(T));
#pragma unroll
  for (int w = 0; w < 4; ++w) {
    std::uint32_t mask = 0;
    if constexpr (bits >= 32) {
      const int v = w * 32 / bits;
      mask = v >= from && v < to ? ~0u : 0u;
    } else {
#pragma unroll
      for (int h = 0; h < 32 / bits; ++h) {
        const int v = w * (32 / bits) + h;
        mask |= v >= from && v < to ? (~0u >> (32 - bits)) << (bits * h) : 0u;
      }
    }
    vector.word[w] &= mask;
  }
  return vector;
}

// The first and last vector of a whole matrix may stick out of it, and memory beyond an operand is not touched: their
// elements are loaded one by one.
template <class T>
struct Span {
  const T *begin, *end;
  ONEPASS_DEVICE Span(const GemvArgs& g, const T* a) : begin(a), end(a + (g.cols - 1) * g.lda + g.rows) {}

  ONEPASS_DEVICE bool cuts(const T* vector) const { return cuts_head(vector) || cuts_tail(vector); }
  ONEPASS_DEVICE bool cuts_head(const T* vector) const { return vector_length<T> > 1 && vector < begin; }
  ONEPASS_DEVICE bool cuts_tail(const T* vector) const {
    return vector_length<T> > 1 && vector + vector_length<T> > end;
  }
};

// Whether x lies on a 16-byte boundary, head and tail.
template <class T>
ONEPASS_DEVICE bool is_on_vector(const T* p) {
  return offset_in_vector(p) == 0;
}
template <class T>
ONEPASS_DEVICE bool is_on_vector(HeadTailPointer<T> p) {
  return is_on_vector(p.head) && is_on_vector(p.tail);
}

// The product of an element that is loaded by itself: loaded before the loop, added after it.
template <class E>
struct EdgeTerm {
  using S = typename E::Sum;
  using Factor = typename E::Factor;
  using XFactor = typename E::XFactor;

  typename E::A a{};
  typename E::X x{};

  template <class Ex>
  ONEPASS_DEVICE void load(Ex ex, bool wanted, const typename E::A* a_at, VectorPointer<typename E::X> x_at) {
    a = ex.load_once_if(wanted, a_at);
    x = load_cached_if(ex, wanted, x_at);
  }
  ONEPASS_DEVICE S add_to(S sum, bool conjugate) const {
    return multiply_add(sum, as<Factor>(a), conjugate_if(conjugate, as<XFactor>(x)));
  }
};

// The 16-byte vector that an element lies in.
template <class T>
ONEPASS_DEVICE const T* vector_of(const T* p) {
  return p - offset_in_vector(p);
}

}  // namespace onepass::kernels
