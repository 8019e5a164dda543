// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Products of one vector that follow each other in a graph: one launch, with the bits that each has alone.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <memory>

#include "api/cuda_user.hpp"

namespace onepass_user {
namespace {

using Numbers = Array<std::uint16_t>;  // bfloat16

std::vector<std::uint16_t> rounded(std::int64_t count) {
  std::vector<std::uint16_t> values;
  for (const float value : mixed(count))
    values.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16));
  return values;
}

class JoinedCuda : public testing::Test {
 protected:
  void SetUp() override {
    if (handle.status == ONEPASS_STATUS_BACKEND_UNAVAILABLE) GTEST_SKIP() << onepassLastErrorMessage();
    ASSERT_EQ(handle.status, ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  }
  void multiply(std::int64_t rows, std::int64_t columns, const Numbers& a, const std::uint16_t* from,
                std::uint16_t* to) {
    onepassGemvProblem_t problem = onepassGemvProblemDefault(ONEPASS_TYPE_B, rows, columns);
    problem.op = ONEPASS_OP_T;
    const float one = 1, zero = 0;
    ASSERT_EQ(onepassGemv(handle, &problem, &one, a.data(), from, &zero, to), ONEPASS_STATUS_SUCCESS)
        << onepassLastErrorMessage();
  }

  HostHandle handle{"cuda"};
};

// Queries, keys and values of a layer; a product of keys; and one of the first vector again.
TEST_F(JoinedCuda, ProductsOfOneVectorAreOneNode) {
  const Stream stream;
  ASSERT_EQ(onepassSetStream(handle, stream), ONEPASS_STATUS_SUCCESS);
  for (const std::int64_t rows : {256, 2048, 4096}) {
    const std::int64_t columns[] = {rows, 512, 1000, rows, 512};
    std::vector<std::unique_ptr<Numbers>> a;
    for (const std::int64_t n : columns) a.push_back(std::make_unique<Numbers>(rounded(rows * n)));
    const Numbers x(rounded(rows)), y(std::vector<std::uint16_t>(5 * 4096));
    const auto layers = [&] {
      for (std::size_t i = 0; i < a.size(); ++i)
        multiply(rows, columns[i], *a[i], i == 3 ? y.data() : x.data(), y.data() + 4096 * i);
    };
    layers();
    const std::vector<std::uint16_t> expected = y.read(stream);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    layers();
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    std::size_t nodes = 0;
    ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
    EXPECT_GE(nodes, 3u);
    EXPECT_LE(nodes, rows == 2048 ? 4u : 5u) << "some of the first three are one";
    ASSERT_EQ(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
    for (int i = 0; i < 5; ++i) {
      y.poison(stream);
      ASSERT_EQ(cudaGraphLaunch(ready, stream), cudaSuccess);
      const std::vector<std::uint16_t> found = y.read(stream);
      for (std::size_t k = 0; k < a.size(); ++k)
        for (std::int64_t c = 0; c < columns[k]; ++c)
          ASSERT_EQ(found[4096 * k + static_cast<std::size_t>(c)], expected[4096 * k + static_cast<std::size_t>(c)])
              << rows << " rows, product " << k << ", column " << c;
    }
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
  }
}

}  // namespace
}  // namespace onepass_user
