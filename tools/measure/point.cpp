// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "problem/names.hpp"

namespace onepass::tools {

// A batch of one has strides, too: that is how it differs from a call without a batch.
Batching batching(const Problem& p) {
  if (p.pointer_array) return Batching::pointers;
  return p.batch != 1 || p.stride_a != 0 ? Batching::strided : Batching::one;
}

void lay_tight(Problem& p, std::int64_t pad, Batching batching, std::int64_t batch) {
  p.lda = std::max<std::int64_t>(1, stored(p).rows + pad);
  p.batch = batch;
  p.pointer_array = batching == Batching::pointers;
  if (batching != Batching::strided) return;
  // What no memory holds is left to the check of the problem.
  if (__builtin_mul_overflow(p.lda, stored(p).cols, &p.stride_a)) p.stride_a = std::numeric_limits<std::int64_t>::max();
  p.stride_x = length_x(p);
  p.stride_y = length_y(p);
}

std::string kind(const Problem& p) {
  std::string text = p.routine == Routine::gemv ? type_name(p) + " " + selected(p) : full_kind(p);
  if (p.order != Order::standard) text += std::string(" ") + name(p.order);
  return p.accumulate == Accumulate::standard ? text : text + " " + name(p.accumulate);
}

std::string label(const Problem& p) {
  std::string text = fmt::format("{} {}x{}", kind(p), p.m, p.n);
  if (p.layout == Layout::row) text += " row";
  if (p.lda != std::max<std::int64_t>(1, stored(p).rows)) text += fmt::format(" lda {}", p.lda);
  if (batching(p) != Batching::one) text += fmt::format(" batch {}", p.batch);
  if (p.pointer_array) text += " pointers";
  return text;
}

std::string threads_text(int threads) {
  return threads == 0 ? "" : fmt::format(" {} thread{}", threads, threads == 1 ? "" : "s");
}

std::string cache_and_setting(const Point& point) {
  if (point.threads != 0) return name(point.cache);
  return fmt::format("{} {}", from_memory(point.cache) ? "cold" : "hot", name(setting(point.cache)));
}

std::string batching_name(Batching batching) {
  if (batching == Batching::one) return "";
  return batching == Batching::strided ? " strided" : " pointers";
}

std::string series(const Point& point) {
  return fmt::format("{} {}{}", kind(point.problem), name(point.cache), threads_text(point.threads));
}

std::string key(const Point& point) {
  const Problem& p = point.problem;
  return fmt::format("{} stride {} {} {}", describe(p), p.stride_a, name(point.cache), point.threads);
}

}  // namespace onepass::tools
