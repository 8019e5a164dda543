// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The registry of kernels. Planning, launching, loading, occupancy, `explain`, the tuner and the coverage tests go
// through these lists: a kernel that is not in them cannot run, and one that is cannot be forgotten.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"
#include "problem/combinations.hpp"
#include "problem/cost.hpp"

namespace onepass {

// What a kernel does before the grid-dependency wait where A and x are settled: nothing; its reads, in an instance that
// is compiled for that; all but its writes.
enum class Overlap : std::uint8_t { nothing, reads, all_but_writes };

// A compiled kernel: one instance for each combination of element types and sums that it serves.
struct KernelRow {
  KernelId id;
  Family family;
  // For a thread, as compiled for sm_90: s d c z h b w; summed wider, s c h b; summed twice, d z; x as head and tail, s
  // d c z. A test on a GPU holds them to that. 0, or left out: there is no such instance.
  std::array<std::uint8_t, std::size(all_ids)> registers;
  Overlap overlap = Overlap::nothing;

  constexpr bool serves(ElementsId elements) const { return registers[static_cast<std::size_t>(elements)] != 0; }
};

inline constexpr auto kernel_rows = [] {
  using enum Variant;
  using enum Form;
  using enum Loads;
  using enum Overlap;
  return std::to_array<KernelRow>({
      {{gemv_n, plain, many}, Family::gemv, {74, 80, 80, 80, 78, 78, 78, 128, 128, 125, 124, 120, 112}, reads},
      {{gemv_n, general, few}, Family::gemv, {113, 126, 96, 123, 92, 92}},
      {{gemv_n, general, many},
       Family::gemv,
       {113, 124, 114, 112, 112, 112, 118, 128, 128, 124, 123, 128, 124, 128, 126, 128, 116}},
      {{gemv_t, plain, many}, Family::gemv, {80, 80, 80, 90, 102, 102, 104, 98, 112, 114, 111, 108, 124}, reads},
      {{gemv_t, general, few}, Family::gemv, {88, 112, 96, 96, 91, 90}},
      {{gemv_t, general, many},
       Family::gemv,
       {108, 110, 114, 118, 111, 111, 123, 110, 124, 126, 123, 112, 180, 120, 116, 126, 176}},
      {{gemv_t_once, plain, few}, Family::gemv, {56, 56, 56, 45, 58, 60}, reads},
      {{gemv_t_once, plain, many}, Family::gemv, {77, 78, 80, 66, 96, 95, 83, 78, 86, 0, 0, 78}, reads},
      {{gemv_n_small, plain, few}, Family::gemv, {38, 48, 48, 52, 34, 38, 0, 46, 72, 0, 0, 59, 84}, reads},
      {{gemv_n_small, plain, many}, Family::gemv, {48, 80, 80, 86, 48, 48, 0, 66, 128, 0, 0, 93, 112}, reads},
      {{gemv_t_small, plain, few}, Family::gemv, {40, 56, 56, 90, 0, 0, 0, 46, 72, 0, 0, 62, 110}, reads},
      {{gemv_t_small, plain, many}, Family::gemv, {56, 76, 80, 116, 0, 0, 0, 64, 118, 0, 0, 92, 110}, reads},
      {{gemv_t_short, plain, few}, Family::gemv, {72, 71, 72, 78, 79, 79}, reads},
      {{gemv_t_short, plain, many}, Family::gemv, {110, 108, 116, 92, 121, 126}, reads},
      {{gemv_t_tensor, plain, few}, Family::gemv, {0, 0, 0, 0, 70, 70}, reads},
      {{gemv_t_tensor, plain, many}, Family::gemv, {0, 0, 0, 0, 128, 128}, reads},
      {{gemv_flat, general, many}, Family::gemv, {64, 64, 64, 80, 64, 64, 80}},
      {{gemv_n_canonical, plain, few}, Family::gemv, {128, 127, 128, 108}, all_but_writes},
      {{gemv_n_canonical, general, few}, Family::gemv, {109, 120, 122, 116}},
      {{gemv_n_canonical, plain, many}, Family::gemv, {114, 128, 112, 128}, all_but_writes},
      {{gemv_n_canonical, general, many}, Family::gemv, {124, 128, 120, 123}},
      {{gemv_n_small_canonical, plain, few}, Family::gemv, {40, 64, 63, 106}, all_but_writes},
      {{gemv_n_small_canonical, plain, many}, Family::gemv, {96, 96, 96, 106}, all_but_writes},
      {{gemv_t_canonical, plain, few}, Family::gemv, {80, 80, 80, 96}, all_but_writes},
      {{gemv_t_canonical, general, few}, Family::gemv, {79, 80, 80, 114}},
      {{gemv_t_canonical, plain, many}, Family::gemv, {80, 76, 78, 128}, all_but_writes},
      {{gemv_t_canonical, general, many}, Family::gemv, {80, 80, 79, 128}},
      {{gemv_t_small_canonical, plain, few}, Family::gemv, {40, 60, 62, 112}, all_but_writes},
      {{gemv_t_small_canonical, plain, many}, Family::gemv, {62, 96, 96, 110}, all_but_writes},
      {{symv_small, general, many}, Family::symv, {96, 76, 83, 88, 96, 96, 96}, all_but_writes},
      {{symv_rows, plain, few}, Family::symv, {62, 96, 96, 110, 62, 62, 108}, all_but_writes},
      {{symv_rows, plain, many}, Family::symv, {56, 94, 96, 106, 56, 56, 108}, all_but_writes},
      {{symv_squares, plain, few}, Family::symv, {48, 0, 0, 92, 48, 48, 92, 96, 96, 96, 96, 82, 100}, all_but_writes},
      {{symv_squares, plain, many}, Family::symv, {64, 64, 62, 126, 64, 64}, all_but_writes},
      {{symv_squares, general, few},
       Family::symv,
       {64, 64, 64, 123, 63, 63, 128, 111, 118, 111, 110, 122, 128, 105, 122, 120, 126}},
      {{symv_tiles, plain, many}, Family::symv, {0, 0, 0, 0, 0, 0, 124, 0, 128, 0, 0, 124, 122}, all_but_writes},
      {{symv_canonical, plain, many}, Family::symv, {128, 128, 128, 255}, all_but_writes},
      {{symv_canonical, general, many}, Family::symv, {128, 128, 128, 255}},
      {{symv_rows_canonical, plain, many}, Family::symv, {95, 128, 128, 128}, all_but_writes},
      {{ger_aligned, plain, many}, Family::ger, {56, 52, 56, 64}},
      {{ger_aligned, general, many}, Family::ger, {64, 72, 71, 74}},
      {{ger_flat, plain, many}, Family::ger, {64, 50, 52, 40}},
      {{ger_flat, general, many}, Family::ger, {79, 72, 76, 68}},
      {{ger, plain, many}, Family::ger, {64, 64, 64, 56}},
      {{ger, general, many}, Family::ger, {80, 80, 72, 70}},
  });
}();

// Where each kernel stands in the list, by variant, form and loads; -1: nowhere.
constexpr std::size_t number_of(const KernelId& id) {
  return 4 * static_cast<std::size_t>(id.variant) + 2 * static_cast<std::size_t>(id.form) +
         static_cast<std::size_t>(id.loads);
}
inline constexpr auto kernel_places = [] {
  std::array<std::int8_t, number_of({last_variant, Form::general, Loads::many}) + 1> places = {};
  places.fill(-1);
  for (std::size_t i = 0; i < kernel_rows.size(); ++i)
    places[number_of(kernel_rows[i].id)] = static_cast<std::int8_t>(i);
  return places;
}();
constexpr const KernelRow* find_kernel(const KernelId& id) {
  const std::int8_t place = kernel_places[number_of(id)];
  return place < 0 ? nullptr : &kernel_rows[static_cast<std::size_t>(place)];
}

// Whether a family has kernels for these elements.
constexpr bool is_compiled_for(Family family, ElementsId elements) {
  for (const KernelRow& row : kernel_rows)
    if (row.family == family && row.serves(elements)) return true;
  return false;
}

// visit.template operator()<id>() for each compiled kernel of a family that serves these elements.
template <Family family, ElementsId elements, class Visit>
constexpr void for_each_kernel(Visit visit) {
  const auto if_of_family = [&]<std::size_t i>() {
    if constexpr (kernel_rows[i].family == family && kernel_rows[i].serves(elements))
      visit.template operator()<kernel_rows[i].id>();
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) { (if_of_family.template operator()<i>(), ...); }
  (std::make_index_sequence<kernel_rows.size()>{});
}

// Whether a variant serves a problem, in which shape, whether a plan of it is right, and how to say so.
struct VariantRow {
  Variant variant;
  // Null: accepted. Else the reason of the decline.
  const char* (*decline)(const Problem& p, const DeviceTraits& traits);
  Plan (*plan)(const Problem& p, const DeviceTraits& traits);
  // Empty, or the reason why a plan, perhaps made elsewhere, would not compute its problem. The plan has the parameters
  // of this variant.
  std::string (*why_illegal)(const Plan& plan);
  // How its blocks share the work.
  std::string (*in_words)(const Plan& plan);
  // What chose the shape, unless chooser says more: a user's table, a model.
  const char* rule;
  std::string (*chooser)(const Plan& plan, const DeviceTraits& traits) = nullptr;
  // That a plan is expected to take; null where no model knows.
  double (*seconds)(const Plan& plan, const DeviceTraits& traits) = nullptr;
};

// The device variants of a family; one of them always accepts.
std::span<const VariantRow> variants_of(Family family);
std::span<const VariantRow> ger_rows();

// The plan of the first variant that does not decline.
Plan first_plan(std::span<const VariantRow> rows, const Problem& p, const DeviceTraits& traits);

// The plan that should be fastest.
Plan plan_on_device(const Problem& p, const DeviceTraits& traits, BackendId backend);

// Empty, or the reason why a plan, perhaps made elsewhere, would not compute its problem on a device: a launch that
// leaves outputs or terms out, a workspace or shared memory too small, a kernel that does not exist.
std::string why_illegal_on_device(const Plan& plan);

// The row of the variant of a legal plan.
const VariantRow& variant_of(const Plan& plan);

// Complete plans of rank-1 updates.
Plan shape_ger_flat(const Problem& p);
Plan shape_ger(const Problem& p, Variant variant, int lanes, std::int64_t columns);  // ger or ger_aligned

// Why a plan is what it is: the choice, each decline with its reason, the bytes and the time floor.
struct Decline {
  Variant variant;
  std::string reason;
};

struct Explanation {
  Plan plan;
  std::string chooser = {};  // of the shape; empty where there is nothing to choose
  std::string refused = {};  // why a table of the user had no say; empty where there is none, or it had
  std::vector<Decline> declined = {};
  Cost cost;                 // with beta = 0
  double floor_seconds = 0;  // 0 where the device's ceilings are not known
};

Explanation explain(const Plan& plan, const DeviceTraits& traits);

// Several lines for people.
std::string print(const Explanation& explanation);

}  // namespace onepass
