// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How many columns are read at once, and the order in which a block's columns are visited.
#if defined(ONEPASS_CPU_STREAMS) == defined(HWY_TARGET_TOGGLE)
#ifdef ONEPASS_CPU_STREAMS
#undef ONEPASS_CPU_STREAMS
#else
#define ONEPASS_CPU_STREAMS
#endif

#include <algorithm>

#include "backends/cpu/block.hpp"
#include "backends/cpu/machine.hpp"
#include "backends/cpu/target.hpp"

ONEPASS_CPU_BEGIN;
namespace onepass::cpu::ONEPASS_CPU_TARGET {

// How a step reads and writes: all of its vectors, or their first components, or zeros but for the last components.
struct Whole {
  template <class E>
  [[gnu::always_inline]] auto load(const E* p) const {
    return ONEPASS_CPU_TARGET::load(p);
  }
  template <class R>
  [[gnu::always_inline]] void store(Vector<R> v, R* p) const {
    ONEPASS_CPU_TARGET::store(v, p);
  }
};
struct First {
  int count;
  template <class E>
  [[gnu::always_inline]] auto load(const E* p) const {
    return load_first(p, count);
  }
  template <class R>
  [[gnu::always_inline]] void store(Vector<R> v, R* p) const {
    store_first(v, p, count);
  }
};
struct Last {
  int count;
  template <class E>
  [[gnu::always_inline]] auto load(const E* p) const {
    using R = Component<Sum<E>>;
    return without_first<R>(lanes<R> - count, ONEPASS_CPU_TARGET::load(p));
  }
};

// Vectors of a column in a step: 64 bytes, the line of a cache, but two at least, whose sums do not wait for each
// other.
template <class T, class R = Component<Sum<T>>>
inline constexpr int step_vectors = std::max(2, 64 / static_cast<int>(lanes<R> * sizeof(R)));

template <class T>
std::int64_t matrix_bytes(const Block<T>& b) {
  return b.outputs * b.terms * static_cast<std::int64_t>(components<T> * sizeof(Component<T>));
}

// How many of so many columns are streams. Six hide the latency of the caches, four that of the memory behind them
// (4000x4000 s on a Neoverse-V1, in GB/s: 38.8 with four, 34.7 with six; 1000x1000: 60.2 and 61.1). In the second cache
// sums and factors of six must fit in the registers. Where all columns fall into the same sets of the first cache, that
// has a way for each of six (4096x4096 s on that processor, of four ways: 38.9 with four streams, 30.7 with six;
// 1024x1024 z on a Xeon: 0.76 of what reading takes with four, 0.83 with six). Eight are for the second cache, if they
// make fewer passes and the first has a way for each of them and for the vectors.
template <class T>
int streams(const Block<T>& b, std::int64_t columns) {
  constexpr auto fit_in_registers = [](int count) { return components<T> * (count + step_vectors<T>) < registers; };
  const Caches& cache = caches();
  const std::int64_t bytes = matrix_bytes(b), column = b.lda * static_cast<std::int64_t>(sizeof(Component<T>));
  const bool in_same_sets = column % (cache.first / cache.first_ways) == 0;
  const bool fewer_passes = (columns + 7) / 8 < (columns + 5) / 6;
  if (fit_in_registers(8) && bytes <= cache.second && cache.first_ways > 8 && fewer_passes) return 8;
  return (fit_in_registers(6) || bytes > cache.second) && bytes <= cache.last / 2 &&
                 (cache.first_ways >= 6 || !in_same_sets)
             ? 6
             : 4;
}

template <class T>
bool in_first_cache(const Block<T>& b) {
  return matrix_bytes(b) <= caches().first;
}

// y := start(y) + alpha sum, for one element.
template <class T>
[[gnu::always_inline]] inline void finish(const Block<T>& b, Component<Sum<T>>* y, Sum<T> sum) {
  sum = b.alpha * sum;
  if (b.start == Start::keep) sum = get<Sum<T>>(y) + sum;
  if (b.start == Start::scaled) sum = b.beta * get<Sum<T>>(y) + sum;
  put<Sum<T>>(y, sum);
}

// Complex numbers, v the vector (re, im, re, im, ...) of a column: with p = sum of v re(s) and
// q = sum of v im(s), sum of v s = p + (-im(q), re(q)), and sum of conj(v) s = conj(p) + (im(q), re(q)).
// So the columns are never shuffled, only the two sums are, once.
template <class T, class V>
[[gnu::always_inline]] inline V joined(const V (&sums)[components<T>], bool conjugate) {
  if constexpr (is_complex<T>) {
    using R = Component<T>;
    return conjugate ? add(negate_odd(sums[0]), swap_pairs<R>(sums[1]))
                     : add(sums[0], swap_pairs<R>(negate_odd(sums[1])));
  } else {
    return sums[0];
  }
}

// beta y
template <class T, class R = Component<Sum<T>>>
[[gnu::always_inline]] inline Vector<R> scaled(Sum<T> beta, Vector<R> y) {
  if constexpr (is_complex<T>)
    return joined<T>({multiply(y, splat(beta.re)), multiply(y, splat(beta.im))}, false);
  else
    return multiply(y, splat(beta));
}

// Likewise for a vector of elements side by side.
template <class T, class V, class Access>
[[gnu::always_inline]] inline V finished(const Block<T>& b, const Component<Sum<T>>* y, V sum, Access access) {
  sum = scaled<T>(b.alpha, sum);
  if (b.start == Start::keep) sum = add(access.load(y), sum);
  if (b.start == Start::scaled) sum = add(scaled<T>(b.beta, access.load(y)), sum);
  return sum;
}

enum class Order { distant, adjacent };

// The columns from k on, beside each other. A pass is told whether it is the first one; some take the last columns
// better in two shares than with one of them alone.
template <class Pass, int C, class B>
void sweep_adjacent(const B& b, std::int64_t k, std::int64_t columns, bool begins) {
  constexpr bool leaves_one = C < 4 || !Pass::shares_last;
  for (; columns - k >= C && (leaves_one || columns - k != C + 1); k += C, begins = false)
    Pass::template run<C>(b, k, 1, begins);
  if constexpr (C > 1) sweep_adjacent<Pass, C == 8 ? 6 : C == 6 ? 4 : C - 1>(b, k, columns, begins);
}

// All columns, C at a time: q apart, or beside each other; then those left over, or, backward, those first.
//
// q is odd: a power of two times lda would put all C streams into the same sets of the first cache.
template <class Pass, int C, Order order = Order::distant, class B>
void sweep(const B& b, std::int64_t columns) {
  if constexpr (order == Order::adjacent) return sweep_adjacent<Pass, C>(b, 0, columns, true);
  const std::int64_t q = (columns / C - 1) | 1, end = std::max<std::int64_t>(q, 0) * C;
  if (b.direction == Direction::forward) {
    for (std::int64_t k = 0; k < q; ++k) Pass::template run<C>(b, k, q, k == 0);
    sweep_adjacent<Pass, C>(b, end, columns, end == 0);
  } else {
    sweep_adjacent<Pass, C>(b, end, columns, true);
    for (std::int64_t k = q - 1; k >= 0; --k) Pass::template run<C>(b, k, q, end == columns && k == q - 1);
  }
}

template <template <class> class Pass, class T>
void sweep_streams(const Block<T>& b, std::int64_t columns) {
  switch (streams(b, columns)) {
    case 8: return sweep<Pass<T>, 8>(b, columns);
    case 6: return sweep<Pass<T>, 6>(b, columns);
    default: return sweep<Pass<T>, 4>(b, columns);
  }
}

}  // namespace onepass::cpu::ONEPASS_CPU_TARGET
ONEPASS_CPU_END;

#endif
