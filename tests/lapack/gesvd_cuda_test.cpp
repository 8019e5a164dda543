// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular value decompositions on a GPU, through the C interface, with guards around what lies there.
#include <algorithm>
#include <memory>

#include "gpu.hpp"
#include "svd.hpp"

namespace onepass::test {
namespace {

template <class T>
class CudaGesvd : public testing::Test {
 protected:
  void SetUp() override {
    if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  }
};
TYPED_TEST_SUITE(CudaGesvd, Types);

TYPED_TEST(CudaGesvd, HasSmallResidualsForSmallShapes) {
  for (const std::int64_t n : {0, 1, 2, 3, 5, 8, 9, 17, 31, 32, 33, 47, 64, 65, 70})
    for (const std::int64_t more : {0, 1, 20})
      expect_small_svd_residuals<TypeParam>(cuda(), n + more, n, verify::Pattern::random);
}

TYPED_TEST(CudaGesvd, HasSmallResidualsForLargerShapes) {
  for (const std::int64_t n : {128, 255, 257})
    for (const std::int64_t more : {0, 40, 300})
      expect_small_svd_residuals<TypeParam>(cuda(), n + more, n, verify::Pattern::random);
}

TYPED_TEST(CudaGesvd, HasSmallResidualsForEveryPattern) {
  for (const verify::Pattern pattern : verify::finite_patterns)
    for (const std::int64_t n : {2, 35, 120}) {
      expect_small_svd_residuals<TypeParam>(cuda(), n, n, pattern);
      expect_small_svd_residuals<TypeParam>(cuda(), n + n / 3, n, pattern);
      expect_small_svd_residuals<TypeParam>(cuda(), 3 * n, n, pattern);
    }
}

TYPED_TEST(CudaGesvd, SaysThatAMatrixIsNotFinite) {
  for (const verify::Pattern pattern : verify::other_patterns)
    for (const std::int64_t n : {3, 40, 200})
      for (const std::int64_t m : {n, n + 1, 3 * n}) {
        Svd<TypeParam>(cuda(), m, n, 1, pattern).expect_failure();
        Svd<TypeParam>(cuda(), n, m, 1, pattern).expect_failure();
      }
}

TYPED_TEST(CudaGesvd, HasTheSameBitsInEveryRun) {
  for (const std::int64_t m : {150, 300}) {
    const Svd<TypeParam> first(cuda(), m, 140, 0, verify::Pattern::random);
    for (int repeat = 0; repeat < 10; ++repeat)
      EXPECT_TRUE(Svd<TypeParam>(cuda(), m, 140, 0, verify::Pattern::random).same_bits(first));
  }
}

// A problem whose operands stay on the device.
template <class T>
class GesvdThere {
  using R = lapack::Real<T>;

