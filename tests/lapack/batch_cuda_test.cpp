// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Many Hermitian eigenproblems on a GPU, through the C interface, with guards around what lies there.
#include <algorithm>

#include "eigenbatch.hpp"
#include "gpu.hpp"

namespace onepass::test {
namespace {

// Host matrices beside each other, whether the call is given pointers or not, and their copy on the device.
template <class T>
class BatchOnDevice {
  using R = lapack::Real<T>;

 public:
  BatchOnDevice(const LapackProblem& p, const LapackOperands& o)
      : problem_(p),
        a_(p.batch == Batch::pointers ? static_cast<T* const*>(o.a)[0] : o.a, bytes(p.stride_a, sizeof(T))),
        w_(o.w, bytes(p.stride_w, sizeof(R))),
        info_(o.info, bytes(1, sizeof(int))),
        addresses_(addresses()),
        pointers_(addresses_.data(), bytes(1, sizeof(T*))) {}

  onepassLapackOperands_t operands() const {
    onepassLapackOperands_t o = {};
    o.a = problem_.batch == Batch::pointers ? pointers_.data() : a_.data();
    o.w = w_.data();
    o.info = static_cast<int*>(info_.data());
    return o;
  }
  bool back() const { return a_.back() && w_.back() && info_.back() && pointers_.back(); }

