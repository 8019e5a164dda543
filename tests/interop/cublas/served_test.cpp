// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Calls of cuBLAS and cublasLt on the way to Onepass, without a GPU: the handles are those of the reference backend,
// and behind is a cuBLAS that computes nothing.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <vector>

#include "interop/cublas/fake_cublas.hpp"
#include "onepass/onepass.h"

namespace {
onepassHandle_t last_made = nullptr;
}

extern "C" onepassStatus_t onepassCreateOn(onepassHandle_t* handle, const char*) {
  static auto* const real = reinterpret_cast<decltype(&onepassCreateOn)>(dlsym(RTLD_NEXT, "onepassCreateOn"));
  const onepassStatus_t status = real(handle, "reference");
  last_made = *handle;
  return status;
}

namespace {

auto* const cublas = reinterpret_cast<cublasHandle_t>(0x10);
auto* const lt = reinterpret_cast<cublasLtHandle_t>(0x20);
auto* const stream = reinterpret_cast<cudaStream_t>(0x30);
constexpr float one = 1, two = 2, zero = 0;

onepassStream_t stream_of_onepass() {
  onepassStream_t found = nullptr;
  EXPECT_EQ(onepassGetStream(last_made, &found), ONEPASS_STATUS_SUCCESS);
  return found;
}

TEST(Served, GoesToTheStreamOfTheHandle) {
  fake_cublas = {.stream = stream};
  const std::array<float, 4> a{1, 2, 3, 4}, x{1, 10};
  std::array<float, 2> y{5, 5};
  EXPECT_EQ(cublasSgemv_v2(cublas, CUBLAS_OP_T, 2, 2, &two, a.data(), 2, x.data(), 1, &one, y.data(), 1),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(y, (std::array<float, 2>{47, 91}));
  EXPECT_EQ(stream_of_onepass(), static_cast<onepassStream_t>(stream));
  EXPECT_EQ(fake_cublas.calls, 0);
  EXPECT_EQ(fake_cublas.devices_asked, 1);
}

TEST(Served, ReturnsWhatCublasSaysToABadArgument) {
  fake_cublas = {};
  float number = 0;
  EXPECT_EQ(cublasSgemv_v2(cublas, CUBLAS_OP_N, 2, 2, &one, &number, 1, &number, 1, &zero, &number, 1), passed_on);
  EXPECT_EQ(cublasSgemv_v2(nullptr, CUBLAS_OP_N, 1, 1, &one, &number, 1, &number, 1, &zero, &number, 1), passed_on);
  EXPECT_EQ(fake_cublas.calls, 2);
}

// Some facts of a device take CUDA hundreds of microseconds to find out: the log may not ask at each call.
TEST(Served, AsksForTheFactsOfADeviceOnce) {
  fake_cublas = {};
  const float number = 1;
  float y = 0;
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(cublasSgemv_v2(cublas, CUBLAS_OP_N, 1, 1, &one, &number, 1, &number, 1, &zero, &y, 1),
              CUBLAS_STATUS_SUCCESS);
  EXPECT_LE(fake_cublas.facts_asked, 2) << "clock and width of its memory";
  EXPECT_EQ(fake_cublas.devices_asked, 100);
}

// D = alpha op(A) op(B) + beta C on small whole numbers.
struct Matmul {
  cublasOperation_t op_a = CUBLAS_OP_N, op_b = CUBLAS_OP_N;
  std::int64_t m = 5, n = 1, k = 3;
  std::int32_t batch = 1;
  float alpha = 2, beta = 0;
  bool in_place = true;
  std::function<void(cublasLtMatmulDesc_t)> change_matmul = [](auto) {};
  std::function<void(cublasLtMatrixLayout_t)> change_d = [](auto) {};
};

constexpr std::int64_t gap = 2;  // ld beyond the rows
constexpr std::int64_t stride = 64;

class Layout {
 public:
  Layout(std::int64_t rows, std::int64_t cols, std::int32_t batch) {
    cublasLtMatrixLayoutCreate(&layout_, CUDA_R_32F, static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(cols),
                               rows + gap);
    cublasLtMatrixLayoutSetAttribute(layout_, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch);
    cublasLtMatrixLayoutSetAttribute(layout_, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride);
  }
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;
  ~Layout() { cublasLtMatrixLayoutDestroy(layout_); }
  cublasLtMatrixLayout_t get() const { return layout_; }

 private:
  cublasLtMatrixLayout_t layout_ = nullptr;
};

std::vector<float> numbers(int seed) {
  std::vector<float> values;
  for (int i = 0; i < 2 * stride; ++i) values.push_back(static_cast<float>((7 * i + seed) % 11 - 5));
  return values;
}

struct Outcome {
  cublasStatus_t status;
  std::vector<float> d, expected;
};

Outcome run(const Matmul& call) {
  const bool plain_a = call.op_a == CUBLAS_OP_N, plain_b = call.op_b == CUBLAS_OP_N;
  const std::int64_t rows_a = plain_a ? call.m : call.k, rows_b = plain_b ? call.k : call.n;
  const Layout layout_a(rows_a, plain_a ? call.k : call.m, call.batch),
      layout_b(rows_b, plain_b ? call.n : call.k, call.batch), layout_c(call.m, call.n, call.batch),
      layout_d(call.m, call.n, call.batch);
  cublasLtMatmulDesc_t matmul = nullptr;
  cublasLtMatmulDescCreate(&matmul, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  cublasLtMatmulDescSetAttribute(matmul, CUBLASLT_MATMUL_DESC_TRANSA, &call.op_a, sizeof call.op_a);
  cublasLtMatmulDescSetAttribute(matmul, CUBLASLT_MATMUL_DESC_TRANSB, &call.op_b, sizeof call.op_b);
  call.change_matmul(matmul);
  call.change_d(layout_d.get());

  const std::vector<float> a = numbers(1), b = numbers(2), c = numbers(3);
  Outcome result{.status = passed_on, .d = c, .expected = c};
  for (std::int64_t of = 0; of < call.batch * stride; of += stride)
    for (std::int64_t i = 0; i < call.m; ++i)
      for (std::int64_t j = 0; j < call.n; ++j) {
        float sum = 0;
        for (std::int64_t k = 0; k < call.k; ++k)
          sum += a[static_cast<std::size_t>(of + (plain_a ? i + k * (rows_a + gap) : k + i * (rows_a + gap)))] *
                 b[static_cast<std::size_t>(of + (plain_b ? k + j * (rows_b + gap) : j + k * (rows_b + gap)))];
        float& to = result.expected[static_cast<std::size_t>(of + i + j * (call.m + gap))];
        to = call.alpha * sum + (call.beta == 0 ? 0 : call.beta * to);
      }
  result.status = cublasLtMatmul(lt, matmul, &call.alpha, a.data(), layout_a.get(), b.data(), layout_b.get(),
                                 &call.beta, call.in_place ? result.d.data() : c.data(), layout_c.get(),
                                 result.d.data(), layout_d.get(), nullptr, nullptr, 0, stream);
  cublasLtMatmulDescDestroy(matmul);
  return result;
}

TEST(ServedLt, IsTheProduct) {
  fake_cublas = {};
  for (const cublasOperation_t op_a : {CUBLAS_OP_N, CUBLAS_OP_T})
    for (const cublasOperation_t op_b : {CUBLAS_OP_N, CUBLAS_OP_T})
      for (const std::int64_t m : {5, 1})
        for (const std::int32_t batch : {1, 2})
          for (const float beta : {0.0f, 3.0f}) {
            const Outcome o =
                run({.op_a = op_a, .op_b = op_b, .m = m, .n = m == 1 ? 4 : 1, .batch = batch, .beta = beta});
            EXPECT_EQ(o.status, CUBLAS_STATUS_SUCCESS);
            EXPECT_EQ(o.d, o.expected) << "ops " << op_a << " " << op_b << ", m " << m << ", batch " << batch;
          }
  EXPECT_EQ(fake_cublas.calls, 0);
  EXPECT_EQ(stream_of_onepass(), static_cast<onepassStream_t>(stream));
}

TEST(ServedLt, NeedsNoCWhereBetaIsZero) {
  const Outcome o = run({.in_place = false});
  EXPECT_EQ(o.status, CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(o.d, o.expected);
}

TEST(ServedLt, PassesOnWhatIsNoGemvAfterTwoQuestions) {
  fake_cublas = {};
  EXPECT_EQ(run({.n = 2}).status, passed_on);
  EXPECT_EQ(fake_cublas.questions_of_lt, 2);
}

TEST(ServedLt, PassesOnWhatOnepassWouldNotDo) {
  const auto set = [](cublasLtMatmulDescAttributes_t attribute, auto value) {
    return [=](cublasLtMatmulDesc_t matmul) {
      EXPECT_EQ(cublasLtMatmulDescSetAttribute(matmul, attribute, &value, sizeof value), CUBLAS_STATUS_SUCCESS);
    };
  };
  const auto set_d = [](cublasLtMatrixLayoutAttribute_t attribute, auto value) {
    return [=](cublasLtMatrixLayout_t layout) {
      EXPECT_EQ(cublasLtMatrixLayoutSetAttribute(layout, attribute, &value, sizeof value), CUBLAS_STATUS_SUCCESS);
    };
  };
  static float scale = 1;
  EXPECT_EQ(run({.beta = 1, .in_place = false}).status, passed_on);
  EXPECT_EQ(run({.change_matmul = set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_RELU)}).status, passed_on);
  EXPECT_EQ(run({.change_matmul = set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &scale)}).status, passed_on);
  EXPECT_EQ(run({.change_matmul = set(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, CUBLAS_COMPUTE_16F)}).status, passed_on);
  EXPECT_EQ(run({.change_matmul = set(CUBLASLT_MATMUL_DESC_SCALE_TYPE, CUDA_R_16F)}).status, passed_on);
  EXPECT_EQ(run({.change_matmul = set(CUBLASLT_MATMUL_DESC_POINTER_MODE, CUBLASLT_POINTER_MODE_DEVICE_VECTOR)}).status,
            passed_on);
  EXPECT_EQ(run({.change_d = set_d(CUBLASLT_MATRIX_LAYOUT_ORDER, CUBLASLT_ORDER_ROW)}).status, passed_on);
  EXPECT_EQ(run({.change_d = set_d(CUBLASLT_MATRIX_LAYOUT_TYPE, CUDA_R_8I)}).status, passed_on);
  EXPECT_EQ(run({.change_d = set_d(CUBLASLT_MATRIX_LAYOUT_ROWS, std::uint64_t{4})}).status, passed_on);
  EXPECT_EQ(run({.beta = 1, .change_d = set_d(CUBLASLT_MATRIX_LAYOUT_LD, std::int64_t{9})}).status, passed_on);
  EXPECT_EQ(cublasLtMatmul(lt, nullptr, &one, nullptr, nullptr, nullptr, nullptr, &zero, nullptr, nullptr, nullptr,
                           nullptr, nullptr, nullptr, 0, nullptr),
            passed_on);
}

}  // namespace
