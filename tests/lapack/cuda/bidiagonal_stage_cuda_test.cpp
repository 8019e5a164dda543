// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular values and vectors of bidiagonal matrices on a GPU, by bisection and by divide and conquer, with guards
// around what lies there.
#include <cuda_runtime_api.h>

#include "bidiagonal_residuals.hpp"
#include "gpu_stage.hpp"
#include "graph.hpp"
#include "lapack/cuda/device.hpp"
#include "lapack/cuda/queue.hpp"
#include "lapack/gpu/solvers/bidiagonal_vectors.hpp"
#include "lapack/gpu/solvers/bisection.hpp"

namespace onepass::test {
namespace {

template <class R>
class CudaBidiagonalStage : public testing::Test {
 protected:
  static constexpr Type type = std::is_same_v<R, double> ? Type::d : Type::s;

  void SetUp() override {
    if (const std::string why = lapack::why_no_device(); !why.empty()) GTEST_SKIP() << why;
  }

  // B between guards on the device.
  struct There {
    Tridiagonal<R> b;
    OnDevice d, e;
    explicit There(const Tridiagonal<R>& from)
        : b(from), d(b.d.data(), b.d.size() * sizeof(R)), e(b.e.data(), b.e.size() * sizeof(R)) {}
  };
  // What is found, likewise.
  struct Found {
    SingularSystem<R> system;
    OnDevice s, u, vt, info;
    explicit Found(std::int64_t n)
        : system(n),
          s(system.s.data(), system.s.size() * sizeof(R)),
          u(system.u.data(), system.u.size() * sizeof(R)),
          vt(system.vt.data(), system.vt.size() * sizeof(R)),
          info(&system.info, sizeof(int)) {}
    bool back() const { return s.back() && u.back() && vt.back() && info.back(); }
    lapack::BidiagonalVectorsOperands operands(const There& there) const {
      return {.d = there.d.data(),
              .e = there.e.data(),
              .s = s.data(),
              .u = u.data(),
              .vt = vt.data(),
              .info = static_cast<int*>(info.data())};
    }
  };
  static lapack::BidiagonalVectorsPlan plan_of(const SingularSystem<R>& out) {
    lapack::BidiagonalVectorsPlan plan;
    const Status status = make_plan({.type = type, .n = out.n, .ldu = out.ldu, .ldvt = out.ldvt}, h200_traits(), &plan);
    EXPECT_TRUE(status.ok()) << status.text;
    EXPECT_TRUE(load(plan).ok());
    return plan;
  }
  static SingularSystem<R> vectors(const Tridiagonal<R>& from) {
    const There there(from);
    const Found found(from.n());
    const lapack::BidiagonalVectorsPlan plan = plan_of(found.system);
    std::vector<unsigned char> poison(plan.workspace_bytes, 0xff);
    const OnDevice workspace(poison.data(), poison.size());
    lapack::CudaQueue queue(nullptr, cublas(), nullptr);
    const Status status = run(plan, found.operands(there), workspace.data(), queue);
    EXPECT_TRUE(status.ok()) << status.text;
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_TRUE(found.back() && workspace.back() && there.d.back() && there.e.back());
    EXPECT_TRUE(there.b.d == from.d && there.b.e == from.e);
    return found.system;
  }
  static std::vector<R> values(const Tridiagonal<R>& from, int* info) {
    std::vector<R> out(from.d.size(), R{77});
    const There there(from);
    const OnDevice s(out.data(), out.size() * sizeof(R)), info_there(info, sizeof(int));
    lapack::BidiagonalValuesPlan plan;
    EXPECT_TRUE(make_plan({.type = type, .n = from.n()}, &plan).ok());
    EXPECT_TRUE(load(plan).ok());
    lapack::CudaQueue queue(nullptr, nullptr, nullptr);
    const Status status = run(
        plan, {.d = there.d.data(), .e = there.e.data(), .s = s.data(), .info = static_cast<int*>(info_there.data())},
        queue);
    EXPECT_TRUE(status.ok()) << status.text;
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_TRUE(s.back() && info_there.back());
    return out;
  }
  static void expect_right(const Tridiagonal<R>& b) {
    const std::string name = b.name + " of order " + std::to_string(b.n());
    const SingularSystem<R> out = vectors(b);
    EXPECT_EQ(out.info, 0) << name;
    const SingularResiduals found = residuals(b, out);
    EXPECT_LE(found.equation, 20) << name;
    EXPECT_LE(found.orthogonality, 20) << name;
    int info = -1;
    const std::vector<R> s = values(b, &info);
    EXPECT_EQ(info, 0) << name;
    EXPECT_TRUE(std::is_sorted(s.rbegin(), s.rend())) << name;
    EXPECT_TRUE(std::is_sorted(out.s.rbegin(), out.s.rend())) << name;
    const auto wanted = wide_singular_values(b);
    const long double unit = std::numeric_limits<R>::epsilon() / 2 * b.norm();
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      ASSERT_LE(std::abs(s[k] - wanted[k]), 8 * unit) << name << ": " << k;
      ASSERT_LE(std::abs(out.s[k] - wanted[k]), 20 * static_cast<long double>(b.n()) * unit) << name << ": " << k;
    }
  }
};
using RealTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(CudaBidiagonalStage, RealTypes);

TYPED_TEST(CudaBidiagonalStage, SolvesHardMatrices) {
  for (const auto& b : hard_bidiagonals<TypeParam>(150)) this->expect_right(b);
}

// Around leaves, around merges that have many threads, and where a last merge has a row and no second half.
TYPED_TEST(CudaBidiagonalStage, SolvesEveryOrder) {
  for (const std::int64_t n : {1, 2, 3, 7, 8, 9, 16, 17, 18, 35, 36, 100, 255, 256, 257, 575, 576})
    this->expect_right(random_tridiagonal<TypeParam>(n));
}

TYPED_TEST(CudaBidiagonalStage, HasTheSameBitsAgainAndInAGraph) {
  using R = TypeParam;
  const auto b = hard_bidiagonals<R>(300)[5];
  const SingularSystem<R> first = this->vectors(b);
  const typename TestFixture::There there(b);
  const typename TestFixture::Found found(b.n());
  const lapack::BidiagonalVectorsPlan plan = this->plan_of(found.system);
  expect_in_a_graph(
      plan.workspace_bytes,
      [&](void* workspace, cudaStream_t stream) {
        lapack::CudaQueue queue(stream, cublas(), nullptr);
        return run(plan, found.operands(there), workspace, queue);
      },
      [&] {
        EXPECT_TRUE(found.back());
        EXPECT_EQ(found.system.s, first.s);
        EXPECT_EQ(found.system.u, first.u);
        EXPECT_EQ(found.system.vt, first.vt);
      });
}

TYPED_TEST(CudaBidiagonalStage, SaysThatAnElementIsNotFinite) {
  auto b = random_tridiagonal<TypeParam>(90);
  b.e[40] = std::numeric_limits<TypeParam>::infinity();
  const auto out = this->vectors(b);
  EXPECT_EQ(out.info, 90);
  EXPECT_TRUE(std::isnan(out.s[0]) && std::isnan(out.left(89, 89)) && std::isnan(out.right(89, 89)));
  int info = -1;
  EXPECT_TRUE(std::isnan(this->values(b, &info)[5]));
  EXPECT_EQ(info, 90);
}

}  // namespace
}  // namespace onepass::test
