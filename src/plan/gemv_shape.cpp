// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_shape.hpp"

#include "kernels/gemv/args.hpp"
#include "plan/gemv_launch.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

const GemvParams& gemv(const Plan& plan) { return params<GemvParams>(plan); }

bool is_n(const Plan& plan) { return !sums_along_columns(plan.kernel.variant); }

std::int64_t groups(const Plan& plan) { return plan.threads / gemv(plan).lanes; }

}  // namespace

std::int64_t alignment_classes(const Problem& p) {
  const auto v = static_cast<std::uint64_t>(vector_length(p));
  const std::uint64_t step = static_cast<std::uint64_t>(p.lda) & (v - 1);
  return static_cast<std::int64_t>(step == 0 ? 1 : v >> std::countr_zero(step));
}

std::int64_t classes_to_keep_apart(const Problem& p) {
  return std::min(alignment_classes(p), ceil_power_of_two(stored(p).cols));
}

int blocks_of_cluster(const Plan& plan) {
  return may_be_clustered(plan.kernel.variant) ? static_cast<int>(gemv(plan).splits) : 1;
}
std::int64_t step_of_columns(const Plan& plan) {
  const std::int64_t classes = alignment_classes(plan.problem);
  switch (plan.kernel.variant) {
    case Variant::gemv_t_short: return step_of_short(classes, gemv(plan).lanes);
    case Variant::gemv_t_tensor: return classes;
    default: return std::max(groups(plan), classes);
  }
}

int rows_of_small_lane(const Problem& p, std::int64_t groups) {
  constexpr int packed = kernels::gemv_n_small_packed_rows;
  const bool begins = p.alignment_a >= 2 * packed && p.lda % packed == 0 && stored(p).rows % packed == 0;
  return groups == 1 && size_of(p.type_a) == 2 && begins ? packed : 1;
}

int log2_grouped(const Plan& plan) {
  const std::int64_t outputs =
      is_n(plan) ? gemv(plan).lanes * vector_length(plan.problem) : groups(plan) * kernels::gemv_t_bundle;
  return log2_grouped(gemv(plan).splits, plan.threads, outputs);
}

// As long as that is not so much that it disturbs the launch before. Timed at a few shapes.
bool prefetch_pays(const Problem& p) { return cost(p).matrix_bytes <= 12e6; }

// On an H200. Kernels for small matrices: where the launch before would miss the bus, that costs more than it saves,
// and many rows of few columns are added up before a prefetch is through. Of 49 other shapes it saves 1 to 3 % of
// nearly all with gemv_n; with gemv_t a tenth of small matrices and 3 to 5 % of large ones, and it costs up to 15 %
// between, or with short columns.
bool single_prefetch_pays(const Plan& plan) {
  const Problem& p = plan.problem;
  const double bytes = cost(p).matrix_bytes;
  const std::int64_t size = size_of(p.type_a), rows = stored(p).rows;
  switch (plan.kernel.variant) {
    case Variant::gemv_t_short:
    case Variant::gemv_t_tensor: return false;
    case Variant::gemv_n_small: return gemv(plan).splits == 1 && rows < 15'000 && bytes < (size > 8 ? 2e6 : 4e6);
    case Variant::gemv_t_small: return gemv(plan).splits == 1 && bytes < 1e6;
    default: return is_n(plan) || bytes < 3.8e6 || (bytes > 3e7 && rows * size >= 2048);
  }
}

// Where fewer blocks than the device holds have the bus, each of their threads may prefetch more.
void set_prefetch(Plan& plan, std::int64_t prefetching_blocks) {
  GemvParams& g = params<GemvParams>(plan);
  g.prefetch_blocks = g.prefetch_vectors = 0;
  if (!is_plain(plan.problem) || !single_prefetch_pays(plan)) return;
  g.prefetch_blocks = std::min<std::int64_t>(prefetching_blocks, INT32_MAX);
  if (may_be_clustered(plan.kernel.variant)) return;
  const bool n = is_n(plan);
  const std::int64_t usual = n ? kernels::gemv_n_prefetched : kernels::gemv_t_prefetched;
  const std::int64_t most = n ? kernels::gemv_n_most_prefetched : kernels::gemv_t_most_prefetched;
  const std::int64_t blocks = g.tiles * g.splits;
  g.prefetch_vectors = static_cast<int>(std::clamp(usual * g.prefetch_blocks / (n ? blocks : 2 * blocks), usual, most));
}

