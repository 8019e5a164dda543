// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "kernels/args.hpp"
#include "plan/gemv.hpp"
#include "plan/gemv_model.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/registry.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

// The launches of a kernel as a box: powers of two of threads and lanes, shares by number, few loads or many.
struct Space {
  Variant variant;
  int least_threads = 0, most_threads = 0;  // their logarithms
  int least_lanes = 0, most_lanes = 0;      // likewise
  int shares = 1;                           // 0 to this, without it
  bool few = false, many = false;           // loads
};
struct Place {
  Loads loads = Loads::many;
  int threads = 0, lanes = 0, share = 0;
};

// libstdc++ 12: std::bit_width is not an int
int log2_up(std::int64_t v) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(v, 1) - 1)));
}
int log2_down(std::int64_t v) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(v, 1)))) - 1;
}

// Blocks of an SM that splits give it, half of them; 0: no split.
constexpr std::array half_blocks_of_sm = {0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 96};
constexpr std::int64_t least_run = 8;  // bytes of a column that lanes of gemv_n_small have
// Bytes of a matrix. On an H200 blocks of their own are faster from 32 x 32 floats on, which the model does not see.
constexpr double most_of_flat = 2500;
constexpr std::array waves_of_short = {1, 2, 3, 4, 6, 8};

// Products of one x whose blocks have as many threads and loads may be one launch (launch/joined.hpp), which saves more
// than that choice costs, 5 % of 5120x1024 in the eyes of the model: so the tensor cores take small ones, too.
constexpr int threads_of_joined = 7;
bool may_be_joined(const GemvBasis& b) {
  constexpr std::int64_t least_rows = 768, rows_of_output = 16;  // of the layers of a network
  return b.fit && b.rows % b.vector == 0 && b.rows >= least_rows && b.rows <= rows_of_output * b.cols;
}