 public:
  GesvdThere(std::int64_t m, std::int64_t n, Job job)
      : m_(m), n_(n), a_(static_cast<std::size_t>(m * n)), s_(static_cast<std::size_t>(least())) {
    const auto values = verify::make_matrix<T>(verify::Pattern::random, m, n, false, 3);
    std::transform(values.data.begin(), values.data.end(), a_.begin(), [](auto x) { return static_cast<T>(x); });
    problem_ = {.routine = LapackRoutine::gesvd,
                .type = type_of<T>,
                .m = m,
                .n = n,
                .lda = m,
                .job = job,
                .ldu = m,
                .ldvt = std::max<std::int64_t>(1, least())};
    lost_ = a_;
    u_.resize(static_cast<std::size_t>(m * columns_of_u(problem_)));
    vt_.resize(static_cast<std::size_t>(job == Job::values ? 0 : least() * n));
    there_ = std::make_unique<OperandsOnDevice>(
        problem_, LapackOperands{.a = lost_.data(), .w = s_.data(), .info = &info_, .u = u_.data(), .vt = vt_.data()});
    c_problem_ = c_problem(problem_);
  }
  std::int64_t least() const { return std::min(m_, n_); }
  std::size_t workspace_bytes() const {
    std::size_t bytes = 0;
    EXPECT_EQ(onepassLapackWorkspace(handle(), &c_problem_, &bytes), ONEPASS_STATUS_SUCCESS)
        << onepassLapackLastErrorMessage();
    return bytes;
  }
  void run(void* workspace, std::size_t bytes) const {
    const onepassLapackOperands_t operands = there_->operands();
    EXPECT_EQ(onepassLapackRun(handle(), &c_problem_, &operands, workspace, bytes), ONEPASS_STATUS_SUCCESS)
        << onepassLapackLastErrorMessage();
  }
  // The results to the host, and A to the device again.
  void back() {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    info_ = -1;
    EXPECT_TRUE(there_->back());
    EXPECT_EQ(info_, 0);
    EXPECT_EQ(cudaMemcpy(there_->operands().a, a_.data(), a_.size() * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  const std::vector<R>& s() const { return s_; }
  const std::vector<T>& u() const { return u_; }
  const std::vector<T>& vt() const { return vt_; }
  T a(std::int64_t r, std::int64_t c) const { return a_[static_cast<std::size_t>(r + c * m_)]; }
  T u(std::int64_t r, std::int64_t c) const { return u_[static_cast<std::size_t>(r + c * m_)]; }
  T vt(std::int64_t r, std::int64_t c) const { return vt_[static_cast<std::size_t>(r + c * least())]; }

 private:
  std::int64_t m_, n_;
  std::vector<T> a_, lost_, u_, vt_;
  std::vector<R> s_;
  int info_ = -1;
  LapackProblem problem_;
  onepassLapackProblem_t c_problem_{};
  std::unique_ptr<OperandsOnDevice> there_;
};

// So large that gebrd has panels: A v = s u for some vectors, and products of them.
template <class T>
void expect_some_vectors(std::int64_t m, std::int64_t n) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  GesvdThere<T> solved(m, n, Job::vectors), values(m, n, Job::values);
  solved.run(nullptr, 0);
  solved.back();
  values.run(nullptr, 0);
  values.back();
  const std::int64_t k = solved.least();
  const double unit = static_cast<double>(std::max(m, n)) * verify::unit_of<T>, norm = solved.s()[0];
  for (std::int64_t i = 0; i < k; ++i)
    EXPECT_NEAR(solved.s()[static_cast<std::size_t>(i)], values.s()[static_cast<std::size_t>(i)],
                verify::residual_limit * unit * norm);
  EXPECT_TRUE(std::is_sorted(solved.s().rbegin(), solved.s().rend()));
  for (const std::int64_t c : {std::int64_t{0}, k / 3, k - 1}) {
    double error = 0;
    for (std::int64_t r = 0; r < m; ++r) {
      T sum = -solved.s()[static_cast<std::size_t>(c)] * solved.u(r, c);
      for (std::int64_t j = 0; j < n; ++j) sum += solved.a(r, j) * lapack::conjugate(solved.vt(c, j));
      error += std::abs(sum);
    }
    EXPECT_LT(error, verify::residual_limit * unit * norm * std::sqrt(static_cast<double>(m))) << c;
    for (std::int64_t other = 0; other < k; ++other) {
      T of_u = other == c ? T{-1} : T{}, of_v = of_u;
      for (std::int64_t i = 0; i < m; ++i) of_u += lapack::conjugate(solved.u(i, other)) * solved.u(i, c);
      for (std::int64_t i = 0; i < n; ++i) of_v += solved.vt(other, i) * lapack::conjugate(solved.vt(c, i));
      ASSERT_LT(std::abs(of_u), verify::residual_limit * unit) << c << ", " << other;
      ASSERT_LT(std::abs(of_v), verify::residual_limit * unit) << c << ", " << other;
    }
  }
}
TEST(CudaGesvdRun, OfALargeMatrix) { expect_some_vectors<double>(1700, 1500); }
TEST(CudaGesvdRun, OfALargeWideMatrix) { expect_some_vectors<float>(1300, 1700); }
TEST(CudaGesvdRun, OfALargeComplexMatrix) { expect_some_vectors<std::complex<double>>(1100, 1000); }
TEST(CudaGesvdRun, OfATallMatrix) { expect_some_vectors<double>(6000, 700); }
TEST(CudaGesvdRun, OfALongMatrix) { expect_some_vectors<std::complex<float>>(500, 4000); }

TEST(CudaGesvdRun, HasTheSameBitsInAGraph) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  for (const Job job : {Job::values, Job::vectors})
    for (const std::int64_t m : {600, 400, 2000}) {
      GesvdThere<std::complex<float>> solved(m, 500, job);
      solved.run(nullptr, 0);
      solved.back();
      const auto first_s = solved.s();
      const auto first_u = solved.u(), first_vt = solved.vt();
      const std::size_t bytes = solved.workspace_bytes();
      void* workspace = nullptr;
      ASSERT_EQ(cudaMalloc(&workspace, bytes), cudaSuccess);
      cudaStream_t stream = nullptr;
      ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
      onepassLapackSetStream(handle(), stream);
      cudaGraph_t graph = nullptr;
      cudaGraphExec_t executable = nullptr;
      ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
      solved.run(workspace, bytes);
      ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
      ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
      for (int replay = 0; replay < 2; ++replay) {
        ASSERT_EQ(cudaMemset(workspace, 0xff, bytes), cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
        solved.back();
        EXPECT_EQ(solved.s(), first_s) << replay;
        EXPECT_TRUE(solved.u() == first_u && solved.vt() == first_vt) << replay;
      }
      onepassLapackSetStream(handle(), nullptr);
      cudaGraphExecDestroy(executable);
      cudaGraphDestroy(graph);
      cudaStreamDestroy(stream);
      cudaFree(workspace);
    }
}

}  // namespace
}  // namespace onepass::test
