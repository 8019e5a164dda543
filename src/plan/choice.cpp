// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/choice.hpp"

#include <algorithm>
#include <cstdint>
#include <sstream>

#include "kernels/gemv/args.hpp"
#include "plan/gemv_launch.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/registry.hpp"
#include "problem/cost.hpp"

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
  if (vectors_should_fit(p) && products <= 3 &&
      cost(p).matrix_bytes < small * static_cast<double>(of_product * p.batch))
    g.products_per_block = std::max(g.products_per_block, products);
}

const char* why_not_served(Variant variant, const GemvBasis& b) {
  const Problem& p = b.problem;
  // Rows and columns are counted in 32 bits, some ahead.
  constexpr std::int64_t most = std::int64_t{1} << 29, most_of_small = 2 * most;
  constexpr std::int64_t most_of_short = 32 * kernels::gemv_t_short_vectors(Loads::many),
                         most_of_once = kernels::gemv_t_in_flight(Loads::many) * kernels::gemv_max_threads;
  if (p.order == Order::canonical) return "its order of sums is another";
  if (variant == Variant::gemv_flat) return why_not_flat(p);
  if (b.transposed != sums_along_columns(variant))
    return b.transposed ? "the outputs lie across the contiguous dimension of A"
                        : "the outputs lie along the contiguous dimension of A";
  if (variant == Variant::gemv_n || variant == Variant::gemv_t) return nullptr;
  if (!b.plain) return "a batch, or scalars on the device";
  if (variant == Variant::gemv_t_small && b.size == 2) return "dot products of two-byte elements one by one";
  if (!find_kernel({variant, Form::plain, Loads::many})->serves(b.elements))
    return variant == Variant::gemv_t_tensor
               ? "the elements have more than two bytes, or the sums more digits than usual"
               : "the sums have more digits than usual";
  constexpr const char* too_large = "the matrix is too large";
  switch (variant) {
    case Variant::gemv_t_short:
      if (b.rows < b.vector) return "the columns are shorter than a vector";
      if (b.vectors > most_of_short) return "the columns are too long for a warp";
      return b.cols > most ? too_large : nullptr;
    case Variant::gemv_t_tensor:
      if (p.incx != 1) return "incx is not 1";
      return b.rows > most || b.cols > most ? too_large : nullptr;
    case Variant::gemv_t_once:
      if (p.incx != 1) return "x has gaps";
      return b.vectors > most_of_once ? "the columns are too long for one round of loads" : nullptr;
    default: return b.rows > most_of_small || b.cols > most_of_small ? too_large : nullptr;
  }
}

const char* why_no_block(const Choice& c) {
  const bool small = c.variant == Variant::gemv_n_small || c.variant == Variant::gemv_t_small;
  return onepass::why_no_block(c.threads, small ? kernels::gemv_small_max_threads : kernels::gemv_max_threads, c.lanes);
}

int lanes_of(const Plan& plan) {
  const auto* const flat = std::get_if<FlatParams>(&plan.params);
  return flat != nullptr ? flat->lanes : params<GemvParams>(plan).lanes;
}

}  // namespace

std::string print(const Choice& c) {
  return std::string(name(c.variant)) + " " + name(c.loads) + " " + std::to_string(c.threads) + "/" +
         std::to_string(c.lanes) + "/" + std::to_string(c.share);
}

std::optional<Choice> parse_choice(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::string kernel, loads;
  Choice choice;
  char slash = 0;
  words >> kernel >> loads >> choice.threads >> slash >> choice.lanes >> slash >> choice.share;
  choice.variant = parse_variant(kernel).value_or(last_variant);
  choice.loads = parse_loads(loads).value_or(Loads::many);
  const bool known = std::ranges::find(gemv_kernels, choice.variant) != std::end(gemv_kernels);
  const bool positive = choice.threads > 0 && choice.lanes > 0 && choice.share > 0;
  return known && positive && print(choice) == text ? std::optional(choice) : std::nullopt;
}

const char* why_not_served(Variant variant, const GemvBasis& b, const DeviceTraits& traits) {
  if (variant == Variant::gemv_t_tensor && traits.arch < 80) return "a device without such tensor cores";
  return why_not_served(variant, b);
}
const char* why_not_served(Variant variant, const Problem& p, const DeviceTraits& traits) {
  return why_not_served(variant, GemvBasis(p), traits);
}

Plan plan_of(const Choice& c, const Problem& p, const DeviceTraits& traits) {
  const GemvBasis basis(p);
  Plan plan = plan_of(basis, launch_of(basis, c));
  if (c.variant == Variant::gemv_flat) return plan;
  if (is_plain(p)) set_prefetch(plan, prefetching_blocks(plan, traits));
  if (p.pointer_array) use_few_blocks(plan, traits);
  return plan;
}

std::optional<Plan> legal_plan_of(const Choice& c, const Problem& p, const DeviceTraits& traits) {
  if (c.share > INT32_MAX || why_no_block(c) != nullptr || why_not_served(c.variant, p, traits) != nullptr)
    return std::nullopt;
  const Plan plan = plan_of(c, p, traits);
  return why_illegal_on_device(plan).empty() ? std::optional(plan) : std::nullopt;
}

Choice choice_of(const Plan& plan) {
  Choice c{
      .variant = plan.kernel.variant, .loads = plan.kernel.loads, .threads = plan.threads, .lanes = lanes_of(plan)};
  if (c.variant == Variant::gemv_flat) {
    constexpr std::int64_t most_outputs = 1 << 16;  // more than a block can have: a plan that was read may have any
    const Flat f = flat(plan.problem);
    const std::int64_t outputs = std::clamp<std::int64_t>(params<FlatParams>(plan).outputs, 0, most_outputs);
    c.share = outputs / f.outputs_of_unit * f.unit * size_of(plan.problem.type_a);
    return c;
  }
  const GemvParams& g = params<GemvParams>(plan);
  c.share = c.variant == Variant::gemv_t_short
                ? g.tile / (std::int64_t{plan.threads} / g.lanes * kernels::gemv_t_short_columns(c.loads))
                : g.splits;
  return c;
}

std::string why_illegal_gemv(const Plan& plan) {
  const GemvBasis basis(plan.problem);
  const char* reason = why_not_served(plan.kernel.variant, basis);
  if (reason == nullptr) reason = why_no_block({plan.kernel.variant, plan.kernel.loads, plan.threads, lanes_of(plan)});
  if (reason != nullptr) return reason;
  const Choice c = choice_of(plan);
  const GemvLaunch launch = launch_of(basis, c);
  reason = launch.none != nullptr ? launch.none : why_not_as_shaped(plan, plan_of(basis, launch));
  return reason == nullptr ? "" : reason;
}

}  // namespace onepass
