// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular value decompositions by cuSOLVER's gesvd: which are taken, with which workspace, and which are passed on.
#include <cmath>

#include "interop/cusolver/served.hpp"

namespace {

class ServedSvd : public Served {
 protected:
  std::vector<double> a = std::vector<double>{3, 0, 4, 0, 5, 0}, s = std::vector<double>(2), u = std::vector<double>(9),
                      vt = std::vector<double>(4);
  cusolverStatus_t decompose(signed char jobu, signed char jobvt, int m, int n) {
    return cusolverDnDgesvd(cusolver, jobu, jobvt, m, n, a.data(), 3, s.data(), u.data(), 3, vt.data(), 2, work.data(),
                            lwork, nullptr, &info);
  }
  cusolverStatus_t decompose(cudaDataType type_s, cudaDataType type_u, cudaDataType type_vt, cudaDataType compute) {
    return cusolverDnXgesvd(cusolver, params, 'S', 'S', 3, 2, CUDA_R_64F, a.data(), 3, type_s, s.data(), type_u,
                            u.data(), 3, type_vt, vt.data(), 2, compute, work.data(), 1 << 16, nullptr, 0, &info);
  }
};

TEST_F(ServedSvd, HasValuesAloneOrVectorsToo) {
  for (const signed char job : {'N', 'S', 'A'}) {
    a = {3, 0, 4, 0, 5, 0};
    expect_taken(decompose(job, job, 3, 2));
    EXPECT_NEAR(s[0], 5, 1e-14);
    EXPECT_NEAR(s[1], 5, 1e-14);
  }
  a = {3, 0, 4, 0, 5, 0};
  expect_taken(decompose(CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F));
}

TEST_F(ServedSvd, NeedsNoVectorsForValues) {
  expect_taken(cusolverDnDgesvd(cusolver, 'N', 'N', 3, 2, a.data(), 3, s.data(), nullptr, 0, nullptr, 0, work.data(),
                                lwork, nullptr, &info));
}

TEST_F(ServedSvd, HasVectorsInThePlaceOfA) {
  const std::vector<double> original = {3, 0, 4, 0, 5, 1};
  const auto expect_factors = [&](const std::vector<double>& left, const std::vector<double>& right, int right_ld) {
    for (std::size_t c = 0; c < 2; ++c)
      for (std::size_t r = 0; r < 3; ++r) {
        double sum = 0;
        for (std::size_t k = 0; k < 2; ++k)
          sum += left[r + 3 * k] * s[k] * right[k + static_cast<std::size_t>(right_ld) * c];
        EXPECT_NEAR(sum, original[r + 3 * c], 1e-13) << r << ", " << c;
      }
  };
  for (const signed char jobu : {'S', 'A'}) {
    a = original;
    expect_taken(decompose(jobu, 'O', 3, 2));
    expect_factors(u, a, 3);
  }
  for (const signed char jobvt : {'S', 'A'}) {
    a = original;
    expect_taken(decompose('O', jobvt, 3, 2));
    expect_factors(a, vt, 2);
  }
  a = original;
  expect_passed_on(cusolverDnDgesvd(cusolver, 'S', 'O', 3, 2, a.data(), 3, s.data(), u.data(), 3, nullptr, 1,
                                    work.data(), static_cast<int>(more_workspace / 8) + 1, nullptr, &info));
}

TEST_F(ServedSvd, HasEachType) {
  std::vector<float> of_s(2);
  std::vector<double> of_d(2);
  const auto decompose_in = [&]<class T, class R>(const auto& gesvd, T*, R* values) {
    std::vector<T> matrix(6, element<T>(1)), left(9), right(4);
    expect_taken(gesvd(cusolver, 'S', 'S', 3, 2, matrix.data(), 3, values, left.data(), 3, right.data(), 2,
                       reinterpret_cast<T*>(work.data()), lwork, nullptr, &info));
    EXPECT_NEAR(static_cast<double>(values[0]), std::sqrt(6), 1e-6);
  };
  decompose_in(cusolverDnSgesvd, static_cast<float*>(nullptr), of_s.data());
  decompose_in(cusolverDnDgesvd, static_cast<double*>(nullptr), of_d.data());
  decompose_in(cusolverDnCgesvd, static_cast<cuComplex*>(nullptr), of_s.data());
  decompose_in(cusolverDnZgesvd, static_cast<cuDoubleComplex*>(nullptr), of_d.data());
}

TEST_F(ServedSvd, HasASizeForAllJobs) {
  int elements = 0;
  EXPECT_EQ(cusolverDnDgesvd_bufferSize(cusolver, 3, 2, &elements), CUSOLVER_STATUS_SUCCESS);
  EXPECT_GT(elements, static_cast<int>(more_workspace) / 8);
  std::size_t device = 0, host = 0;
  fake_cusolver.host_bytes = 1234;
  EXPECT_EQ(cusolverDnXgesvd_bufferSize(cusolver, params, 'A', 'A', 3, 2, CUDA_R_64F, nullptr, 3, CUDA_R_64F, nullptr,
                                        CUDA_R_64F, nullptr, 3, CUDA_R_64F, nullptr, 2, CUDA_R_64F, &device, &host),
            CUSOLVER_STATUS_SUCCESS);
  EXPECT_LE(device, static_cast<std::size_t>(elements) * 8);
  EXPECT_GT(device, more_workspace);
  EXPECT_EQ(host, 1234U);
}

TEST_F(ServedSvd, PassesOnWhatOnepassDoesNotHave) {
  expect_passed_on(decompose('O', 'O', 3, 2));
  expect_passed_on(decompose('A', 'N', 3, 2));
  expect_passed_on(decompose('S', 'Q', 3, 2));
  expect_passed_on(decompose('S', 'S', 2, 3));
  expect_passed_on(decompose('S', 'S', 3, 0));
  expect_passed_on(decompose(CUDA_R_32F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F));
  expect_passed_on(decompose(CUDA_R_64F, CUDA_R_32F, CUDA_R_64F, CUDA_R_64F));
  expect_passed_on(decompose(CUDA_R_64F, CUDA_R_64F, CUDA_R_32F, CUDA_R_64F));
  expect_passed_on(decompose(CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_32F));
}

// Each argument has another value, and cuSOLVER sees them in its order.
TEST_F(ServedSvd, PassesOnAllArguments) {
  const auto handle = reinterpret_cast<std::int64_t>(cusolver), of_params = reinterpret_cast<std::int64_t>(params);
  const auto at = [](std::intptr_t address) { return reinterpret_cast<double*>(address); };
  auto* const at_info = reinterpret_cast<int*>(std::intptr_t{30});
  EXPECT_EQ(
      cusolverDnDgesvd(cusolver, 'N', 'S', 4, 3, at(5), 6, at(7), at(8), 9, at(10), 11, at(12), 13, at(14), at_info),
      passed_on);
  EXPECT_EQ(fake_cusolver.arguments,
            (std::vector<std::int64_t>{handle, 'N', 'S', 4, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 30}));
  EXPECT_EQ(cusolverDnXgesvd(cusolver, params, 'O', 'S', 4, 3, CUDA_R_32F, at(5), 6, CUDA_R_64F, at(7), CUDA_C_32F,
                             at(8), 9, CUDA_C_64F, at(10), 11, CUDA_R_16F, at(12), 13, at(14), 15, at_info),
            passed_on);
  EXPECT_EQ(fake_cusolver.arguments,
            (std::vector<std::int64_t>{handle, of_params,  'O', 'S',        4,  3,  CUDA_R_32F, 5,
                                       6,      CUDA_R_64F, 7,   CUDA_C_32F, 8,  9,  CUDA_C_64F, 10,
                                       11,     CUDA_R_16F, 12,  13,         14, 15, 30}));
}

}  // namespace
