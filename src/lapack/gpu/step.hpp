// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table of the launches that routines on a GPU are made of. A step is a launch of one kernel; the kernels of a
// group are compiled together, and loaded together. launch/lapack says which kernels these are.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include "kernels/lapack/adjoint_args.hpp"
#include "kernels/lapack/bidiagonal_args.hpp"
#include "kernels/lapack/bidiagonal_panel_args.hpp"
#include "kernels/lapack/block_reflector_args.hpp"
#include "kernels/lapack/hessenberg_args.hpp"
#include "kernels/lapack/hessenberg_panel_args.hpp"
#include "kernels/lapack/qr_panel_args.hpp"
#include "kernels/lapack/rank_2k_args.hpp"
#include "kernels/lapack/scale_args.hpp"
#include "kernels/lapack/tridiagonal_args.hpp"
#include "kernels/lapack/tridiagonal_panel_args.hpp"

namespace onepass::lapack {

enum class StepGroup : int { scale, q, hessenberg, qr_panel, matrices, bidiagonal, tridiagonal };
inline constexpr std::size_t step_group_count = 7;
// Groups of real matrices alone: tridiagonal and bidiagonal ones. CMakeLists.txt has these lists, too.
constexpr bool is_real(StepGroup) { return false; }

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
  adjoint,
  bidiagonal_on_chip,
  bidiagonal_panel,
  rank_k_update,
  tridiagonal_on_chip,
  tridiagonal_one_block,
  tridiagonal_panel,
  tridiagonal_next_column,
  rank_2k_update,
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
