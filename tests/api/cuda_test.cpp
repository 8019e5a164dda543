// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The C interface on a GPU: device pointers, streams, device scalars, capture into a graph.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "api/cuda_user.hpp"

namespace onepass_user {
namespace {

// A matrix that moves all numbers of a vector on by one place.
std::vector<float> shift_by_one(std::int64_t size) {
  std::vector<float> values(static_cast<std::size_t>(size * size), 0.0f);
  for (std::int64_t j = 0; j < size; ++j) values[static_cast<std::size_t>((j + 1) % size + j * size)] = 1;
  return values;
}

std::vector<float> counted(std::int64_t size) {
  std::vector<float> values(static_cast<std::size_t>(size));
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

// A sum so long that its plan is split.
constexpr std::int64_t m = 3, n = 100'000;

class Cuda : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (handle.status == ONEPASS_STATUS_BACKEND_UNAVAILABLE) GTEST_SKIP() << onepassLastErrorMessage();
    ASSERT_EQ(handle.status, ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    a.emplace(std::vector<float>(m * n, 1.0f));
    x.emplace(std::vector<float>(n, 2.0f));
    y.emplace(std::vector<float>(m, 5.0f));
  }
  void TearDown() override {
    if (stream != nullptr) cudaStreamDestroy(stream);
  }
  // Captures the calls, and launches their graph.
  template <class Calls>
  void in_a_graph(int launches, Calls calls) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    calls();
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    for (int i = 0; i < launches; ++i) ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
  }
  onepassStatus_t call(const float* alpha, const float* beta, float* result) {
    return onepassSgemv(handle, ONEPASS_OP_N, m, n, alpha, a->data(), m, x->data(), 1, beta, result, 1);
  }

