// Times sgemv T in a queue with sums in double precision, launches of gemv_t_small: elements of a column in flight x columns of a
// group, threads, lanes. The first line is the plain call's launch; "ratio" is plain / it.
#include <cuda_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/exec/cuda.hpp"
#include "types/elements.hpp"
#include "kernels/gemv_t_small.hpp"
using namespace onepass;
using kernels::GemvArgs;
#define MUST(e) do { cudaError_t er = (e); if (er != cudaSuccess) { std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(er)); std::exit(1); } } while (0)

template <class Kernel, class Args>
__global__ void __launch_bounds__(Kernel::max_threads, Kernel::min_blocks) entry(const __grid_constant__ Args args) {
  Kernel::run(exec::Cuda{}, args);
}
__global__ void between() {}
__host__ __device__ inline float number(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return static_cast<float>(static_cast<std::int64_t>(z) >> 40) * 0x1p-23f;
}
__global__ void fill(float* p, std::size_t n, std::size_t first) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x) p[i] = number(first + i);
}
struct Kernel { const void* address; int in_flight, log2_columns; bool wider; };
template <class E, int in_flight, int log2_columns>
Kernel kernel() {
  return {reinterpret_cast<const void*>(entry<kernels::GemvTSmall<E, in_flight, log2_columns, true, false>, GemvArgs>), in_flight, log2_columns, !std::is_same_v<E, ElementsS>};
}
struct Launch { Kernel kernel; int threads, lanes; };

