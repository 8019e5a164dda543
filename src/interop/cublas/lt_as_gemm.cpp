// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/cublas/lt_as_gemm.hpp"

#include <complex>
#include <cstring>
#include <optional>

#include "interop/cublas/types.hpp"

namespace onepass::cublas {
namespace {

// Whether a batch is an array of pointers. A cublasLt that does not know the question has no such batches.
constexpr auto layout_batch_mode = static_cast<cublasLtMatrixLayoutAttribute_t>(8);

constexpr cublasLtMatmulDescAttributes_t scale_pointers[] = {
    CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, CUBLASLT_MATMUL_DESC_C_SCALE_POINTER,
    CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER};

template <class Value>
Value answer(const LtQuestions& ask, cublasLtMatmulDesc_t of, cublasLtMatmulDescAttributes_t attribute) {
  Value value{};
  std::size_t written = 0;
  return ask.of_matmul(of, attribute, &value, sizeof value, &written) == CUBLAS_STATUS_SUCCESS ? value : Value{};
}

template <class Value>
Value answer(const LtQuestions& ask, cublasLtMatrixLayout_t of, cublasLtMatrixLayoutAttribute_t attribute) {
  Value value{};
  std::size_t written = 0;
  return ask.of_layout(of, attribute, &value, sizeof value, &written) == CUBLAS_STATUS_SUCCESS ? value : Value{};
}

struct Layout {
  cudaDataType type = CUDA_R_32F;
  std::int64_t rows = 0, cols = 0, ld = 0, batch = 0, stride = 0;

