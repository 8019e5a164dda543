// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table of the launches that routines on a GPU are made of. A step is a launch of one kernel; the kernels of a
// group are compiled together, and loaded together. launch/lapack says which kernels these are.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include "kernels/lapack/batch_args.hpp"
#include "kernels/lapack/batch_refine_args.hpp"
#include "kernels/lapack/batch_svd_args.hpp"
#include "kernels/lapack/block_reflector_args.hpp"
#include "kernels/lapack/divide_args.hpp"
#include "kernels/lapack/hessenberg_args.hpp"
#include "kernels/lapack/hessenberg_panel_args.hpp"
#include "kernels/lapack/qr_panel_args.hpp"
#include "kernels/lapack/scale_args.hpp"

namespace onepass::lapack {

enum class StepGroup : int {
  scale,
  q,
  hessenberg,
  qr_panel,
  batch,
  batch_real,
  batch_refine,
  batch_svd,
  batch_bidiagonal
};
inline constexpr std::size_t step_group_count = 9;
// Groups of real matrices alone: tridiagonal and bidiagonal ones. CMakeLists.txt has these lists, too.
constexpr bool is_real(StepGroup group) { return group == StepGroup::batch_real; }

enum class Step : int {
  largest_element,
  scale_matrix,
  rescale_hessenberg,
  copy_reflectors,
  set_identity,
  triangular_factor,
  hessenberg_on_chip,
  hessenberg_panel,
  qr_panel,
  batch_small,
  batch_packed,
  batch_held,
  batch_factors,
  batch_back,
  batch_values,
  batch_leaves,
  batch_deflate,
  batch_roots,
  batch_order,
  batch_columns,
  batch_product,
  refine_small_start,
  refine_small,
  refine_begin,
  refine_product,
  refine_angles,
  refine_end,
  batch_svd,
  batch_svd_pairs,
  batch_bidiagonal,
};

// What a step is called in messages, and what its kernel is given.
template <Step number, class KernelArgs>
struct StepRow {
  static constexpr Step step = number;
  using Args = KernelArgs;

  StepGroup group;
  const char* name;
};
inline constexpr std::tuple steps = {
    StepRow<Step::largest_element, kernels::ScaleArgs>{StepGroup::scale, "the largest element"},
    StepRow<Step::scale_matrix, kernels::ScaleArgs>{StepGroup::scale, "scaling"},
    StepRow<Step::rescale_hessenberg, kernels::ScaleArgs>{StepGroup::scale, "scaling back"},
    StepRow<Step::copy_reflectors, kernels::CopyReflectorsArgs>{StepGroup::q, "copying reflectors"},
    StepRow<Step::set_identity, kernels::SetIdentityArgs>{StepGroup::q, "setting the unit matrix"},
    StepRow<Step::triangular_factor, kernels::TriangularFactorArgs>{StepGroup::q, "the triangular factor"},
    StepRow<Step::hessenberg_on_chip, kernels::HessenbergArgs>{StepGroup::hessenberg, "the Hessenberg kernel"},
    StepRow<Step::hessenberg_panel, kernels::HessenbergPanelArgs>{StepGroup::hessenberg, "the Hessenberg panel"},
    StepRow<Step::qr_panel, kernels::QrPanelArgs>{StepGroup::qr_panel, "the QR panel"},
    StepRow<Step::batch_small, kernels::BatchArgs>{StepGroup::batch, "small eigenproblems"},
    StepRow<Step::batch_packed, kernels::BatchTridiagonalArgs>{StepGroup::batch, "tridiagonal forms"},
    StepRow<Step::batch_held, kernels::BatchTridiagonalArgs>{StepGroup::batch, "tridiagonal forms"},
    StepRow<Step::batch_factors, kernels::BatchBackArgs>{StepGroup::batch, "factors of reflectors"},
    StepRow<Step::batch_back, kernels::BatchBackArgs>{StepGroup::batch, "eigenvectors"},
    StepRow<Step::batch_values, kernels::BatchValuesArgs>{StepGroup::batch_real, "bisection"},
    StepRow<Step::batch_leaves, kernels::DivideLeafArgs>{StepGroup::batch_real, "the leaves of divide and conquer"},
    StepRow<Step::batch_deflate, kernels::DivideLevelArgs>{StepGroup::batch_real, "deflation"},
    StepRow<Step::batch_roots, kernels::DivideLevelArgs>{StepGroup::batch_real, "the secular equation"},
    StepRow<Step::batch_order, kernels::DivideLevelArgs>{StepGroup::batch_real, "the order of values"},
    StepRow<Step::batch_columns, kernels::DivideLevelArgs>{StepGroup::batch_real, "the vectors of a merge"},
    StepRow<Step::batch_product, kernels::BatchProductArgs>{StepGroup::batch_real, "products of merges"},
    StepRow<Step::refine_small_start, kernels::RefineSmallArgs>{StepGroup::batch_refine,
                                                                "eigenvectors of small matrices"},
    StepRow<Step::refine_small, kernels::RefineSmallArgs>{StepGroup::batch_refine,
                                                          "small singular value decompositions"},
    StepRow<Step::refine_begin, kernels::RefineArgs>{StepGroup::batch_refine, "scaled matrices"},
    StepRow<Step::refine_product, kernels::RefineArgs>{StepGroup::batch_refine, "products of small matrices"},
    StepRow<Step::refine_angles, kernels::RefineArgs>{StepGroup::batch_refine, "angles"},
    StepRow<Step::refine_end, kernels::RefineArgs>{StepGroup::batch_refine, "singular vectors"},
    StepRow<Step::batch_svd, kernels::BatchSvdArgs>{StepGroup::batch_svd, "singular value decompositions"},
    StepRow<Step::batch_svd_pairs, kernels::BatchSvdPairsArgs>{StepGroup::batch_svd,
                                                               "small singular value decompositions"},
    StepRow<Step::batch_bidiagonal, kernels::BatchBidiagonalArgs>{StepGroup::batch_bidiagonal, "bidiagonal forms"},
};
inline constexpr std::size_t step_count = std::tuple_size_v<decltype(steps)>;

template <Step step>
using RowOf = std::remove_cvref_t<decltype(std::get<static_cast<std::size_t>(step)>(steps))>;
template <Step step>
using ArgsOf = typename RowOf<step>::Args;

// The same for a step that is known at run time.
struct StepText {
  Step step;
  StepGroup group;
  const char* name;
};
inline constexpr auto step_texts = std::apply(
    [](const auto&... rows) {
      return std::array{StepText{rows.step, rows.group, rows.name}...};
    },
    steps);
constexpr const StepText& row(Step step) { return step_texts[static_cast<std::size_t>(step)]; }

static_assert(
    [] {
      for (std::size_t i = 0; i < step_count; ++i)
        if (step_texts[i].step != static_cast<Step>(i)) return false;
      return true;
    }(),
    "the rows of the table are in the order of the enum");

// Several groups, a bit for each.
using StepGroups = unsigned;
constexpr StepGroups groups(auto... each) { return ((1u << static_cast<unsigned>(each)) | ... | 0u); }

}  // namespace onepass::lapack
