// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/choice.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "plan/gemv_canonical.hpp"
#include "plan/gemv_flat.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/gemv_short.hpp"
#include "plan/gemv_small.hpp"
#include "plan/gemv_tensor.hpp"
#include "plan/occupancy.hpp"
#include "plan/registry.hpp"
#include "problem/cost.hpp"
#include "types/elements.hpp"

namespace onepass {
namespace {

// A device starts some hundred blocks in a microsecond. Where matrices behind pointers have less than the bus brings
// meanwhile, no more blocks than it holds start, and each serves neighbours one after the other, whose pointers share a
// sector: two or three of them; more would have their trips to memory one after the other.
void use_few_blocks(Plan& plan, const DeviceTraits& traits) {
  constexpr double small = 4096;  // bytes of a block
  const Problem& p = plan.problem;
  GemvParams& g = params<GemvParams>(plan);
  const std::int64_t of_product = g.tiles * g.splits;
  const std::int64_t held = std::max(blocks_of_wave(plan, traits) / of_product, std::int64_t{1});
  const std::int64_t products = ceil_div(p.batch, held);
  if (p.pointer_array && vectors_should_fit(p) && products <= 3 &&
      cost(p).matrix_bytes < small * static_cast<double>(of_product * p.batch))
    g.products_per_block = std::max(g.products_per_block, products);
}

Plan plan_of_large(const Choice& c, const Problem& p, const DeviceTraits& traits) {
  const auto shape = c.variant == Variant::gemv_n ? shape_n : shape_t;
  Plan plan = shape(p, c.threads, c.lanes, c.share);
  plan.kernel.loads = c.loads;
  if (c.variant == Variant::gemv_t_once) plan.kernel.variant = c.variant;
  set_prefetch(plan, params<GemvParams>(plan).prefetch_blocks > 0, prefetching_blocks(plan, traits));
  use_few_blocks(plan, traits);
  return plan;
}

Plan plan_of_small(const Choice& c, const Problem& p, const DeviceTraits& traits) {
  Plan plan = shape_small_gemv(p, c.loads, c.threads, c.lanes, static_cast<int>(c.share));
  if (small_prefetch_pays(p) && c.share == 1)
    params<GemvParams>(plan).prefetch_blocks = std::min<std::int64_t>(prefetching_blocks(plan, traits), INT32_MAX);
  return plan;
}

}  // namespace

std::string print(const Choice& c) {
  return std::string(name(c.variant)) + " " + name(c.loads) + " " + std::to_string(c.threads) + "/" +
         std::to_string(c.lanes) + "/" + std::to_string(c.share);
}

std::optional<Choice> parse_choice(std::string_view text) {
  const auto word = [&](char end) {
    const std::size_t at = text.find(end);
    const std::string_view found = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    return found;
  };
  const auto number = [&](char end, auto& value) {
    const std::string_view digits = word(end);
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc{} && rest == digits.data() + digits.size() && value > 0;
  };
  Choice choice;
  const std::optional<Variant> variant = parse_variant(word(' '));
  const std::optional<Loads> loads = parse_loads(word(' '));
  if (!variant || !loads || std::ranges::find(gemv_kernels, *variant) == std::end(gemv_kernels)) return std::nullopt;
  choice.variant = *variant;
  choice.loads = *loads;
  if (!number('/', choice.threads) || !number('/', choice.lanes) || !number('\0', choice.share)) return std::nullopt;
  return choice;
}

const char* why_not_served(Variant variant, const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = decline_canonical(p, variant); reason != nullptr) return reason;
  if (variant == Variant::gemv_flat) return p.batch == 1 ? "a single product" : why_not_flat(p);
  if (stored(p).transposed != sums_along_columns(variant))
    return stored(p).transposed ? "the outputs lie across the contiguous dimension of A"
                                : "the outputs lie along the contiguous dimension of A";
  switch (variant) {
    case Variant::gemv_n_small:
    case Variant::gemv_t_small: return why_not_small_gemv(p);
    case Variant::gemv_t_short: return why_not_short_gemv(p);
    case Variant::gemv_t_tensor:
      return traits.arch < 80 ? "a device without such tensor cores" : why_not_tensor_gemv(p);
    case Variant::gemv_t_once: return why_never_once(p);
    default: return nullptr;
  }
}

Plan plan_of(const Choice& c, const Problem& p, const DeviceTraits& traits) {
  switch (c.variant) {
    case Variant::gemv_n_small:
    case Variant::gemv_t_small: return plan_of_small(c, p, traits);
    case Variant::gemv_t_short: return shape_short_gemv(p, c.loads, c.share);
    case Variant::gemv_t_tensor:
      return shape_tensor_gemv(p, {c.loads, c.threads, c.lanes / std::max(c.threads / 32, 1), c.share});
    case Variant::gemv_flat: return shape_flat(p, c.threads, c.lanes, c.share);
    default: return plan_of_large(c, p, traits);
  }
}

std::optional<Plan> legal_plan_of(const Choice& c, const Problem& p, const DeviceTraits& traits) {
  constexpr int most_threads = 1024;
  if (c.threads < 32 || c.threads > most_threads || c.lanes < 1 || c.lanes > c.threads || c.share < 1 ||
      c.share > INT32_MAX || why_not_served(c.variant, p, traits) != nullptr)
    return std::nullopt;
  const Plan plan = plan_of(c, p, traits);
  return why_illegal_on_device(plan).empty() ? std::optional(plan) : std::nullopt;
}

Choice choice_of(const Plan& plan) {
  Choice c{.variant = plan.kernel.variant, .loads = plan.kernel.loads, .threads = plan.threads};
  if (c.variant == Variant::gemv_flat) {
    const FlatParams& shape = params<FlatParams>(plan);
    c.lanes = shape.lanes;
    c.share =
        shape.outputs / flat(plan.problem).outputs_of_unit * flat(plan.problem).unit * size_of(plan.problem.type_a);
    return c;
  }
  c.lanes = params<GemvParams>(plan).lanes;
  c.share = c.variant == Variant::gemv_t_short ? visits_of_short_gemv(plan) : params<GemvParams>(plan).splits;
  return c;
}

}  // namespace onepass
