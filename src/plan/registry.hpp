// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The registry of kernels. Planning, launching, loading, occupancy, `explain`, the tuner and the coverage tests go
// through these lists: a kernel that is not in them cannot run, and one that is cannot be forgotten.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "plan/variant_row.hpp"
#include "problem/combinations.hpp"

namespace onepass {

// A compiled kernel: one instance for each combination of element types and sums that it serves.
struct KernelRow {
  KernelId id;
  Family family;
  // Of a thread, as compiled for sm_90: s d c z h b w; summed wider, s c h b; summed twice, d z; x as head and tail, s
  // d c z. A test on a GPU holds them to that. 0: there is no such instance.
  std::array<std::uint8_t, std::size(all_ids)> registers;

  constexpr bool serves(ElementsId elements) const { return registers[static_cast<std::size_t>(elements)] != 0; }
};

inline constexpr std::array kernel_rows = {
    KernelRow{{Variant::gemv_n, Form::plain, Loads::many},
              Family::gemv,
              {72, 78, 80, 80, 72, 72, 80, 124, 128, 125, 123, 118, 114}},
    KernelRow{{Variant::gemv_n, Form::general, Loads::few}, Family::gemv, {108, 124, 96, 122, 88, 90, 0}},
    KernelRow{{Variant::gemv_n, Form::general, Loads::many},
              Family::gemv,
              {108, 126, 116, 112, 111, 110, 120, 128, 128, 124, 123, 128, 122, 128, 128, 128, 114}},
    KernelRow{{Variant::gemv_t, Form::plain, Loads::many},
              Family::gemv,
              {80, 80, 80, 90, 102, 102, 104, 98, 112, 114, 111, 108, 124}},
    KernelRow{{Variant::gemv_t, Form::general, Loads::few}, Family::gemv, {88, 112, 96, 96, 91, 90, 0}},
    KernelRow{{Variant::gemv_t, Form::general, Loads::many},
              Family::gemv,
              {108, 110, 114, 118, 111, 111, 123, 110, 124, 126, 123, 112, 180, 120, 116, 126, 176}},
    KernelRow{{Variant::gemv_t_once, Form::plain, Loads::few}, Family::gemv, {56, 56, 56, 45, 58, 60, 0}},
    KernelRow{
        {Variant::gemv_t_once, Form::plain, Loads::many}, Family::gemv, {77, 78, 80, 66, 96, 95, 83, 78, 86, 0, 0, 78}},
    KernelRow{{Variant::gemv_n_small, Form::plain, Loads::few},
              Family::gemv,
              {38, 48, 48, 48, 34, 38, 0, 46, 72, 0, 0, 59, 84}},
    KernelRow{{Variant::gemv_n_small, Form::plain, Loads::many},
              Family::gemv,
              {48, 80, 80, 86, 48, 48, 0, 66, 128, 0, 0, 93, 112}},
    KernelRow{{Variant::gemv_t_small, Form::plain, Loads::few},
              Family::gemv,
              {40, 56, 56, 90, 0, 0, 0, 46, 72, 0, 0, 62, 110}},
    KernelRow{{Variant::gemv_t_small, Form::plain, Loads::many},
              Family::gemv,
              {56, 76, 80, 116, 0, 0, 0, 64, 118, 0, 0, 92, 110}},
    KernelRow{{Variant::gemv_t_short, Form::plain, Loads::few}, Family::gemv, {72, 72, 68, 63, 72, 72, 0}},
    KernelRow{{Variant::gemv_t_short, Form::plain, Loads::many}, Family::gemv, {112, 96, 96, 86, 114, 114, 0}},
    KernelRow{{Variant::gemv_t_tensor, Form::plain, Loads::few}, Family::gemv, {0, 0, 0, 0, 70, 70, 0}},
    KernelRow{{Variant::gemv_t_tensor, Form::plain, Loads::many}, Family::gemv, {0, 0, 0, 0, 128, 128, 0}},
    KernelRow{{Variant::gemv_flat, Form::general, Loads::many}, Family::gemv, {64, 64, 64, 80, 64, 64, 80}},
    KernelRow{{Variant::gemv_n_canonical, Form::plain, Loads::few}, Family::gemv, {104, 116, 114, 110, 0, 0, 0}},
    KernelRow{{Variant::gemv_n_canonical, Form::general, Loads::few}, Family::gemv, {109, 116, 119, 118, 0, 0, 0}},
    KernelRow{{Variant::gemv_n_canonical, Form::plain, Loads::many}, Family::gemv, {97, 102, 104, 116, 0, 0, 0}},
    KernelRow{{Variant::gemv_n_canonical, Form::general, Loads::many}, Family::gemv, {116, 116, 113, 125, 0, 0, 0}},
    KernelRow{{Variant::gemv_n_small_canonical, Form::plain, Loads::few}, Family::gemv, {48, 72, 72, 72, 0, 0, 0}},
    KernelRow{{Variant::gemv_n_small_canonical, Form::plain, Loads::many}, Family::gemv, {62, 96, 94, 94, 0, 0, 0}},
    KernelRow{{Variant::gemv_n_rows_canonical, Form::plain, Loads::many}, Family::gemv, {118, 128, 128, 0, 0, 0, 0}},
    KernelRow{{Variant::gemv_t_canonical, Form::plain, Loads::few}, Family::gemv, {80, 80, 80, 94, 0, 0, 0}},
    KernelRow{{Variant::gemv_t_canonical, Form::general, Loads::few}, Family::gemv, {79, 80, 80, 114, 0, 0, 0}},
    KernelRow{{Variant::gemv_t_canonical, Form::plain, Loads::many}, Family::gemv, {80, 80, 80, 128, 0, 0, 0}},
    KernelRow{{Variant::gemv_t_canonical, Form::general, Loads::many}, Family::gemv, {80, 80, 79, 128, 0, 0, 0}},
    KernelRow{{Variant::gemv_t_small_canonical, Form::plain, Loads::few}, Family::gemv, {40, 55, 62, 102, 0, 0, 0}},
    KernelRow{{Variant::gemv_t_small_canonical, Form::plain, Loads::many}, Family::gemv, {56, 89, 90, 126, 0, 0, 0}},
    KernelRow{{Variant::symv, Form::plain, Loads::few},
              Family::symv,
              {98, 105, 118, 124, 126, 128, 128, 128, 128, 128, 128, 128, 128}},
    KernelRow{{Variant::symv, Form::general, Loads::few},
              Family::symv,
              {100, 108, 118, 126, 126, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128}},
    KernelRow{{Variant::symv_small, Form::general, Loads::many}, Family::symv, {96, 76, 83, 88, 96, 96, 96}},
    KernelRow{{Variant::symv_small_vectors, Form::general, Loads::many}, Family::symv, {86, 0, 0, 0, 0, 0, 0}},
    KernelRow{{Variant::symv_rows, Form::plain, Loads::few}, Family::symv, {62, 96, 96, 110, 62, 62, 108}},
    KernelRow{{Variant::symv_rows, Form::plain, Loads::many}, Family::symv, {72, 101, 103, 102, 60, 72, 113}},
    KernelRow{{Variant::symv_squares, Form::plain, Loads::few}, Family::symv, {48, 0, 0, 87, 48, 48, 0}},
    KernelRow{{Variant::symv_squares, Form::plain, Loads::many}, Family::symv, {63, 64, 64, 126, 64, 64, 0}},
    KernelRow{
        {Variant::symv_tiles, Form::plain, Loads::many}, Family::symv, {0, 0, 0, 0, 0, 0, 124, 0, 128, 0, 0, 124, 122}},
    KernelRow{
        {Variant::symv_columns, Form::plain, Loads::many}, Family::symv, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 250}},
    KernelRow{{Variant::symv_canonical, Form::plain, Loads::many}, Family::symv, {128, 128, 128, 255, 0, 0, 0}},
    KernelRow{{Variant::symv_canonical, Form::general, Loads::many}, Family::symv, {128, 127, 128, 255, 0, 0, 0}},
    KernelRow{{Variant::symv_rows_canonical, Form::plain, Loads::many}, Family::symv, {96, 128, 128, 128, 0, 0, 0}},
    KernelRow{{Variant::ger_aligned, Form::plain, Loads::many}, Family::ger, {56, 52, 56, 64, 0, 0, 0}},
    KernelRow{{Variant::ger_aligned, Form::general, Loads::many}, Family::ger, {64, 72, 71, 74, 0, 0, 0}},
    KernelRow{{Variant::ger_flat, Form::plain, Loads::many}, Family::ger, {64, 50, 52, 40, 0, 0, 0}},
    KernelRow{{Variant::ger_flat, Form::general, Loads::many}, Family::ger, {79, 72, 76, 68, 0, 0, 0}},
    KernelRow{{Variant::ger, Form::plain, Loads::many}, Family::ger, {64, 64, 64, 56, 0, 0, 0}},
    KernelRow{{Variant::ger, Form::general, Loads::many}, Family::ger, {80, 80, 72, 70, 0, 0, 0}},
};

