// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/choice.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>

#include "kernels/args.hpp"
#include "plan/device_traits.hpp"
#include "plan/gemv_canonical.hpp"
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
  if (p.pointer_array && vectors_should_fit(p) && products <= 3 &&
      cost(p).matrix_bytes < small * static_cast<double>(of_product * p.batch))
    g.products_per_block = std::max(g.products_per_block, products);
}

// Whether the first blocks of a small matrix had better prefetch: where the launch before would miss the bus, that
// costs more than it saves. Many rows of few columns are added up before a prefetch is through.
bool small_prefetch_pays(const Problem& p) {
  constexpr std::int64_t many_rows = 15'000;
  const double bytes = cost(p).matrix_bytes;
  if (stored(p).transposed) return bytes < 1e6;
  return stored(p).rows < many_rows && bytes < (size_of(p.type_a) > 8 ? 2e6 : 4e6);
}

// As long as no device is known.
Plan shape_of(const Choice& c, const Problem& p) {
  switch (c.variant) {
    case Variant::gemv_n_small:
    case Variant::gemv_t_small: return shape_small_gemv(p, c.loads, c.threads, c.lanes, c.share);
    case Variant::gemv_t_short: return shape_short_gemv(p, c.loads, c.share);
    case Variant::gemv_t_tensor: return shape_tensor_gemv(p, c.loads, c.threads, c.lanes, c.share);
    case Variant::gemv_flat: return shape_flat(p, c.threads, c.lanes, c.share);
    default: break;
  }
  Plan plan = (c.variant == Variant::gemv_n ? shape_n : shape_t)(p, c.threads, c.lanes, c.share);
  plan.kernel.variant = c.variant;
  plan.kernel.loads = c.loads;
  return plan;
}

const char* why_not_served(Variant variant, const Problem& p) {
  // Rows and columns are counted in 32 bits, some ahead.
  constexpr std::int64_t most = std::int64_t{1} << 29, most_of_small = 2 * most;
  constexpr std::int64_t most_vectors =
      std::int64_t{kernels::gemv_t_in_flight(Loads::many)} * kernels::gemv_max_threads;
  const Stored s = stored(p);
  if (p.order == Order::canonical) return "its order of sums is another";
  if (variant == Variant::gemv_flat) return why_not_flat(p);
  if (s.transposed != sums_along_columns(variant))
    return s.transposed ? "the outputs lie across the contiguous dimension of A"
                        : "the outputs lie along the contiguous dimension of A";
  if (variant == Variant::gemv_n || variant == Variant::gemv_t) return nullptr;
  if (!is_plain(p)) return "a batch, or scalars on the device";
  if (variant == Variant::gemv_t_small && size_of(p.type_a) == 2) return "dot products of two-byte elements one by one";
  if (!find_kernel({variant, Form::plain, Loads::many})->serves(elements_of(p)))
    return variant == Variant::gemv_t_tensor
               ? "the elements have more than two bytes, or the sums more digits than usual"
               : "the sums have more digits than usual";
  constexpr const char* too_large = "the matrix is too large";
  switch (variant) {
    case Variant::gemv_t_short:
      if (s.rows < vector_length(p)) return "the columns are shorter than a vector";
      if (lanes_of_short_gemv(p, Loads::many) > 32) return "the columns are too long for a warp";
      return s.cols > most ? too_large : nullptr;
    case Variant::gemv_t_tensor:
      if (p.incx != 1) return "incx is not 1";
      return s.rows > most || s.cols > most ? too_large : nullptr;
    case Variant::gemv_t_once:
      if (p.incx != 1) return "x has gaps";
      return vectors_of_column(p) > most_vectors ? "the columns are too long for one round of loads" : nullptr;
    default: return p.m > most_of_small || p.n > most_of_small ? too_large : nullptr;
  }
}

int lanes_of(const Plan& plan) {
  const auto* const flat = std::get_if<FlatParams>(&plan.params);
  return flat != nullptr ? flat->lanes : params<GemvParams>(plan).lanes;
}

