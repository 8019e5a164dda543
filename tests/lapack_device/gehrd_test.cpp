// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gehrd by the steps of a device: launches on the simulator, with the memory of each described exactly, and copies and
// products as loops.
#include "backends/sim/grid_memory.hpp"
#include "backends/sim/launcher.hpp"
#include "kernels/lapack/hessenberg.hpp"
#include "kernels/lapack/hessenberg_panel.hpp"
#include "lapack/cuda/gehrd_steps.hpp"
#include "on_device.hpp"
#include "q_device.hpp"
#include "reduction.hpp"
#include "small_launches.hpp"

namespace onepass::test {
namespace {

template <class T>
class SimulatedGehrd final : public SimulatedQ<T, lapack::GehrdDevice> {
 public:
  using A = typename OnDevice<T>::type;

  Status clear(void* elements, std::int64_t count) override {
    std::fill_n(static_cast<T*>(elements), count, T{});
    return {};
  }
  Status copy(const kernels::MatrixCopy& c) override {
    for (std::int64_t j = 0; j < c.columns; ++j)
      std::copy_n(static_cast<const T*>(c.a) + j * c.lda, c.rows, static_cast<T*>(c.b) + j * c.ldb);
    return {};
  }
  Status scale(const kernels::ScaleArgs& g, int blocks) override { return simulate_scaling<A>(g, blocks); }
  Status scale_back(const kernels::ScaleArgs& g, int blocks) override {
    using Kernel = kernels::RescaleHessenberg<A>;
    sim::GridMemory memory;
    memory.add_matrix({.rows = g.m, .cols = g.n, .lda = g.col_step, .element = sizeof(A)}, g.a);
    memory.add("scale", {.rows = 2, .element = sizeof(RealOf<A>)}, g.scale, sim::Holds::constants);
    return checked(sim::SimLauncher{&memory}.run<Kernel>({.x = blocks}, Kernel::max_threads, 0, g));
  }
  Status reduce_on_chip(const lapack::HessenbergStage& stage, const kernels::HessenbergArgs& g) override {
    using Kernel = kernels::Hessenberg<A, 1, 4, 4>;
    EXPECT_EQ(stage.shape, 0);
    sim::GridMemory memory;
    memory.add_matrix({.rows = g.n, .cols = g.n, .lda = g.lda, .element = sizeof(A)}, g.a);
    memory.add_barrier(g.barrier);
    memory.add("tau", {.rows = g.n - 1, .element = sizeof(A)}, g.tau, sim::Holds::nothing);
    memory.add("exchange", {.rows = 6 * Kernel::rows, .element = sizeof(A)}, g.exchange, sim::Holds::nothing);
    Status status =
        checked(sim::SimLauncher{&memory}.run<Kernel>({.x = stage.blocks}, Kernel::max_threads, stage.shared_bytes, g));
    EXPECT_EQ(sim::last_counters().grid_barriers, g.n - 1);
    // By columns and by rows, before the first barrier; the first column by every block, too.
    for (std::int64_t j = 0; j < g.n; ++j)
      for (std::int64_t i = 0; i < g.n; ++i) {
        const A* const at = static_cast<const A*>(g.a) + i + j * g.lda;
        EXPECT_EQ(memory.loads(at), memory.loads(at, 0)) << i << ", " << j;
        if (j > 0) {
          EXPECT_EQ(memory.loads(at), 2) << i << ", " << j;
        }
      }
    return status;
  }
  Status reduce_panel(const lapack::HessenbergStage& stage, const kernels::HessenbergPanelArgs& g) override {
    return kernels::with_stream_vectors(stage.vectors, [&]<int vectors>() { return panel<vectors>(stage, g); });
  }

