// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Products in the canonical order (numbers/canonical_order.hpp). Threads own outputs, a few at a time, and add a chunk
// of 256 terms of all of them before the next. Plain loops over the partial sums, which the compiler turns into
// vectors: the bits are the same whatever it does.
#include <algorithm>
#include <cstring>

#include "backends/cpu/plan.hpp"
#include "backends/cpu/run.hpp"
#include "backends/cpu/team.hpp"
#include "numbers/canonical_order.hpp"
#include "problem/elements.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define ONEPASS_HAS_FMA_VERSION
#endif

namespace onepass::cpu {
namespace {

using canonical::partial_sums;
constexpr std::int64_t grain = 64;  // outputs that are summed together

// Complex numbers of the host may be aligned to a component only.
template <class T>
T load(const T* p) {
  T value;
  std::memcpy(static_cast<void*>(&value), static_cast<const void*>(p), sizeof(T));
  return value;
}

template <class T>
class Product {
 public:
  Product(const Problem& p, const Operands& o, std::int64_t index)
      : p_(p),
        stored_(stored(p)),
        alpha_(load(static_cast<const T*>(o.alpha))),
        beta_(load(static_cast<const T*>(o.beta))),
        y_(const_cast<T*>(operand(o.y, p.stride_y, index)) + first_element(length_y(p), p.incy)) {
    if (alpha_ == T{}) return;  // A and x may be null
    a_ = operand(o.a, p.stride_a, index);
    x_ = operand(o.x, p.stride_x, index) + first_element(length_x(p), p.incx);
  }

  // Sums of outputs [begin, end), at most `grain` of them.
  [[gnu::always_inline]] inline void run(Range outputs) const {
    Sums sums;
    const std::int64_t terms = alpha_ == T{} ? 0 : length_x(p_);
    std::uint32_t count = 0;
    for (std::int64_t first = 0; first < terms; first += canonical::chunk, ++count) {
      const int in_chunk = static_cast<int>(std::min<std::int64_t>(terms - first, canonical::chunk));
      for (int k = 0; k < in_chunk; ++k) sums.x[k] = load(x_ + (first + k) * p_.incx);
      add_chunk(outputs, first, in_chunk, sums);
      sums.push(static_cast<int>(outputs.size()), count);
    }
    for (std::int64_t i = outputs.begin; i < outputs.end; ++i) {
      T* const y = y_ + i * p_.incy;
      const T result = canonical::finish(alpha_, sums.total(static_cast<int>(i - outputs.begin), count), beta_,
                                         beta_ == T{} ? T{} : load(y));
      std::memcpy(static_cast<void*>(y), &result, sizeof(T));
    }
  }

 private:
  struct Sums {
    T x[canonical::chunk];
    T partial[partial_sums][grain];  // of the chunk; the first row becomes its sum
    T node[31][grain];               // as in canonical::Tree

    [[gnu::always_inline]] inline void push(int outputs, std::uint32_t count) {
      int level = 0;
      for (; (count >> level & 1u) != 0; ++level)
        for (int i = 0; i < outputs; ++i) partial[0][i] = node[level][i] + partial[0][i];
      for (int i = 0; i < outputs; ++i) node[level][i] = partial[0][i];
    }
    T total(int i, std::uint32_t count) const {
      T sum{};
      for (int level = 0; count >> level != 0; ++level)
        if ((count >> level & 1u) != 0) sum = node[level][i] + sum;
      return sum;
    }
  };

  const T* operand(const void* base, std::int64_t stride, std::int64_t index) const {
    if (p_.pointer_array) return static_cast<const T*>(static_cast<const void* const*>(base)[index]);
    return static_cast<const T*>(base) + index * stride;
  }

  [[gnu::always_inline]] inline void add_chunk(Range outputs, std::int64_t first, int terms, Sums& sums) const {
    if (!is_triangle(p_)) {
      if (stored_.transposed) return add_columns(outputs, first, terms, sums, stored_.conjugate);
      return add_rows(outputs, first, terms, sums, stored_.conjugate);
    }
    // Row i of a chunk is stored, or its mirror image is; on the diagonal both.
    const std::int64_t last = first + terms - 1;
    const bool lower = stored_.uplo == Uplo::lower;
    if (lower ? outputs.begin > last : outputs.end <= first)
      add_rows(outputs, first, terms, sums, stored_.conjugate);
    else if (lower ? outputs.end <= first : outputs.begin > last)
      add_columns(outputs, first, terms, sums, stored_.conjugate != row(p_).hermitian);
    else
      add_diagonal(outputs, first, terms, sums);
  }

  // Outputs along the contiguous dimension: a column of them at a time.
  [[gnu::always_inline]] inline void add_rows(Range outputs, std::int64_t first, int terms, Sums& sums,
                                              bool conjugate) const {
    const int count = static_cast<int>(outputs.size()), used = std::min(terms, partial_sums);
    for (int p = 0; p < used; ++p) std::fill_n(sums.partial[p], count, T{});
    for (int k = 0; k < terms; ++k) {
      const T* const a = a_ + (outputs.begin + (first + k) * p_.lda);
      T* const sum = sums.partial[k % partial_sums];
      const T x = sums.x[k];
      for (int i = 0; i < count; ++i) sum[i] = canonical::add_product(sum[i], conjugate_if(conjugate, load(a + i)), x);
    }
    fold(used, count, sums);
  }