// Loads are those that were compiled.
Space space_of(Variant variant, const GemvBasis& b) {
  const auto serves = [&](Variant kernel, Loads loads) {
    const KernelRow* const row = find_kernel({kernel, form_of(kernel, b), loads});
    return row != nullptr && row->serves(b.elements);
  };
  const bool joins = may_be_joined(b), joined = joins && serves(Variant::gemv_t_tensor, Loads::many);
  Space s{.variant = variant, .most_threads = log2_down(kernels::gemv_max_threads)};
  if (!joined || variant != Variant::gemv_t_once) {
    s.few = serves(variant, Loads::few) && !(joined && variant == Variant::gemv_t_tensor);
    s.many = serves(variant, Loads::many);
  }
  const int lanes_of_column = log2_up(b.vectors), lanes_of_rows = log2_up(b.rows);
  const int clusters = b.traits.arch >= 90 && b.elements < ElementsId::w ? 2 : 1;
  switch (variant) {
    case Variant::gemv_n:
    case Variant::gemv_t: {
      const bool n = variant == Variant::gemv_n;
      s.least_threads = b.problem.batch > 1 ? 5 : 7;
      s.most_lanes = std::min(lanes_of_column, s.most_threads - (n ? log2_up(b.keep_apart) : 0));
      s.least_lanes = std::min(n ? 1 : 0, s.most_lanes);
      s.shares = static_cast<int>(half_blocks_of_sm.size());
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
      s.most_threads = log2_down(kernels::gemv_small_max_threads);
      s.least_lanes = std::min(variant == Variant::gemv_n_small ? log2_up(least_run / b.size) : 1, lanes_of_rows);
      s.most_lanes = std::min(s.most_threads, lanes_of_rows);
      s.shares = clusters;
      break;
    case Variant::gemv_t_short:
      s.least_threads = s.most_threads;
      s.shares = static_cast<int>(waves_of_short.size());
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
      s.shares = b.bytes > most_of_flat * static_cast<double>(b.problem.batch) ? 0 : 6;
  }
  return s;
}

// The launches of one kernel, on the way to the launch that the model likes best.
class Walk {
 public:
  Walk(Variant variant, const GemvBasis& basis) : basis_(basis), space_(space_of(variant, basis)) {}

  // Looks at some places all over the box; with few loads only where there is none with many.
  void cast_net() {
    for (const Loads loads : {Loads::many, Loads::few}) {
      if (found()) return;
      for (int lanes = space_.most_lanes; lanes >= space_.least_lanes; lanes -= 2)
        for (int threads = space_.most_threads; threads >= space_.least_threads; threads -= 2)
          for (const int share : {0, 1, 4, 10}) look({loads, threads, lanes, share});
    }
  }
  // Goes on from the best of them to a better neighbour, until there is none.
  void go() {
    if (!found()) return;
    for (bool moved = true; moved;) {
      moved = false;
      const Place here = place_;
      const Loads others = here.loads == Loads::many ? Loads::few : Loads::many;
      const auto step = [&](Loads loads, int threads, int lanes, int share) {
        moved = look({loads, here.threads + threads, here.lanes + lanes, here.share + share}) || moved;
      };
      step(others, 0, 0, 0);
      for (const int by : {-1, 1}) {
        step(here.loads, by, 0, 0);
        step(here.loads, 0, by, 0);
        step(here.loads, 0, 0, by);
        step(here.loads, by, by, 0);
        step(here.loads, 0, by, -by);
        step(others, by, by, 0);
        step(others, by, by, -by);
        step(here.loads, by, by, -by);
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
          for (int share = 0; share < space_.shares; ++share) {
            const ModelledChoice choice = modelled_at({loads, threads, lanes, share});
            if (choice.seconds > 0) visit(choice);
          }
  }

 private:
  // Whether it is better than the best so far.
  bool look(const Place& place) {
    const ModelledChoice choice = modelled_at(place);
    if (!(choice.seconds > 0) || (found() && !(choice.seconds < best_.seconds))) return false;
    best_ = choice;
    place_ = place;
    return true;
  }

  // 0 seconds where there is none.
  ModelledChoice modelled_at(const Place& place) const {
    const Choice choice = choice_at(place);
    return {choice, choice.share == 0 ? 0 : modelled_seconds(basis_, choice)};
  }

  // share = 0 where there is none.
  Choice choice_at(const Place& at) const {
    Choice c{.variant = space_.variant, .loads = at.loads, .share = 0};
    if (!(at.loads == Loads::few ? space_.few : space_.many) || at.threads < space_.least_threads ||
        at.threads > space_.most_threads || at.lanes < space_.least_lanes || at.lanes > space_.most_lanes ||
        at.share < 0 || at.share >= space_.shares)
      return c;
    c.threads = 1 << at.threads;
    c.lanes = 1 << at.lanes;
    if (c.lanes > c.threads) return c;
    switch (space_.variant) {
      case Variant::gemv_n:
      case Variant::gemv_t: c.share = splits_at(c, at.share); break;
      case Variant::gemv_t_short:
        c.lanes = lanes_of_short_gemv(basis_.problem, c.loads);
        c.share = c.lanes > 32 ? 0 : visits_at(c, at.share);
        break;
      case Variant::gemv_t_tensor: c.lanes *= c.threads / 32; [[fallthrough]];
      case Variant::gemv_n_small:
      case Variant::gemv_t_small: c.share = at.share == 0 ? 1 : 1 << kernels::gemv_log2_most_cluster; break;
      case Variant::gemv_flat: c.share = std::int64_t{1024} << at.share; break;
      default: c.share = 1;
    }
    return c;
  }

  // Splits that give an SM so many blocks; none where that is less than two.
  std::int64_t splits_at(const Choice& c, int share) const {
    if (share == 0) return 1;
    const bool n = c.variant == Variant::gemv_n;
    const std::int64_t groups = c.threads / c.lanes;
    const std::int64_t sums = n ? c.lanes * basis_.vector : groups * kernels::gemv_t_bundle;  // of a tile
    if (sums > c.threads) return 0;
    const std::int64_t run = std::max(groups, basis_.classes) * kernels::gemv_t_bundle;
    const std::int64_t tiles = n ? ceil_div(basis_.rows, rows_in_lanes(basis_.vector, basis_.fit, c.lanes))
                                 : ceil_div(basis_.cols, run) * run / sums;
    std::int64_t splits = std::int64_t{half_blocks_of_sm[static_cast<std::size_t>(share)]} * basis_.traits.sm_count /
                          (2 * tiles * basis_.problem.batch);
    if (basis_.problem.batch == 1)
      splits = std::min(splits, 1 + static_cast<std::int64_t>(first_workspace) / (tiles * sums * basis_.size_of_sum));
    return splits < 2 ? 0 : splits;
  }

  // Visits of blocks that take so many waves.
  std::int64_t visits_at(const Choice& c, int share) const {
    GemvCounts counts = counts_of(basis_, c.share == 0 ? Choice{c.variant, c.loads, c.threads, c.lanes, 1} : c);
    const double held = counts.resident * basis_.traits.sm_count * waves_of_short[static_cast<std::size_t>(share)];
    return std::max<std::int64_t>(1, ceil_div(static_cast<std::int64_t>(counts.blocks),
                                              std::max<std::int64_t>(static_cast<std::int64_t>(held), 1)));
  }

  const GemvBasis& basis_;
  Space space_;
  Place place_;  // of the best so far
  ModelledChoice best_;
};

}  // namespace

std::optional<ModelledChoice> best_choice(Variant variant, const Problem& p, const DeviceTraits& traits) {
  if (why_not_served(variant, p, traits) != nullptr) return std::nullopt;
  const GemvBasis basis(p, traits);
  Walk walk(variant, basis);
  walk.cast_net();
  walk.go();
  return walk.found() ? std::optional(walk.best()) : std::nullopt;
}

ModelledChoice best_choice(const Problem& p, const DeviceTraits& traits) {
  constexpr double hopeless = 1.2;  // times the best, before a kernel's walk
  const GemvBasis basis(p, traits);
  std::array<std::optional<Walk>, std::size(gemv_kernels)> walks;
  double least = 0;
  for (std::size_t i = 0; i < walks.size(); ++i) {
    if (why_not_served(gemv_kernels[i], p, traits) != nullptr) continue;
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
  return {any, modelled_seconds(basis, any)};
}

std::vector<ModelledChoice> all_choices(const Problem& p, const DeviceTraits& traits) {
  const GemvBasis basis(p, traits);
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