int main() {
  cudaStream_t stream;
  MUST(cudaStreamCreate(&stream));
  const std::size_t pool = std::size_t{320} << 20;
  float *a, *x, *y;
  MUST(cudaMalloc(&a, pool));
  MUST(cudaMalloc(&x, 1 << 16));
  MUST(cudaMalloc(&y, 1 << 16));
  fill<<<2048, 256, 0, stream>>>(a, pool / 4, 0);
  fill<<<16, 256, 0, stream>>>(x, 16384, std::size_t{1} << 50);
  const auto w81 = kernel<ElementsSWider, 8, 1>(), w80 = kernel<ElementsSWider, 8, 0>(), w42 = kernel<ElementsSWider, 4, 2>(),
             w41 = kernel<ElementsSWider, 4, 1>(), w160 = kernel<ElementsSWider, 16, 0>(), w161 = kernel<ElementsSWider, 16, 1>(),
             w82 = kernel<ElementsSWider, 8, 2>(), s42 = kernel<ElementsS, 4, 2>(), s80 = kernel<ElementsS, 8, 0>();
  for (const std::int64_t n : {1024, 2048, 4096}) {
    std::vector<Launch> launches;
    const auto with = [&](const Kernel& k, int threads, int lanes) { launches.push_back(Launch{k, threads, lanes}); };
    if (n == 1024) with(s80, 256, 128); else with(s42, 256, 256);
    with(w81, 128, 128);
    with(w81, 64, 64); with(w81, 128, 64); with(w81, 256, 128); with(w81, 256, 256); with(w80, 128, 128); with(w80, 256, 256); with(w80, 128, 64);
    with(w42, 128, 128); with(w42, 256, 256); with(w42, 256, 128); with(w42, 64, 64); with(w42, 128, 64); with(w82, 128, 128); with(w82, 256, 256); with(w82, 64, 64);
    with(w41, 128, 128); with(w41, 256, 256); with(w160, 128, 128); with(w160, 64, 64); with(w161, 64, 64); with(w161, 128, 128); with(w161, 128, 64);
    const int matrices = static_cast<int>(std::min<std::size_t>(pool / (n * n * 4), 64)), count = n == 4096 ? 48 : n == 2048 ? 160 : 384;
    struct Graph { cudaGraphExec_t graph; cudaEvent_t start, stop; };
    std::vector<Graph> graphs;
    std::vector<std::vector<float>> times(launches.size());
    std::vector<double> errors;
    for (const Launch& l : launches) {
      const int groups = l.threads / l.lanes, outputs = groups << l.kernel.log2_columns;
      GemvArgs g{};
      g.x = x; g.y = y;
      g.lda = g.rows = g.cols = g.chunk = n;
      g.incx = g.incy = 1;
      g.log2_lanes = __builtin_ctz(l.lanes); g.log2_groups = __builtin_ctz(groups);
      g.tile = outputs;
      g.settled_x = g.opens_first = true;
      const float one = 1;
      std::memcpy(g.alpha.bytes, &one, 4);
      const auto go = [&](int matrix) {
        g.a = a + matrix * n * n;
        void* parameters[] = {&g};
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(static_cast<unsigned>((n + outputs - 1) / outputs));
        config.blockDim = dim3(l.threads);
        config.dynamicSmemBytes = l.lanes > 32 ? static_cast<std::size_t>(l.lanes / 32) * outputs * (l.kernel.wider ? 8 : 4) : 0;
        config.stream = stream;
        config.attrs = &attribute;
        config.numAttrs = 1;
        MUST(cudaLaunchKernelExC(&config, l.kernel.address, parameters));
      };
      MUST(cudaMemsetAsync(y, 0xff, 1 << 16, stream));
      go(0);
      MUST(cudaStreamSynchronize(stream));
      std::vector<float> got(n);
      MUST(cudaMemcpy(got.data(), y, n * 4, cudaMemcpyDeviceToHost));
      double worst = 0;
      for (std::int64_t c = 0; c < n; c += 37) {
        double sum = 0;
        for (std::int64_t r = 0; r < n; ++r) sum += static_cast<double>(number(c * n + r)) * number(r + (std::size_t{1} << 50));
        const double off = std::abs(got[c] - sum) / (l.kernel.wider ? std::abs(sum) * 0x1p-24 + 1e-12 : 0x1p-24 * n);
        worst = std::isfinite(got[c]) ? std::max(worst, off) : 1e30;
      }
      errors.push_back(worst);
      Graph graph;
      cudaGraph_t captured;
      MUST(cudaEventCreate(&graph.start));
      MUST(cudaEventCreate(&graph.stop));
      MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
      MUST(cudaEventRecordWithFlags(graph.start, stream, cudaEventRecordExternal));
      for (int i = 0; i < count; ++i) go(i % matrices);
      MUST(cudaEventRecordWithFlags(graph.stop, stream, cudaEventRecordExternal));
      MUST(cudaStreamEndCapture(stream, &captured));
      MUST(cudaGraphInstantiate(&graph.graph, captured, 0));
      MUST(cudaGraphUpload(graph.graph, stream));
      MUST(cudaGraphDestroy(captured));
      graphs.push_back(graph);
    }
    for (int round = 0; round < 10; ++round)
      for (std::size_t i = 0; i < graphs.size(); ++i) {
        usleep(500);
        float ms = 0;
        MUST(cudaGraphLaunch(graphs[i].graph, stream));
        MUST(cudaStreamSynchronize(stream));
        MUST(cudaEventElapsedTime(&ms, graphs[i].start, graphs[i].stop));
        if (round > 0) times[i].push_back(ms);
      }
    const auto median = [](std::vector<float> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; };
    std::printf("\nsgemv T %lld\n", static_cast<long long>(n));
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const Launch& l = launches[i];
      const double us = median(times[i]) * 1e3 / count;
      std::printf("%s %2d in flight x %d columns, threads %3d lanes %3d: %6.3f us ratio %.3f error %.2f%s%s\n", l.kernel.wider ? "wider" : "plain", l.kernel.in_flight, 1 << l.kernel.log2_columns, l.threads, l.lanes, us,
                  median(times[0]) * 1e3 / count / us, errors[i], errors[i] < (l.kernel.wider ? 1.01 : 4) ? "" : "  WRONG", i == 1 ? "   (the library's)" : "");
    }
    for (const Graph& g : graphs) MUST(cudaGraphExecDestroy(g.graph));
  }
}
