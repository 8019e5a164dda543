// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How long the tridiagonal and the bidiagonal stage take on a GPU, as medians of replays of a graph:
//
//   stage_times [s|d [rows of a leaf at most [n...]]]
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "bidiagonal_cases.hpp"
#include "lapack/cuda/queue.hpp"
#include "lapack/gpu/solvers/bidiagonal_vectors.hpp"
#include "lapack/gpu/solvers/bisection.hpp"
#include "lapack/gpu/solvers/divide.hpp"

namespace onepass::test {
namespace {

bool good(cudaError_t error) {
  if (error != cudaSuccess) std::printf("  %s\n", cudaGetErrorString(error));
  return error == cudaSuccess;
}

struct Memory {
  void* data = nullptr;
  explicit Memory(std::size_t bytes) { good(cudaMalloc(&data, bytes + 1)); }
  ~Memory() { cudaFree(data); }
};

// Milliseconds of what work(queue) queues.
template <class Work>
double milliseconds(lapack::Cublas* cublas, Work work) {
  constexpr int replays = 7;
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
  if (!good(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)) || !good(cudaEventCreate(&begin)) ||
      !good(cudaEventCreate(&end)) || !good(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal)))
    return 0;
  lapack::CudaQueue queue(stream, cublas, nullptr);
  if (const Status status = work(queue); !status.ok()) std::printf("  %s\n", status.text.c_str());
  std::vector<float> times;
  if (good(cudaStreamEndCapture(stream, &graph)) && good(cudaGraphInstantiate(&executable, graph, 0)))
    for (int i = 0; i <= replays; ++i) {
      float time = 0;
      good(cudaEventRecord(begin, stream));
      good(cudaGraphLaunch(executable, stream));
      good(cudaEventRecord(end, stream));
      good(cudaEventSynchronize(end));
      good(cudaEventElapsedTime(&time, begin, end));
      if (i > 0) times.push_back(time);  // the first warms up
    }
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaStreamDestroy(stream);
  if (times.empty()) return 0;
  std::nth_element(times.begin(), times.begin() + replays / 2, times.end());
  return times[replays / 2];
}

template <class Plan>
bool ready(const Status& made, const Plan& plan) {
  const Status status = made.ok() ? load(plan) : made;
  if (!status.ok()) std::printf("  %s\n", status.text.c_str());
  return status.ok();
}

template <class R>
void time_stages(std::int64_t n, int most_leaf, lapack::Cublas* cublas) {
  const Type type = std::is_same_v<R, double> ? Type::d : Type::s;
  const auto t = random_tridiagonal<R>(n);
  const std::size_t vector = t.d.size() * sizeof(R);
  const Memory d(vector), e(vector), w(vector), q(vector * t.d.size()), vt(vector * t.d.size()), info(sizeof(int));
  good(cudaMemcpy(d.data, t.d.data(), vector, cudaMemcpyHostToDevice));
  good(cudaMemcpy(e.data, t.e.data(), t.e.size() * sizeof(R), cudaMemcpyHostToDevice));
  int* const there = static_cast<int*>(info.data);

  lapack::TridiagonalValuesPlan eigenvalues;
  lapack::BidiagonalValuesPlan singular_values;
  lapack::DividePlan eigenvectors;
  lapack::BidiagonalVectorsPlan singular_vectors;
  if (!ready(make_plan({.type = type, .n = n}, &eigenvalues), eigenvalues) ||
      !ready(make_plan({.type = type, .n = n}, &singular_values), singular_values) ||
      !ready(make_plan({.type = type, .n = n, .ldz = n}, h200_traits(), &eigenvectors), eigenvectors) ||
      !ready(make_plan({.type = type, .n = n, .ldu = n, .ldvt = n}, h200_traits(), &singular_vectors, most_leaf),
             singular_vectors))
    return;
  const Memory workspace(std::max(eigenvectors.workspace_bytes, singular_vectors.workspace_bytes));
  const double times[] = {
      milliseconds(cublas,
                   [&](lapack::CudaQueue& queue) {
                     return run(eigenvalues, {.d = d.data, .e = e.data, .w = w.data, .info = there}, queue);
                   }),
      milliseconds(cublas,
                   [&](lapack::CudaQueue& queue) {
                     return run(eigenvectors, {.d = d.data, .e = e.data, .w = w.data, .z = q.data, .info = there},
                                workspace.data, queue);
                   }),
      milliseconds(cublas,
                   [&](lapack::CudaQueue& queue) {
                     return run(singular_values, {.d = d.data, .e = e.data, .s = w.data, .info = there}, queue);
                   }),
      milliseconds(cublas, [&](lapack::CudaQueue& queue) {
        return run(singular_vectors, {.d = d.data, .e = e.data, .s = w.data, .u = q.data, .vt = vt.data, .info = there},
                   workspace.data, queue);
      })};
  std::printf("%7lld  %10.4f  %10.4f  %10.4f  %10.4f\n", static_cast<long long>(n), times[0], times[1], times[2],
              times[3]);
}

}  // namespace
}  // namespace onepass::test

int main(int argc, char** argv) {
  const bool single = argc > 1 && argv[1][0] == 's';
  const int most_leaf = argc > 2 ? std::atoi(argv[2]) : 8;
  std::vector<std::int64_t> orders;
  for (int i = 3; i < argc; ++i) orders.push_back(std::atoll(argv[i]));
  if (orders.empty()) orders = {256, 512, 1024, 2048, 4096, 8192};
  std::unique_ptr<onepass::lapack::Cublas> cublas;
  if (const onepass::Status status = onepass::lapack::Cublas::open(&cublas); !status.ok())
    return std::printf("%s\n", status.text.c_str()), 2;
  std::printf("%s, ms      eigenvalues  and vectors  singular values  and vectors (leaves of up to %d rows)\n",
              single ? "s" : "d", most_leaf);
  for (const std::int64_t n : orders)
    single ? onepass::test::time_stages<float>(n, most_leaf, cublas.get())
           : onepass::test::time_stages<double>(n, most_leaf, cublas.get());
  return 0;
}
