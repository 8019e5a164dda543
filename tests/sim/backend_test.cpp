// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The backend that runs the real kernels: one pass, any order of blocks, huge distances, two threads.
#include <sys/mman.h>

#include <cstring>
#include <optional>
#include <thread>
#include <vector>

#include "backends/registry.hpp"
#include "plan/choice.hpp"
#include "sim/run_kernel.hpp"

namespace onepass::sim {
namespace {

struct Product {
  Problem problem;
  Status status;
  Plan plan;
  Counters counters;
  std::vector<float> y;
};

// y = 2 A x, of small integers so that every order of the sum gives the same bits.
Product multiply(const Problem& p, int offset = 0, const std::optional<Choice>& choice = {}) {
  const Backend& backend = sim_backend();
  Product product = {.problem = p, .status = {}, .plan = backend.plan(p, 0), .counters = {}, .y = {}};
  if (choice) product.plan = plan_of(*choice, p, backend.traits());
  product.plan.backend = BackendId::sim;
  product.y.assign(static_cast<std::size_t>(length_y(p)), 0.0f);
  std::vector<float> x(static_cast<std::size_t>(length_x(p)));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 5) - 2;
  const auto size = static_cast<std::size_t>(p.lda * stored(p).cols);
  void* memory = nullptr;
  EXPECT_TRUE(backend.allocate((size + 64) * sizeof(float), &memory).ok());
  float* a = static_cast<float*>(memory) + offset;
  for (std::size_t i = 0; i < size; ++i) a[i] = static_cast<float>(i % 13) - 6;
  void* workspace = nullptr;
  EXPECT_TRUE(backend.allocate(product.plan.workspace_bytes, &workspace).ok());
  EXPECT_TRUE(backend.zero(workspace, product.plan.workspace_bytes, nullptr).ok());
  const float alpha = 2, beta = 0;
  product.status =
      backend.launch(product.plan, {.alpha = &alpha, .a = a, .x = x.data(), .beta = &beta, .y = product.y.data()},
                     {.data = workspace, .bytes = product.plan.workspace_bytes}, nullptr);
  product.counters = last_counters();
  backend.release(workspace);
  backend.release(memory);
  return product;
}

float expected(const Problem& p, std::int64_t i) {
  double sum = 0;
  for (std::int64_t k = 0; k < length_x(p); ++k) {
    const std::int64_t index = stored(p).transposed ? k + i * p.lda : i + k * p.lda;
    sum += (static_cast<double>(index % 13) - 6) * (static_cast<double>(k % 5) - 2);
  }
  return static_cast<float>(2 * sum);
}

class SimBackend : public ::testing::TestWithParam<Op> {};

TEST_P(SimBackend, ReadsEachElementOnce) {
  for (const std::int64_t m : {1, 7, 64, 301}) {
    for (const std::int64_t n : {1, 33, 500}) {
      for (const int offset : {0, 1}) {
        const Product product = multiply({.op = GetParam(), .m = m, .n = n, .lda = m + offset}, offset);
        ASSERT_TRUE(product.status.ok()) << product.status.text;
        EXPECT_EQ(product.counters.matrix_elements_needed, m * n);
        EXPECT_EQ(product.counters.matrix_elements_again, 0);
        EXPECT_EQ(product.counters.matrix_elements_never, 0);
        EXPECT_EQ(product.counters.outputs_never, 0);
        for (std::size_t i = 0; i < product.y.size(); ++i)
          ASSERT_EQ(product.y[i], expected(product.problem, static_cast<std::int64_t>(i))) << m << "x" << n << " " << i;
      }
    }
  }
}

TEST_P(SimBackend, AnyOrderOfBlocksGivesTheSameBitsAndCounters) {
  const Problem split = GetParam() == Op::n ? Problem{.op = Op::n, .m = 40, .n = 6000, .lda = 40}
                                            : Problem{.op = Op::t, .m = 30000, .n = 4, .lda = 30000};
  const Choice choice = GetParam() == Op::n
                            ? Choice{.variant = Variant::gemv_n, .threads = 256, .lanes = 8, .share = 40}
                            : Choice{.variant = Variant::gemv_t, .threads = 128, .lanes = 128, .share = 40};
  const Product ascending = multiply(split, 0, choice);
  ASSERT_TRUE(ascending.status.ok()) << ascending.status.text;
  ASSERT_GT(params<GemvParams>(ascending.plan).splits, 1);
  EXPECT_GT(ascending.counters.partial_sums, 1);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const WithOptions with({.block_order = seed == 0 ? BlockOrder::descending : BlockOrder::shuffled,
                            .seed = seed,
                            .reverse_threads = seed % 2 == 0});
    const Product other = multiply(split, 0, choice);
    ASSERT_TRUE(other.status.ok()) << other.status.text;
    EXPECT_EQ(other.y, ascending.y);
    EXPECT_EQ(other.counters, ascending.counters);
  }
}