 private:
  std::size_t bytes(std::int64_t each, std::size_t element) const {
    return static_cast<std::size_t>(each * problem_.batch_count) * element;
  }
  std::vector<T*> addresses() const {
    std::vector<T*> made;
    for (std::int64_t i = 0; i < problem_.batch_count; ++i)
      made.push_back(static_cast<T*>(a_.data()) + i * problem_.stride_a);
    return made;
  }
  LapackProblem problem_;
  OnDevice a_, w_, info_;
  std::vector<T*> addresses_;
  OnDevice pointers_;
};

template <class T>
bool run_batch_there(const LapackProblem& p, const LapackOperands& o) {
  const BatchOnDevice<T> there(p, o);
  const onepassLapackProblem_t problem = c_problem(p);
  const onepassLapackOperands_t operands = there.operands();
  std::size_t bytes = 0;
  EXPECT_EQ(onepassLapackWorkspace(handle(), &problem, &bytes), ONEPASS_STATUS_SUCCESS)
      << onepassLapackLastErrorMessage();
  std::vector<unsigned char> poison(bytes, 0xff);
  const OnDevice workspace(poison.data(), bytes);
  EXPECT_EQ(onepassLapackRun(handle(), &problem, &operands, workspace.data(), bytes), ONEPASS_STATUS_SUCCESS)
      << onepassLapackLastErrorMessage();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  return there.back() && workspace.back();
}

template <class T>
class CudaSyevdBatch : public testing::Test {
 protected:
  void SetUp() override {
    if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  }
  static EigenBatch<T> solve(std::int64_t n, const std::vector<Pattern>& patterns, Batch batch = Batch::strided,
                             Uplo uplo = Uplo::lower, std::int64_t padding = 0, std::uint64_t seed = 17) {
    return EigenBatch<T>(run_batch_there<T>, batch, uplo, n, padding, patterns, seed);
  }
};
TYPED_TEST_SUITE(CudaSyevdBatch, Types);

TYPED_TEST(CudaSyevdBatch, HasSmallResidualsUpTo32Rows) {
  for (std::int64_t n = 0; n <= 32; ++n)
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      this->solve(n, std::vector<Pattern>(7, Pattern::random), uplo == Uplo::lower ? Batch::strided : Batch::pointers,
                  uplo, n % 3)
          .expect_right();
}

TYPED_TEST(CudaSyevdBatch, HasSmallResidualsOfLargerMatrices) {
  for (const std::int64_t n :
       {33, 40, 63, 64, 65, 100, 127, 128, 129, 150, 157, 158, 200, 226, 227, 228, 256, 257, 326, 327})
    this->solve(n, std::vector<Pattern>(3, Pattern::random), n % 2 == 0 ? Batch::strided : Batch::pointers,
                n % 3 == 0 ? Uplo::upper : Uplo::lower, n % 5)
        .expect_right();
}

TYPED_TEST(CudaSyevdBatch, HasSmallResidualsOf512Rows) {
  this->solve(512, {Pattern::random, Pattern::clustered}).expect_right();
  this->solve(511, {Pattern::graded}, Batch::pointers, Uplo::upper).expect_right();
}

TYPED_TEST(CudaSyevdBatch, HasSmallResidualsForEveryPattern) {
  for (const std::int64_t n : {3, 8, 14, 30, 50, 130, 260}) this->solve(n, all_patterns).expect_right();
}

TYPED_TEST(CudaSyevdBatch, HasSmallResidualsForEachOfManyMatrices) {
  this->solve(8, std::vector<Pattern>(4001, Pattern::random)).expect_right();
  this->solve(32, std::vector<Pattern>(1001, Pattern::random), Batch::pointers).expect_right();
  this->solve(64, std::vector<Pattern>(301, Pattern::random)).expect_right();
}

TYPED_TEST(CudaSyevdBatch, GivesTheSameBitsWhateverThePlaceAndTheCount) {
  for (const std::int64_t n : {5, 16, 31, 40, 96, 200, 260}) {
    const std::int64_t count = n < 64 ? 700 : 150;
    auto many = this->solve(n, std::vector<Pattern>(static_cast<std::size_t>(count), Pattern::random));
    for (const std::int64_t i : {std::int64_t{0}, std::int64_t{3}, count / 2 + 1, count - 1}) {
      auto alone =
          this->solve(n, {Pattern::random}, Batch::pointers, Uplo::lower, 0, 17 + static_cast<std::uint64_t>(i));
      EXPECT_TRUE(many.same_bits(i, alone, 0)) << n << ": " << i;
    }
  }
}

// More than one piece.
TYPED_TEST(CudaSyevdBatch, GivesTheSameBitsInPieces) {
  const std::int64_t n = 128, count = 1400;
  auto many = this->solve(n, std::vector<Pattern>(static_cast<std::size_t>(count), Pattern::random));
  for (const std::int64_t i : {std::int64_t{7}, count - 1}) {
    auto alone = this->solve(n, {Pattern::random}, Batch::strided, Uplo::lower, 0, 17 + static_cast<std::uint64_t>(i));
    EXPECT_TRUE(many.same_bits(i, alone, 0)) << i;
    EXPECT_LT(many.worst(i), verify::residual_limit);
  }
}

TYPED_TEST(CudaSyevdBatch, HasTheSameBitsInAGraph) {
  using T = TypeParam;
  using R = lapack::Real<T>;
  for (const std::int64_t n : {16, 70}) {
    const std::int64_t count = 9;
    const LapackProblem p = {.routine = LapackRoutine::syevd,
                             .type = type_of<T>,
                             .n = n,
                             .lda = n,
                             .job = Job::vectors,
                             .batch = Batch::strided,
                             .batch_count = count,
                             .stride_a = n * n,
                             .stride_w = n};
    std::vector<T> a(static_cast<std::size_t>(n * n * count));
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>(static_cast<R>(i * 7 % 13) - R(6));
    std::vector<R> w(static_cast<std::size_t>(n * count));
    std::vector<int> info(static_cast<std::size_t>(count));
    const std::vector<T> original = a;
    const BatchOnDevice<T> there(p, {.a = a.data(), .w = w.data(), .info = info.data()});
    const onepassLapackProblem_t problem = c_problem(p);
    const onepassLapackOperands_t operands = there.operands();
    std::size_t bytes = 0;
    ASSERT_EQ(onepassLapackWorkspace(handle(), &problem, &bytes), ONEPASS_STATUS_SUCCESS);
    void* workspace = nullptr;
    ASSERT_EQ(cudaMalloc(&workspace, bytes + 256), cudaSuccess);
    ASSERT_EQ(onepassLapackRun(handle(), &problem, &operands, workspace, bytes + 256), ONEPASS_STATUS_SUCCESS);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    ASSERT_TRUE(there.back());
    const std::vector<T> first = a;
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    onepassLapackSetStream(handle(), stream);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(onepassLapackRun(handle(), &problem, &operands, workspace, bytes + 256), ONEPASS_STATUS_SUCCESS)
        << onepassLapackLastErrorMessage();
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    for (int replay = 0; replay < 2; ++replay) {
      ASSERT_EQ(cudaMemcpy(operands.a, original.data(), original.size() * sizeof(T), cudaMemcpyHostToDevice),
                cudaSuccess);
      ASSERT_EQ(cudaMemset(workspace, 0xff, bytes + 256), cudaSuccess);
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      ASSERT_TRUE(there.back());
      EXPECT_EQ(a, first) << replay;
    }
    onepassLapackSetStream(handle(), nullptr);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(workspace);
  }
}

TEST(CudaSyevdBatchRun, NamesASizeThatIsTooLarge) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  std::size_t bytes = 0;
  EXPECT_EQ(onepassDsyevdStridedBatchedBufferSize(handle(), ONEPASS_JOB_VALUES, ONEPASS_FILL_MODE_LOWER, 513, 513,
                                                  513 * 513, 513, 2, &bytes),
            ONEPASS_STATUS_TOO_LARGE);
  EXPECT_NE(std::string(onepassLapackLastErrorMessage()).find("n = 513"), std::string::npos);
}

}  // namespace
}  // namespace onepass::test
