// Timing of SYMV / HEMV (lower, one product) on one GPU: the library's kernel with the library's launch, steps of twice
// the columns, and columns through a ring along lines of memory. One executable for each element type:
//   nvcc -O3 -arch=sm_90a -std=c++20 -I src -I include -DELEMENTS=ElementsS -DTYPE="'s'" probe.cu
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "kernels/exec/cuda.hpp"
#include "kernels/symv.hpp"
#include "plan/symv_ring.hpp"
#include "types/elements.hpp"

using namespace onepass;
using kernels::SymvArgs;
using E = ELEMENTS;
using A = E::A;
using S = E::Sum;
constexpr char type = TYPE;
constexpr int size = sizeof(A);
constexpr bool is_cplx = type == 'c' || type == 'z';

#define MUST(call)                                                                          \
  do {                                                                                      \
    const cudaError_t error_ = (call);                                                      \
    if (error_ != cudaSuccess) {                                                            \
      std::printf("%s:%d %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
      std::exit(1);                                                                         \
    }                                                                                       \
  } while (0)

template <class Kernel>
__global__ void __launch_bounds__(Kernel::max_threads, Kernel::min_blocks) entry(const __grid_constant__ SymvArgs g) {
  Kernel::run(exec::Cuda{}, g);
}
__global__ void empty_kernel() {}
__global__ void read_kernel(const uint4* data, std::size_t words, unsigned* sink) {
  unsigned sum = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < words; i += std::size_t{gridDim.x} * blockDim.x) {
    const uint4 v = __ldg(data + i);
    sum ^= v.x ^ v.y ^ v.z ^ v.w;
  }
  if (sum == 0x9e3779b9u) *sink = sum;
}
using Real = std::conditional_t<(type == 's' || type == 'c'), float, double>;
// Numbers from -1 to 1.
__global__ void fill_kernel(Real* data, std::size_t count) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count; i += std::size_t{gridDim.x} * blockDim.x) {
    std::uint32_t h = static_cast<std::uint32_t>(i * 2654435761u) ^ static_cast<std::uint32_t>(i >> 20);
    h ^= h >> 16; h *= 0x7feb352du; h ^= h >> 15; h *= 0x846ca68bu; h ^= h >> 16;
    data[i] = static_cast<Real>(static_cast<int>(h >> 8) - (1 << 23)) / static_cast<Real>(1 << 23);
  }
}
// y of row i in double precision, and the sum of magnitudes: one block for a row.
__global__ void reference_kernel(const Real* a, const Real* x, int n, double* out) {
  constexpr int w = is_cplx ? 2 : 1;
  const int i = blockIdx.x;
  double re = 0, im = 0, magnitude = 0;
  for (int k = threadIdx.x; k < n; k += blockDim.x) {
    const std::size_t at = k <= i ? static_cast<std::size_t>(k) * n + i : static_cast<std::size_t>(i) * n + k;
    const double ar = a[at * w], xr = x[static_cast<std::size_t>(k) * w];
    if constexpr (is_cplx) {
      double ai = a[at * w + 1];
      const double xi = x[static_cast<std::size_t>(k) * w + 1];
      ai = k == i ? 0 : k > i ? -ai : ai;
      re += ar * xr - ai * xi;
      im += ar * xi + ai * xr;
      magnitude += (fabs(ar) + fabs(ai)) * (fabs(xr) + fabs(xi));
    } else {
      re += ar * xr;
      magnitude += fabs(ar * xr);
    }
  }
  __shared__ double sums[3][256];
  sums[0][threadIdx.x] = re; sums[1][threadIdx.x] = im; sums[2][threadIdx.x] = magnitude;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half)
      for (int j = 0; j < 3; ++j) sums[j][threadIdx.x] += sums[j][threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x < 3) out[3 * i + threadIdx.x] = sums[threadIdx.x][0];
}

// A launch of the library, as its plan has it for lower, lda = n, A on 256 bytes.
struct Row {
  char type;
  int n, threads, tile, strips, panels, panel_rows, align_mask, above, lead, held, log2_gathered, units, tile_units,
      least_units, most_units;
  long long chunk;
  int splits, log2_groups;
  std::size_t shared;
  long long grid, mailboxes;
  int streams;
};
const Row library[] = {
#include "table.inc"
};
const Row& row_of(int n) {
  for (const Row& r : library)
    if (r.type == type && r.n == n) return r;
  std::printf("no launch for n = %d\n", n);
  std::exit(1);
}