  bool operator==(const Layout&) const = default;
};

// A column-major matrix, or a batch of them with a stride.
std::optional<Layout> read(const LtQuestions& ask, cublasLtMatrixLayout_t of) {
  if (answer<std::int32_t>(ask, of, CUBLASLT_MATRIX_LAYOUT_ORDER) != CUBLASLT_ORDER_COL ||
      answer<std::int64_t>(ask, of, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET) != 0 ||
      answer<std::uint32_t>(ask, of, layout_batch_mode) != 0)
    return std::nullopt;
  return Layout{
      .type = static_cast<cudaDataType>(answer<std::uint32_t>(ask, of, CUBLASLT_MATRIX_LAYOUT_TYPE)),
      .rows = static_cast<std::int64_t>(answer<std::uint64_t>(ask, of, CUBLASLT_MATRIX_LAYOUT_ROWS)),
      .cols = static_cast<std::int64_t>(answer<std::uint64_t>(ask, of, CUBLASLT_MATRIX_LAYOUT_COLS)),
      .ld = answer<std::int64_t>(ask, of, CUBLASLT_MATRIX_LAYOUT_LD),
      .batch = answer<std::int32_t>(ask, of, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT),
      .stride = answer<std::int64_t>(ask, of, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET),
  };
}

// The type of alpha and beta: that of the sums.
cudaDataType scalar_type(onepassType_t type) {
  switch (type) {
    case ONEPASS_TYPE_D: return CUDA_R_64F;
    case ONEPASS_TYPE_C: return CUDA_C_32F;
    case ONEPASS_TYPE_Z: return CUDA_C_64F;
    default: return CUDA_R_32F;
  }
}

template <class Value>
bool is_zero_as(const void* scalar) {
  Value value;
  std::memcpy(&value, scalar, sizeof value);
  return value == Value{};
}

bool is_zero(onepassType_t type, const void* scalar) {
  switch (type) {
    case ONEPASS_TYPE_D: return is_zero_as<double>(scalar);
    case ONEPASS_TYPE_C: return is_zero_as<std::complex<float>>(scalar);
    case ONEPASS_TYPE_Z: return is_zero_as<std::complex<double>>(scalar);
    default: return is_zero_as<float>(scalar);
  }
}

bool is_one_vector(const LtQuestions& ask, cublasLtMatrixLayout_t d) {
  return answer<std::uint64_t>(ask, d, CUBLASLT_MATRIX_LAYOUT_ROWS) == 1 ||
         answer<std::uint64_t>(ask, d, CUBLASLT_MATRIX_LAYOUT_COLS) == 1;
}

// What Onepass would not do: nothing, or the words for it.
const char* why_not_plain(const LtQuestions& ask, cublasLtMatmulDesc_t matmul) {
  if (answer<std::uint32_t>(ask, matmul, CUBLASLT_MATMUL_DESC_EPILOGUE) != CUBLASLT_EPILOGUE_DEFAULT)
    return "an epilogue";
  if (answer<std::int32_t>(ask, matmul, CUBLASLT_MATMUL_DESC_TRANSC) != CUBLAS_OP_N) return "an operation on C";
  for (const cublasLtMatmulDescAttributes_t pointer : scale_pointers)
    if (answer<void*>(ask, matmul, pointer) != nullptr) return "scaled operands";
  return nullptr;
}

}  // namespace

AsGemm lt_as_gemm(const LtQuestions& ask, const LtCall& call) {
  if (ask.of_matmul == nullptr || ask.of_layout == nullptr) return {.declined = "no cublasLt to ask"};
  if (call.matmul == nullptr || call.layout_a == nullptr || call.layout_b == nullptr || call.layout_c == nullptr ||
      call.layout_d == nullptr)
    return {.declined = "a null descriptor"};
  if (!is_one_vector(ask, call.layout_d)) return {.declined = "C has several rows and columns"};
  if (const char* why = why_not_plain(ask, call.matmul); why != nullptr) return {.declined = why};
  const auto a = read(ask, call.layout_a), b = read(ask, call.layout_b), d = read(ask, call.layout_d);
  if (!a || !b || !d) return {.declined = "a layout that is not column major"};

  const auto compute =
      static_cast<cublasComputeType_t>(answer<std::int32_t>(ask, call.matmul, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE));
  const auto scale = static_cast<cudaDataType>(answer<std::int32_t>(ask, call.matmul, CUBLASLT_MATMUL_DESC_SCALE_TYPE));
  const auto type = type_of(a->type), type_d = type_of(d->type);
  if (!type || !type_d || a->type != b->type || !sums_fit(*type, compute) || scale != scalar_type(*type))
    return {.declined = "types that Onepass does not have"};

  const auto pointers = answer<std::int32_t>(ask, call.matmul, CUBLASLT_MATMUL_DESC_POINTER_MODE);
  if (pointers != CUBLASLT_POINTER_MODE_HOST && pointers != CUBLASLT_POINTER_MODE_DEVICE)
    return {.declined = "a vector of scalars"};
  const bool on_host = pointers == CUBLASLT_POINTER_MODE_HOST;
  if (on_host && call.beta == nullptr) return {.declined = "arguments that cuBLAS refuses"};
  // y is read and written in one place; C may lie elsewhere only if it is not read.
  const bool reads_c = !on_host || !is_zero(*type, call.beta);
  if (reads_c && (call.c != call.d || read(ask, call.layout_c) != d)) return {.declined = "C is not D"};

  const auto op_a = static_cast<cublasOperation_t>(answer<std::int32_t>(ask, call.matmul, CUBLASLT_MATMUL_DESC_TRANSA)),
             op_b = static_cast<cublasOperation_t>(answer<std::int32_t>(ask, call.matmul, CUBLASLT_MATMUL_DESC_TRANSB));
  const std::int64_t k = op_a == CUBLAS_OP_N ? a->cols : a->rows;
  if ((op_a == CUBLAS_OP_N ? a->rows : a->cols) != d->rows || (op_b == CUBLAS_OP_N ? b->rows : b->cols) != k ||
      (op_b == CUBLAS_OP_N ? b->cols : b->rows) != d->cols || a->batch != d->batch || b->batch != d->batch)
    return {.declined = "arguments that cuBLAS refuses"};
  return {.gemm = {.type = *type,
                   .type_c = *type_d,
                   .op_a = op_of(op_a),
                   .op_b = op_of(op_b),
                   .m = d->rows,
                   .n = d->cols,
                   .k = k,
                   .lda = a->ld,
                   .ldb = b->ld,
                   .ldc = d->ld,
                   .batch = d->batch,
                   .stride_a = a->stride,
                   .stride_b = b->stride,
                   .stride_c = d->stride},
          .scalars = on_host ? ONEPASS_POINTER_MODE_HOST : ONEPASS_POINTER_MODE_DEVICE};
}

}  // namespace onepass::cublas
