// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv with columns that come through a ring computes the product of triangles, however its columns lie in memory.
#include <gtest/gtest.h>

#include <algorithm>

#include "backends/host_backend.hpp"
#include "backends/registry.hpp"
#include "backends/sim/launcher.hpp"
#include "backends/sim/problem_memory.hpp"
#include "kernels/symv.hpp"
#include "launch/symv.hpp"
#include "plan/symv_ring.hpp"
#include "plan/symv_shape.hpp"
#include "support/family/one_pass.hpp"
#include "symv_device/triangle.hpp"

namespace onepass::test {
namespace {

struct Choice {
  int blocks = 5;
  bool bulk = false;
  bool streams = false;
  bool by_bytes = false;
  int lower = 0;  // than a strip can be, in whole runs
  int run = 128;
  int steps = 0;  // of one or two times the columns in place of a ring
};

template <class E>
inline constexpr int rows_of = sizeof(typename E::A) == 4   ? 4
                               : sizeof(typename E::A) == 8 ? 4
                                                            : 2;

class RingBackend final : public HostBackend {
 public:
  explicit RingBackend(const Choice& choice) : choice_(choice) {}
  BackendId id() const override { return BackendId::sim; }
  std::string why_unavailable() const override { return ""; }
  const DeviceTraits& traits() const override { return sim_backend().traits(); }
  Alignment alignment() const override { return Alignment::element; }
  Plan plan(const Problem& problem, int) const override {
    Plan plan = shape_symv(problem, 256, 1, choice_.blocks);
    plan.backend = BackendId::sim;
    if (choice_.steps > 0) return plan;
    by_type(problem, [&]<class E>() {
      plan.workspace_bytes = static_cast<std::size_t>(shape<E>(problem, {}).mailboxes) * sizeof(typename E::Sum);
    });
    return plan;
  }
  std::string why_illegal(const Plan&) const override { return ""; }
  Status launch(const Plan& plan, const onepass::Operands& operands, Workspace workspace, Stream) const override {
    sim::MemoryMap memory = sim::problem_memory(plan, operands, workspace);
    Status status;
    by_type(plan.problem, [&]<class E>() {
      const sim::SimLauncher launcher{&memory};
      kernels::SymvArgs args = symv_args(plan, operands, workspace, 0, 1);
      args.streams = choice_.streams;
      if (choice_.steps > 0) {
        const std::size_t step = std::size_t{256} * 16 * kernels::symv_step_vectors(sizeof(typename E::A));
        const Grid grid = symv_grid(plan, 1);
        status = choice_.steps == 1 ? launcher.run<kernels::Symv<E, Form::plain>>(grid, 256, plan.shared_bytes, args)
                                    : launcher.run<kernels::Symv<E, Form::plain, kernels::ByStep<E, 2>>>(
                                          grid, 256, plan.shared_bytes + step, args);
        return;
      }
      const SymvRingLaunch ring = shape<E>(plan.problem, args);
      const auto run = [&]<class Ring>() {
        return launcher.run<kernels::Symv<E, Form::plain, Ring>>(
            {.x = ring.blocks}, 256, static_cast<std::size_t>(Ring::shared_bytes(ring.args)), ring.args);
      };
      constexpr int rows = rows_of<E>;
      status = choice_.bulk ? run.template operator()<kernels::ColumnRing<E, rows, 3, true>>()
                            : run.template operator()<kernels::ColumnRing<E, rows, 2, false>>();
    });
    return status;
  }
  Status warm_up() const override { return {}; }

 private:
  template <class Body>
  static void by_type(const Problem& p, Body body) {
    switch (p.type_a) {
      case Type::s: return body.template operator()<ElementsS>();
      case Type::d: return body.template operator()<ElementsD>();
      case Type::c: return body.template operator()<ElementsC>();
      default: return body.template operator()<ElementsZ>();
    }
  }
  template <class E>
  SymvRingLaunch shape(const Problem& p, kernels::SymvArgs args) const {
    constexpr int rows = rows_of<E>;
    constexpr int size = sizeof(typename E::A);
    args.rows = p.n;
    args.lda = p.lda;
    args.upper = stored(p).uplo == Uplo::upper;
    const bool aligned = p.alignment_a % choice_.run == 0 && p.lda * size % choice_.run == 0;
    const int run = std::max(choice_.run / size, 8);
    return shape_ring(args, size, aligned,
                      {.blocks = choice_.blocks,
                       .gathered = 64,
                       .gathered_of_two = 32,
                       .rows = rows,
                       .tile = rows * 32 - (choice_.lower + (aligned ? 0 : 1)) * run,
                       .by_bytes = choice_.by_bytes,
                       .run = choice_.run},
                      [](const kernels::SymvArgs& g) {
                        return static_cast<std::size_t>(kernels::ColumnRing<E, rows, 3, true>::shared_bytes(g));
                      });
  }
  Choice choice_;
};

constexpr Kind kinds_of_ring[] = {{Routine::symv, "s"}, {Routine::symv, "d"}, {Routine::symv, "c"},
                                  {Routine::symv, "z"}, {Routine::hemv, "c"}, {Routine::hemv, "z"}};

class SymvRing : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(sim, SymvRing, testing::ValuesIn(kinds_of_ring),
                         [](const auto& info) { return kind_name(info.param); });

testing::AssertionResult computes_by(const Choice& choice, const Case& c, const RunOptions& options) {
  const RingBackend backend(choice);
  const HostOperands operands = lay_out_triangle(c);
  return is_product(c, operands, run(backend, c, operands, options));
}

TEST_P(SymvRing, ComputeEverySize) {
  int turn = 0;
  for (const std::int64_t n : {40, 64, 97, 128, 129, 256, 301, 450, 513, 700})
    for (const Uplo uplo : both)
      for (const Twist& twist : {Twist{}, Twist{.padding = 3, .offset_a = 1, .incx = -2, .incy = 3},
                                 Twist{.padding = 1, .offset_a = 3}, Twist{.padding = 32 - n % 32}})
        for (const bool bulk : {false, true}) {
          if (++turn % 3 != 0) continue;
          const int k = turn / 3;
          const Case c = triangle_case(GetParam(), uplo, n, twist);
          const Choice choice = {.blocks = 1 + k % 7 * 3,
                                 .bulk = bulk,
                                 .streams = k % 4 < 2,
                                 .by_bytes = k % 3 != 0,
                                 .lower = k / 2 % 3,
                                 .run = k % 7 > 2 ? 128 : 16 << k % 7};
          const bool settled = k % 4 != 0;
          ASSERT_TRUE(computes_by(choice, c, {.again = k % 5 == 0, .settled_a = settled, .settled_x = settled}))
              << n << (bulk ? " bulk " : " vectors ") << k;
          expect_one_pass(c.problem);
        }
}

TEST_P(SymvRing, StepsCompute) {
  int turn = 0;
  for (const std::int64_t n : {97, 256, 301, 513})
    for (const Uplo uplo : both) {
      ++turn;
      const Case c = triangle_case(GetParam(), uplo, n, {.padding = turn % 3, .offset_a = turn % 2});
      for (const int steps : {1, 2})
        ASSERT_TRUE(computes_by({.blocks = 1 + turn % 7, .steps = steps}, c,
                                {.settled_a = turn % 2 == 0, .settled_x = turn % 2 == 0}))
            << n << " " << steps;
    }
}

}  // namespace
}  // namespace onepass::test
