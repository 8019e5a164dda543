// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "ladder/seeds/run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "bench/runner.hpp"
#include "measure/onepass_provider.hpp"
#include "measure/random_block.hpp"
#include "problem/cost.hpp"
#include "support/buffer.hpp"

#ifdef ONEPASS_TOOLS_CUDA
#include "ladder/seeds/gpu/cuda_seeds.hpp"
#endif

namespace onepass::tools::ladder {
namespace {

// On a boundary of 256 bytes, as a device's memory begins.
class Operand {
 public:
  Operand(Type type, std::int64_t count)
      : bytes_(static_cast<std::size_t>(count * size_of(type))), lines_((bytes_ + 255) / 256) {
    const std::vector<std::byte> block = random_block(type);
    for (std::size_t at = 0; at < bytes_; at += block.size())
      std::memcpy(data() + at, block.data(), std::min(block.size(), bytes_ - at));
  }
  std::byte* data() { return reinterpret_cast<std::byte*>(lines_.data()); }
  const std::byte* data() const { return reinterpret_cast<const std::byte*>(lines_.data()); }
  std::vector<std::byte> copy() const { return {data(), data() + bytes_}; }

 private:
  struct alignas(256) Line {
    std::byte bytes[256];
  };
  std::size_t bytes_;
  std::vector<Line> lines_;
};

double number(const std::byte* at, Type type, std::int64_t i) {
  if (type == Type::d) {
    double value;
    std::memcpy(&value, at + 8 * i, sizeof(value));
    return value;
  }
  float value;
  std::memcpy(&value, at + 4 * i, sizeof(value));
  return static_cast<double>(value);
}

// The product in double precision, column by column, and the sizes of its terms.
struct Expected {
  explicit Expected(const Problem& p) : problem(p), a(p.type_a, p.m * p.n), x(p.type_a, length_x(p)) {
    sum.resize(static_cast<std::size_t>(length_y(p)));
    size.resize(sum.size());
    for (std::int64_t col = 0; col < p.n; ++col)
      for (std::int64_t row = is_triangle(p) ? col : 0; row < p.m; ++row) {
        const double element = number(a.data(), p.type_a, col * p.lda + row);
        const bool down = p.op != Op::n;
        add(down ? col : row, element, down ? row : col);
        if (is_triangle(p) && row != col) add(col, element, row);
      }
  }

  // |y - A x| <= 2 k eps |A| |x| for sums of k products in any order.
  void require_right(std::string_view rung, const std::vector<std::byte>& y) const {
    const double epsilon = problem.type_a == Type::s ? 6e-8 : 1.2e-16;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      const double error = std::abs(number(y.data(), problem.type_a, static_cast<std::int64_t>(i)) - sum[i]);
      if (!(error <= 2 * static_cast<double>(length_x(problem)) * epsilon * size[i]))
        throw Failure(Exit::failed,
                      fmt::format("the rung \"{}\" computed a wrong y[{}] of {}", rung, i, label(problem)));
    }
  }

  Problem problem;
  Operand a, x;
  std::vector<double> sum, size;

 private:
  void add(std::int64_t output, double element, std::int64_t input) {
    const double term = element * number(x.data(), problem.type_a, input);
    sum[static_cast<std::size_t>(output)] += term;
    size[static_cast<std::size_t>(output)] += std::abs(term);
  }
};

Problem problem_of(Routine routine, Op op, Type type, std::int64_t m, std::int64_t n) {
  return {.routine = routine, .type_a = type, .type_x = type, .type_y = type, .op = op, .m = m, .n = n, .lda = m};
}

std::vector<Problem> problems(bool simulated, const std::optional<Shape>& wanted) {
  std::vector<Shape> shapes = {{1000, 1000}, {4096, 4096}, {8192, 8192}, {131072, 256}, {256, 131072}};
  if (simulated) shapes = {{200, 200}, {512, 40}, {40, 512}};
  if (wanted) shapes = {*wanted};
  std::vector<Problem> all;
  for (const Type type : {Type::s, Type::d}) {
    for (const Op op : {Op::n, Op::t})
      for (const Shape shape : shapes) all.push_back(problem_of(Routine::gemv, op, type, shape.m, shape.n));
    for (const Shape shape : shapes)
      if (shape.m == shape.n) all.push_back(problem_of(Routine::symv, Op::n, type, shape.m, shape.n));
  }
  return all;
}

#ifdef ONEPASS_TOOLS_CUDA
class SeedProvider final : public HostProvider {
 public:
  SeedProvider(const Backend& backend, const Seed& seed, Stream stream)
      : backend_(&backend), seed_(&seed), stream_(stream) {}
  std::string name() const override { return std::string(seed_->name); }
  std::string version() const override { return ""; }
  bool serves(const Problem& p) const override { return ladder::serves(*seed_, p); }
  void set_threads(int) override {}
  // The first call at a problem is outside of captures, and makes room.
  void call(const Problem& p, const Vectors& v) override {
    const std::int64_t numbers = partial_numbers(*seed_, p) * size_of(p.type_y);
    if (numbers > bytes_) {
      partial_ = Buffer(*backend_, std::vector<std::byte>(static_cast<std::size_t>(numbers)));
      bytes_ = numbers;
    }
    require(launch_seed_on_cuda(*seed_, p, v, partial_.data(), stream_));
  }