struct Launch {
  std::string name;
  const void* kernel = nullptr;
  SymvArgs args;
  int grid = 0, threads = 256;
  std::size_t shared = 0;
  long long mailboxes = 0;
};

SymvArgs product(int n) {
  SymvArgs g;
  g.lda = g.rows = g.cols = n;
  g.incx = g.incy = 1;
  g.hermitian = is_cplx;
  const S one = as<S>(E::Scalar(1));
  std::memcpy(g.alpha.bytes, &one, sizeof(S));
  g.batch = 1;
  g.streams = static_cast<double>(n) * n / 2 * size > 120e6;
  return g;
}
Launch of_library(int n) {
  const Row& r = row_of(n);
  Launch l{.name = "library"};
  SymvArgs g = product(n);
  g.chunk = r.chunk; g.log2_lanes = 5; g.log2_groups = r.log2_groups; g.tile = r.tile; g.splits = r.splits;
  g.prefetch = true; g.strips = r.strips; g.panels = r.panels; g.panel_rows = r.panel_rows;
  g.align_mask = r.align_mask; g.above = r.above; g.lead = r.lead; g.held = r.held;
  g.log2_gathered = r.log2_gathered; g.units = r.units; g.tile_units = r.tile_units;
  g.least_units = r.least_units; g.most_units = r.most_units; g.mailboxes_per_product = r.mailboxes;
  l.kernel = reinterpret_cast<const void*>(entry<kernels::Symv<E, Form::plain>>);
  l.args = g; l.grid = static_cast<int>(r.grid); l.shared = r.shared; l.mailboxes = r.mailboxes;
  return l;
}
// Steps of twice the columns, by the library's strips.
Launch of_wide(int n, int blocks) {
  Launch l = of_library(n);
  l.name = "wide steps";
  SymvArgs& g = l.args;
  constexpr int columns = 2 * kernels::symv_columns(size);
  const int before = g.splits, held = g.held;
  const int per = (g.units + blocks - 1) / blocks;
  g.chunk = (per + columns - 1) / columns * columns;
  g.splits = static_cast<int>((g.units + g.chunk - 1) / g.chunk);
  const int kept = kernels::symv_kept * kernels::symv_kept_rows(g.tile, g.above);
  g.held = (static_cast<int>(g.chunk << g.log2_groups) + 3) / 4 * 4 + kept;
  l.shared += static_cast<std::size_t>(g.held - held) * sizeof(S) + std::size_t{256} * 16 * kernels::symv_step_vectors(size);
  if (l.shared > (std::size_t{112} << 10)) {
    l.shared -= static_cast<std::size_t>(g.held) * sizeof(S);
    g.held = 0;
  }
  l.grid += g.splits - before;
  l.mailboxes += static_cast<long long>(g.splits - before) * (g.tile + g.above);
  g.mailboxes_per_product = l.mailboxes;
  l.kernel = reinterpret_cast<const void*>(entry<kernels::Symv<E, Form::plain, kernels::ByStep<E, 2>>>);
  return l;
}
template <class Ring>
Launch of_ring(const char* name, int n, int blocks, int run = 128) {
  Launch l{.name = name};
  const bool aligned = static_cast<long long>(n) * size % run == 0;
  const SymvRingLaunch ring =
      shape_best_ring(product(n), size, aligned,
                 {.blocks = blocks, .gathered = 1 << row_of(n).log2_gathered, .gathered_of_two = 64, .rows = Ring::rows,
                  .run = run, .shared_limit = std::size_t{Ring::blocks == 2 ? 112 : 74} << 10},
                 [](const SymvArgs& g) { return static_cast<std::size_t>(Ring::shared_bytes(g)); });
  l.kernel = reinterpret_cast<const void*>(entry<kernels::Symv<E, Form::plain, Ring>>);
  l.args = ring.args; l.grid = ring.blocks; l.mailboxes = ring.mailboxes;
  l.shared = static_cast<std::size_t>(Ring::shared_bytes(ring.args));
  return l;
}

