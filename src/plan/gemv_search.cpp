// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "kernels/gemv/args.hpp"
#include "plan/gemv.hpp"
#include "plan/gemv_model.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/registry.hpp"

namespace onepass {
namespace {

// The launches of a kernel as a box: powers of two of threads and lanes, shares by number, few loads or many.
struct Space {
  Variant variant;
  int least_threads = 0, most_threads = 0;  // their logarithms
  int least_lanes = 0, most_lanes = 0;      // likewise
  unsigned shares = 1;                      // a bit for each
  int warps[2] = {};                        // that an SM holds, with few loads and with many; 0: not compiled
};
struct Place {
  Loads loads = Loads::many;
  int threads = 0, lanes = 0, share = 0;
};

int log2_up(std::int64_t v) { return log2_of(ceil_power_of_two(v)); }

// Blocks of an SM that splits give it, half of them; 0: no split.
constexpr std::array half_blocks_of_sm = {0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 96};
constexpr std::int64_t least_run = 8;  // bytes of a column that lanes of gemv_n_small have
// Bytes of a matrix. On an H200 blocks of their own are faster from 32 x 32 floats on, which the model does not see.
constexpr double most_of_flat = 2500;
constexpr std::array waves_of_short = {1, 2, 3, 4, 6, 8};

// Products of one x whose blocks have as many threads and loads may be one launch (launch/joined.hpp), which saves more
// than that choice costs, 5 % of 5120x1024 in the eyes of the model: so the tensor cores take small ones, too.
constexpr int threads_of_joined = 7;
bool may_be_joined(const GemvModel& b) {
  constexpr std::int64_t least_rows = 768, rows_of_output = 16;  // of the layers of a network
  return b.fit && b.rows % b.vector == 0 && b.rows >= least_rows && b.rows <= rows_of_output * b.cols;
}

// Loads are those that were compiled.
Space space_of(Variant variant, const GemvModel& b) {
  const auto warps = [&](Variant kernel, Loads loads) {
    const KernelId id{kernel, form_of(kernel, b), loads};
    const KernelRow* const row = find_kernel(id);
    return row != nullptr && row->serves(b.elements) ? resident_warps(id, b.elements, b.traits) : 0;
  };
  const bool joins = may_be_joined(b), joined = joins && warps(Variant::gemv_t_tensor, Loads::many) > 0;
  Space s{.variant = variant, .most_threads = log2_of(kernels::gemv_max_threads)};
  if (!joined || variant != Variant::gemv_t_once) {
    s.warps[0] = joined && variant == Variant::gemv_t_tensor ? 0 : warps(variant, Loads::few);
    s.warps[1] = warps(variant, Loads::many);
  }
  const int lanes_of_column = log2_up(b.vectors), lanes_of_rows = log2_up(b.rows);
  const unsigned clusters = b.traits.arch >= 90 && b.elements < ElementsId::w ? 0b11 : 0b1;
  switch (variant) {
    case Variant::gemv_n:
    case Variant::gemv_t: {
      const bool n = variant == Variant::gemv_n;
      s.least_threads = b.problem.batch > 1 ? 5 : 7;
      s.most_lanes = std::min(lanes_of_column, s.most_threads - (n ? log2_up(b.keep_apart) : 0));
      s.least_lanes = std::min(n ? 1 : 0, s.most_lanes);
      s.shares = (1u << half_blocks_of_sm.size()) - 1;
      break;
    }
    case Variant::gemv_t_once:
      s.least_threads = 7;
      s.least_lanes = std::max({lanes_of_column - 1, log2_up(b.vector), kernels::gemv_t_log2_bundle});
      s.most_lanes = std::min(lanes_of_column + 1, s.most_threads);
      break;
    case Variant::gemv_n_small:
    case Variant::gemv_t_small:
      s.least_threads = 6;
      s.most_threads = log2_of(kernels::gemv_small_max_threads);
      s.least_lanes = std::min(variant == Variant::gemv_n_small ? log2_up(least_run / b.size) : 1, lanes_of_rows);
      s.most_lanes = std::min(s.most_threads, lanes_of_rows);
      s.shares = clusters;
      break;
    case Variant::gemv_t_short:
      s.least_threads = s.most_threads;
      s.shares = (1u << waves_of_short.size()) - 1;
      break;
    case Variant::gemv_t_tensor:
      s.least_threads = joins ? threads_of_joined : 5;
      if (joins) s.most_threads = threads_of_joined;
      s.least_lanes = 3;
      s.most_lanes = 5;
      s.shares = clusters;
      break;
    default:  // gemv_flat
      s.least_threads = 6;
      s.most_lanes = 2;
      s.shares = b.bytes > most_of_flat * static_cast<double>(b.problem.batch) ? 0 : 0b111111;
  }
  return s;
}

// The launches of one kernel, on the way to the launch that the model likes best.
class Walk {
 public:
  Walk(Variant variant, const GemvModel& model)
      : model_(model), prices_(model.prices[place_of(variant)]), space_(space_of(variant, model)) {}