  HostHandle handle{GetParam()};
  cudaStream_t stream = nullptr;
  std::optional<Device> a, x, y;
  const float one = 1, zero = 0;
};
INSTANTIATE_TEST_SUITE_P(Backend, Cuda, testing::Values("cuda"), host_name);

TEST_P(Cuda, PrefetchesOnItsStreamAndInGraphs) {
  ASSERT_EQ(onepassSetStream(handle, stream), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  ASSERT_EQ(onepassPrefetch(handle, ONEPASS_TYPE_S, m, n, a->data(), m, 0), ONEPASS_STATUS_SUCCESS)
      << onepassLastErrorMessage();
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(onepassPrefetch(handle, ONEPASS_TYPE_S, m - 1, n, a->data(), m, 1000), ONEPASS_STATUS_SUCCESS)
      << onepassLastErrorMessage();
  EXPECT_EQ(call(&one, &zero, y->data()), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(y->read(), std::vector<float>(m, 2.0f * n));
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
}

TEST_P(Cuda, CallsRunOnTheStreamOfTheHandle) {
  ASSERT_EQ(onepassSetStream(handle, stream), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  onepassStream_t now = nullptr;
  ASSERT_EQ(onepassGetStream(handle, &now), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(now, stream);
  ASSERT_EQ(call(&one, &zero, y->data()), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(y->read(), std::vector<float>(m, 2.0f * n));
}

TEST_P(Cuda, ScalarsMayLiveOnTheDevice) {
  const Device scalars({3.0f, -1.0f});
  ASSERT_EQ(onepassSetPointerMode(handle, ONEPASS_POINTER_MODE_DEVICE), ONEPASS_STATUS_SUCCESS);
  ASSERT_EQ(call(scalars.data(), scalars.data() + 1, y->data()), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(y->read(), std::vector<float>(m, 6.0f * n - 5));
}

TEST_P(Cuda, CallsAreCapturedIntoAGraph) {
  ASSERT_EQ(onepassSetStream(handle, stream), ONEPASS_STATUS_SUCCESS);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(call(&one, &one, y->data()), ONEPASS_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(y->read(), std::vector<float>(m, 5.0f)) << "a captured call ran at once";
  ASSERT_EQ(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(cudaGraphLaunch(ready, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(y->read(), std::vector<float>(m, 5.0f + 6 * 2.0f * n));
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
}

// A launch begins before the one ahead of it has ended: it must not look at anything too early.
TEST_P(Cuda, EachCallSeesTheVectorThatTheOneBeforeWrote) {
  constexpr int steps = 101;
  ASSERT_EQ(onepassSetStream(handle, stream), ONEPASS_STATUS_SUCCESS);
  for (const std::int64_t size : {33, 500, 1001, 2600}) {
    // Moves all numbers on by one place; its transpose, back.
    const Device shift(shift_by_one(size)), vector(counted(size)),
        other(std::vector<float>(counted(size).size(), -1.0f));
    for (const onepassOperation_t op : {ONEPASS_OP_N, ONEPASS_OP_T}) {
      for (int i = 0; i < steps; ++i) {
        const bool even = i % 2 == 0;
        ASSERT_EQ(onepassSgemv(handle, op, size, size, &one, shift.data(), size, (even ? vector : other).data(), 1,
                               &zero, (even ? other : vector).data(), 1),
                  ONEPASS_STATUS_SUCCESS);
      }
      ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
      std::vector<float> expected = counted(size);
      if (op == ONEPASS_OP_N) std::ranges::rotate(expected, expected.end() - steps % size);
      EXPECT_EQ(other.read(), expected) << size << (op == ONEPASS_OP_N ? " N" : " T");
      ASSERT_EQ(cudaMemcpyAsync(vector.data(), other.data(), expected.size() * sizeof(float), cudaMemcpyDeviceToDevice,
                                stream),
                cudaSuccess);
    }
  }
}

TEST_P(Cuda, EachCallSeesTheMatrixThatTheOneBeforeWrote) {
  constexpr std::int64_t size = 700, columns = 40;
  ASSERT_EQ(onepassSetStream(handle, stream), ONEPASS_STATUS_SUCCESS);
  std::vector<float> first = counted(size);
  first.resize(size * columns, -1.0f);
  std::vector<float> units(columns * columns, 0.0f);
  for (std::int64_t k = 0; k < columns; ++k) units[k * columns + k] = 1;
  const Device shift(shift_by_one(size)), matrix(first), unit(units),
      results(std::vector<float>(size * columns, -2.0f));
  for (std::int64_t k = 0; k < columns; ++k) {
    float* column = matrix.data() + k * size;
    if (k > 0) {
      ASSERT_EQ(
          onepassSgemv(handle, ONEPASS_OP_N, size, size, &one, shift.data(), size, column - size, 1, &zero, column, 1),
          ONEPASS_STATUS_SUCCESS);
    }
    ASSERT_EQ(onepassSgemv(handle, ONEPASS_OP_N, size, columns, &one, matrix.data(), size, unit.data() + k * columns, 1,
                           &zero, results.data() + k * size, 1),
              ONEPASS_STATUS_SUCCESS);
  }
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  const std::vector<float> found = results.read();
  std::vector<float> expected = counted(size);
  for (std::int64_t k = 0; k < columns; ++k) {
    ASSERT_EQ(std::vector<float>(found.begin() + k * size, found.begin() + (k + 1) * size), expected) << "column " << k;
    std::ranges::rotate(expected, expected.end() - 1);
  }
}

// In a graph a call may load its matrix before the launch ahead of it has ended, where nothing that still runs writes
// it. Here it is written by the launch ahead, by one before that, by an update and by a copy.
TEST_P(Cuda, InAGraphNoMatrixIsLoadedBeforeItIsWritten) {
  constexpr int launches = 20;
  ASSERT_EQ(onepassSetStream(handle, stream), ONEPASS_STATUS_SUCCESS);
  for (const std::int64_t size : {40, 300, 1100, 2100}) {
    for (const onepassOperation_t op : {ONEPASS_OP_N, ONEPASS_OP_T}) {
      const auto elements = static_cast<std::size_t>(size * size);
      std::vector<float> unit(static_cast<std::size_t>(size), 0.0f), few(unit);
      unit[0] = 1;
      for (std::size_t i = 0; i < few.size(); ++i) few[i] = static_cast<float>((i + 1) % 3);
      constexpr int products = 8;
      const Device shift(shift_by_one(size)), matrix(std::vector<float>(elements, 1.0f)),
          ones(std::vector<float>(elements, 1.0f)), u(few), e(unit),
          r(std::vector<float>(products * few.size(), -1.0f));
      int done = 0;
      const auto product = [&](const Device& a) {
        ASSERT_EQ(
            onepassSgemv(handle, op, size, size, &one, a.data(), size, u.data(), 1, &zero, r.data() + done++ * size, 1),
            ONEPASS_STATUS_SUCCESS);
      };
      const auto write_first_column = [&](const Device& v) {  // the vector, moved on by one place
        ASSERT_EQ(onepassSgemv(handle, ONEPASS_OP_N, size, size, &one, shift.data(), size, v.data(), 1, &zero,
                               matrix.data(), 1),
                  ONEPASS_STATUS_SUCCESS);
      };
      in_a_graph(launches, [&] {
        product(matrix);
        write_first_column(u);
        product(matrix);
        write_first_column(e);
        product(ones);
        product(matrix);
        ASSERT_EQ(onepassSger(handle, size, size, &one, u.data(), 1, e.data(), 1, matrix.data(), size),
                  ONEPASS_STATUS_SUCCESS);
        product(matrix);
        product(matrix);
        ASSERT_EQ(
            cudaMemcpyAsync(matrix.data(), ones.data(), elements * sizeof(float), cudaMemcpyDeviceToDevice, stream),
            cudaSuccess);
        ASSERT_EQ(onepassSgemv(handle, op, 0, 0, &one, matrix.data(), 1, u.data(), 1, &one, r.data(), 1),
                  ONEPASS_STATUS_SUCCESS);  // launches nothing: the copy is still what is ahead
        product(matrix);
        product(matrix);
      });
      std::vector<float> expected;
      const auto expect_product =
          [&](const std::vector<float>& column) {  // of a matrix of ones but for its first column
            const float all = std::accumulate(few.begin(), few.end(), 0.0f);
            for (std::size_t i = 0; i < few.size(); ++i) {
              float sum = op == ONEPASS_OP_N ? all - few[0] + column[i] * few[0] : all;
              if (op == ONEPASS_OP_T && i == 0) sum = std::inner_product(few.begin(), few.end(), column.begin(), 0.0f);
              expected.push_back(sum);
            }
          };
      const auto moved = [](std::vector<float> v) {
        std::ranges::rotate(v, v.end() - 1);
        return v;
      };
      const std::vector<float> of_ones(few.size(), 1.0f);
      std::vector<float> updated = moved(unit);
      for (std::size_t i = 0; i < few.size(); ++i) updated[i] += few[i];
      for (const std::vector<float>& column :
           {of_ones, moved(few), of_ones, moved(unit), updated, updated, of_ones, of_ones})
        expect_product(column);
      EXPECT_EQ(r.read(), expected) << size << (op == ONEPASS_OP_N ? " N" : " T");
    }
  }
}

// Likewise x: here it is written by the launch ahead, and by the one before that.
TEST_P(Cuda, InAGraphNoVectorIsLoadedBeforeItIsWritten) {
  constexpr int steps = 10, launches = 10;
  ASSERT_EQ(onepassSetStream(handle, stream), ONEPASS_STATUS_SUCCESS);
  for (const std::int64_t size : {33, 500, 1001, 2600}) {
    const Device shift(shift_by_one(size)), vector(counted(size)), other(counted(size)), aside(counted(size));
    for (const bool between : {false, true}) {
      for (const onepassOperation_t op : {ONEPASS_OP_N, ONEPASS_OP_T}) {  // moves all numbers on, and back
        const auto product = [&](const Device& from, const Device& to) {
          ASSERT_EQ(onepassSgemv(handle, op, size, size, &one, shift.data(), size, from.data(), 1, &zero, to.data(), 1),
                    ONEPASS_STATUS_SUCCESS);
        };
        in_a_graph(launches, [&] {
          for (int i = 0; i < steps; ++i) {
            product(i % 2 == 0 ? vector : other, i % 2 == 0 ? other : vector);
            if (between) product(shift, aside);
          }
        });
        std::vector<float> expected = counted(size);
        if (op == ONEPASS_OP_N) std::ranges::rotate(expected, expected.end() - steps * launches % size);
        EXPECT_EQ(vector.read(), expected) << size << (op == ONEPASS_OP_N ? " N" : " T");
      }
    }
  }
}

// With A the numbers in reverse order, y += A x by turns: numbers that grow like those of Fibonacci.
TEST_P(Cuda, EachTriangleSeesTheVectorsThatTheOneBeforeWrote) {
  constexpr int steps = 24;
  ASSERT_EQ(onepassSetStream(handle, stream), ONEPASS_STATUS_SUCCESS);
  for (const std::int64_t size : {40, 300, 1100, 2100}) {
    std::vector<float> values(size * size, 0.0f), u(size), v(size, 0.0f);
    for (std::int64_t i = 0; i < size; ++i) {
      values[i * size + size - 1 - i] = 1;
      u[i] = static_cast<float>(i % 100);
    }
    const Device matrix(values), vector(u), other(v);
    for (int i = 0; i < steps; ++i) {
      const bool even = i % 2 == 0;
      ASSERT_EQ(onepassSsymv(handle, ONEPASS_FILL_MODE_LOWER, size, &one, matrix.data(), size,
                             (even ? vector : other).data(), 1, &one, (even ? other : vector).data(), 1),
                ONEPASS_STATUS_SUCCESS);
      std::vector<float>&from = even ? u : v, &to = even ? v : u;
      for (std::int64_t k = 0; k < size; ++k) to[k] += from[size - 1 - k];
    }
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(vector.read(), u) << size;
    EXPECT_EQ(other.read(), v) << size;
  }
}

// Products that do not need each other run side by side in a graph, but for those that read what one ahead of them
// writes, as x or as the matrix: with A the numbers in reverse order, u and v backwards, and a matrix whose first
// column they become.
TEST_P(Cuda, InAGraphNoTriangleIsLoadedBeforeItIsWritten) {
  constexpr int launches = 20;
  ASSERT_EQ(onepassSetStream(handle, stream), ONEPASS_STATUS_SUCCESS);
  for (const std::int64_t size : {40, 300, 1100, 2100}) {
    const auto length = static_cast<std::size_t>(size);
    std::vector<float> values(length * length, 0.0f), u(length), v(length), unit(length, 0.0f);
    unit[0] = 1;
    for (std::size_t i = 0; i < length; ++i) {
      values[i * length + length - 1 - i] = 1;
      u[i] = static_cast<float>(i % 100);
      v[i] = static_cast<float>(i % 7);
    }
    const Device reverse(values), matrix(std::vector<float>(length * length, 0.0f)), of_u(u), of_v(v), e(unit),
        r(std::vector<float>(6 * length, -1.0f));
    const auto product = [&](const Device& a, const float* from, float* to) {
      ASSERT_EQ(onepassSsymv(handle, ONEPASS_FILL_MODE_LOWER, size, &one, a.data(), size, from, 1, &zero, to, 1),
                ONEPASS_STATUS_SUCCESS);
    };
    const auto result = [&](int k) { return r.data() + k * size; };
    in_a_graph(launches, [&] {
      product(reverse, of_u.data(), result(0));
      product(reverse, of_v.data(), result(1));
      product(reverse, result(0), result(2));
      product(reverse, of_u.data(), matrix.data());
      product(matrix, e.data(), result(3));
      product(reverse, of_v.data(), matrix.data());
      product(reverse, of_u.data(), result(4));
      product(matrix, e.data(), result(5));
    });
    const std::vector<float> u_back(u.rbegin(), u.rend()), v_back(v.rbegin(), v.rend());
    std::vector<float> expected;
    for (const std::vector<float>& part : {u_back, v_back, u, u_back, u_back, v_back})
      expected.insert(expected.end(), part.begin(), part.end());
    EXPECT_EQ(r.read(), expected) << size;
  }
}

TEST_P(Cuda, StreamsOfOneHandleMayOverlap) {
  cudaStream_t other = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  const Device second(std::vector<float>(m, 0.0f));
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(onepassSetStream(handle, stream), ONEPASS_STATUS_SUCCESS);
    ASSERT_EQ(call(&one, &zero, y->data()), ONEPASS_STATUS_SUCCESS);
    ASSERT_EQ(onepassSetStream(handle, other), ONEPASS_STATUS_SUCCESS);
    ASSERT_EQ(call(&one, &zero, second.data()), ONEPASS_STATUS_SUCCESS);
  }
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(y->read(), std::vector<float>(m, 2.0f * n));
  EXPECT_EQ(second.read(), std::vector<float>(m, 2.0f * n));
  cudaStreamDestroy(other);
}

// A product whose blocks publish partial sums, while another stream keeps the device busy at changing times.
TEST_P(Cuda, SameBitsUnderLoad) {
  constexpr std::int64_t size = 1500;
  std::vector<float> values(size * size);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 2654435761u % 1009) / 1009 - 0.5f;
  const Device matrix(values), vector(std::vector<float>(values.begin(), values.begin() + size)),
      result(std::vector<float>(size, 0.0f));
  cudaStream_t other = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  for (const onepassFillMode_t uplo : {ONEPASS_FILL_MODE_LOWER, ONEPASS_FILL_MODE_UPPER}) {
    std::vector<float> first;
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(onepassSetStream(handle, other), ONEPASS_STATUS_SUCCESS);
      for (int k = 0; k < i % 7; ++k) ASSERT_EQ(call(&one, &zero, y->data()), ONEPASS_STATUS_SUCCESS);
      ASSERT_EQ(onepassSetStream(handle, stream), ONEPASS_STATUS_SUCCESS);
      ASSERT_EQ(onepassSsymv(handle, uplo, size, &one, matrix.data(), size, vector.data(), 1, &zero, result.data(), 1),
                ONEPASS_STATUS_SUCCESS)
          << onepassLastErrorMessage();
      ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
      const std::vector<float> bits = result.read();
      if (i == 0) first = bits;
      ASSERT_EQ(bits, first) << "run " << i;
    }
  }
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  cudaStreamDestroy(other);
}

TEST_P(Cuda, ErrorsComeBeforeTheLaunch) {
  EXPECT_ERROR(onepassSgemv(handle, ONEPASS_OP_N, m, n, &one, a->data(), 1, x->data(), 1, &zero, y->data(), 1),
               ONEPASS_STATUS_INVALID_LD, "lda = 1");
  EXPECT_EQ(y->read(), std::vector<float>(m, 5.0f));
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_P(Cuda, MisalignedComplexPointersAreRefused) {
  const onepassComplex_t unit{1, 0};
  auto* shifted = reinterpret_cast<onepassComplex_t*>(a->data() + 1);
  auto* vector = reinterpret_cast<onepassComplex_t*>(x->data());
  EXPECT_ERROR(onepassCgemv(handle, ONEPASS_OP_N, 2, 2, &unit, shifted, 2, vector, 1, &unit, vector + 8, 1),
               ONEPASS_STATUS_INVALID_ALIGNMENT, "A must be a multiple of 8");
}

}  // namespace
}  // namespace onepass_user