// Null, or why no launch of a problem that its kernel serves has these numbers.
const char* why_no_launch(const Choice& c, const Problem& p) {
  if (c.share < 1) return "nobody has a share";
  const int groups = c.threads / c.lanes;
  if (may_be_clustered(c.variant)) {
    if (c.share > 1 << kernels::gemv_log2_most_cluster || !std::has_single_bit(static_cast<std::uint64_t>(c.share)))
      return "a cluster must be a power of two of blocks, up to 8";
    if (c.share > 1 && !may_be_clustered({c.variant, Form::plain, c.loads}, elements_of(p)))
      return "no cluster sums these types";
  }
  switch (c.variant) {
    case Variant::gemv_n:
      return groups % classes_to_keep_apart(p) != 0 ? "lanes leave too few groups for this lda" : nullptr;
    case Variant::gemv_t_once:
      if (c.share != 1) return "its sums are split";
      if (c.lanes < std::max<std::int64_t>(vector_length(p), kernels::gemv_t_bundle))
        return "too few lanes for its edges";
      return vectors_of_column(p) > std::int64_t{kernels::gemv_t_in_flight(c.loads)} * c.lanes
                 ? "a thread has more vectors of a column than loads in flight"
                 : nullptr;
    case Variant::gemv_n_small: return c.share > 1 && groups < 2 ? "lanes that a cluster cannot have" : nullptr;
    case Variant::gemv_t_small:
      if (c.lanes < kernels::gemv_t_small_columns(c.loads, is_deep(p)))
        return "too few lanes for the columns of a group";
      return c.share > 1 && c.lanes < 64 ? "lanes that a cluster cannot have" : nullptr;
    case Variant::gemv_t_short: return c.lanes > 32 ? "the columns are too long for a warp" : nullptr;
    case Variant::gemv_t_tensor: return groups > 4 ? "a warp must have one, two or four groups of lanes" : nullptr;
    case Variant::gemv_flat: return c.lanes > 32 ? "lanes must be a power of two and at most a warp" : nullptr;
    default: return nullptr;
  }
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
  if (variant == Variant::gemv_t_tensor && traits.arch < 80) return "a device without such tensor cores";
  return why_not_served(variant, p);
}

Plan plan_of(const Choice& c, const Problem& p, const DeviceTraits& traits) {
  Plan plan = shape_of(c, p);
  switch (c.variant) {
    case Variant::gemv_t_short:
    case Variant::gemv_t_tensor:
    case Variant::gemv_flat: break;
    case Variant::gemv_n_small:
    case Variant::gemv_t_small:
      if (c.share == 1 && small_prefetch_pays(p))
        params<GemvParams>(plan).prefetch_blocks = prefetching_blocks(plan, traits);
      break;
    default:
      set_prefetch(plan, params<GemvParams>(plan).prefetch_blocks > 0, prefetching_blocks(plan, traits));
      use_few_blocks(plan, traits);
  }
  return plan;
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
  c.share = c.variant == Variant::gemv_t_short ? g.tile / outputs(plan) : g.splits;
  return c;
}

std::string why_illegal_gemv(const Plan& plan) {
  const Problem& p = plan.problem;
  const Variant variant = plan.kernel.variant;
  const bool small = variant == Variant::gemv_n_small || variant == Variant::gemv_t_small;
  const int most_threads = small ? kernels::gemv_small_max_threads : kernels::gemv_max_threads;
  const char* reason = why_not_served(variant, p);
  if (reason == nullptr) reason = why_no_block(plan.threads, most_threads, lanes_of(plan));
  if (reason != nullptr) return reason;
  const Choice c = choice_of(plan);
  reason = why_no_launch(c, p);
  if (reason == nullptr) reason = why_not_as_shaped(plan, shape_of(c, p));
  return reason == nullptr ? "" : reason;
}

}  // namespace onepass
