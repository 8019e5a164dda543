// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tune/tuner.hpp"

#include <algorithm>

#include "plan/gemv.hpp"
#include "problem/cost.hpp"
#include "problem/names.hpp"
#include "support/digits.hpp"

namespace onepass::tools {
namespace {

constexpr int screening_rounds = 3, least_rounds = 5, most_rounds = 25;
constexpr std::size_t least_launches = 3, most_finalists = 6;
constexpr double worth_an_entry = 1.01;
// Making a launch ready and checking it takes about as long as so many samples.
constexpr double samples_of_preparing = 2;
constexpr double first_guess = 5e-4;  // seconds of a sample

double work(std::size_t launches, int rounds) {
  return static_cast<double>(launches) * (rounds + samples_of_preparing);
}

// The model's, which comes first, and the fastest of the others.
std::vector<Candidate> finalists_of(std::vector<Candidate> candidates, const std::vector<double>& seconds) {
  std::vector<std::size_t> order;
  for (std::size_t i = 1; i < candidates.size(); ++i)
    if (seconds[i] > 0) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return seconds[i]; });
  order.resize(std::min(order.size(), most_finalists - 1));
  std::vector<Candidate> finalists = {candidates[0]};
  for (const std::size_t i : order) finalists.push_back(candidates[i]);
  return finalists;
}

}  // namespace

Problem problem_of_shape(Type type, Op op, Layout layout, std::int64_t m, std::int64_t n) {
  return {.type_a = type,
          .type_x = type,
          .type_y = type,
          .op = op,
          .layout = layout,
          .m = m,
          .n = n,
          .lda = layout == Layout::row ? n : m,
          .alignment_a = 32};
}

std::vector<Plan> plans_of(std::span<const Candidate> candidates) {
  std::vector<Plan> plans;
  plans.reserve(candidates.size());
  for (const Candidate& candidate : candidates) plans.push_back(candidate.plan);
  return plans;
}

bool add_distinct(std::vector<Candidate>& candidates, const Choice& choice, const Problem& p,
                  const DeviceTraits& traits) {
  const std::optional<Plan> plan = legal_plan_of(choice, p, traits);
  if (!plan || std::ranges::find(candidates, *plan, &Candidate::plan) != candidates.end()) return false;
  candidates.push_back({choice, *plan});
  return true;
}

std::vector<Candidate> candidates_of(const Problem& p, const DeviceTraits& traits, std::size_t most) {
  constexpr std::size_t always = 24;
  constexpr double promising = 1.3;
  const ModelledChoice best = best_choice(p, traits);
  std::vector<Candidate> candidates = {{best.choice, plan_of(best.choice, p, traits)}};
  for (const ModelledChoice& other : all_choices(p, traits)) {
    if (candidates.size() >= most || (candidates.size() >= always && other.seconds > promising * best.seconds)) break;
    add_distinct(candidates, other.choice, p, traits);
  }
  return candidates;
}

double Tuner::samples_in(double seconds) const {
  return seconds / (samples_ > 0 ? seconds_of_samples_ / samples_ : first_guess);
}

std::vector<double> Tuner::time(const std::vector<Candidate>& candidates, int rounds, ShapeTimes& shape) {
  const double start = clock_.elapsed();
  const Sampled sampled = sampler_.time(shape.problem, plans_of(candidates), rounds);
  shape.why_not = sampled.why_not;
  if (!shape.timed()) return sampled.seconds;
  if (!(sampled.seconds[0] > 0))
    shape.why_not = "there is no time of the model's launch, " + print(candidates[0].choice);
  if (result_.first_wrong.empty()) result_.first_wrong = sampled.failure;
  result_.wrong += sampled.failed;
  result_.discarded = sampler_.discarded();
  samples_ += work(candidates.size(), rounds);
  seconds_of_samples_ += clock_.elapsed() - start;
  return sampled.seconds;
}

// Half of the time is for many launches and few rounds, what is left for more rounds of the few that were fastest.
ShapeTimes Tuner::time_shape(const Problem& p, double seconds) {
  ShapeTimes shape{.problem = p};
  const bool too_large = cost(p).matrix_bytes > limits_.most_bytes;
  if (too_large || !(seconds > 0)) {
    shape.why_not = too_large ? "it is too large, see --max-bytes" : "a longer --budget times it";
    return shape;
  }
  const double start = clock_.elapsed();
  const double most = samples_in(seconds / 2) / work(1, screening_rounds);
  const auto candidates = candidates_of(
      p, clock_.traits(), static_cast<std::size_t>(std::clamp<double>(most, least_launches, all_candidates)));
  shape.launches = candidates.size();
  result_.launches += candidates.size();
  const std::vector<double> screened = time(candidates, screening_rounds, shape);
  if (!shape.timed()) return shape;
  const auto finalists = finalists_of(candidates, screened);
  const double left = samples_in(seconds - (clock_.elapsed() - start));
  const double rounds = left / static_cast<double>(finalists.size()) - samples_of_preparing;
  const std::vector<double> final_seconds =
      time(finalists, static_cast<int>(std::clamp<double>(rounds, least_rounds, most_rounds)), shape);
  if (!shape.timed()) return shape;
  std::size_t least = 0;
  for (std::size_t i = 1; i < finalists.size(); ++i)
    if (final_seconds[i] > 0 && final_seconds[i] < final_seconds[least]) least = i;
  shape.model = finalists[0].choice;
  shape.model_seconds = final_seconds[0];
  shape.fastest = finalists[least].choice;
  shape.seconds = final_seconds[least];
  return shape;
}

TunerResult Tuner::run(std::span<const Problem> shapes, const Before& before) {
  result_ = {};
  const double start = clock_.elapsed();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (!before(i, describe(shapes[i]))) return result_;
    const double left = limits_.seconds - (clock_.elapsed() - start);
    result_.shapes.push_back(time_shape(shapes[i], left / static_cast<double>(shapes.size() - i)));
  }
  result_.complete = true;
  return result_;
}

bool deserves_entry(const ShapeTimes& shape) { return shape.timed() && shape.gain() > worth_an_entry; }

void update(TuningTable& table, const std::vector<ShapeTimes>& shapes) {
  for (const ShapeTimes& shape : shapes) {
    if (!shape.timed()) continue;
    const ShapeKind kind = *kind_of_shape(shape.problem);
    std::erase_if(table.shapes, [&](const TunedShape& entry) { return entry.kind == kind; });
    if (deserves_entry(shape))
      table.shapes.push_back({.kind = kind, .choice = shape.fastest, .gain = four_digits(shape.gain())});
  }
  std::ranges::sort(table.shapes, {}, &TunedShape::kind);
}

}  // namespace onepass::tools