  // Outputs across it: the partial sums of one at a time.
  [[gnu::always_inline]] inline void add_columns(Range outputs, std::int64_t first, int terms, Sums& sums,
                                                 bool conjugate) const {
    for (std::int64_t i = outputs.begin; i < outputs.end; ++i) {
      const T* const a = a_ + (first + i * p_.lda);
      T partial[partial_sums] = {};
      int k = 0;
      for (; k + partial_sums <= terms; k += partial_sums)
        for (int p = 0; p < partial_sums; ++p)
          partial[p] = canonical::add_product(partial[p], conjugate_if(conjugate, load(a + k + p)), sums.x[k + p]);
      for (int p = 0; k + p < terms; ++p)
        partial[p] = canonical::add_product(partial[p], conjugate_if(conjugate, load(a + k + p)), sums.x[k + p]);
      sums.partial[0][i - outputs.begin] = folded(partial);
    }
  }

  void add_diagonal(Range outputs, std::int64_t first, int terms, Sums& sums) const {
    for (std::int64_t i = outputs.begin; i < outputs.end; ++i) {
      T partial[partial_sums] = {};
      for (int k = 0; k < terms; ++k) {
        const std::int64_t c = first + k;
        const bool mirrored = is_mirrored(p_, i, c), hermitian = row(p_).hermitian;
        T a = conjugate_if(stored_.conjugate != (hermitian && mirrored),
                           load(a_ + (mirrored ? c + i * p_.lda : i + c * p_.lda)));
        if constexpr (is_complex<T>) a.im = hermitian && i == c ? 0 : a.im;
        partial[k % partial_sums] = canonical::add_product(partial[k % partial_sums], a, sums.x[k]);
      }
      sums.partial[0][i - outputs.begin] = folded(partial);
    }
  }

  // Partial sums p and p + 16, then p + 8, ...; of `used` of them, the others being zero.
  [[gnu::always_inline]] static inline void fold(int used, int outputs, Sums& sums) {
    for (int stride = partial_sums / 2; stride > 0; stride /= 2) {
      for (int p = 0; p < stride && p + stride < used; ++p)
        for (int i = 0; i < outputs; ++i) sums.partial[p][i] = sums.partial[p][i] + sums.partial[p + stride][i];
      used = std::min(used, stride);
    }
  }
  [[gnu::always_inline]] static inline T folded(T (&partial)[partial_sums]) {
    for (int stride = partial_sums / 2; stride > 0; stride /= 2)
      for (int p = 0; p < stride; ++p) partial[p] = partial[p] + partial[p + stride];
    return partial[0];
  }

  const Problem& p_;
  Stored stored_;
  T alpha_, beta_;
  const T *a_ = nullptr, *x_ = nullptr;
  T* y_;
};

// std::fma() is one instruction where the processor is known to have it, and a call of the C library elsewhere.
template <class T>
void run_any(const Product<T>& product, Range outputs) {
  product.run(outputs);
}
#if defined(ONEPASS_HAS_FMA_VERSION)
template <class T>
__attribute__((target("avx2,fma"))) void run_fma(const Product<T>& product, Range outputs) {
  product.run(outputs);
}
#endif

template <class T>
auto* best_version() {
#if defined(ONEPASS_HAS_FMA_VERSION)
  static const bool has_fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_fma) return run_fma<T>;
#endif
  return run_any<T>;
}

template <class T>
void run(const Plan& plan, const Operands& o) {
  const Problem& p = plan.problem;
  const std::int64_t pieces = (length_y(p) + grain - 1) / grain;
  auto* const version = best_version<T>();
  fork(plan.threads, [&](Team team) {
    team.each(pieces * p.batch, [&](std::int64_t piece) {
      const std::int64_t begin = piece % pieces * grain;
      version(Product<T>(p, o, piece / pieces), {.begin = begin, .end = std::min(begin + grain, length_y(p))});
    });
  });
}

}  // namespace

Plan canonical_shape(const Problem& p, int threads) {
  return {.problem = p,
          .backend = BackendId::cpu,
          .kernel = {.variant = Variant::cpu_canonical},
          .threads = threads,
          .params = HostParams{}};
}

Plan plan_canonical(const Problem& p, int threads) {
  constexpr std::int64_t enough = 16384;  // products of elements for a thread
  const std::int64_t work = p.batch * length_x(p) * length_y(p), pieces = (length_y(p) + grain - 1) / grain * p.batch;
  return canonical_shape(p, static_cast<int>(std::clamp<std::int64_t>(std::min(work / enough, pieces), 1, threads)));
}

void run_canonical(const Plan& plan, const Operands& o, void*) {
  switch (plan.problem.type_a) {
    case Type::s: return run<float>(plan, o);
    case Type::d: return run<double>(plan, o);
    case Type::c: return run<Complex<float>>(plan, o);
    case Type::z: return run<Complex<double>>(plan, o);
    default: return;  // no such types are offered
  }
}

}  // namespace onepass::cpu