  // Looks at some places all over the box; with few loads only where there is none with many.
  void cast_net() {
    constexpr unsigned some = 1 << 0 | 1 << 1 | 1 << 4 | 1 << 10;
    for (const Loads loads : {Loads::many, Loads::few}) {
      if (found()) return;
      for (int lanes = space_.most_lanes; lanes >= space_.least_lanes; lanes -= 2)
        for (int threads = space_.most_threads; threads >= space_.least_threads; threads -= 2)
          look(loads, threads, lanes, some);
    }
  }
  // Goes on from the best of them to a better neighbour, until there is none.
  void go() {
    for (double before = 0; best_.seconds != before;) {
      before = best_.seconds;
      const Place here = place_;
      const Loads others = here.loads == Loads::many ? Loads::few : Loads::many;
      const unsigned same = 1u << here.share, next = same << 1, last = same >> 1;
      look(here.loads, here.threads, here.lanes, last | next);
      look(others, here.threads, here.lanes, same);
      for (const int by : {-1, 1}) {
        const unsigned inverse = by < 0 ? next : last;
        look(here.loads, here.threads + by, here.lanes, same);
        look(here.loads, here.threads, here.lanes + by, same | inverse);
        look(here.loads, here.threads + by, here.lanes + by, same | inverse);
        look(others, here.threads + by, here.lanes + by, same | inverse);
      }
    }
  }

  bool found() const { return best_.seconds > 0; }
  const ModelledChoice& best() const { return best_; }

  template <class Visit>
  void visit_all(Visit visit) {
    for (const Loads loads : {Loads::few, Loads::many})
      for (int threads = space_.least_threads; threads <= space_.most_threads; ++threads)
        for (int lanes = space_.least_lanes; lanes <= space_.most_lanes; ++lanes)
          visit_shares(loads, threads, lanes, ~0u, [&](int, double seconds) {
            visit(ModelledChoice{launch_.choice, seconds});
          });
  }

 private:
  void look(Loads loads, int threads, int lanes, unsigned shares) {
    visit_shares(loads, threads, lanes, shares, [&](int share, double seconds) {
      if (found() && !(seconds < best_.seconds)) return;
      best_ = {launch_.choice, seconds};
      place_ = {loads, threads, lanes, share};
    });
  }

  // Those of the shares, a bit for each, that are in the box and nobody has seen.
  template <class Visit>
  void visit_shares(Loads loads, int threads, int lanes, unsigned shares, Visit visit) {
    // One branch each: what is outside of the box comes at random.
    const auto of_loads = static_cast<std::size_t>(loads);
    const int log2_lanes = lanes + (space_.variant == Variant::gemv_t_tensor ? threads - 5 : 0);
    const bool outside = (space_.warps[of_loads] == 0) | (threads < space_.least_threads) |
                         (threads > space_.most_threads) | (lanes < space_.least_lanes) | (lanes > space_.most_lanes) |
                         (log2_lanes > threads);
    if (outside) return;
    std::uint16_t& seen = seen_[of_loads][threads - space_.least_threads][lanes];
    shares &= space_.shares & ~unsigned{seen};
    if (shares == 0) return;
    seen = static_cast<std::uint16_t>(seen | shares);
    set_blocks(launch_, model_,
               {.variant = space_.variant, .loads = loads, .threads = 1 << threads, .lanes = 1 << log2_lanes});
    if (launch_.none != nullptr) return;
    launch_.warps = space_.warps[of_loads];
    for (; shares != 0; shares &= shares - 1) {
      const int share = std::countr_zero(shares);
      const std::int64_t wished = share_at(share);
      if (wished < 1) continue;
      share_sums(launch_, model_, wished);
      if (launch_.none != nullptr) continue;
      if (const double seconds = seconds_of(model_, launch_, prices_); seconds > 0) visit(share, seconds);
    }
  }

