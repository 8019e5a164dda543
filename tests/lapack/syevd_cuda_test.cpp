// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Hermitian eigenproblems on a GPU, through the C interface, with guards around what lies there.
#include <algorithm>

#include "eigenproblem.hpp"
#include "gpu.hpp"
#include "subset.hpp"

namespace onepass::test {
namespace {

template <class T>
class CudaSyevd : public testing::Test {
 protected:
  void SetUp() override {
    if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  }
};
TYPED_TEST_SUITE(CudaSyevd, Types);

TYPED_TEST(CudaSyevd, HasSmallResidualsForSmallOrders) {
  for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 47, 64, 65, 70})
    expect_small_eigen_residuals<TypeParam>(cuda(), n, verify::Pattern::random);
}

TYPED_TEST(CudaSyevd, HasSmallResidualsForLargerOrders) {
  for (const std::int64_t n : {255, 256, 257, 300})
    expect_small_eigen_residuals<TypeParam>(cuda(), n, verify::Pattern::random);
}

TYPED_TEST(CudaSyevd, HasSmallResidualsForEveryPattern) {
  for (const verify::Pattern pattern : verify::finite_patterns)
    for (const std::int64_t n : {2, 35, 150}) expect_small_eigen_residuals<TypeParam>(cuda(), n, pattern);
}

TYPED_TEST(CudaSyevd, FindsSomeOfTheEigenvalues) {
  for (const std::int64_t n : {1, 2, 33, 100, 300}) expect_subsets<TypeParam>(cuda(), n);
}

TYPED_TEST(CudaSyevd, SaysThatAMatrixIsNotFinite) {
  for (const verify::Pattern pattern : verify::other_patterns)
    for (const std::int64_t n : {3, 40, 300})
      for (const Uplo uplo : both_triangles) Eigenproblem<TypeParam>(cuda(), uplo, n, 1, pattern).expect_failure();
}

TYPED_TEST(CudaSyevd, HasTheSameBitsInEveryRun) {
  const Eigenproblem<TypeParam> first(cuda(), Uplo::lower, 200, 0, verify::Pattern::random);
  for (int repeat = 0; repeat < 20; ++repeat)
    EXPECT_TRUE(Eigenproblem<TypeParam>(cuda(), Uplo::lower, 200, 0, verify::Pattern::random).same_bits(first));
}

// A problem whose operands stay on the device.
template <class T>
class SyevdThere {
  using R = lapack::Real<T>;

 public:
  SyevdThere(std::int64_t n, Job job)
      : n_(n), a_(static_cast<std::size_t>(n * n)), v_(a_.size()), w_(static_cast<std::size_t>(n)) {
    const auto values = verify::make_matrix<T>(verify::Pattern::random, n, n, true, 3);
    std::transform(values.data.begin(), values.data.end(), a_.begin(), [](auto x) { return static_cast<T>(x); });
    problem_ = {.routine = LapackRoutine::syevd, .type = type_of<T>, .n = n, .lda = n, .job = job};
    v_ = a_;
    there_ =
        std::make_unique<OperandsOnDevice>(problem_, LapackOperands{.a = v_.data(), .w = w_.data(), .info = &info_});
    c_problem_ = c_problem(problem_);
  }
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
  const std::vector<T>& v() const { return v_; }
  const std::vector<R>& w() const { return w_; }
  T a(std::int64_t r, std::int64_t c) const { return a_[static_cast<std::size_t>(r + c * n_)]; }
  T v(std::int64_t r, std::int64_t c) const { return v_[static_cast<std::size_t>(r + c * n_)]; }

 private:
  std::int64_t n_;
  std::vector<T> a_, v_;
  std::vector<R> w_;
  int info_ = -1;
  LapackProblem problem_;
  onepassLapackProblem_t c_problem_{};
  std::unique_ptr<OperandsOnDevice> there_;
};

// So large that sytrd has panels: some eigenvectors, and products of them.
template <class T>
void expect_some_vectors(std::int64_t n) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  SyevdThere<T> solved(n, Job::vectors), values(n, Job::values);
  solved.run(nullptr, 0);
  solved.back();
  values.run(nullptr, 0);
  values.back();
  const double unit = static_cast<double>(n) * verify::unit_of<T>;
  double norm = 0;
  for (std::int64_t c = 0; c < n; ++c) {
    double sum = 0;
    for (std::int64_t r = 0; r < n; ++r) sum += std::abs(solved.a(r, c));
    norm = std::max(norm, sum);
    EXPECT_NEAR(solved.w()[static_cast<std::size_t>(c)], values.w()[static_cast<std::size_t>(c)], 30 * unit * 50);
  }
  EXPECT_TRUE(std::is_sorted(solved.w().begin(), solved.w().end()));
  for (const std::int64_t c : {std::int64_t{0}, n / 3, n - 1}) {
    double error = 0;
    for (std::int64_t r = 0; r < n; ++r) {
      T sum = -solved.w()[static_cast<std::size_t>(c)] * solved.v(r, c);
      for (std::int64_t k = 0; k < n; ++k) sum += lapack::conjugate(solved.a(k, r)) * solved.v(k, c);
      error += std::abs(sum);
    }
    EXPECT_LT(error, verify::residual_limit * unit * norm) << c;
    for (std::int64_t other = 0; other < n; ++other) {
      T sum = other == c ? T{-1} : T{};
      for (std::int64_t k = 0; k < n; ++k) sum += lapack::conjugate(solved.v(k, other)) * solved.v(k, c);
      ASSERT_LT(std::abs(sum), verify::residual_limit * unit) << c << ", " << other;
    }
  }
}
TEST(CudaSyevdRun, OfALargeMatrix) { expect_some_vectors<double>(2100); }
TEST(CudaSyevdRun, OfALargeComplexMatrix) { expect_some_vectors<std::complex<double>>(1300); }

TEST(CudaSyevdRun, HasTheSameBitsInAGraph) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  for (const Job job : {Job::values, Job::vectors}) {
    SyevdThere<std::complex<float>> solved(600, job);
    solved.run(nullptr, 0);
    solved.back();
    const auto first_v = solved.v();
    const auto first_w = solved.w();
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
      EXPECT_EQ(solved.w(), first_w) << replay;
      EXPECT_TRUE(job == Job::values || solved.v() == first_v) << replay;
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
