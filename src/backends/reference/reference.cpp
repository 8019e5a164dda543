// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The reference backend: naive loops with wide sums, the truth that the other backends are held to.
#include <cstring>

#include "backends/host_backend.hpp"
#include "backends/reference/wide.hpp"
#include "backends/registry.hpp"
#include "numbers/canonical_order.hpp"

namespace onepass {
namespace {

// Complex numbers may be aligned to a component only, so elements are copied, not dereferenced.
template <class T>
T load(const void* base, std::int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(base) + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

template <class T>
void store(void* base, std::int64_t index, T value) {
  std::memcpy(static_cast<char*>(base) + index * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
}

// The operand of one product of the batch.
template <class T>
const void* operand(const Problem& p, const void* base, std::int64_t stride, std::int64_t product) {
  if (p.pointer_array) return load<const void*>(base, product);
  return static_cast<const char*>(base) + product * stride * static_cast<std::int64_t>(sizeof(T));
}

// op(A)(i, k). Of a triangle the element itself or, from the side that is not stored, its mirror image.
template <class T>
Sum<T> element(const Problem& p, const Stored& s, const void* a, std::int64_t i, std::int64_t k) {
  const bool mirrored = is_mirrored(p, i, k);
  const Sum<T> value = conjugate_if(s.conjugate, widen(load<T>(a, mirrored ? k + i * p.lda : i + k * p.lda)));
  if constexpr (is_complex<T>) {
    // A Hermitian diagonal is real, whatever its imaginary parts hold.
    if (row(p).hermitian) return i == k ? T{value.re, 0} : conjugate_if(mirrored, value);
  }
  return value;
}

// Likewise in the canonical order, with the bits that every backend must have.
template <class T>
void multiply_canonical(const Problem& p, const Operands& o) {
  const T alpha = load<T>(o.alpha, 0), beta = load<T>(o.beta, 0);
  const Stored s = stored(p);
  const std::int64_t outputs = length_y(p), terms = length_x(p);
  const std::int64_t first_x = first_element(terms, p.incx), first_y = first_element(outputs, p.incy);
  for (std::int64_t product = 0; product < p.batch; ++product) {
    const void* a = alpha == T{} ? nullptr : operand<T>(p, o.a, p.stride_a, product);
    const void* x = alpha == T{} ? nullptr : operand<T>(p, o.x, p.stride_x, product);
    void* y = const_cast<void*>(operand<T>(p, o.y, p.stride_y, product));
    for (std::int64_t i = 0; i < outputs; ++i) {
      const T sum = canonical::sum<T>(alpha == T{} ? 0 : terms, [&](T part, std::int64_t k) {
        return canonical::add_product(part, element<T>(p, s, a, i, k), load<T>(x, first_x + k * p.incx));
      });
      const std::int64_t at = first_y + i * p.incy;
      store(y, at, canonical::finish(alpha, sum, beta, beta == T{} ? T{} : load<T>(y, at)));
    }
  }
}

template <class T, class Y>
void multiply(const Problem& p, const Operands& o) {
  if constexpr (std::is_same_v<T, Y> && std::is_floating_point_v<RealOf<T>>) {
    if (p.order == Order::canonical) return multiply_canonical<T>(p, o);
  }
  using S = Sum<T>;
  const S alpha = load<S>(o.alpha, 0);
  const S beta = load<S>(o.beta, 0);
  const bool reads_a_and_x = alpha != S{};
  const bool reads_y = beta != S{};
  const Stored s = stored(p);
  const std::int64_t outputs = length_y(p), terms = length_x(p);
  const std::int64_t first_x = first_element(terms, p.incx), first_y = first_element(outputs, p.incy);

  for (std::int64_t product = 0; product < p.batch; ++product) {
    const void* a = reads_a_and_x ? operand<T>(p, o.a, p.stride_a, product) : nullptr;
    const void* x = reads_a_and_x ? operand<T>(p, o.x, p.stride_x, product) : nullptr;
    void* y = const_cast<void*>(operand<Y>(p, o.y, p.stride_y, product));

    for (std::int64_t i = 0; i < outputs; ++i) {
      reference::Wide<S> result;
      if (reads_a_and_x) {
        // sum = sum over k of op(A)(i, k) x(k)
        reference::Wide<S> sum;
        for (std::int64_t k = 0; k < terms; ++k) {
          const S a_ik = element<T>(p, s, a, i, k);
          sum.add(a_ik, widen(load<T>(x, first_x + k * p.incx)));
          if (p.tails != Tails::none) sum.add(a_ik, widen(load<T>(o.x_tail, first_x + k * p.incx)));
        }
        result.add(alpha, sum);
      }
      // y(i) = alpha sum + beta y(i); with beta = 1 no product: 0i times an infinity is NaN
      const std::int64_t at = first_y + i * p.incy;
      const auto add_old = [&](const void* old) {
        if (beta == S{1})
          result.add(widen(load<Y>(old, at)));
        else if (reads_y)
          result.add(beta, widen(load<Y>(old, at)));
      };
      add_old(y);
      if (p.tails == Tails::xy) add_old(o.y_tail);
      store(y, at, narrow<Y>(result.rounded()));
      if (p.tails == Tails::xy) store(o.y_tail, at, narrow<Y>(result.tail()));
    }
  }
}

// A(i, j) = alpha x(i) y(j) + A(i, j), or with the conjugate of y(j)
template <class T>
void update(const Problem& p, const Operands& o) {
  using S = Sum<T>;
  const S alpha = load<S>(o.alpha, 0);
  if (alpha == S{}) return;
  const bool row_major = p.layout == Layout::row;
  const std::int64_t first_x = first_element(p.m, p.incx), first_y = first_element(p.n, p.incy);
  for (std::int64_t product = 0; product < p.batch; ++product) {
    void* a = const_cast<void*>(operand<T>(p, o.a, p.stride_a, product));
    const void* x = operand<T>(p, o.x, p.stride_x, product);
    const void* y = operand<T>(p, o.y, p.stride_y, product);
    for (std::int64_t i = 0; i < p.m; ++i)
      for (std::int64_t j = 0; j < p.n; ++j) {
        const std::int64_t at = row_major ? i * p.lda + j : i + j * p.lda;
        reference::Wide<S> outer, sum;
        outer.add(widen(load<T>(x, first_x + i * p.incx)),
                  conjugate_if(row(p).hermitian, static_cast<S>(widen(load<T>(y, first_y + j * p.incy)))));
        sum.add(alpha, outer);
        sum.add(widen(load<T>(a, at)));
        store(a, at, narrow<T>(sum.rounded()));
      }
  }
}

void multiply(const Problem& p, const Operands& o) {
  const bool wide_y = p.type_y != p.type_a;
  switch (p.type_a) {
    case Type::s: return multiply<float, float>(p, o);
    case Type::d: return multiply<double, double>(p, o);
    case Type::c: return multiply<Complex<float>, Complex<float>>(p, o);
    case Type::z: return multiply<Complex<double>, Complex<double>>(p, o);
    case Type::h: return wide_y ? multiply<Half, float>(p, o) : multiply<Half, Half>(p, o);
    case Type::b: return wide_y ? multiply<Bfloat16, float>(p, o) : multiply<Bfloat16, Bfloat16>(p, o);
    case Type::w: return multiply<DoubleDouble, DoubleDouble>(p, o);
  }
}

void update(const Problem& p, const Operands& o) {
  switch (p.type_a) {
    case Type::s: return update<float>(p, o);
    case Type::d: return update<double>(p, o);
    case Type::c: return update<Complex<float>>(p, o);
    case Type::z: return update<Complex<double>>(p, o);
    default: return;  // no such types are offered
  }
}

class Reference final : public HostBackend {
 public:
  BackendId id() const override { return BackendId::reference; }
  std::string why_unavailable() const override { return {}; }
  const DeviceTraits& traits() const override {
    static const DeviceTraits traits{
        .name = "host", .threads = 1, .features = "plain loops, wide sums", .ceilings = {}};
    return traits;
  }

  Plan plan(const Problem& problem, int) const override {
    return {.problem = problem, .backend = BackendId::reference};
  }
  std::string why_illegal(const Plan& plan) const override {
    return plan.kernel.variant == Variant::loops ? "" : "the reference backend has loops only";
  }

  Status launch(const Plan& plan, const Operands& operands, Workspace, Stream) const override {
    switch (family(plan.problem)) {
      case Family::gemv:
      case Family::symv: multiply(plan.problem, operands); break;
      case Family::ger: update(plan.problem, operands); break;
    }
    return {};
  }
};

}  // namespace

const Backend& reference_backend() {
  static const Reference backend;
  return backend;
}

}  // namespace onepass