std::vector<Launch> launches(int n) {
  using kernels::ColumnRing;
  // "bulk 16x3": rows of a lane x columns on their way; "of 3": blocks of an SM; "16 B": strips begin there, not with lines.
  std::vector<Launch> all = {of_library(n), of_wide(n, 264)};
#if !defined(FEW)
  if constexpr (size == 4) {
    all.push_back(of_ring<ColumnRing<E, 16, 3, true, 2>>("bulk 16x3", n, 264));
    all.push_back(of_ring<ColumnRing<E, 16, 3, true, 2>>("bulk 16x3", n, 198));
    all.push_back(of_ring<ColumnRing<E, 16, 2, true, 3>>("bulk 16x2 of 3", n, 396));
    all.push_back(of_ring<ColumnRing<E, 16, 2, true, 3>>("bulk 16x2 of 3", n, 264));
    all.push_back(of_ring<ColumnRing<E, 24, 2, true, 2>>("bulk 24x2", n, 264));
    all.push_back(of_ring<ColumnRing<E, 16, 3, false, 2>>("vectors 16x3", n, 264));
    all.push_back(of_ring<ColumnRing<E, 16, 3, true, 2>>("bulk, 16 B", n, 264, 16));
    all.push_back(of_ring<ColumnRing<E, 16, 3, true, 2>>("bulk, 32 B", n, 264, 32));
  } else if constexpr (size == 8) {
    all.push_back(of_ring<ColumnRing<E, 12, 2, true, 2>>("bulk 12x2", n, 264));
    all.push_back(of_ring<ColumnRing<E, 12, 2, true, 2>>("bulk 12x2", n, 198));
    all.push_back(of_ring<ColumnRing<E, 8, 2, true, 3>>("bulk 8x2 of 3", n, 396));
    all.push_back(of_ring<ColumnRing<E, 8, 2, true, 3>>("bulk 8x2 of 3", n, 264));
    all.push_back(of_ring<ColumnRing<E, 8, 4, true, 2>>("bulk 8x4", n, 264));
    all.push_back(of_ring<ColumnRing<E, 12, 2, false, 2>>("vectors 12x2", n, 264));
    all.push_back(of_ring<ColumnRing<E, 12, 2, true, 2>>("bulk, 16 B", n, 264, 16));
    all.push_back(of_ring<ColumnRing<E, 12, 2, true, 2>>("bulk, 64 B", n, 264, 64));
  } else {
    all.push_back(of_ring<ColumnRing<E, 6, 2, true, 2>>("bulk 6x2", n, 264));
    all.push_back(of_ring<ColumnRing<E, 6, 2, true, 2>>("bulk 6x2", n, 198));
    all.push_back(of_ring<ColumnRing<E, 4, 4, true, 2>>("bulk 4x4", n, 264));
    all.push_back(of_ring<ColumnRing<E, 4, 3, false, 2>>("vectors 4x3", n, 264));
    all.push_back(of_ring<ColumnRing<E, 6, 2, true, 2>>("bulk, 16 B", n, 264, 16));
  }
#endif
  return all;
}

cudaStream_t stream;
int sms = 0;
char *pool, *vectors, *flush;
std::size_t pool_bytes = 0, flush_bytes = 0;
unsigned* sink;
void* mailboxes;
std::uint32_t* timed_out;

void run(const Launch& l, int n, int set, bool queue) {
  const std::size_t step = (static_cast<std::size_t>(n) * n * size + 255) / 256 * 256;
  const std::size_t vector = (static_cast<std::size_t>(n) * size + 255) / 256 * 256;
  SymvArgs g = l.args;
  g.a = pool + set * step;
  g.x = vectors + 2 * set * vector;
  g.y = vectors + (2 * set + 1) * vector;
  g.mailboxes = mailboxes;
  g.timed_out = timed_out;
  g.settled_x = g.opens_first = queue;
  void* parameters[] = {&g};
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(l.grid));
  config.blockDim = dim3(static_cast<unsigned>(l.threads));
  config.dynamicSmemBytes = l.shared;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = queue ? 1 : 0;
  MUST(cudaLaunchKernelExC(&config, l.kernel, parameters));
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}
// Seconds of a graph with `body` behind a read of more than the L2.
double seconds(const std::function<void()>& body, int replays) {
  cudaEvent_t start, stop;
  MUST(cudaEventCreate(&start));
  MUST(cudaEventCreate(&stop));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  read_kernel<<<4 * sms, 512, 0, stream>>>(reinterpret_cast<const uint4*>(flush), flush_bytes / 16, sink);
  MUST(cudaEventRecordWithFlags(start, stream, cudaEventRecordExternal));
  body();
  MUST(cudaEventRecordWithFlags(stop, stream, cudaEventRecordExternal));
  MUST(cudaStreamEndCapture(stream, &graph));
  MUST(cudaGraphInstantiate(&exec, graph, 0));
  MUST(cudaGraphUpload(exec, stream));
  std::vector<double> times;
  for (int i = 0; i <= replays; ++i) {
    float ms = 0;
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaEventElapsedTime(&ms, start, stop));
    if (i > 0) times.push_back(ms * 1e-3);
  }
  MUST(cudaGraphExecDestroy(exec));
  MUST(cudaGraphDestroy(graph));
  MUST(cudaEventDestroy(start));
  MUST(cudaEventDestroy(stop));
  return median(times);
}

