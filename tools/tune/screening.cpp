// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tune/screening.hpp"

#include <algorithm>
#include <cstdlib>

#include "plan/gemv_tuned.hpp"
#include "problem/cost.hpp"

namespace onepass::tools {
namespace {

// Every sixth place of an axis, every third, and all of them; an axis that is too short has its middle.
bool on_axis(Step step, std::size_t i, std::size_t count) {
  if (step == Step::fine || count == 1) return true;
  return step == Step::middle ? i % 3 == 0 || i == count / 2 : i % 6 == 3 || (count < 4 && i == count / 2);
}

Step step_of(const Mesh& mesh, std::size_t row, std::size_t col) {
  for (const Step step : {Step::coarse, Step::middle})
    if (on_axis(step, row, mesh.rows.size()) && on_axis(step, col, mesh.cols.size())) return step;
  return Step::fine;
}

// The cells with times that are nearest to a cell, itself left out.
std::vector<std::size_t> nearest(const Mesh& mesh, std::size_t row, std::size_t col, std::span<const Cell> cells,
                                 std::size_t most) {
  struct Near {
    std::size_t distance, cell;
  };
  std::vector<Near> near;
  const auto distance = [](std::size_t a, std::size_t b) { return a > b ? a - b : b - a; };
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t away = distance(i / mesh.cols.size(), row) + distance(i % mesh.cols.size(), col);
    if (away > 0 && !cells[i].scored.empty()) near.push_back({away, i});
  }
  std::ranges::stable_sort(near, {}, &Near::distance);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < std::min(most, near.size()); ++i) found.push_back(near[i].cell);
  return found;
}

// A launch that is best at one order and not at the next is best there by the remainders of that order: the rule knows
// those of others.
void drop_loners(std::vector<std::optional<Launch>>& chosen) {
  const std::vector<std::optional<Launch>> all = chosen;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!(i > 0 && all[i - 1] == all[i]) && !(i + 1 < all.size() && all[i + 1] == all[i])) chosen[i].reset();
}

}  // namespace

std::size_t usual_launches(const Mesh& mesh, Step step) {
  switch (step) {
    case Step::coarse: return mesh.routine != Routine::gemv ? 200 : mesh.exact ? 128 : 64;
    case Step::middle: return 20;
    case Step::fine: break;
  }
  return 10;
}

std::vector<CellAt> visiting_order(const Mesh& mesh, double most_bytes) {
  std::vector<CellAt> order;
  for (const Step step : {Step::coarse, Step::middle, Step::fine})
    for (std::size_t row = 0; row < mesh.rows.size(); ++row)
      for (std::size_t col = 0; col < mesh.cols.size(); ++col)
        if (step_of(mesh, row, col) == step && cost(problem_at(mesh, row, col)).matrix_bytes <= most_bytes)
          order.push_back({step, row, col});
  return order;
}

std::vector<Candidate> propose(const Mesh& mesh, const CellAt& at, std::span<const Cell> cells,
                               const DeviceTraits& traits, std::size_t most) {
  const Problem p = problem_at(mesh, at.row, at.col);
  constexpr std::size_t neighbours = 4;
  std::vector<std::vector<Launch>> rankings;
  if (mesh.exact)
    if (const TunedCell now = cell_of_gemv(p, traits); now.tuned.threads > 0) rankings.push_back({now.tuned});
  for (const std::size_t cell : nearest(mesh, at.row, at.col, cells, neighbours)) {
    rankings.emplace_back();
    for (const Scored& scored : cells[cell].scored) rankings.back().push_back(scored.launch);
  }
  rankings.push_back(ranked_launches(p, traits));
  std::size_t longest = 0;
  for (const auto& ranking : rankings) longest = std::max(longest, ranking.size());

  std::vector<Candidate> candidates;
  for (std::size_t place = 0; place < longest; ++place)
    for (const auto& ranking : rankings) {
      if (place >= ranking.size() || candidates.size() >= most) continue;
      const std::optional<Plan> plan = plan_of(ranking[place], p, traits);
      if (plan && std::ranges::find(candidates, *plan, &Candidate::plan) == candidates.end())
        candidates.push_back({ranking[place], *plan});
    }
  return candidates;
}

std::vector<std::optional<Launch>> winners(const Mesh& mesh, std::span<const Cell> cells) {
  constexpr double as_good = 1.01, as_good_by_rule = 1.03;
  constexpr std::size_t around = 8;
  std::vector<std::optional<Launch>> chosen(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].scored.empty()) continue;
    const auto rule = std::ranges::find_if(cells[i].scored, [&](const Scored& s) { return s.launch == cells[i].rule; });
    if (rule != cells[i].scored.end() && rule->seconds <= as_good_by_rule * cells[i].scored[0].seconds) continue;
    const std::size_t row = i / mesh.cols.size(), col = i % mesh.cols.size();
    const std::vector<std::size_t> near = nearest(mesh, row, col, cells, around);
    std::ptrdiff_t most = -1;
    for (const Scored& scored : cells[i].scored) {
      if (scored.seconds > as_good * cells[i].scored[0].seconds) break;
      const std::ptrdiff_t votes =
          std::ranges::count_if(near, [&](std::size_t cell) { return cells[cell].scored[0].launch == scored.launch; });
      if (votes <= most) continue;
      most = votes;
      chosen[i] = scored.launch;
    }
  }
  if (mesh.routine != Routine::gemv) drop_loners(chosen);
  return chosen;
}

}  // namespace onepass::tools