 private:
  static Status checked(Status status) {
    EXPECT_TRUE(status.ok()) << status.text;
    return status;
  }
  template <int vectors>
  Status panel(const lapack::HessenbergStage& stage, const kernels::HessenbergPanelArgs& g) {
    using Kernel = kernels::HessenbergPanel<A, vectors>;
    constexpr std::int64_t nb = kernels::stream_columns, element = sizeof(A), real = sizeof(RealOf<A>);
    const std::int64_t blocks = stage.blocks, pitch = kernels::stream_pitch(g.m);
    sim::GridMemory memory;
    memory.add_matrix({.rows = g.m, .cols = g.m + 1, .lda = g.lda, .element = element},
                      static_cast<const A*>(g.a) - g.lda);
    memory.add_barrier(g.barrier);
    const auto add = [&](const char* name, const void* data, std::int64_t count, std::int64_t size) {
      memory.add(name, {.rows = count, .element = size}, data, sim::Holds::nothing);
    };
    add("tau", g.tau, g.columns, element);
    add("V", g.v, g.ld * nb, element);
    add("Y", g.y, g.ld * nb, element);
    add("T", g.t, g.t_ld * nb, element);
    add("column", g.column, 2 * pitch, element);
    add("row sums", g.row_sums, blocks * pitch, element);
    add("norms", g.norms, blocks, real);
    add("left dot products", g.left_dots, blocks * nb, element);
    add("dot products", g.dots, blocks * nb, element);
    return checked(sim::SimLauncher{&memory}.run<Kernel>({.x = stage.blocks}, Kernel::max_threads,
                                                         kernels::hessenberg_shared_bytes(element), g));
  }
};

lapack::GehrdPlan gehrd_plan(const LapackProblem& problem, int most_on_chip) {
  DeviceTraits traits = h200_traits();
  traits.sm_count = 3;
  lapack::GehrdPlan plan;
  const Status status = lapack::make_plan(problem, traits, &plan, most_on_chip);
  EXPECT_TRUE(status.ok()) << status.text;
  return plan;
}

// Matrices of at most so many rows stay on the chip.
template <int most_on_chip>
const LapackBackend& by_steps() {
  static constexpr LapackBackend backend = {
      .id = BackendId::sim,
      .plan =
          [](const LapackProblem& problem, int) {
            return LapackPlan{.problem = problem, .workspace_bytes = gehrd_plan(problem, most_on_chip).workspace_bytes};
          },
      .run =
          [](const LapackPlan& plan, const LapackOperands& operands, void* workspace) {
            return lapack::by_type(plan.problem.type, [&]<class T>(T) {
              SimulatedGehrd<T> device;
              return lapack::run_gehrd(gehrd_plan(plan.problem, most_on_chip), operands, workspace, nullptr, device);
            });
          }};
  return backend;
}

template <class T>
class DeviceGehrd : public testing::Test {
 protected:
  template <int most_on_chip = 40>
  static void expect_small_residuals(std::int64_t n, std::int64_t ilo, std::int64_t ihi, std::int64_t more,
                                     verify::Pattern pattern = verify::Pattern::random) {
    Reduction<T>(
        by_steps<most_on_chip>(),
        {.routine = LapackRoutine::gehrd, .n = n, .ilo = ilo, .ihi = ihi, .lda = std::max<std::int64_t>(1, n + more)},
        pattern)
        .expect_small_residuals(lapack_cpu());
  }
};
TYPED_TEST_SUITE(DeviceGehrd, Types);

TYPED_TEST(DeviceGehrd, OfEveryRangeHasSmallResiduals) {
  this->expect_small_residuals(0, 1, 0, 0);
  for (const std::int64_t n : {1, 2, 3, 8})
    for (const std::int64_t more : {0, 1}) {
      this->expect_small_residuals(n, 1, n, more);
      this->template expect_small_residuals<0>(n, 1, n, more);
      this->expect_small_residuals(n, n, n, more);
      if (n > 3) {
        this->expect_small_residuals(n, 3, n - 2, more);
        this->template expect_small_residuals<0>(n, 3, n - 2, more);
      }
    }
}

TYPED_TEST(DeviceGehrd, InTwoPanelsHasSmallResiduals) {
  this->template expect_small_residuals<0>(36, 1, 36, 1);
  this->template expect_small_residuals<0>(40, 2, 38, 0, verify::Pattern::tiny);
}

// More lines of a block than registers hold.
TYPED_TEST(DeviceGehrd, OnTheChipHasSmallResiduals) {
  this->expect_small_residuals(25, 1, 25, 1);
  this->expect_small_residuals(31, 4, 29, 0, verify::Pattern::tiny);
}

TYPED_TEST(DeviceGehrd, InAPanelAndOnTheChipHasSmallResiduals) { this->expect_small_residuals(46, 3, 45, 1); }

TYPED_TEST(DeviceGehrd, OfSpecialMatricesHasSmallResiduals) {
  for (const verify::Pattern pattern : verify::finite_patterns) {
    SCOPED_TRACE(verify::name(pattern));
    this->expect_small_residuals(9, 1, 9, 0, pattern);
    this->template expect_small_residuals<0>(9, 1, 9, 0, pattern);
  }
}

TEST(GehrdPlan, SaysWhatTheLongestColumnMayBe) {
  lapack::GehrdPlan plan;
  const Status status = lapack::make_plan(
      {.routine = LapackRoutine::gehrd, .type = Type::d, .n = 33000, .ilo = 1, .ihi = 33000, .lda = 33000},
      h200_traits(), &plan);
  EXPECT_EQ(status.code, ONEPASS_STATUS_TOO_LARGE);
  EXPECT_NE(status.text.find("ihi - ilo = 32999: at most 32767"), std::string::npos) << status.text;
}

}  // namespace
}  // namespace onepass::test
