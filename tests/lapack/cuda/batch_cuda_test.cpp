// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Many Hermitian eigenproblems on a GPU, through the C interface, with guards around what lies there.
#include <algorithm>
#include <cstring>

#include "eigenbatch.hpp"
#include "graph.hpp"

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

// Memory of the device full of NaN, between guards, which alone come to the host: half a gigabyte there and back would
// take seconds.
class Poisoned {
 public:
  explicit Poisoned(std::size_t bytes) : bytes_(bytes) {
    EXPECT_EQ(cudaMalloc(&data_, bytes + 2 * guard), cudaSuccess);
    EXPECT_EQ(cudaMemset(data_, 0xff, bytes + 2 * guard), cudaSuccess);
  }
  ~Poisoned() { cudaFree(data_); }
  void* data() const { return static_cast<std::byte*>(data_) + guard; }
  bool intact() const {
    unsigned char guards[2][guard];
    EXPECT_EQ(cudaMemcpy(guards[0], data_, guard, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(guards[1], static_cast<std::byte*>(data()) + bytes_, guard, cudaMemcpyDeviceToHost),
              cudaSuccess);
    const auto poison = [](unsigned char byte) { return byte == 0xff; };
    return std::all_of(guards[0], guards[0] + guard, poison) && std::all_of(guards[1], guards[1] + guard, poison);
  }

 private:
  static constexpr std::size_t guard = 256;
  std::size_t bytes_;
  void* data_ = nullptr;
};

template <class T>
bool run_batch_there(const LapackProblem& p, const LapackOperands& o) {
  const BatchOnDevice<T> there(p, o);
  const onepassLapackProblem_t problem = problem_to_c(p);
  const onepassLapackOperands_t operands = there.operands();
  std::size_t bytes = 0;
  EXPECT_EQ(onepassLapackWorkspace(handle(), &problem, &bytes), ONEPASS_STATUS_SUCCESS)
      << onepassLapackLastErrorMessage();
  const Poisoned workspace(bytes);
  EXPECT_EQ(onepassLapackRun(handle(), &problem, &operands, workspace.data(), bytes), ONEPASS_STATUS_SUCCESS)
      << onepassLapackLastErrorMessage();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  return there.back() && workspace.intact();
}

// The matrices of `few` again and again, repeated on the device, and some of the results: all of them on the host would
// take seconds.
template <class T>
void expect_same_bits_in_a_large_batch(EigenBatch<T>& few, std::int64_t count) {
  using R = lapack::Real<T>;
  const std::int64_t n = few.problem.n, square = n * n, distinct = few.problem.batch_count;
  const auto bytes = [](std::int64_t number, std::size_t element) {
    return static_cast<std::size_t>(number) * element;
  };
  LapackProblem p = few.problem;
  p.batch = Batch::strided;
  p.batch_count = count;
  p.lda = std::max<std::int64_t>(1, n);
  p.stride_a = square;
  p.stride_w = n;
  p.job = Job::vectors;

  const Poisoned a(bytes(count * square, sizeof(T))), w(bytes(count * n, sizeof(R))), info(bytes(count, sizeof(int)));
  auto* const matrices = static_cast<T*>(a.data());
  std::vector<T> host(static_cast<std::size_t>(square));
  for (std::int64_t i = 0; i < distinct; ++i) {
    const auto& original = few.originals[static_cast<std::size_t>(i)].data;
    std::transform(original.begin(), original.end(), host.begin(), [](const auto& x) { return static_cast<T>(x); });
    ASSERT_EQ(cudaMemcpy(matrices + i * square, host.data(), bytes(square, sizeof(T)), cudaMemcpyHostToDevice),
              cudaSuccess);
  }
  for (std::int64_t there = distinct; there < count; there *= 2)
    ASSERT_EQ(cudaMemcpy(matrices + there * square, matrices, bytes(std::min(there, count - there) * square, sizeof(T)),
                         cudaMemcpyDeviceToDevice),
              cudaSuccess);

  const onepassLapackProblem_t problem = problem_to_c(p);
  onepassLapackOperands_t operands = {};
  operands.a = a.data();
  operands.w = w.data();
  operands.info = static_cast<int*>(info.data());
  std::size_t workspace_bytes = 0;
  ASSERT_EQ(onepassLapackWorkspace(handle(), &problem, &workspace_bytes), ONEPASS_STATUS_SUCCESS);
  const Poisoned workspace(workspace_bytes);
  ASSERT_EQ(onepassLapackRun(handle(), &problem, &operands, workspace.data(), workspace_bytes), ONEPASS_STATUS_SUCCESS)
      << onepassLapackLastErrorMessage();
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_TRUE(a.intact() && w.intact() && info.intact() && workspace.intact());

  std::vector<R> values(static_cast<std::size_t>(n));
  for (const std::int64_t i : {std::int64_t{0}, std::int64_t{4}, count / 2, count / 2 + 1, count - 2, count - 1}) {
    const std::int64_t same = i % distinct;
    int code = -1;
    ASSERT_EQ(cudaMemcpy(host.data(), matrices + i * square, bytes(square, sizeof(T)), cudaMemcpyDeviceToHost),
              cudaSuccess);
    ASSERT_EQ(cudaMemcpy(values.data(), static_cast<R*>(w.data()) + i * n, bytes(n, sizeof(R)), cudaMemcpyDeviceToHost),
              cudaSuccess);
    ASSERT_EQ(cudaMemcpy(&code, operands.info + i, sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(code, few.vectors.info[same]);
    for (std::int64_t c = 0; c < n; ++c) {
      EXPECT_EQ(std::memcmp(&values[static_cast<std::size_t>(c)], &few.vectors.w(c, same), sizeof(R)), 0) << i;
      EXPECT_EQ(
          std::memcmp(&host[static_cast<std::size_t>(c * n)], &few.vectors.a(0, same * n + c), bytes(n, sizeof(T))), 0)
          << n << ": column " << c << " of " << i;
    }
  }
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

// On a device of this size; a trait of it that is not known would leave matrices to slower kernels.
TYPED_TEST(CudaSyevdBatch, KeepsMatricesInRegisters) {
  cudaDeviceProp properties{};
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  if (properties.major < 9 || properties.sharedMemPerMultiprocessor < 228 * 1024) GTEST_SKIP() << properties.name;
  for (const std::int64_t n : {33, 64, 128}) {
    const onepassLapackProblem_t problem = problem_to_c({.routine = LapackRoutine::syevd,
                                                         .type = type_of<TypeParam>,
                                                         .n = n,
                                                         .lda = n,
                                                         .job = Job::vectors,
                                                         .batch = Batch::strided,
                                                         .batch_count = 100,
                                                         .stride_a = n * n,
                                                         .stride_w = n});
    char text[1000];
    ASSERT_EQ(onepassLapackExplain(handle(), &problem, text, sizeof text, nullptr), ONEPASS_STATUS_SUCCESS);
    EXPECT_NE(std::string(text).find("which keeps it in registers"), std::string::npos) << text;
  }
}

TYPED_TEST(CudaSyevdBatch, HasSmallResidualsUpTo32Rows) {
  for (std::int64_t n = 0; n <= 32; ++n)
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      this->solve(n, std::vector<Pattern>(7, Pattern::random), uplo == Uplo::lower ? Batch::strided : Batch::pointers,
                  uplo, n % 3)
          .expect_right();
}

TYPED_TEST(CudaSyevdBatch, HasSmallResidualsOfLargerMatrices) {
  for (const std::int64_t n : {33,  40,  63,  64,  65,  100, 107, 108, 128, 129, 149, 150,
                               156, 193, 208, 219, 221, 227, 256, 257, 288, 289, 319, 385})
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
    auto few = this->solve(n, std::vector<Pattern>(3, Pattern::random), Batch::pointers);
    expect_same_bits_in_a_large_batch(few, n < 64 ? 700 : 150);
  }
}

// More than one piece: 512 MiB are enough for 2340 matrices of the smallest type.
TYPED_TEST(CudaSyevdBatch, GivesTheSameBitsInPieces) {
  auto few = this->solve(128, std::vector<Pattern>(3, Pattern::random));
  few.expect_right();
  expect_same_bits_in_a_large_batch(few, 2500);
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
    const onepassLapackProblem_t problem = problem_to_c(p);
    const onepassLapackOperands_t operands = there.operands();
    ASSERT_EQ(onepassLapackRun(handle(), &problem, &operands, nullptr, 0), ONEPASS_STATUS_SUCCESS);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    ASSERT_TRUE(there.back());
    const std::vector<T> first = a;
    const auto put_back = [&] {
      EXPECT_EQ(cudaMemcpy(operands.a, original.data(), original.size() * sizeof(T), cudaMemcpyHostToDevice),
                cudaSuccess);
    };
    put_back();
    expect_run_in_a_graph(problem, operands, [&] {
      EXPECT_TRUE(there.back());
      EXPECT_EQ(a, first);
      put_back();
    });
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
