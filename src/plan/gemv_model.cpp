// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/args.hpp"
#include "plan/gemv_flat.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/occupancy.hpp"
#include "problem/cost.hpp"
#include "tuning/table.hpp"
#include "types/elements.hpp"

namespace onepass {
namespace {

// 97,000 launches of 2,824 single products of 50 KB to 1 GB, 26,000 with more digits and 9,500 of batches, at random,
// on an H200, each timed alone; those near the fastest of their problem count most. Of 575 problems that no price has
// seen the launch that the model likes best took 1.023 times as long as the fastest that was timed (geometric mean;
// 1.28 at worst).
constexpr double fitted_clock = 1.98e9, fitted_bandwidth = 4.65e12, fitted_sms = 132;
constexpr GemvPrices of_n{
    .launch = 1.77,
    .round = 0.0963,
    .load_of_trip = 0.0826,
    .wave = 0.307,
    .thread = 1.78,
    .block = 46.6,
    .run = 0.306,
    .narrow = 0.234,
    .cut = 0.145,
    .uneven = 0.00262,
    .combine = 0.776,
    .poll = 0.202,
    .part = 0.00123,
    .step = 0.0403,
    .group = 0.427,
    .output = 0.59,
    .load = {0.000307, 0.0756, 0.0861, 0.0907, 0.0873, 0.0909, 0.189, 0.0952, 0.219, 0.268, 0.268, 0.163, 0.248}};
constexpr GemvPrices of_t{
    .launch = 1.77,
    .round = 0.257,
    .load_of_trip = 0.318,
    .wave = 0.00595,
    .thread = 2.96,
    .block = 21.5,
    .run = 0.369,
    .narrow = 0.00328,
    .cut = 0.876,
    .uneven = 0.0311,
    .combine = 0.834,
    .poll = 0.186,
    .part = 0.0533,
    .step = 0.0442,
    .group = 0.604,
    .output = 0.279,
    .load = {0.0173, 0.0683, 0.0627, 0.0353, 0.122, 0.119, 0.173, 0.125, 0.209, 0.344, 0.344, 0.199, 0.314}};
constexpr GemvPrices of_t_once{.launch = 1.75,
                               .round = 0.00488,
                               .load_of_trip = 0.203,
                               .wave = 0.00476,
                               .thread = 1.48,
                               .block = 3.97,
                               .run = 0.0437,
                               .narrow = 0.082,
                               .cut = 0.0402,
                               .uneven = 1.1,
                               .step = 0.0556,
                               .output = 0.0222,
                               .load = {0.12, 0.144, 0.218, 0.0019, 0.265, 0.291, 0.215, 0.301, 0.503, 0, 0, 0.537}};
constexpr GemvPrices of_n_small{
    .launch = 1.42,
    .round = 0.469,
    .load_of_trip = 0.0162,
    .wave = 0.00131,
    .thread = 1.26,
    .block = 62.2,
    .run = 0.679,
    .narrow = 0.00153,
    .cut = 0.0691,
    .uneven = 0.0145,
    .combine = 0.106,
    .cluster = 0.0756,
    .step = 0.0506,
    .output = 0.0136,
    .load = {0.0346, 0.0839, 0.106, 0.221, 0.0455, 0.0439, 0, 0.0684, 0.233, 0, 0, 0.171, 0.619}};
constexpr GemvPrices of_t_small{.launch = 1.3,
                                .round = 0.602,
                                .load_of_trip = 0.000729,
                                .wave = 0.00152,
                                .thread = 0.943,
                                .block = 22,
                                .run = 0.279,
                                .narrow = 0.00286,
                                .uneven = 0.189,
                                .combine = 0.126,
                                .cluster = 0.113,
                                .step = 0.0567,
                                .output = 0.917,
                                .load = {0.0213, 0.0545, 0.0761, 0.188, 0, 0, 0, 0.05, 0.196, 0, 0, 0.161, 0.516}};
constexpr GemvPrices of_t_short{.launch = 2.15,
                                .round = 0.0148,
                                .load_of_trip = 0.0533,
                                .wave = 0.0247,
                                .thread = 1.26,
                                .block = 19.8,
                                .run = 0.192,
                                .uneven = 0.443,
                                .step = 0.0026,
                                .output = 0.0304,
                                .load = {0.0558, 0.0638, 0.0876, 0.00206, 0.159, 0.141}};
constexpr GemvPrices of_t_tensor{.launch = 1.75,
                                 .round = 0.334,
                                 .load_of_trip = 0.128,
                                 .wave = 0.0471,
                                 .thread = 1.14,
                                 .block = 59.5,
                                 .run = 0.0214,
                                 .narrow = 0.0587,
                                 .uneven = 0.0306,
                                 .combine = 0.425,
                                 .cluster = 0.0975,
                                 .step = 0.0391,
                                 .output = 2.97,
                                 .load = {0, 0, 0, 0, 0.127, 0.115}};
constexpr GemvPrices of_flat{.launch = 1.89,
                             .round = 0.366,
                             .load_of_trip = 0.0423,
                             .wave = 0.223,
                             .thread = 2.6,
                             .block = 32.5,
                             .uneven = 1.54,
                             .step = 0.096,
                             .term = 0.0543,
                             .output = 0.329,
                             .load = {0.0656, 0.575, 0.372, 0.00449, 0.657, 0.00281}};

constexpr ModelPrices built_in = {of_flat,    of_n_small,  of_n,      of_t_small,
                                  of_t_short, of_t_tensor, of_t_once, of_t};  // as in gemv_kernels

constexpr double whole_run = 512;  // where longer ones are no better

// Those of x as head and tail were not timed.
ElementsId without_tails(ElementsId id) {
  switch (id) {
    case ElementsId::s_tails: return ElementsId::s_wider;
    case ElementsId::d_tails: return ElementsId::d_twice;
    case ElementsId::c_tails: return ElementsId::c_wider;
    case ElementsId::z_tails: return ElementsId::z_twice;
    default: return id;
  }
}

// Of a number that is not negative; std::ceil is a call where nothing is known of the processor.
double ceil(double v) {
  const auto whole = static_cast<double>(static_cast<std::int64_t>(v));
  return whole + (whole < v ? 1 : 0);
}

double number(std::int64_t v) { return static_cast<double>(v); }
int log2_of(std::int64_t power) { return std::countr_zero(static_cast<std::uint64_t>(power)); }

double resident_of(const GemvBasis& b, const Choice& c, std::int64_t shared_bytes) {
  return resident_blocks({.variant = c.variant, .form = form_of(c.variant, b), .loads = c.loads}, b.elements, c.threads,
                         static_cast<std::size_t>(shared_bytes), b.traits);
}

// Partial sums of a tile's outputs through mailboxes: log2_grouped() says how.
void count_parts(std::int64_t threads, std::int64_t splits, std::int64_t outputs, GemvCounts& c) {
  if (splits < 2) return;
  const double of_thread = number(outputs) / number(threads), teams = std::max(1 / of_thread, 1.0);
  const auto receive = [&](std::int64_t parts) {
    c.polls += ceil(number(parts) / (2 * teams));
    c.parts += number(parts) * of_thread;
  };
  c.through_memory = true;
  const int grouped = log2_grouped(splits, threads, outputs);
  c.grouped = grouped > 0;
  if (!c.grouped) return receive(splits - 1);
  receive((std::int64_t{1} << grouped) - 1);
  receive(ceil_div(splits, std::int64_t{1} << grouped) - 1);
}

GemvCounts counts_of_n(const GemvBasis& b, const Choice& choice) {
  GemvCounts c;
  const std::int64_t lanes = choice.lanes, groups = choice.threads / lanes, outputs = lanes * b.vector;
  if (groups % b.keep_apart != 0) return c;
  const GemvSplit s = split_n(b.rows, b.cols, rows_in_lanes(b.vector, b.fit, lanes), b.fit ? 32 / b.size : 1,
                              outputs > choice.threads ? 1 : choice.share, b.problem.batch * outputs * b.size_of_sum);
  const int in_flight = kernels::gemv_n_in_flight(choice.loads);
  const std::int64_t vectors = ceil_div(s.chunk, groups);
  c.blocks = number(s.tiles * s.splits * b.problem.batch);
  c.resident = resident_of(b, choice, (choice.threads * b.vector + choice.threads) * b.size_of_sum);
  c.vectors = number(vectors);
  c.flight = in_flight;
  c.rounds = number(ceil_div(vectors, in_flight));
  c.loads = number(vectors * choice.threads);
  const bool whole = b.vectors <= lanes;
  c.run = whole ? whole_run : number(16 * lanes);
  if (!whole && !b.on_sectors) c.sectors = (c.run + 16) / number(s.tile * b.size);
  c.steps = log2_of(groups);
  c.outputs = number(outputs);
  count_parts(choice.threads, s.splits, outputs, c);
  return c;
}

GemvCounts counts_of_t(const GemvBasis& b, const Choice& choice) {
  GemvCounts c;
  const bool once = choice.variant == Variant::gemv_t_once;
  const std::int64_t lanes = choice.lanes, groups = choice.threads / lanes, outputs = groups * kernels::gemv_t_bundle;
  const int in_flight = kernels::gemv_t_in_flight(choice.loads);
  if (once && (choice.share > 1 || lanes < std::max<std::int64_t>(b.vector, kernels::gemv_t_bundle) ||
               b.vectors > in_flight * lanes))
    return c;
  const GemvSplit s = split_t(b.cols, b.vectors, outputs, std::max(groups, b.classes),
                              outputs > choice.threads ? 1 : choice.share, b.problem.batch * outputs * b.size_of_sum);
  const std::int64_t vectors = ceil_div(std::min(s.chunk, b.vectors), lanes);
  c.blocks = number(s.tiles * s.splits * b.problem.batch);
  c.resident = resident_of(
      b, choice,
      (choice.threads / std::min<std::int64_t>(lanes, 32) * kernels::gemv_t_bundle + choice.threads) * b.size_of_sum);
  c.vectors = number(vectors);
  c.flight = in_flight;
  c.rounds = number(ceil_div(vectors, in_flight));
  c.loads = number(vectors * choice.threads * kernels::gemv_t_bundle);
  const bool one_go = b.vectors <= lanes;
  const double of_lanes = number(16 * lanes);
  c.run = one_go || (c.rounds == 1 && s.splits == 1) ? whole_run : of_lanes;
  if (!one_go && !b.on_sectors)
    c.sectors = (of_lanes + 16) / of_lanes * (1 + (b.fit ? 0.0 : number(16 - b.size)) / number(b.rows * b.size));
  c.steps = log2_of(lanes);
  c.outputs = number(outputs);
  count_parts(choice.threads, s.splits, outputs, c);
  return c;
}

// Whether a sum's terms are enough for so many blocks of a cluster.
bool has_terms_for(std::int64_t cluster, std::int64_t terms) {
  return cluster == 1 || ceil_div(terms, ceil_div(terms, cluster)) == cluster;
}

GemvCounts counts_of_n_small(const GemvBasis& b, const Choice& choice) {
  GemvCounts c;
  const std::int64_t lanes = choice.lanes, groups = choice.threads / lanes, cluster = choice.share;
  if (!has_terms_for(cluster, b.cols) || (cluster > 1 && groups < 2)) return c;
  const GemvTiles of = share_rows(b.rows, lanes, b.fit ? 32 / b.size : 1);
  const std::int64_t vectors = ceil_div(ceil_div(b.cols, cluster), groups);
  const int in_flight = kernels::gemv_n_small_in_flight(choice.loads, static_cast<int>(b.size));
  c.blocks = number(of.tiles * cluster);
  c.resident =
      resident_of(b, choice, ((groups > 1 ? groups * (lanes + 1) : 0) + (cluster - 1) * lanes) * b.size_of_sum);
  c.clustered = cluster > 1;
  c.cluster_steps = log2_of(cluster);
  c.vectors = number(vectors);
  c.flight = in_flight;
  c.rounds = number(ceil_div(vectors, in_flight));
  c.loads = number(vectors * choice.threads);
  const std::int64_t run = std::min(of.tile, b.rows) * b.size;
  c.run = of.tiles == 1 ? whole_run : number(run);
  if (of.tiles > 1 && (!b.on_sectors || of.tile * b.size % 32 != 0))
    c.sectors = number(run + 32 - b.size) / number(run);
  c.steps = log2_of(groups);
  c.outputs = number(lanes);
  return c;
}

GemvCounts counts_of_t_small(const GemvBasis& b, const Choice& choice) {
  GemvCounts c;
  const bool deep = kernels::gemv_t_small_is_deep(static_cast<int>(b.size), static_cast<int>(b.size_of_sum));
  const std::int64_t lanes = choice.lanes, groups = choice.threads / lanes, cluster = choice.share;
  const std::int64_t columns = kernels::gemv_t_small_columns(choice.loads, deep);
  if (lanes < columns || !has_terms_for(cluster, b.rows) || (cluster > 1 && lanes < 64)) return c;
  const std::int64_t outputs = groups * columns, chunk = ceil_div(b.rows, cluster), vectors = ceil_div(chunk, lanes);
  const int in_flight = kernels::gemv_t_small_in_flight(choice.loads, deep, static_cast<int>(b.size));
  c.blocks = number(ceil_div(b.cols, outputs) * cluster);
  c.resident =
      resident_of(b, choice, ((lanes > 32 ? lanes / 32 * outputs : 0) + (cluster - 1) * outputs) * b.size_of_sum);
  c.clustered = cluster > 1;
  c.cluster_steps = log2_of(cluster);
  c.vectors = number(vectors);
  c.flight = in_flight;
  c.rounds = number(ceil_div(vectors, in_flight));
  c.loads = number(vectors * choice.threads * columns);
  const std::int64_t together = chunk > lanes * in_flight ? std::min(lanes, chunk) * b.size
                                : cluster == 1            ? static_cast<std::int64_t>(whole_run)
                                                          : chunk * b.size;
  c.run = std::min(number(together), whole_run);
  c.steps = log2_of(lanes);
  c.outputs = number(outputs);
  return c;
}

GemvCounts counts_of_short(const GemvBasis& b, const Choice& choice) {
  GemvCounts c;
  const std::int64_t vectors = kernels::gemv_t_short_vectors(choice.loads),
                     columns = kernels::gemv_t_short_columns(choice.loads);
  if (choice.lanes < columns || choice.lanes * vectors < b.vectors) return c;
  const std::int64_t run = b.classes * columns, tile = choice.threads / choice.lanes * columns * choice.share;
  c.blocks = number(ceil_div(ceil_div(b.cols, run) * run, tile));
  c.resident = resident_of(b, choice, 0);
  c.flight = number(vectors * columns);
  c.rounds = number(choice.share);
  c.vectors = c.flight * c.rounds;
  c.loads = c.vectors * choice.threads;
  c.steps = log2_of(choice.lanes);
  c.outputs = number(tile);
  return c;
}

GemvCounts counts_of_tensor(const GemvBasis& b, const Choice& choice) {
  GemvCounts c;
  const std::int64_t warps = choice.threads / 32, groups = choice.threads / choice.lanes, cluster = choice.share;
  if (!has_terms_for(cluster, b.vectors) || groups > 4) return c;
  const std::int64_t columns = kernels::gemv_t_tensor_columns(choice.loads), outputs = groups * columns;
  const int in_flight = kernels::gemv_t_tensor_in_flight(choice.loads);
  const std::int64_t vectors = ceil_div(ceil_div(b.vectors, cluster), choice.lanes);
  c.blocks = number(b.classes * ceil_div(ceil_div(b.cols, b.classes), outputs) * cluster);
  c.resident = resident_of(b, choice, (warps + cluster - 1) * outputs * b.size_of_sum);
  c.clustered = cluster > 1;
  c.cluster_steps = log2_of(cluster);
  c.vectors = number(vectors);
  c.flight = in_flight;
  c.rounds = number(ceil_div(vectors, in_flight));
  c.loads = number(vectors * choice.threads * columns);
  c.run = b.vectors <= choice.lanes ? whole_run : std::min(whole_run, number(16 * choice.lanes / warps));
  c.steps = log2_of(warps);
  c.outputs = number(outputs);
  return c;
}

GemvCounts counts_of_flat(const GemvBasis& b, const Choice& choice) {
  GemvCounts c;
  const FlatShape f = flat_shape(b.problem, choice.threads, choice.share);
  if (f.blocks == 0) return c;
  const std::int64_t terms = b.transposed ? b.rows : b.cols;
  c.blocks = number(f.blocks);
  c.resident = resident_of(b, choice, f.shared_bytes);
  c.loads = b.bytes / 16 / c.blocks;
  c.vectors = c.loads / choice.threads;
  c.flight = kernels::gemv_flat_vectors;
  c.terms = number(ceil_div(f.outputs * choice.lanes, choice.threads) * ceil_div(terms, choice.lanes));
  c.steps = log2_of(choice.lanes);
  c.outputs = number(f.outputs);
  return c;
}

}  // namespace

GemvBasis::GemvBasis(const Problem& p, const DeviceTraits& device)
    : problem(p),
      traits(device),
      prices(prices_of(device)),
      transposed(stored(p).transposed),
      fit(vectors_should_fit(p)),
      on_sectors(columns_on_sectors(p)),
      plain(is_plain(p)),
      elements(elements_of(p)),
      rows(stored(p).rows),
      cols(stored(p).cols),
      size(size_of(p.type_a)),
      vector(vector_length(p)),
      vectors(vectors_of_column(p)),
      classes(alignment_classes(p)),
      keep_apart(classes_to_keep_apart(p)),
      size_of_sum(onepass::size_of_sum(p)),
      bytes(stored_bytes(p)),
      cycles(device.clock_hertz > 0 ? fitted_clock / device.clock_hertz : 1),
      stream(1e6 * bytes /
             (device.ceilings.bytes_per_second > 0 ? device.ceilings.bytes_per_second
                                                   : fitted_bandwidth / fitted_sms * device.sm_count)) {}

namespace {
GemvCounts counts_of_kernel(const GemvBasis& b, const Choice& choice) {
  switch (choice.variant) {
    case Variant::gemv_n: return counts_of_n(b, choice);
    case Variant::gemv_n_small: return counts_of_n_small(b, choice);
    case Variant::gemv_t_small: return counts_of_t_small(b, choice);
    case Variant::gemv_t_short: return counts_of_short(b, choice);
    case Variant::gemv_t_tensor: return counts_of_tensor(b, choice);
    case Variant::gemv_flat: return counts_of_flat(b, choice);
    default: return counts_of_t(b, choice);
  }
}
}  // namespace

Form form_of(Variant variant, const GemvBasis& b) {
  return b.plain && variant != Variant::gemv_flat ? Form::plain : Form::general;
}

GemvCounts counts_of(const GemvBasis& b, const Choice& choice) {
  GemvCounts c = counts_of_kernel(b, choice);
  c.threads = choice.threads;
  return c;
}

const ModelPrices& prices_of(const DeviceTraits& traits) {
  const TuningTables* const tables = traits.tuning;
  return tables != nullptr && tables->user && tables->user->prices ? *tables->user->prices : built_in;
}

double seconds_of(const GemvBasis& b, const GemvCounts& c, const GemvPrices& k) {
  // Blocks of a cluster stand together: some SMs have no place for one.
  const int all = b.traits.sm_count, of_clusters = 4 * b.traits.clusters_of_four;
  const double sms = c.clustered && of_clusters > 0 ? std::min(of_clusters, all) : all;
  const double of_sm = c.blocks / sms, of_busiest = ceil(of_sm);
  const double slow = 32 / c.run, uneven = of_sm > 1 ? of_busiest / of_sm - 1 : 0;
  const double stream = k.stream * b.stream * (1 + k.run * slow + k.narrow * slow * slow) *
                        (1 + k.cut * (c.sectors - 1)) * (1 + k.uneven * uneven);
  const auto elements = static_cast<std::size_t>(without_tails(b.elements));
  const double issue = 1e-3 * b.cycles * of_busiest *
                       (c.loads * k.load[elements] + c.threads * k.thread + c.outputs * k.output + k.block);
  const double latency =
      ceil(of_sm / c.resident) *
      (c.rounds * (k.round + k.load_of_trip * std::min(c.flight, c.vectors)) + k.wave + k.term * c.terms);
  double combine = k.step * c.steps + k.cluster * c.cluster_steps + k.poll * c.polls + k.part * c.parts;
  if (c.clustered || c.through_memory) combine += k.combine;
  if (c.grouped) combine += k.group;
  return 1e-6 * (k.launch + combine + std::sqrt(stream * stream + issue * issue + latency * latency));
}

double modelled_seconds(const GemvBasis& b, const Choice& choice) {
  const GemvCounts counts = counts_of(b, choice);
  return counts.blocks > 0 ? seconds_of(b, counts, b.prices[place_of(choice.variant)]) : 0;
}

double modelled_seconds(const Plan& plan, const DeviceTraits& traits) {
  return modelled_seconds(GemvBasis(plan.problem, traits), choice_of(plan));
}

}  // namespace onepass