// Where each kernel stands in the list, by variant, form and loads; -1: nowhere.
inline constexpr auto kernel_places = [] {
  std::array<std::array<std::int8_t, 4>, static_cast<std::size_t>(last_variant) + 1> places = {};
  for (auto& of_variant : places) of_variant.fill(-1);
  for (std::size_t i = 0; i < kernel_rows.size(); ++i) {
    const KernelId& id = kernel_rows[i].id;
    places[static_cast<std::size_t>(id.variant)]
          [2 * static_cast<std::size_t>(id.form) + static_cast<std::size_t>(id.loads)] = static_cast<std::int8_t>(i);
  }
  return places;
}();
constexpr const KernelRow* find_kernel(const KernelId& id) {
  const std::int8_t place = kernel_places[static_cast<std::size_t>(id.variant)]
                                         [2 * static_cast<std::size_t>(id.form) + static_cast<std::size_t>(id.loads)];
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

// The device variants of a family; one of them always accepts.
std::span<const VariantRow> variants_of(Family family);

// The plan that should be fastest.
Plan plan_on_device(const Problem& p, const DeviceTraits& traits, BackendId backend);

// Empty, or the reason why a plan, perhaps made elsewhere, would not compute its problem on a device: a launch that
// leaves outputs or terms out, a workspace or shared memory too small, a kernel that does not exist.
std::string why_illegal_on_device(const Plan& plan);

// The row of a plan's variant. Of a plan that is legal.
const VariantRow& variant_of(const Plan& plan);

}  // namespace onepass