  // 0 where there is none.
  std::int64_t share_at(int share) {
    if (space_.variant == Variant::gemv_t_short) return visits_at(share);
    if (space_.variant == Variant::gemv_flat) return std::int64_t{1024} << share;
    if (share == 0) return 1;
    return may_be_clustered(space_.variant) ? 1 << kernels::gemv_log2_most_cluster : splits_at(share);
  }

  // Splits that give an SM so many blocks; none where that is less than two.
  std::int64_t splits_at(int share) const {
    const GemvLaunch& l = launch_;
    if (l.most_splits < 2) return 0;
    std::int64_t splits = std::int64_t{half_blocks_of_sm[static_cast<std::size_t>(share)]} * model_.traits.sm_count /
                          (2 * l.tiles * model_.problem.batch);
    if (model_.problem.batch == 1 && splits > 1)
      splits =
          std::min(splits, 1 + static_cast<std::int64_t>(first_workspace) / (l.tiles * l.outputs * model_.size_of_sum));
    return splits < 2 ? 0 : splits;
  }

  // Visits of blocks that take so many waves.
  std::int64_t visits_at(int share) {
    share_sums(launch_, model_, 1);
    const std::int64_t held = std::int64_t{resident_blocks(launch_.warps, launch_.choice.threads, 0, model_.traits)} *
                              model_.traits.sm_count * waves_of_short[static_cast<std::size_t>(share)];
    return std::max<std::int64_t>(1, ceil_div(launch_.blocks, std::max<std::int64_t>(held, 1)));
  }

  const GemvModel& model_;
  const GemvPrices& prices_;
  Space space_;
  Place place_;  // of the best so far
  ModelledChoice best_;
  GemvLaunch launch_;
  std::uint16_t seen_[2][5][10] = {};  // shares, by loads, threads and lanes
};

}  // namespace

std::optional<ModelledChoice> best_choice(Variant variant, const Problem& p, const DeviceTraits& traits) {
  const GemvModel basis(p, traits);
  if (why_not_served(variant, basis, traits) != nullptr) return std::nullopt;
  Walk walk(variant, basis);
  walk.cast_net();
  walk.go();
  return walk.found() ? std::optional(walk.best()) : std::nullopt;
}

ModelledChoice best_choice(const Problem& p, const DeviceTraits& traits) {
  constexpr double hopeless = 1.2;  // times the best, before a kernel's walk
  const GemvModel basis(p, traits);
  std::optional<Walk> walks[std::size(gemv_kernels)];
  double least = 0;
  for (std::size_t i = 0; i < std::size(walks); ++i) {
    if (why_not_served(gemv_kernels[i], basis, traits) != nullptr) continue;
    walks[i].emplace(gemv_kernels[i], basis).cast_net();
    const double seconds = walks[i]->best().seconds;
    if (walks[i]->found() && (least == 0 || seconds < least)) least = seconds;
  }
  ModelledChoice best;
  for (std::optional<Walk>& walk : walks) {
    if (!walk || !walk->found() || walk->best().seconds > hopeless * least) continue;
    walk->go();
    if (best.seconds == 0 || walk->best().seconds < best.seconds) best = walk->best();
  }
  if (best.seconds > 0) return best;
  // What every problem can have, should no place of the box fit it.
  const Choice any{.variant = basis.transposed ? Variant::gemv_t : Variant::gemv_n,
                   .threads = kernels::gemv_max_threads};
  return {any, modelled_seconds(plan_of(any, p, traits), traits)};
}

std::vector<ModelledChoice> all_choices(const Problem& p, const DeviceTraits& traits) {
  const GemvModel basis(p, traits);
  std::vector<ModelledChoice> all;
  for (const Variant variant : gemv_kernels)
    if (why_not_served(variant, p, traits) == nullptr)
      Walk(variant, basis).visit_all([&](const ModelledChoice& choice) {
        if (all.empty() || all.back().choice != choice.choice) all.push_back(choice);  // shares grow
      });
  std::ranges::stable_sort(all, {}, &ModelledChoice::seconds);
  return all;
}

}  // namespace onepass
