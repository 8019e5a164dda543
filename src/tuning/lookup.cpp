// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tuning/lookup.hpp"

#include <algorithm>
#include <utility>

#include "kernels/args.hpp"
#include "plan/gemv_shape.hpp"

namespace onepass {
namespace {

// The place on an axis that is nearest by ratio, or -1 beyond its ends.
std::ptrdiff_t nearest(const std::vector<std::int64_t>& axis, std::int64_t value) {
  if (axis.empty() || 5 * value < 4 * axis.front() || 4 * value > 5 * axis.back()) return -1;
  const auto above = std::ranges::lower_bound(axis, value);
  if (above == axis.end()) return std::ssize(axis) - 1;
  if (above == axis.begin()) return 0;
  const auto below = above - 1;
  return (value * value < *below * *above ? below : above) - axis.begin();
}

// Trips to memory of a thread, one after the other, if nothing is split.
std::int64_t rounds(const Problem& p, const Tuned& launch, std::int64_t rows, std::int64_t cols) {
  const Loads loads = launch.few_loads ? Loads::few : Loads::many;
  const std::int64_t lanes = launch.lanes, size = size_of(p.type_a);
  if (!stored(p).transposed) return ceil_div(cols, launch.threads / lanes * kernels::gemv_n_in_flight(loads));
  const std::int64_t vectors = ceil_div(rows * size + (Tuning::is_aligned(p) ? 0 : 16 - size), 16);
  return ceil_div(vectors, lanes * kernels::gemv_t_in_flight(loads));
}

// A type without meshes takes those of another with elements of its size.
std::size_t mesh_type(Type type) {
  return static_cast<std::size_t>(type == Type::h ? Type::b : type == Type::w ? Type::z : type);
}

// The user's table first; each is for one device.
template <class Find>
auto first_cell(const DeviceTraits& traits, Find find) {
  decltype(find(Tuning{})) cell;
  if (traits.tuning == nullptr) return cell;
  const TuningTables& tables = *traits.tuning;
  if (tables.user && tables.user->serves(traits)) cell = find(*tables.user);
  if (cell.tuned.threads == 0 && tables.built_in != nullptr && tables.built_in->serves(traits))
    cell = find(*tables.built_in);
  return cell;
}

}  // namespace

std::string Tuning::title() const { return "the table of " + device_ + (file_.empty() ? "" : " in " + file_); }

std::string Tuning::why_not_for(const DeviceTraits& traits) const {
  if (serves(traits)) return "";
  const auto text = [](const std::string& name, int arch, int sms) {
    return name + " (sm_" + std::to_string(arch) + ", " + std::to_string(sms) + " SMs)";
  };
  return "it is for " + text(device_, arch_, sm_count_) + ", and this device is " +
         text(traits.name, traits.arch, traits.sm_count);
}

bool Tuning::is_aligned(const Problem& p) { return p.alignment_a >= 32 && p.lda * size_of(p.type_a) % 64 == 0; }

TunedCell Tuning::gemv(const Problem& p, Beside beside) const {
  if (p.batch != 1) return {};
  const Stored s = stored(p);
  const auto of_kind = [&](const auto& meshes) -> const auto& {
    return meshes[mesh_type(p.type_a)][s.transposed ? 1 : 0][is_aligned(p) ? 1 : 0];
  };
  if (beside.rows == 0 && beside.cols == 0) {
    const auto& shapes = of_kind(shapes_);
    const auto shape = [](const Exact& exact) { return std::pair(exact.rows, exact.cols); };
    const auto exact = std::ranges::lower_bound(shapes, std::pair(s.rows, s.cols), {}, shape);
    if (exact != shapes.end() && shape(*exact) == std::pair(s.rows, s.cols))
      return {.tuned = exact->tuned, .rows = s.rows, .cols = s.cols, .table = this};
  }

  const auto& mesh = of_kind(gemv_);
  if (mesh.empty()) return {};
  std::ptrdiff_t i = nearest(rows_, s.rows), j = nearest(cols_, s.cols);
  if (i < 0 || j < 0) return {};
  i += beside.rows;
  j += beside.cols;
  if (i < 0 || i >= std::ssize(rows_) || j < 0 || j >= std::ssize(cols_)) return {};
  auto row = static_cast<std::size_t>(i), col = static_cast<std::size_t>(j);
  // Where the launch of the nearest shape needs a trip to memory more here than there, that of the next longer sum may
  // not: on an H200, sums of 129 to 139 with launches of 110 took up to a fifth longer than 140 with that of 178.
  constexpr std::int64_t few = 3;
  const Tuned& launch = mesh[row * cols_.size() + col];
  std::size_t& along = s.transposed ? row : col;
  const std::size_t length = (s.transposed ? rows_ : cols_).size();
  if (launch.threads > 0 && launch.split_threads == 0 && along + 1 < length) {
    const std::int64_t there = rounds(p, launch, rows_[row], cols_[col]), here = rounds(p, launch, s.rows, s.cols);
    ++along;
    const Tuned& next = mesh[row * cols_.size() + col];
    if (there > few || here <= there || next.threads == 0 || rounds(p, next, s.rows, s.cols) >= here) --along;
  }
  return {.tuned = mesh[row * cols_.size() + col], .rows = rows_[row], .cols = cols_[col], .table = this};
}

TunedSymvCell Tuning::symv(const Problem& p) const {
  const auto& mesh = symv_[mesh_type(p.type_a)][stored(p).uplo == Uplo::upper ? 1 : 0][is_aligned(p) ? 1 : 0];
  const std::ptrdiff_t i = p.batch == 1 && !mesh.empty() ? nearest(orders_, p.n) : -1;
  if (i < 0) return {};
  const auto at = static_cast<std::size_t>(i);
  return {.tuned = mesh[at], .n = orders_[at], .table = this};
}

TunedCell find_gemv(const DeviceTraits& traits, const Problem& p, Beside beside) {
  return first_cell(traits, [&](const Tuning& table) { return table.gemv(p, beside); });
}

TunedSymvCell find_symv(const DeviceTraits& traits, const Problem& p) {
  return first_cell(traits, [&](const Tuning& table) { return table.symv(p); });
}

}  // namespace onepass
