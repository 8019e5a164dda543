// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/onepass_provider.hpp"

#include "support/failure.hpp"

namespace onepass::tools {
namespace {

void must(onepassStatus_t status) {
  if (status != ONEPASS_STATUS_SUCCESS) require({status, onepassLastErrorMessage()});
}

// What the descriptions of products have in common.
template <class Description>
Description product_in_c(const Problem& p) {
  Description c{};
  c.type_a = static_cast<onepassType_t>(p.type_a);
  c.type_x = static_cast<onepassType_t>(p.type_x);
  c.type_y = static_cast<onepassType_t>(p.type_y);
  c.layout = static_cast<onepassLayout_t>(p.layout);
  c.n = p.n;
  c.lda = p.lda;
  c.incx = p.incx;
  c.incy = p.incy;
  c.batch = p.batch;
  c.pointer_array = p.pointer_array ? 1 : 0;
  c.stride_a = p.stride_a;
  c.stride_x = p.stride_x;
  c.stride_y = p.stride_y;
  c.scalars = static_cast<onepassPointerMode_t>(p.scalars);
  c.alignment_a = p.alignment_a;
  c.accumulate = static_cast<onepassAccumulate_t>(p.accumulate);
  c.order = static_cast<onepassOrder_t>(p.order);
  return c;
}

onepassGemvProblem_t to_c(const Problem& p) {
  auto c = product_in_c<onepassGemvProblem_t>(p);
  c.op = static_cast<onepassOperation_t>(p.op);
  c.m = p.m;
  return c;
}

onepassSymvProblem_t to_c_triangle(const Problem& p) {
  auto c = product_in_c<onepassSymvProblem_t>(p);
  c.hermitian = row(p).hermitian ? 1 : 0;
  c.uplo = static_cast<onepassFillMode_t>(p.uplo);
  return c;
}

onepassGerProblem_t to_c_update(const Problem& p) {
  return {
      .type = static_cast<onepassType_t>(p.type_a),
      .conjugate = row(p).hermitian ? 1 : 0,
      .layout = static_cast<onepassLayout_t>(p.layout),
      .m = p.m,
      .n = p.n,
      .lda = p.lda,
      .incx = p.incx,
      .incy = p.incy,
      .batch = p.batch,
      .pointer_array = p.pointer_array ? 1 : 0,
      .stride_a = p.stride_a,
      .stride_x = p.stride_x,
      .stride_y = p.stride_y,
      .scalars = static_cast<onepassPointerMode_t>(p.scalars),
      .alignment_a = p.alignment_a,
  };
}

bool has_doubles(Type sum) { return size_of(sum) / (is_pair_type(sum) ? 2 : 1) == 8; }

}  // namespace

const void* one_of(Type sum) {
  static constexpr float s[2] = {1, 0};
  static constexpr double d[2] = {1, 0};
  return has_doubles(sum) ? static_cast<const void*>(d) : s;
}

const void* negligible_of(Type sum) {
  static constexpr float s[2] = {0x1p-60f, 0};
  static constexpr double d[2] = {0x1p-60, 0};
  return has_doubles(sum) ? static_cast<const void*>(d) : s;
}

const void* zero_of(Type) {
  static constexpr double zero[2] = {0, 0};
  return zero;
}

OnepassProvider::OnepassProvider(BackendId backend) { must(onepassCreateOn(&handle_, onepass::name(backend))); }

OnepassProvider::~OnepassProvider() { onepassDestroy(handle_); }

void OnepassProvider::set_threads(int threads) { must(onepassSetThreads(handle_, threads)); }

void OnepassProvider::call(const Problem& p, const Vectors& v) {
  const Type sum = scalar_type(p.type_a);
  switch (family(p)) {
    case Family::gemv: {
      const onepassGemvProblem_t problem = to_c(p);
      return must(onepassGemv(handle_, &problem, one_of(sum), v.a, v.x, zero_of(sum), v.y));
    }
    case Family::symv: {
      const onepassSymvProblem_t problem = to_c_triangle(p);
      return must(onepassSymv(handle_, &problem, one_of(sum), v.a, v.x, zero_of(sum), v.y));
    }
    case Family::ger: {
      const onepassGerProblem_t problem = to_c_update(p);
      return must(onepassGer(handle_, &problem, negligible_of(sum), v.x, v.y, const_cast<void*>(v.a)));
    }
  }
}

}  // namespace onepass::tools
