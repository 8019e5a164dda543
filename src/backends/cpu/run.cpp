// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/cpu/run.hpp"

#include <cstddef>
#include <type_traits>

#include "backends/cpu/block.hpp"
#include "backends/cpu/plan.hpp"
#include "backends/cpu/product.hpp"
#include "backends/cpu/team.hpp"

namespace onepass::cpu {
namespace {

// What all products of a call share. T: of A and x; Y: of y. Distances are in components.
template <class T, class Y>
struct Call {
  const Plan& plan;
  const Operands& operands;
  void (*kernel)(const Block<T>&);
  Scratch scratch;
  Stored stored;
  Sum<T> alpha, beta;
  std::int64_t outputs, terms;
  std::int64_t lda, incx, incy;

  std::int64_t parts() const { return host(plan).tiles * host(plan).splits; }
};

// One product's operands, at their first element, and the memory of its team.
template <class T, class Y>
struct Product {
  const Component<T>* a = nullptr;
  const Component<T>* x = nullptr;
  Component<Y>* y = nullptr;
  Component<T>* packed_x = nullptr;
  std::byte* sums = nullptr;
};

template <class S>
Start start_of(S beta) {
  return beta == S{} ? Start::zero : beta == S{1} ? Start::keep : Start::scaled;
}

// The share of one thread in alpha op(A) x, for one panel of outputs and one of terms.
template <class T, class Y>
void multiply(const Call<T, Y>& call, const Product<T, Y>& product, Range outputs, Range terms, std::int64_t part) {
  using S = Sum<T>;
  const bool transposed = call.stored.transposed;
  const std::int64_t split = part == 0 ? 0 : part / host(call.plan).tiles;
  const std::int64_t tile = part - split * host(call.plan).tiles;
  const Range o = share(outputs.size(), host(call.plan).tiles, tile, transposed ? 1 : output_grain);
  const Range t = share(terms.size(), host(call.plan).splits, split, transposed ? output_grain : 1);
  if (o.size() == 0) return;

  const std::int64_t output = outputs.begin + o.begin, term = terms.begin + t.begin;
  const std::int64_t row = transposed ? term : output, column = transposed ? output : term;
  Block<T> block = {
      .outputs = o.size(),
      .terms = t.size(),
      .a = product.a + row * components<T> + column * call.lda,
      .lda = call.lda,
      .x = product.x + term * call.incx,
      .incx = call.incx,
      .alpha = call.alpha,
      .beta = call.beta,
      .conjugate = call.stored.conjugate,
  };
  if (call.scratch.packs_x) {
    block.x = product.packed_x + t.begin * components<T>;
    block.incx = components<T>;
  }
  const bool first = terms.begin == 0;
  if constexpr (std::is_same_v<Y, S>) {
    if (call.scratch.direct_y && split == 0) {
      block.y = product.y + output * call.incy;
      block.incy = call.incy;
      block.start = first ? start_of(call.beta) : Start::keep;
      call.kernel(block);
      return;
    }
  }
  const std::int64_t sum = call.scratch.direct_y ? split - 1 : split;
  std::byte* const to = product.sums + static_cast<std::size_t>(sum) * call.scratch.sum_bytes;
  block.y = reinterpret_cast<Component<S>*>(to) + o.begin * components<S>;
  block.incy = components<S>;
  block.start = first ? Start::zero : Start::keep;
  call.kernel(block);
}

// y := y + the sums of the other splits, or y := beta y + all sums; in the order of the splits.
template <class T, class Y>
void combine(const Call<T, Y>& call, const Product<T, Y>& product, Range outputs, Range range) {
  using R = Component<Sum<T>>;
  constexpr int P = components<Sum<T>>;
  const auto sum = [&](std::int64_t i) {
    return reinterpret_cast<R*>(product.sums + static_cast<std::size_t>(i) * call.scratch.sum_bytes);
  };
  const auto add_up = [&](R* to, std::int64_t first) {
    for (std::int64_t s = first; s < call.scratch.sums; ++s) {
      const R* from = sum(s);
      for (std::int64_t i = range.begin * P; i < range.end * P; ++i) to[i] += from[i];
    }
  };
  Component<Y>* const y = product.y + outputs.begin * call.incy;
  if constexpr (std::is_same_v<Y, Sum<T>>) {
    if (call.scratch.direct_y && call.incy == P) return add_up(y, 0);
    if (call.scratch.direct_y) {
      add_up(sum(0), 1);
      for (std::int64_t i = range.begin; i < range.end; ++i)
        put<Y>(y + i * call.incy, get<Y>(y + i * call.incy) + get<Y>(sum(0) + i * P));
      return;
    }
  }
  add_up(sum(0), 1);
  for (std::int64_t i = range.begin; i < range.end; ++i)
    finish<Y>(y + i * call.incy, call.beta, get<Sum<T>>(sum(0) + i * P));
}

template <class T, class Y>
void run_product(const Call<T, Y>& call, std::int64_t index, Team team, std::byte* memory) {
  const Problem& p = call.plan.problem;
  const Scratch& s = call.scratch;
  const std::int64_t parts = call.parts();
  Product<T, Y> product;
  product.y = const_cast<Component<Y>*>(operand<Y>(p, call.operands.y, p.stride_y, index)) +
              first_element(call.outputs, p.incy) * components<Y>;
  if (call.alpha == Sum<T>{}) {
    team.each(parts, [&](std::int64_t part) {
      const Range range = share(call.outputs, parts, part, output_grain);
      for (std::int64_t i = range.begin; i < range.end; ++i) finish<Y>(product.y + i * call.incy, call.beta, Sum<Y>{});
    });
    return;
  }
  product.a = operand<T>(p, call.operands.a, p.stride_a, index);
  product.x = operand<T>(p, call.operands.x, p.stride_x, index) + first_element(call.terms, p.incx) * components<T>;
  product.packed_x = reinterpret_cast<Component<T>*>(memory);
  product.sums = memory + s.x_bytes;

  for (Range outputs; outputs.begin < call.outputs; outputs.begin = outputs.end) {
    outputs.end = std::min(outputs.begin + s.panel_outputs, call.outputs);
    for (Range terms; terms.begin < call.terms; terms.begin = terms.end) {
      terms.end = std::min(terms.begin + s.panel_terms, call.terms);
      if (outputs.begin + terms.begin > 0) team.wait();
      if (s.packs_x) {
        team.each(parts, [&](std::int64_t part) {
          pack<T>(product.x + terms.begin * call.incx, call.incx, product.packed_x,
                  share(terms.size(), parts, part, output_grain));
        });
        team.wait();
      }
      team.each(parts, [&](std::int64_t part) { multiply(call, product, outputs, terms, part); });
    }
    if (s.sums > 0) {
      team.wait();
      team.each(parts, [&](std::int64_t part) {
        combine(call, product, outputs, share(outputs.size(), parts, part, output_grain));
      });
    }
  }
}

template <class T>
auto kernel_of(const Stored& a) {
  const Kernels<T>& both = kernels_of<T>(kernels());
  return a.transposed ? both.t : both.n;
}

// One product by one thread without scratch memory is one block. The shares and panels of the long
// way cost 25 ns, a tenth of a product of 64x64.
template <class T>
void run_one_block(const Problem& p, const Stored& a, const Operands& operands, Sum<T> alpha, Sum<T> beta) {
  constexpr int P = components<T>;
  const Kernels<T>& both = kernels_of<T>(kernels());
  const std::int64_t outputs = length_y(p), terms = length_x(p);
  (a.transposed ? both.t : both.n)({
      .outputs = outputs,
      .terms = terms,
      .a = static_cast<const Component<T>*>(operands.a),
      .lda = p.lda * P,
      .x = static_cast<const Component<T>*>(operands.x) + first_element(terms, p.incx) * P,
      .incx = p.incx * P,
      .y = static_cast<Component<Sum<T>>*>(operands.y) + first_element(outputs, p.incy) * P,
      .incy = p.incy * P,
      .alpha = alpha,
      .beta = beta,
      .start = start_of(beta),
      .conjugate = a.conjugate,
  });
}

template <class T, class Y>
void run(const Plan& plan, const Operands& operands, void* workspace) {
  using S = Sum<T>;
  const Problem& p = plan.problem;
  const Stored a = stored(p);
  const S alpha = scalar<T>(operands.alpha), beta = scalar<T>(operands.beta);
  if constexpr (std::is_same_v<Y, S>) {
    if (plan.threads == 1 && plan.workspace_bytes == 0 && p.batch == 1 && !p.pointer_array && alpha != S{})
      return run_one_block<T>(p, a, operands, alpha, beta);
  }
  const Call<T, Y> call = {
      .plan = plan,
      .operands = operands,
      .kernel = kernel_of<T>(a),
      .scratch = scratch(plan),
      .stored = a,
      .alpha = alpha,
      .beta = beta,
      .outputs = length_y(p),
      .terms = length_x(p),
      .lda = p.lda * components<T>,
      .incx = p.incx * components<T>,
      .incy = p.incy * components<Y>,
  };
  run_batch(plan, call.scratch, workspace,
            [&](std::int64_t index, Team team, std::byte* memory) { run_product(call, index, team, memory); });
}

}  // namespace

bool run_gemv_at_once(const Problem& p, const Operands& operands) {
  const Stored a = stored(p);
  if ((a.transposed ? p.incx : p.incy) != 1) return false;
  bool done = false;
  by_types(p, [&]<class T, class Y>(Types<T, Y>) {
    if constexpr (std::is_same_v<Y, Sum<T>>) {
      const auto alpha = scalar<T>(operands.alpha);
      done = alpha != Sum<T>{};
      if (done) run_one_block<T>(p, a, operands, alpha, scalar<T>(operands.beta));
    }
  });
  return done;
}

void run_gemv(const Plan& plan, const Operands& operands, void* workspace) {
  by_types(plan.problem, [&]<class T, class Y>(Types<T, Y>) { run<T, Y>(plan, operands, workspace); });
}

}  // namespace onepass::cpu
