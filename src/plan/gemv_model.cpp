// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "kernels/args.hpp"
#include "plan/device_traits.hpp"
#include "plan/gemv_shape.hpp"
#include "problem/cost.hpp"
#include "tuning/table.hpp"
#include "types/elements.hpp"

namespace onepass {
namespace {

// 164,000 launches of 7,000 random problems on an H200, each timed alone; those near the fastest of their problem count
// most. docs/tuning.md says how well they do on problems that no price has seen.
constexpr double fitted_clock = 1.98e9, fitted_bandwidth = 4.65e12, fitted_sms = 132;

struct FittedPrice {
  double GemvPrices::*price;
  double of_kernels[std::size(gemv_kernels)];  // in their order
};
constexpr FittedPrice fitted_prices[] = {
    //                       flat, n_small, n, t_small, t_short, t_tensor, t_once, t
    {&GemvPrices::launch, {1.55, 1.13, 1.09, 1.19, 1.74, 1.37, 1.18, 1.36}},
    {&GemvPrices::spread, {0.00408, 0.254, 0.268, 0.102, 0.473, 0.165, 0.294, 0.142}},
    {&GemvPrices::ramp, {1.49, 0.464, 0.275, 0.377, 0.138, 0.396, 0.241, 0.39}},
    {&GemvPrices::round, {0.879, 0.439, 0.185, 0.585, 0.00144, 0.273, 0.00162, 0.371}},
    {&GemvPrices::load_of_trip, {0.0574, 0.0177, 0.0439, 0, 0.0493, 0.0393, 0, 0.0668}},
    {&GemvPrices::slot, {0.0101, 0, 0.0205, 0, 0.00985, 0.114, 0.476, 0.119}},
    {&GemvPrices::wave, {0.237, 0, 0.774, 0, 0.369, 0.128, 0.0016, 0.457}},
    {&GemvPrices::thread, {1.69, 1.19, 1.89, 0.819, 0.882, 1.02, 1.27, 2.95}},
    {&GemvPrices::block, {0.56, 1.78, 23.8, 0.319, 19.3, 61.7, 0.263, 2.95}},
    {&GemvPrices::run, {0, 0.29, 0.15, 0.156, 0.0138, 0.00246, 0.00582, 0.171}},
    {&GemvPrices::narrow, {0, 0, 0.324, 0, 0, 0.0176, 0.0396, 0.0972}},
    {&GemvPrices::cut, {0, 0.276, 0.147, 0, 0, 0, 0.00705, 0.926}},
    {&GemvPrices::combine, {0, 0.273, 0.694, 0.278, 0, 0.537, 0, 0.747}},
    {&GemvPrices::poll, {0, 0, 0.177, 0, 0, 0, 0, 0.235}},
    {&GemvPrices::cluster, {0, 0.0275, 0, 0.0563, 0, 0.0396, 0, 0}},
    {&GemvPrices::step, {0.00132, 0.0796, 0.0577, 0.0544, 0, 0.0721, 0.0716, 0.042}},
    {&GemvPrices::group, {0, 0, 0.368, 0, 0, 0, 0, 0.457}},
    {&GemvPrices::term, {0.00347, 0, 0, 0, 0, 0, 0, 0}},
    {&GemvPrices::output, {0.467, 0, 0.515, 0.862, 0.123, 0.047, 0.00678, 0.316}},
};
constexpr decltype(GemvPrices::load) fitted_loads[] = {
    {{0.147, 0.149, 0.181, 0.382, 0.55, 0.521}},
    {{0.000223, 0.0237, 0.0518, 0.104, 0.0276, 0.0264, 0, 0.0532, 0.179, 0, 0, 0.144, 0.534}},
    {{2.99e-05, 0.0504, 0.04, 0.0631, 0.0434, 0.0622, 0.167, 0.0476, 0.172, 0.268, 0.268, 0.122, 0.205}},
    {{3.25e-05, 0.0062, 0.0331, 0.129, 0, 0, 0, 0.0412, 0.173, 0, 0, 0.136, 0.456}},
    {{0.032, 0.0437, 0.0678, 0.000502, 0.14, 0.122}},
    {{0, 0, 0, 0, 0.000428, 0.00349}},
    {{0.112, 0.148, 0.21, 0.000536, 0.277, 0.302, 0.18, 0.262, 0.476, 0, 0, 0.517}},
    {{3.57e-05, 0.00407, 0.00597, 0.000124, 0.118, 0.139, 0.155, 0.102, 0.175, 0.298, 0.325, 0.175, 0.299}},
};
constexpr ModelPrices built_in = [] {
  ModelPrices prices;
  for (std::size_t i = 0; i < prices.size(); ++i) {
    for (const FittedPrice& fitted : fitted_prices) prices[i].*fitted.price = fitted.of_kernels[i];
    prices[i].load = fitted_loads[i];
  }
  return prices;
}();

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

// The number is not negative; std::ceil is a call where nothing is known of the processor.
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

// A thread has so many vectors, or elements, of so many columns, one after the other.
void count_loads(std::int64_t vectors, int in_flight, std::int64_t columns, const Choice& choice, GemvCounts& c) {
  c.vectors = number(vectors);
  c.flight = in_flight;
  c.rounds = number(ceil_div(vectors, in_flight));
  c.loads = number(vectors * choice.threads * columns);
}

// A cluster for each of so many tiles.
void count_clusters(std::int64_t tiles, std::int64_t cluster, GemvCounts& c) {
  c.blocks = number(tiles * cluster);
  c.clustered = cluster > 1;
  c.cluster_steps = log2_of(cluster);
}

// Partial sums of a tile's outputs through mailboxes: log2_grouped() says how.
void count_parts(std::int64_t threads, std::int64_t splits, std::int64_t outputs, GemvCounts& c) {
  if (splits < 2) return;
  const double teams = std::max(number(threads) / number(outputs), 1.0);
  const auto receive = [&](std::int64_t parts) { c.polls += ceil(number(parts) / (2 * teams)); };
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
  c.blocks = number(s.tiles * s.splits * b.problem.batch);
  c.resident = resident_of(b, choice, (choice.threads * b.vector + choice.threads) * b.size_of_sum);
  count_loads(ceil_div(s.chunk, groups), kernels::gemv_n_in_flight(choice.loads), 1, choice, c);
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
  c.blocks = number(s.tiles * s.splits * b.problem.batch);
  c.resident = resident_of(
      b, choice,
      (choice.threads / std::min<std::int64_t>(lanes, 32) * kernels::gemv_t_bundle + choice.threads) * b.size_of_sum);
  count_loads(ceil_div(std::min(s.chunk, b.vectors), lanes), in_flight, kernels::gemv_t_bundle, choice, c);
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

GemvCounts counts_of_n_small(const GemvBasis& b, const Choice& choice) {
  GemvCounts c;
  const std::int64_t lanes = choice.lanes, groups = choice.threads / lanes, cluster = choice.share;
  if (!has_terms_for(cluster, b.cols) || (cluster > 1 && groups < 2)) return c;
  const int of_lane = rows_of_small_lane(b.problem, groups);
  const GemvTiles of = share_rows(b.rows, lanes * of_lane, b.fit ? 32 / b.size : of_lane);
  const int in_flight = kernels::gemv_n_small_in_flight(choice.loads, static_cast<int>(b.size), of_lane);
  count_clusters(of.tiles, cluster, c);
  c.resident =
      resident_of(b, choice, ((groups > 1 ? groups * (lanes + 1) : 0) + (cluster - 1) * lanes) * b.size_of_sum);
  count_loads(ceil_div(ceil_div(b.cols, cluster), groups), in_flight, 1, choice, c);
  // Of the six instructions of a load four are its own and two its element's.
  c.loads *= (4 + 2 * of_lane) / 6.0;
  const std::int64_t run = std::min(of.tile, b.rows) * b.size;
  c.run = of.tiles == 1 ? whole_run : number(run);
  if (of.tiles > 1 && (!b.on_sectors || of.tile * b.size % 32 != 0))
    c.sectors = number(run + 32 - b.size) / number(run);
  c.steps = log2_of(groups);
  c.outputs = number(lanes * of_lane);
  return c;
}

GemvCounts counts_of_t_small(const GemvBasis& b, const Choice& choice) {
  GemvCounts c;
  const bool deep = kernels::gemv_t_small_is_deep(static_cast<int>(b.size), static_cast<int>(b.size_of_sum));
  const std::int64_t lanes = choice.lanes, groups = choice.threads / lanes, cluster = choice.share;
  const std::int64_t columns = kernels::gemv_t_small_columns(choice.loads, deep);
  if (lanes < columns || !has_terms_for(cluster, b.rows) || (cluster > 1 && lanes < 64)) return c;
  const std::int64_t outputs = groups * columns, chunk = ceil_div(b.rows, cluster);
  const int in_flight = kernels::gemv_t_small_in_flight(choice.loads, deep, static_cast<int>(b.size));
  count_clusters(ceil_div(b.cols, outputs), cluster, c);
  c.resident =
      resident_of(b, choice, ((lanes > 32 ? lanes / 32 * outputs : 0) + (cluster - 1) * outputs) * b.size_of_sum);
  count_loads(ceil_div(chunk, lanes), in_flight, columns, choice, c);
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
  if (choice.lanes * vectors < b.vectors) return c;
  const std::int64_t run = step_of_short(b.problem, choice.lanes) * columns,
                     tile = choice.threads / choice.lanes * columns * choice.share;
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
  count_clusters(b.classes * ceil_div(ceil_div(b.cols, b.classes), outputs), cluster, c);
  c.resident = resident_of(b, choice, (warps + cluster - 1) * outputs * b.size_of_sum);
  count_loads(ceil_div(ceil_div(b.vectors, cluster), choice.lanes), in_flight, columns, choice, c);
  c.run = b.vectors <= choice.lanes ? whole_run : std::min(whole_run, number(16 * choice.lanes / warps));
  c.steps = log2_of(warps);
  c.outputs = number(outputs);
  return c;
}

// How often the banks of shared memory take turns for a warp that reads a term of each of its sums.
double turns_of_banks(const GemvBasis& b, std::int64_t lanes) {
  constexpr std::int64_t banks = 32, bytes_of_bank = 4;
  const std::int64_t apart = b.rows * b.size;  // from a column to the next
  if (apart % bytes_of_bank != 0) return 1;
  const std::int64_t columns = b.transposed ? 32 / lanes : lanes;
  const std::int64_t together = std::max<std::int64_t>(32 / columns * b.size / bytes_of_bank, 1);
  const std::int64_t common = std::gcd(apart / bytes_of_bank, banks), places = banks / common;
  const std::int64_t met = columns > places ? places * std::min(together, common) : std::min(columns * together, banks);
  return number(columns * together) / number(met);
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
  c.terms = number(ceil_div(f.outputs * choice.lanes, choice.threads) * ceil_div(terms, choice.lanes)) *
            turns_of_banks(b, choice.lanes);
  c.steps = log2_of(choice.lanes);
  c.outputs = number(f.outputs);
  return c;
}

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

GemvBasis::GemvBasis(const Problem& p, const DeviceTraits& device)
    : problem(p),
      traits(device),
      prices(prices_of(device)),
      transposed(stored(p).transposed),
      fit(vectors_should_fit(p)),
      on_sectors((p.alignment_a >= 32 || (p.pointer_array && p.alignment_a == 0)) &&
                 p.lda * size_of(p.type_a) % 32 == 0),
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
                                                   : fitted_bandwidth / fitted_sms * device.sm_count)),
      doublings(std::log2(1 + stream)) {}

Form form_of(Variant variant, const GemvBasis& b) {
  return b.plain && variant != Variant::gemv_flat ? Form::plain : Form::general;
}

GemvCounts counts_of(const GemvBasis& b, const Choice& choice) {
  // Blocks of a cluster need places that lie together. On an H200 clusters of eight find eight of eleven, and one that
  // waits for the end of another may double the time. Of 7,000 problems three lose more than a tenth without these.
  constexpr double places_of_clusters = 8.0 / 11;
  GemvCounts c = counts_of_kernel(b, choice);
  if (c.clustered && c.blocks > places_of_clusters * b.traits.sm_count * c.resident) return {};
  c.threads = choice.threads;
  return c;
}

const ModelPrices& prices_of(const DeviceTraits& traits) {
  const TuningTables* const tables = traits.tuning;
  return tables != nullptr && tables->user && tables->user->prices ? *tables->user->prices : built_in;
}

double seconds_of(const GemvBasis& b, const GemvCounts& c, const GemvPrices& k) {
  const double of_sm = c.blocks / b.traits.sm_count, of_busiest = ceil(of_sm), waves = ceil(of_sm / c.resident);
  const double slow = 32 / c.run;
  const double stream = b.stream * (1 + k.run * slow + k.narrow * slow * slow) * (1 + k.cut * (c.sectors - 1));
  const auto elements = static_cast<std::size_t>(without_tails(b.elements));
  const double issue = 1e-3 * b.cycles * of_busiest *
                       (c.loads * k.load[elements] + c.threads * k.thread + c.outputs * k.output + k.block);
  const double trip = k.round + k.load_of_trip * std::min(c.flight, c.vectors) + k.slot * c.flight;
  const double latency = waves * (c.rounds * trip + k.wave + k.term * c.terms);
  double combine = k.step * c.steps + k.cluster * c.cluster_steps + k.poll * c.polls;
  if (c.clustered || c.through_memory) combine += k.combine;
  if (c.grouped) combine += k.group;
  const double start = k.launch + k.spread * std::min(of_sm, 1.0) + k.ramp * b.doublings;
  return 1e-6 * (start + combine + std::sqrt(stream * stream + issue * issue + latency * latency));
}

double modelled_seconds(const GemvBasis& b, const Choice& choice) {
  const GemvCounts counts = counts_of(b, choice);
  return counts.blocks > 0 ? seconds_of(b, counts, b.prices[place_of(choice.variant)]) : 0;
}

double modelled_seconds(const Plan& plan, const DeviceTraits& traits) {
  return modelled_seconds(GemvBasis(plan.problem, traits), choice_of(plan));
}

}  // namespace onepass
