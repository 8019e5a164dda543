// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Many singular value decompositions on a GPU, through the C interface, with guards around what lies there.
#include "gpu.hpp"
#include "svdbatch.hpp"

namespace onepass::test {
namespace {

using verify::Pattern;

// Host matrices beside each other, whether the call is given pointers or not, and their copy on the device.
template <class T>
class MatricesOnDevice {
 public:
  MatricesOnDevice(Batch batch, void* host, std::int64_t stride, std::int64_t count)
      : is_array_(batch == Batch::pointers),
        copy_(is_array_ ? static_cast<T* const*>(host)[0] : host, static_cast<std::size_t>(stride * count) * sizeof(T)),
        addresses_(static_cast<std::size_t>(count)),
        pointers_(pointers(stride), addresses_.size() * sizeof(T*)) {}
  void* data() const { return is_array_ ? pointers_.data() : copy_.data(); }
  bool back() const { return copy_.back() && pointers_.back(); }

 private:
  T** pointers(std::int64_t stride) {
    for (std::size_t i = 0; i < addresses_.size(); ++i)
      addresses_[i] = static_cast<T*>(copy_.data()) + static_cast<std::int64_t>(i) * stride;
    return addresses_.data();
  }
  bool is_array_;
  OnDevice copy_;
  std::vector<T*> addresses_;
  OnDevice pointers_;
};

template <class T>
bool run_svd_batch_there(const LapackProblem& p, const LapackOperands& o) {
  using R = lapack::Real<T>;
  const std::int64_t count = p.batch_count;
  const bool vectors = p.job == Job::vectors;
  const MatricesOnDevice<T> a(p.batch, o.a, p.stride_a, count), u(p.batch, o.u, vectors ? p.stride_u : 0, count),
      vt(p.batch, o.vt, vectors ? p.stride_vt : 0, count);
  const OnDevice s(o.w, static_cast<std::size_t>(p.stride_w * count) * sizeof(R)),
      info(o.info, static_cast<std::size_t>(count) * sizeof(int));
  const onepassLapackProblem_t problem = problem_to_c(p);
  onepassLapackOperands_t operands = {};
  operands.a = a.data();
  operands.w = s.data();
  operands.info = static_cast<int*>(info.data());
  operands.u = u.data();
  operands.vt = vt.data();
  std::size_t bytes = 0;
  EXPECT_EQ(onepassLapackWorkspace(handle(), &problem, &bytes), ONEPASS_STATUS_SUCCESS)
      << onepassLapackLastErrorMessage();
  std::vector<unsigned char> poison(bytes, 0xff);
  const OnDevice workspace(poison.data(), bytes);
  EXPECT_EQ(onepassLapackRun(handle(), &problem, &operands, workspace.data(), bytes), ONEPASS_STATUS_SUCCESS)
      << onepassLapackLastErrorMessage();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  return a.back() && u.back() && vt.back() && s.back() && info.back() && workspace.back();
}

template <class T>
class CudaGesvdBatch : public testing::Test {
 protected:
  void SetUp() override {
    if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  }
  static SvdBatch<T> solve(std::int64_t m, std::int64_t n, const std::vector<Pattern>& patterns,
                           Batch batch = Batch::strided, std::int64_t padding = 0, std::uint64_t seed = 17) {
    return SvdBatch<T>(run_svd_batch_there<T>, batch, m, n, padding, patterns, seed);
  }
};
TYPED_TEST_SUITE(CudaGesvdBatch, Types);

TYPED_TEST(CudaGesvdBatch, HasSmallResidualsForEveryOrderUpTo33) {
  for (std::int64_t n = 0; n <= 33; ++n) {
    this->solve(n, n, std::vector<Pattern>(5, Pattern::random), n % 2 == 0 ? Batch::strided : Batch::pointers, n % 3)
        .expect_right();
    this->solve(n + 7, n, {Pattern::random, Pattern::graded}, Batch::pointers).expect_right();
    this->solve(n, 3 * n + 1, {Pattern::random, Pattern::clustered}, Batch::strided, 1).expect_right();
  }
}

TYPED_TEST(CudaGesvdBatch, HasSmallResidualsOfLargerMatrices) {
  const std::pair<std::int64_t, std::int64_t> shapes[] = {{63, 64},   {64, 64},   {65, 64},   {65, 65},   {100, 30},
                                                          {128, 128}, {129, 100}, {140, 144}, {161, 192}, {200, 208},
                                                          {209, 209}, {30, 200},  {256, 17},  {256, 256}};
  for (const auto& [m, n] : shapes)
    this->solve(m, n, std::vector<Pattern>(2, Pattern::random), n % 2 == 0 ? Batch::strided : Batch::pointers, n % 5)
        .expect_right();
}

TYPED_TEST(CudaGesvdBatch, HasSmallResidualsForEveryPattern) {
  this->solve(3, 3, all_svd_patterns).expect_right();
  this->solve(16, 16, all_svd_patterns).expect_right();
  this->solve(30, 50, all_svd_patterns).expect_right();
  this->solve(60, 64, all_svd_patterns).expect_right();
  this->solve(130, 70, all_svd_patterns).expect_right();
}

TYPED_TEST(CudaGesvdBatch, HasSmallResidualsForEachOfManyMatrices) {
  this->solve(8, 8, std::vector<Pattern>(3001, Pattern::random)).expect_right();
  this->solve(32, 32, std::vector<Pattern>(701, Pattern::random), Batch::pointers).expect_right();
  this->solve(70, 66, std::vector<Pattern>(200, Pattern::random)).expect_right();
}

TYPED_TEST(CudaGesvdBatch, GivesTheSameBitsWhateverThePlaceAndTheCount) {
  for (const std::int64_t n : {5, 16, 40, 96, 140}) {
    auto many = this->solve(n + 2, n, std::vector<Pattern>(200, Pattern::random));
    for (const std::int64_t i : {1, 133, 199}) {
      auto alone = this->solve(n + 2, n, {Pattern::random}, Batch::pointers, 1, 17 + static_cast<std::uint64_t>(i));
      EXPECT_TRUE(many.same_bits(i, alone, 0)) << n << ": " << i;
    }
  }
}

}  // namespace
}  // namespace onepass::test
