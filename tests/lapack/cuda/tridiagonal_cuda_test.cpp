// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The eigenproblem of tridiagonal matrices on a GPU: eigenvalues by bisection, eigenvectors by divide and conquer, with
// guards around what lies there.
#include <cuda_runtime_api.h>

#include "gpu_stage.hpp"
#include "graph.hpp"
#include "lapack/cuda/device.hpp"
#include "lapack/cuda/queue.hpp"
#include "lapack/gpu/solvers/bisection.hpp"
#include "lapack/gpu/solvers/divide.hpp"
#include "tridiagonal_residuals.hpp"

namespace onepass::test {
namespace {

using lapack::Wanted;

template <class R>
class CudaTridiagonal : public testing::Test {
 protected:
  static constexpr Type type = std::is_same_v<R, double> ? Type::d : Type::s;

  void SetUp() override {
    if (const std::string why = lapack::why_no_device(); !why.empty()) GTEST_SKIP() << why;
  }

  // T between guards on the device.
  struct There {
    Tridiagonal<R> t;
    OnDevice d, e;
    explicit There(const Tridiagonal<R>& from)
        : t(from), d(t.d.data(), t.d.size() * sizeof(R)), e(t.e.data(), t.e.size() * sizeof(R)) {}
  };
  static lapack::DividePlan plan_of(const Eigensystem<R>& out) {
    lapack::DividePlan plan;
    const Status status = make_plan({.type = type, .n = out.n, .ldz = out.ldz}, h200_traits(), &plan);
    EXPECT_TRUE(status.ok()) << status.text;
    EXPECT_TRUE(load(plan).ok());
    return plan;
  }
  static Eigensystem<R> vectors(const Tridiagonal<R>& from) {
    Eigensystem<R> out(from.n());
    const There there(from);
    const OnDevice w(out.w.data(), out.w.size() * sizeof(R)), z(out.z.data(), out.z.size() * sizeof(R));
    const OnDevice info(&out.info, sizeof(int));
    const lapack::DividePlan plan = plan_of(out);
    std::vector<unsigned char> poison(plan.workspace_bytes, 0xff);
    const OnDevice workspace(poison.data(), poison.size());
    lapack::CudaQueue queue(nullptr, cublas(), nullptr);
    const Status status = run(plan,
                              {.d = there.d.data(),
                               .e = there.e.data(),
                               .w = w.data(),
                               .z = z.data(),
                               .info = static_cast<int*>(info.data())},
                              workspace.data(), queue);
    EXPECT_TRUE(status.ok()) << status.text;
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_TRUE(w.back() && z.back() && info.back() && workspace.back() && there.d.back() && there.e.back());
    EXPECT_TRUE(there.t.d == from.d && there.t.e == from.e);
    return out;
  }
  static std::vector<R> values(const Tridiagonal<R>& from, lapack::TridiagonalValuesProblem problem, int* info) {
    problem.type = type;
    problem.n = from.n();
    std::vector<R> out(from.d.size(), R{77});
    const There there(from);
    const OnDevice w(out.data(), out.size() * sizeof(R)), info_there(info, sizeof(int));
    lapack::TridiagonalValuesPlan plan;
    EXPECT_TRUE(make_plan(problem, &plan).ok());
    EXPECT_TRUE(load(plan).ok());
    lapack::CudaQueue queue(nullptr, nullptr, nullptr);
    const Status status = run(
        plan, {.d = there.d.data(), .e = there.e.data(), .w = w.data(), .info = static_cast<int*>(info_there.data())},
        queue);
    EXPECT_TRUE(status.ok()) << status.text;
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_TRUE(w.back() && info_there.back());
    return out;
  }
  static void expect_right(const Tridiagonal<R>& t) {
    const std::string name = t.name + " of order " + std::to_string(t.n());
    const Eigensystem<R> out = vectors(t);
    EXPECT_EQ(out.info, 0) << name;
    const Residuals found = residuals(t, out);
    EXPECT_LE(found.equation, 10) << name;
    EXPECT_LE(found.orthogonality, 10) << name;
    int info = -1;
    const std::vector<R> w = values(t, {}, &info);
    EXPECT_EQ(info, 0) << name;
    EXPECT_TRUE(std::is_sorted(w.begin(), w.end())) << name;
    EXPECT_TRUE(std::is_sorted(out.w.begin(), out.w.end())) << name;
    const auto wanted = wide_eigenvalues(t);
    const long double unit = std::numeric_limits<R>::epsilon() / 2 * t.norm();
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      ASSERT_LE(std::abs(w[k] - wanted[k]), 8 * unit) << name << ": " << k;
      ASSERT_LE(std::abs(out.w[k] - wanted[k]), 10 * static_cast<long double>(t.n()) * unit) << name << ": " << k;
    }
  }
};
using RealTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(CudaTridiagonal, RealTypes);

TYPED_TEST(CudaTridiagonal, SolvesHardMatrices) {
  for (const auto& t : hard_tridiagonals<TypeParam>(150)) this->expect_right(t);
}

// Around leaves, and around merges that have many threads.
TYPED_TEST(CudaTridiagonal, SolvesEveryOrder) {
  for (const std::int64_t n : {1, 2, 3, 15, 16, 17, 32, 33, 100, 257, 513})
    this->expect_right(random_tridiagonal<TypeParam>(n));
}

// Rows of padding are not numbers, and compare as bytes.
TYPED_TEST(CudaTridiagonal, HasTheSameBitsAgainAndInAGraph) {
  using R = TypeParam;
  const auto t = hard_tridiagonals<R>(300)[5];
  const Eigensystem<R> first = this->vectors(t);
  const typename TestFixture::There there(t);
  Eigensystem<R> out(t.n());
  const OnDevice w(out.w.data(), out.w.size() * sizeof(R)), z(out.z.data(), out.z.size() * sizeof(R));
  const OnDevice info(&out.info, sizeof(int));
  const lapack::DividePlan plan = this->plan_of(out);
  expect_in_a_graph(
      plan.workspace_bytes,
      [&](void* workspace, cudaStream_t stream) {
        lapack::CudaQueue queue(stream, cublas(), nullptr);
        return run(plan,
                   {.d = there.d.data(),
                    .e = there.e.data(),
                    .w = w.data(),
                    .z = z.data(),
                    .info = static_cast<int*>(info.data())},
                   workspace, queue);
      },
      [&] {
        EXPECT_TRUE(w.back() && z.back());
        EXPECT_EQ(out.w, first.w);
        EXPECT_EQ(out.z, first.z);
      });
}

TYPED_TEST(CudaTridiagonal, FindsSomeOfTheValues) {
  const auto t = random_tridiagonal<TypeParam>(700);
  int info = -1;
  const auto all = this->values(t, {}, &info),
             some = this->values(t, {.wanted = Wanted::by_index, .il = 300, .iu = 309}, &info);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(some[k], all[k + 299]);
  const auto between = this->values(
      t, {.wanted = Wanted::by_value, .vl = static_cast<double>(all[100]), .vu = static_cast<double>(all[105])}, &info);
  const auto found = std::count_if(between.begin(), between.end(), [](TypeParam w) { return w != TypeParam{77}; });
  EXPECT_GE(found, 4);  // both ends are eigenvalues but for their rounding
  EXPECT_LE(found, 6);
}

TYPED_TEST(CudaTridiagonal, SaysThatAnElementIsNotFinite) {
  auto t = random_tridiagonal<TypeParam>(90);
  t.e[40] = std::numeric_limits<TypeParam>::infinity();
  const auto out = this->vectors(t);
  EXPECT_EQ(out.info, 181);
  EXPECT_TRUE(std::isnan(out.w[0]) && std::isnan(out.at(89, 89)));
  int info = -1;
  EXPECT_TRUE(std::isnan(this->values(t, {}, &info)[5]));
  EXPECT_EQ(info, 90);
}

}  // namespace
}  // namespace onepass::test