Plan shape_gemv(const Problem& p, const Choice& choice) {
  const GemvBasis basis(p);
  Plan plan = plan_of(basis, launch_of(basis, choice));
  if (const auto* const g = std::get_if<GemvParams>(&plan.params); g != nullptr)
    set_prefetch(plan, g->tiles * g->splits);
  return plan;
}

const char* why_no_block(int threads, int most_threads, int lanes) {
  if (threads < 32 || threads > most_threads || !std::has_single_bit(static_cast<unsigned>(threads)))
    return most_threads > 256 ? "threads must be a power of two from 32 to 512"
                              : "threads must be a power of two from 32 to 256";
  if (lanes < 1 || lanes > threads || !std::has_single_bit(static_cast<unsigned>(lanes)))
    return "lanes must be a power of two and at most the threads";
  return nullptr;
}

const char* why_not_as_shaped(const Plan& plan, Plan shaped) {
  const Problem& p = plan.problem;
  const Variant variant = plan.kernel.variant;
  shaped.backend = plan.backend;
  if (auto* const of = std::get_if<FlatParams>(&shaped.params); of != nullptr)
    of->prefetch = params<FlatParams>(plan).prefetch;
  if (auto* const of = std::get_if<GemvParams>(&shaped.params); of != nullptr) {
    const GemvParams& g = gemv(plan);
    if (plan.kernel.form == Form::general) shaped.kernel.form = Form::general;
    if (g.products_per_block >= of->products_per_block && g.products_per_block <= p.batch)
      of->products_per_block = g.products_per_block;
    const bool prefetches = is_plain(p) && !has_columns_alike(variant);
    if (prefetches && g.prefetch_blocks >= 0 && g.prefetch_blocks <= INT32_MAX) of->prefetch_blocks = g.prefetch_blocks;
    if (prefetches && g.prefetch_vectors >= 0 && g.prefetch_vectors <= kernels::gemv_n_most_prefetched &&
        (variant == Variant::gemv_n || variant == Variant::gemv_t || variant == Variant::gemv_t_once))
      of->prefetch_vectors = g.prefetch_vectors;
  }
  if (plan != shaped) return "its tiles, splits, prefetch or memory do not follow from its threads, lanes and share";
  if (const auto* const g = std::get_if<GemvParams>(&plan.params);
      g != nullptr && (g->tile > INT32_MAX || g->tiles * blocks_of_cluster(plan) > INT32_MAX))
    return "the tiles are too many or too large for a grid";
  return plan.workspace_bytes > workspace_limit ? "workspace_bytes passes the limit" : nullptr;
}

bool is_all_aligned(const Plan& plan, const void* x) {
  const Problem& p = plan.problem;
  return gemv(plan).splits == 1 && vectors_fit(p) && stored(p).rows % vector_length(p) == 0 &&
         reinterpret_cast<std::uintptr_t>(x) % 16 == 0;
}

Flat flat(const Problem& p) {
  const Stored s = stored(p);
  if (s.transposed)
    return {.along = false, .unit = s.rows, .outputs_of_unit = 1, .outputs_of_product = s.cols, .terms = s.rows};
  return {
      .along = true, .unit = s.rows * s.cols, .outputs_of_unit = s.rows, .outputs_of_product = s.rows, .terms = s.cols};
}

const char* why_not_flat(const Problem& p) {
  const Stored s = stored(p);
  if (p.batch == 1) return "a single product";
  if (p.accumulate != Accumulate::standard) return "the sums have more digits than usual";
  if (p.pointer_array) return "the matrices lie behind pointers";
  if (p.scalars == Scalars::device) return "the scalars lie on the device";
  if (p.lda != s.rows || p.stride_a != s.rows * s.cols) return "the matrices have gaps";
  const Flat f = flat(p);
  const std::int64_t most_vectors = kernels::gemv_flat_vectors * kernels::gemv_max_threads;
  if (f.unit > gemv_flat_most || vectors_of_run(p, f.unit) > most_vectors / 2)
    return "the matrices are too large for shared memory";
  if (f.outputs_of_product >= gemv_flat_most / 2) return "a product has too many outputs";
  return nullptr;
}

std::int64_t flat_x_offset(const Problem& p, std::int64_t outputs) {
  return 16 * vectors_of_run(p, outputs / flat(p).outputs_of_unit * flat(p).unit);
}

}  // namespace onepass
