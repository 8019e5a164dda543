// Plans of gemv_n_wide and gemv_t_tall, and what they compute on the simulator.
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "backends/sim/counters.hpp"
#include "backends/sim/instances.hpp"
#include "backends/sim/problem_memory.hpp"
#include "plan/gemv_wide.hpp"
#include "plan/registry.hpp"
#include "problem/names.hpp"

using namespace onepass;

static int failures = 0;

static Problem problem(Type type, Op op, std::int64_t m, std::int64_t n, std::int64_t pad, int alignment) {
  Problem p{.m = m, .n = n, .lda = m + pad};
  p.op = op;
  p.type_a = p.type_x = p.type_y = type;
  p.alignment_a = alignment;
  return p;
}

template <class E>
void go(const Plan& plan, int offset, bool settled) {
  using A = typename E::A;
  const Problem& p = plan.problem;
  if (const std::string why = why_illegal_on_device(plan); !why.empty()) {
    std::printf("FAIL illegal: %s (%s)\n", why.c_str(), print(plan).c_str());
    ++failures;
    return;
  }
  const bool t = p.op != Op::n;
  const std::int64_t nx = t ? p.m : p.n, ny = t ? p.n : p.m;
  std::mt19937 rng(3);
  std::uniform_real_distribution<float> d(-1, 1);
  std::vector<A> store(static_cast<std::size_t>(p.lda * p.n + 32)), x(static_cast<std::size_t>(nx)), y(static_cast<std::size_t>(ny));
  A* const a = store.data() + ((16 - reinterpret_cast<std::uintptr_t>(store.data()) % 16) % 16) / 2 + offset;
  for (std::int64_t i = 0; i < p.lda * p.n; ++i) a[i] = rounded<A>(d(rng));
  for (auto& v : x) v = rounded<A>(d(rng));
  const float alpha = 1, beta = 0;
  std::vector<std::byte> work(plan.workspace_bytes + 16);
  auto* const boxes = reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(work.data()) + 15) / 16 * 16);
  const Operands o{.alpha = &alpha, .a = a, .x = x.data(), .beta = &beta, .y = y.data(), .settled_a = settled, .settled_x = settled, .opens_first = settled};
  const Workspace workspace{.data = boxes, .bytes = plan.workspace_bytes};
  sim::MemoryMap memory = sim::problem_memory(plan, o, workspace);
  const Status s = sim::Instances<E, Family::gemv>::launch(&memory, plan, o, workspace);
  double worst = 0;
  for (std::int64_t i = 0; i < ny; ++i) {
    double w = 0;
    for (std::int64_t k = 0; k < nx; ++k) w += double(as<float>(t ? a[k + i * p.lda] : a[i + k * p.lda])) * double(as<float>(x[static_cast<std::size_t>(k)]));
    worst = std::max(worst, std::abs(w - double(as<float>(y[static_cast<std::size_t>(i)]))) / (std::abs(w) + 1));
  }
  const bool right = s.ok() && worst < 0.005 && sim::last_counters().matrix_elements_never == 0 && sim::last_counters().matrix_elements_again == 0;
  if (!right) ++failures;
  const auto& n = sim::last_counters();
  std::printf("%s %s %s  sectors %.2f\n", right ? "ok  " : "FAIL", s.ok() ? "" : s.text.c_str(), print(plan).c_str(),
              double(n.matrix_sectors_requested) / double(n.matrix_sectors_needed));
}

int main() {
  const DeviceTraits traits = h200_traits();
  struct { Op op; std::int64_t m, n, pad; int alignment, offset; } const of[] = {
      {Op::n, 55, 26008, 0, 2, 1},  {Op::n, 55, 26008, 0, 16, 0}, {Op::n, 16, 26008, 0, 16, 0}, {Op::n, 16, 26008, 0, 2, 5},
      {Op::n, 16, 89181, 0, 16, 0}, {Op::n, 645, 2212, 0, 2, 0},  {Op::n, 188, 7585, 0, 16, 0}, {Op::n, 128, 9000, 0, 16, 0},
      {Op::n, 55, 89181, 0, 16, 0}, {Op::n, 31, 9999, 2, 2, 3},   {Op::t, 89181, 16, 0, 2, 0},  {Op::t, 305799, 16, 0, 16, 0},
      {Op::t, 26008, 16, 0, 16, 0}, {Op::t, 70001, 31, 1, 2, 7},
  };
  bool settled = false;
  for (const auto& c : of) {
    const Plan plan = plan_on_device(problem(Type::b, c.op, c.m, c.n, c.pad, c.alignment), traits, BackendId::sim);
    settled = !settled;
    if (!has_blocks_that_gather(plan.kernel.variant)) std::printf("     another kernel: %s\n", print(plan).c_str());
    go<ElementsB>(plan, c.offset, settled);
    if (c.m * c.n < 1'000'000)
      go<ElementsH>(plan_on_device(problem(Type::h, c.op, c.m, c.n, c.pad, c.alignment), traits, BackendId::sim), c.offset, !settled);
  }
  // Every launch that is legal.
  int legal = 0;
  for (const Op op : {Op::n, Op::t})
    for (const Loads loads : {Loads::few, Loads::many})
      for (const int threads : {256, 512})
        for (const std::int64_t splits : {2, 5, 40}) {
          const Problem p = op == Op::n ? problem(Type::b, op, 70, 3001, 1, 2) : problem(Type::b, op, 9001, 19, 2, 2);
          const Plan plan = [&] { Plan q = shape_long_sums(p, {loads, threads, splits}); q.backend = BackendId::sim; return q; }();
          go<ElementsB>(plan, 3, (legal++ & 1) != 0);
        }
  std::printf("%d failures\n", failures);
  return failures != 0;
}