TEST_P(SimBackend, OffsetsPassTwoToThe31) {
  const std::int64_t lda = (std::int64_t{1} << 30) + 4096, cols = 5;
  const std::size_t bytes = static_cast<std::size_t>(lda * cols) * sizeof(float);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) GTEST_SKIP() << "no " << bytes << " bytes of address space";
  float* a = static_cast<float*>(memory);
  for (std::int64_t c = 0; c < cols; ++c)
    for (std::int64_t r = 0; r < 10; ++r) a[c * lda + r] = static_cast<float>(c + 1);
  const Problem p = {.op = GetParam(), .m = 10, .n = cols, .lda = lda};
  const Plan plan = sim_backend().plan(p, 0);
  const float alpha = 1, beta = 0;
  std::vector<float> x(10, 1.0f), y(10), workspace(plan.workspace_bytes / 4);
  const Status status =
      sim_backend().launch(plan, {.alpha = &alpha, .a = a, .x = x.data(), .beta = &beta, .y = y.data()},
                           {.data = workspace.data(), .bytes = plan.workspace_bytes}, nullptr);
  munmap(memory, bytes);
  ASSERT_TRUE(status.ok()) << status.text;
  EXPECT_EQ(y[4], p.op == Op::n ? 15 : 50);
  EXPECT_EQ(last_counters().matrix_elements_needed, 50);
  EXPECT_EQ(last_counters().matrix_elements_never, 0);
}

TEST_P(SimBackend, TwoThreadsAtOnce) {
  const Problem p = {.op = GetParam(), .m = 300, .n = 300, .lda = 301};
  const Product alone = multiply(p);
  std::vector<Product> together(2);
  std::vector<std::thread> threads;
  for (Product& product : together) threads.emplace_back([&product, &p] { product = multiply(p); });
  for (std::thread& thread : threads) thread.join();
  for (const Product& product : together) {
    EXPECT_TRUE(product.status.ok()) << product.status.text;
    EXPECT_EQ(product.y, alone.y);
    EXPECT_EQ(product.counters, alone.counters);
  }
}

// A and x do not exist for this launch: a read of either would be out of bounds.
TEST_P(SimBackend, AlphaZeroReadsNeitherMatrixNorX) {
  const Problem p = {.op = GetParam(), .m = 20, .n = 30, .lda = 20};
  const Plan plan = sim_backend().plan(p, 0);
  const float alpha = 0, beta = 3;
  std::vector<float> a(600), x(30), y(30, 1.0f), workspace(plan.workspace_bytes / 4);
  const WithOptions counted({.count_instructions = true});
  const Status status =
      sim_backend().launch(plan, {.alpha = &alpha, .a = a.data(), .x = x.data(), .beta = &beta, .y = y.data()},
                           {.data = workspace.data(), .bytes = plan.workspace_bytes}, nullptr);
  ASSERT_TRUE(status.ok()) << status.text;
  EXPECT_EQ(last_counters().matrix_elements_needed, 0);
  EXPECT_EQ(last_counters().matrix_sectors_requested, 0);
  EXPECT_EQ(y[0], 3);
}

INSTANTIATE_TEST_SUITE_P(Ops, SimBackend, ::testing::Values(Op::n, Op::t),
                         [](const auto& info) { return info.param == Op::n ? "N" : "T"; });

TEST(SimBackendTraits, ItIsADeviceOfTheTargets) {
  EXPECT_EQ(sim_backend().id(), BackendId::sim);
  EXPECT_EQ(sim_backend().traits().name, "simulated NVIDIA H200");
  EXPECT_EQ(sim_backend().traits().sm_count, h200_traits().sm_count);
  EXPECT_EQ(sim_backend().alignment(), Alignment::element);
}

}  // namespace
}  // namespace onepass::sim
