// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table of the launches that routines on a GPU are made of. A step is a launch of one kernel; the kernels of a
// group are compiled together, and loaded together. launch/lapack says which kernels these are.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include "kernels/lapack/batched/batch_args.hpp"
#include "kernels/lapack/batched/batch_refine_args.hpp"
#include "kernels/lapack/batched/batch_svd_args.hpp"
#include "kernels/lapack/block_reflector_args.hpp"
#include "kernels/lapack/matrices_args.hpp"
#include "kernels/lapack/qr_panel_args.hpp"
#include "kernels/lapack/rank_2k_args.hpp"
#include "kernels/lapack/reductions/bidiagonal_args.hpp"
#include "kernels/lapack/reductions/hessenberg_args.hpp"
#include "kernels/lapack/reductions/tridiagonal_args.hpp"
#include "kernels/lapack/scale_args.hpp"
#include "kernels/lapack/solvers/bisection_args.hpp"
#include "kernels/lapack/solvers/divide_args.hpp"

namespace onepass::lapack {

enum class StepGroup : int {
  scale,
  q,
  hessenberg,
  qr_panel,
  matrices,
  bidiagonal,
  tridiagonal,
  bisection,
  divide,
  batch,
  batch_real,
  batch_refine,
  batch_svd,
  batch_bidiagonal
};
inline constexpr std::size_t step_group_count = 14;
// Groups of real matrices alone: tridiagonal and bidiagonal ones. CMakeLists.txt has these lists, too.
constexpr bool is_real(StepGroup group) {
  return group == StepGroup::bisection || group == StepGroup::divide || group == StepGroup::batch_real;
}

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
  exchange,
  copy_triangle,
  widen,
  bisection,
  divide_setup,
  divide_leaves,
  divide_deflate,
  divide_roots,
  divide_order,
  divide_columns,
  divide_finish,
  adjoint,
  bidiagonal_on_chip,
  bidiagonal_panel,
  rank_k_update,
  tridiagonal_on_chip,
  tridiagonal_one_block,
  tridiagonal_panel,
  tridiagonal_next_column,
  rank_2k_update,
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
    StepRow<Step::exchange, kernels::ExchangeArgs>{StepGroup::matrices, "exchanging two matrices"},
    StepRow<Step::copy_triangle, kernels::MatrixCopy>{StepGroup::matrices, "copying a triangle"},
    StepRow<Step::widen, kernels::MatrixCopy>{StepGroup::matrices, "making a matrix complex"},
    StepRow<Step::bisection, kernels::BisectionArgs>{StepGroup::bisection, "bisection"},
    StepRow<Step::divide_setup, kernels::DivideSetupArgs>{StepGroup::divide, "cutting a matrix"},
    StepRow<Step::divide_leaves, kernels::DivideLeafArgs>{StepGroup::divide, "the leaves of divide and conquer"},
    StepRow<Step::divide_deflate, kernels::DivideLevelArgs>{StepGroup::divide, "deflation"},
    StepRow<Step::divide_roots, kernels::DivideLevelArgs>{StepGroup::divide, "the secular equation"},
    StepRow<Step::divide_order, kernels::DivideLevelArgs>{StepGroup::divide, "the order of values"},
    StepRow<Step::divide_columns, kernels::DivideLevelArgs>{StepGroup::divide, "the vectors of a merge"},
    StepRow<Step::divide_finish, kernels::DivideFinishArgs>{StepGroup::divide, "scaling values back"},
    StepRow<Step::adjoint, kernels::MatrixCopy>{StepGroup::matrices, "the adjoint"},
    StepRow<Step::bidiagonal_on_chip, kernels::BidiagonalArgs>{StepGroup::bidiagonal, "the bidiagonal kernel"},
    StepRow<Step::bidiagonal_panel, kernels::BidiagonalPanelArgs>{StepGroup::bidiagonal, "the bidiagonal panel"},
    StepRow<Step::rank_k_update, kernels::Rank2kArgs>{StepGroup::bidiagonal, "the rank-k update"},
    StepRow<Step::tridiagonal_on_chip, kernels::TridiagonalArgs>{StepGroup::tridiagonal, "the tridiagonal kernel"},
    StepRow<Step::tridiagonal_one_block, kernels::TridiagonalArgs>{StepGroup::tridiagonal,
                                                                   "the tridiagonal kernel of one block"},
    StepRow<Step::tridiagonal_panel, kernels::TridiagonalPanelArgs>{StepGroup::tridiagonal, "the tridiagonal panel"},
    StepRow<Step::tridiagonal_next_column, kernels::TridiagonalNextColumnArgs>{StepGroup::tridiagonal,
                                                                               "the column behind a tridiagonal panel"},
    StepRow<Step::rank_2k_update, kernels::Rank2kArgs>{StepGroup::tridiagonal, "the rank-2k update"},
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