 private:
  const Backend* backend_;
  const Seed* seed_;
  Stream stream_;
  Buffer partial_;
  std::int64_t bytes_ = 0;
};
#endif

std::vector<std::unique_ptr<HostProvider>> seed_providers([[maybe_unused]] const Backend& backend,
                                                          [[maybe_unused]] Stream stream) {
  std::vector<std::unique_ptr<HostProvider>> found;
#ifdef ONEPASS_TOOLS_CUDA
  for (const Seed& seed : seeds()) found.push_back(std::make_unique<SeedProvider>(backend, seed, stream));
#endif
  return found;
}

void check_on_device(const Backend& backend, const Problem& p) {
  const Expected expected(p);
  const Buffer a(backend, expected.a.copy()), x(backend, expected.x.copy());
  std::vector<std::unique_ptr<HostProvider>> all = seed_providers(backend, nullptr);
  all.push_back(std::make_unique<OnepassProvider>(backend.id()));
  for (const auto& provider : all) {
    if (!provider->serves(p)) continue;
    const Buffer y(backend,
                   std::vector<std::byte>(static_cast<std::size_t>(length_y(p) * size_of(p.type_y)), std::byte{0xff}));
    provider->call(p, {.a = a.data(), .x = x.data(), .y = y.data()});
    require(backend.synchronize(nullptr));
    expected.require_right(provider->name(), y.read());
  }
}

void simulate_point(SeedPoint& point) {
  const Expected expected(point.problem);
  const auto keep = [&](std::string_view name, const Seed* seed, const std::optional<SeedSimulated>& found) {
    if (!found) throw Failure(Exit::failed, "this build has no simulator");
    expected.require_right(name, found->y);
    point.results.push_back({.name = std::string(name), .seed = seed, .traffic = found->traffic});
  };
  for (const Seed& seed : seeds())
    if (serves(seed, point.problem))
      keep(seed.name, &seed, simulate_seed(seed, point.problem, expected.a.data(), expected.x.data()));
  keep("Onepass", nullptr, simulate_onepass(point.problem, expected.a.data(), expected.x.data()));
}

void time_points(SeedsResult& result, const Backend& backend, const SeedsOptions& options) {
  const std::unique_ptr<Stage> stage =
      make_stage(backend, {.who = options.peers ? Who::all : Who::onepass,
                           .others = [&](Stream stream) { return seed_providers(backend, stream); }});
  result.facts = stage->facts();
  stage->constants();
  std::vector<Point> points;
  for (const SeedPoint& point : result.points) points.push_back({.problem = point.problem, .cache = options.cache});
  std::size_t done = 0;
  measure(*stage, backend, points,
          {.rounds = 9, .seconds_per_point = options.seconds / static_cast<double>(points.size())}, {},
          {.before = [](std::size_t, const Point&) { return true; },
           .after =
               [&](const PointResult& measured) {
                 if (!measured.skipped.empty()) throw Failure(Exit::failed, measured.skipped);
                 SeedPoint& point = result.points[done++];
                 point.floor = measured.floor;
                 for (const ProviderResult& p : measured.providers) {
                   const auto seed = std::ranges::find_if(
                       seeds(), [&](const Seed& s) { return s.name == p.name && serves(s, point.problem); });
                   point.results.push_back(
                       {.name = p.name, .seed = seed == seeds().end() ? nullptr : &*seed, .time = p.time});
                 }
                 // Rungs first, then Onepass, then its peers.
                 std::ranges::stable_partition(point.results, [](const SeedResult& r) { return r.seed != nullptr; });
               }});
  result.remarks = stage->remarks();
}

}  // namespace

SeedsResult run_seeds(const Backend& backend, const SeedsOptions& options) {
  const bool simulated = backend.id() == BackendId::sim;
  SeedsResult result{.backend = name(backend.id()), .cache = options.cache, .checked = options.check};
  for (const Problem& p : problems(simulated, options.shape))
    result.points.push_back({.problem = p, .bytes = cost(p).bytes()});
  for (SeedPoint& point : result.points) simulated ? simulate_point(point) : check_on_device(backend, point.problem);
  if (!simulated && !options.check) time_points(result, backend, options);
  return result;
}

}  // namespace onepass::tools::ladder