int main(int argc, char** argv) {
  std::vector<int> orders = {2500, 3001, 3008, 4096, 5001, 8192, 10007, 10016, 16384};
  if (argc > 1) {
    orders.clear();
    for (int i = 1; i < argc; ++i) orders.push_back(std::atoi(argv[i]));
  }
  cudaDeviceProp props;
  MUST(cudaGetDeviceProperties(&props, 0));
  sms = props.multiProcessorCount;
  MUST(cudaStreamCreate(&stream));
  const double l2 = props.l2CacheSize;
  const auto sets_of = [&](int n) {
    const double triangle = static_cast<double>(n) * (n + 1) / 2 * size;
    return std::max(2, static_cast<int>(std::ceil(5 * l2 / triangle)));
  };
  std::size_t vector_bytes = 0, most_mailboxes = 0;
  for (const int n : orders) {
    pool_bytes = std::max(pool_bytes, sets_of(n) * ((static_cast<std::size_t>(n) * n * size + 255) / 256 * 256));
    vector_bytes = std::max(vector_bytes, 2 * sets_of(n) * ((static_cast<std::size_t>(n) * size + 255) / 256 * 256));
    for (const Launch& l : launches(n)) most_mailboxes = std::max(most_mailboxes, static_cast<std::size_t>(l.mailboxes));
  }
  flush_bytes = static_cast<std::size_t>(3 * l2) / 16 * 16;
  MUST(cudaMalloc(&pool, pool_bytes));
  MUST(cudaMalloc(&vectors, vector_bytes));
  MUST(cudaMalloc(&flush, flush_bytes));
  MUST(cudaMalloc(&sink, 256));
  MUST(cudaMalloc(&mailboxes, most_mailboxes * sizeof(S)));
  MUST(cudaMallocHost(&timed_out, 4));
  *timed_out = 0;
  MUST(cudaMemset(flush, 1, flush_bytes));
  fill_kernel<<<4 * sms, 512, 0, stream>>>(reinterpret_cast<Real*>(pool), pool_bytes / sizeof(Real));
  MUST(cudaStreamSynchronize(stream));
  const int many = 400;
  const double between = seconds([&] { for (int i = 0; i < many; ++i) empty_kernel<<<sms, 256, 0, stream>>>(); }, 7) / many;
  std::printf("%c: between %.2f us; pool %.1f GB\n", type, between * 1e6, pool_bytes * 1e-9);

  int bad = 0;
  for (const int n : orders) {
    const int sets = sets_of(n);
    const double bytes = static_cast<double>(n) * (n + 1) / 2 * size;
    const double floor = std::max(1.1, 0.9 + bytes / 4.65e6), floor_alone = std::max(1.43, 1.45 + bytes / 4.6e6);
    const int calls = std::clamp(static_cast<int>(2000 / floor), 4, 128);
    // Sums of rows in double precision, on the device, and of the smallest order on the host too.
    fill_kernel<<<4 * sms, 512, 0, stream>>>(reinterpret_cast<Real*>(vectors), vector_bytes / sizeof(Real));
    double* expected_at;
    MUST(cudaMalloc(&expected_at, 3 * n * sizeof(double)));
    reference_kernel<<<n, 256, 0, stream>>>(reinterpret_cast<Real*>(pool), reinterpret_cast<Real*>(vectors), n, expected_at);
    std::vector<double> expected(3 * n);
    MUST(cudaMemcpyAsync(expected.data(), expected_at, 3 * n * sizeof(double), cudaMemcpyDeviceToHost, stream));
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaFree(expected_at));
    if (n < 2600) {
      constexpr int w = is_cplx ? 2 : 1;
      std::vector<Real> a(static_cast<std::size_t>(n) * n * w), x(n * w);
      MUST(cudaMemcpy(a.data(), pool, a.size() * sizeof(Real), cudaMemcpyDeviceToHost));
      MUST(cudaMemcpy(x.data(), vectors, x.size() * sizeof(Real), cudaMemcpyDeviceToHost));
      std::vector<std::complex<double>> y(n);
      for (int c = 0; c < n; ++c)
        for (int r = c; r < n; ++r) {
          const std::size_t at = (static_cast<std::size_t>(c) * n + r) * w;
          const std::complex<double> e(a[at], is_cplx && r != c ? a[at + w - 1] : 0), xc(x[c * w], is_cplx ? x[c * w + w - 1] : 0),
              xr(x[r * w], is_cplx ? x[r * w + w - 1] : 0);
          y[r] += e * xc;
          if (r != c) y[c] += std::conj(e) * xr;
        }
      double worst = 0;
      for (int i = 0; i < n; ++i)
        worst = std::max(worst, std::abs(y[i] - std::complex<double>(expected[3 * i], expected[3 * i + 1])) / expected[3 * i + 2]);
      std::printf("%c %5d reference on the device against the host: %.1e%s\n", type, n, worst, worst < 1e-13 ? "" : " BAD");
      bad += !(worst < 1e-13);
    }
    for (const Launch& l : launches(n)) {
      MUST(cudaMemsetAsync(mailboxes, 0, most_mailboxes * sizeof(S), stream));
      cudaFuncAttributes attributes;
      MUST(cudaFuncGetAttributes(&attributes, l.kernel));
      MUST(cudaFuncSetAttribute(l.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(l.shared)));
      int resident = 0;
      MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, l.kernel, l.threads, l.shared));
      const std::size_t vector = (static_cast<std::size_t>(n) * size + 255) / 256 * 256;
      // The result, three calls one behind the other, with the same bits in the first and the last.
      std::vector<Real> y(static_cast<std::size_t>(n) * size / sizeof(Real)), again = y;
      const auto get = [&](std::vector<Real>& to) {
        MUST(cudaMemcpyAsync(to.data(), vectors + vector, to.size() * sizeof(Real), cudaMemcpyDeviceToHost, stream));
        MUST(cudaStreamSynchronize(stream));
      };
      run(l, n, 0, true);
      get(y);
      MUST(cudaMemsetAsync(vectors + vector, 0xff, y.size() * sizeof(Real), stream));
      run(l, n, 0, true);
      run(l, n, 1, true);
      run(l, n, 0, true);
      get(again);
      double worst = 0;
      for (int i = 0; i < n; ++i) {
        const std::complex<double> got = is_cplx ? std::complex<double>(y[2 * i], y[2 * i + 1]) : std::complex<double>(y[i], 0);
        const double error = std::abs(got - std::complex<double>(expected[3 * i], expected[3 * i + 1])) / expected[3 * i + 2];
        worst = error < worst ? worst : error;  // NaN stays
      }
      const double eps = sizeof(Real) == 4 ? 6e-8 : 1.1e-16;
      const bool right = worst < 100 * eps && std::memcmp(y.data(), again.data(), y.size() * sizeof(Real)) == 0 && *timed_out == 0;
      bad += !right;
      double queue = 0, alone = 0;
      if (right) {
        queue = seconds([&] { for (int i = 0; i < calls; ++i) run(l, n, i % sets, true); }, 5) / calls * 1e6;
        alone = (seconds([&] {
                   for (int i = 0; i < calls; ++i) {
                     run(l, n, i % sets, false);
                     empty_kernel<<<sms, 256, 0, stream>>>();
                   }
                 }, 5) / calls - between) * 1e6;
      }
      std::printf("%c %5d %-15s %3d+%3d blocks %d an SM %3d regs %6zu shared tile %3d held %5d | queue %8.2f us %.3f | alone %8.2f us %.3f | error %.1e %s\n",
                  type, n, l.name.c_str(), l.args.splits, l.grid - l.args.splits, resident, attributes.numRegs, l.shared, l.args.tile,
                  l.args.held, queue, floor / queue, alone, floor_alone / alone, worst, right ? "ok" : *timed_out ? "TIMEOUT" : "WRONG");
      std::fflush(stdout);
      *timed_out = 0;
    }
  }
  std::printf("%c: %s\n", type, bad == 0 ? "all right" : "SOMETHING IS WRONG");
  return bad == 0 ? 0 : 1;
}
