// Times zhemv (lower) in a queue: plain sums, and sums with twice the digits by symv_tiles, the present symv_columns ("old")
// and the changed one with three and four stages, in blocks of several units. One line a launch; "ratio" is plain / it.
#include <cuda_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "kernels/exec/cuda.hpp"
#include "types/elements.hpp"
#include "kernels/symv.hpp"
#include "kernels/symv_columns.hpp"
#include "kernels/symv_tiles.hpp"
#include "old_symv_columns.hpp"
using namespace onepass;
using kernels::SymvArgs;
#define MUST(e) do { cudaError_t er = (e); if (er != cudaSuccess) { std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(er)); std::exit(1); } } while (0)

template <class Kernel, class Args>
__global__ void __launch_bounds__(Kernel::max_threads, Kernel::min_blocks) entry(const __grid_constant__ Args args) {
  Kernel::run(exec::Cuda{}, args);
}
__global__ void between() {}
__host__ __device__ inline std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
// In +-1, times a power of two between 2^-spread and 2^spread.
__host__ __device__ inline double number(std::uint64_t i, int spread) {
  const std::uint64_t h = mix(i);
  const double v = static_cast<double>(static_cast<std::int64_t>(h) >> 10) * 0x1p-53;
  if (spread == 0) return v;
  const int e = static_cast<int>(mix(h) % (2 * spread + 1)) - spread;
  const double scale = std::bit_cast<double>(static_cast<std::uint64_t>(1023 + e) << 52);
  return v * scale;
}
__host__ __device__ inline Complex<double> element(std::uint64_t i, int spread) {
  return {number(2 * i, spread), number(2 * i + 1, spread)};
}
// A triangle; NaN where nothing may be read.
__global__ void fill(Complex<double>* a, std::int64_t n, bool upper, int spread) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n * n; i += std::int64_t{gridDim.x} * blockDim.x) {
    const std::int64_t r = i % n, c = i / n;
    Complex<double> v = element(i, spread);
    const double nan = __longlong_as_double(0x7ff8000000000000ll);
    if (upper ? r > c : r < c) v = {nan, nan};
    if (r == c) v.im = nan;
    a[i] = v;
  }
}
__global__ void fill_x(Complex<double>* x, std::int64_t n, int spread) {
  for (std::int64_t i = threadIdx.x; i < n; i += blockDim.x) x[i] = element(i + (1ull << 50), spread);
}

struct Launch {
  std::string name;
  int form;  // 0 plain, 1 tiles, 2 old columns, 3 columns of four stages, 4 columns of three, 5 of four by bulk copies
  int threads;
  std::int64_t grid;
  std::size_t shared;
  SymvArgs args;
  bool sums_twice() const { return form > 0; }
};
using Plain = kernels::Symv<ElementsZ, Form::plain>;
using Tiles = kernels::SymvTiles<ElementsZTwice>;
using Old = kernels::SymvColumnsOld<ElementsZTwice>;
using New4 = kernels::SymvColumns<ElementsZTwice, 4>;
using New3 = kernels::SymvColumns<ElementsZTwice, 3>;
using Bulk4 = kernels::SymvColumns<ElementsZTwice, 4, true>;
const void* kernel_of(int form) {
  switch (form) {
    case 0: return reinterpret_cast<const void*>(entry<Plain, SymvArgs>);
    case 1: return reinterpret_cast<const void*>(entry<Tiles, SymvArgs>);
    case 2: return reinterpret_cast<const void*>(entry<Old, SymvArgs>);
    case 3: return reinterpret_cast<const void*>(entry<New4, SymvArgs>);
    case 4: return reinterpret_cast<const void*>(entry<New3, SymvArgs>);
    default: return reinterpret_cast<const void*>(entry<Bulk4, SymvArgs>);
  }
}
void launch(const Launch& l, const SymvArgs& args, cudaStream_t stream) {
  void* parameters[] = {const_cast<SymvArgs*>(&args)};
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(l.grid));
  config.blockDim = dim3(l.threads);
  config.dynamicSmemBytes = l.shared;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  MUST(cudaLaunchKernelExC(&config, kernel_of(l.form), parameters));
}

SymvArgs common(std::int64_t n, bool upper) {
  SymvArgs g{};
  g.lda = n; g.rows = n; g.cols = n; g.incx = g.incy = 1;
  g.log2_lanes = 5;
  g.settled_x = g.opens_first = true;
  const double one[2] = {1, 0};
  std::memcpy(g.alpha.bytes, one, 16);
  g.hermitian = true;
  g.upper = upper;
  return g;
}
// As symv_tiles.cpp makes it.
Launch columns(int form, std::int64_t n, int units, int gathered, bool upper = false) {
  SymvArgs g = common(n, upper);
  const auto up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  const std::int64_t strips = up(n, 256), all = up(n, 32);
  const std::int64_t least = upper ? all - (strips - 1) * 8 : 8, most = upper ? (strips - 1) * 8 + least : all;
  g.strips = static_cast<int>(strips);
  g.panels = 1; g.tile = g.panel_rows = 256;
  g.log2_groups = 5; g.tile_units = 8;
  g.least_units = static_cast<int>(strips == 1 ? most : least);
  g.most_units = static_cast<int>(most);
  g.units = static_cast<int>((strips - 1) * (strips - 2) / 2 * 8 + (strips - 1) * least + most);
  g.chunk = units;
  g.splits = static_cast<int>(up(g.units, units));
  const int stages = form == 4 ? 3 : 4;
  const auto end = [&](int held) {
    return form == 2 ? kernels::old_columns_room(4, held).end : kernels::symv_columns_room(4, held, stages).end;
  };
  g.held = 32 * std::min(units, ((113 << 10) - end(0)) / (32 * 32));
  g.log2_gathered = gathered == 128 ? 7 : 6;
  g.mailboxes_per_product = strips * (strips + 1) / 2 * 256 + (g.splits + strips - 1) * 256;
  g.streams = n > 4000;
  Launch l{.form = form, .threads = 128, .grid = g.splits + up(n, gathered), .shared = static_cast<std::size_t>(end(g.held)), .args = g};
  char text[100];
  std::snprintf(text, sizeof text, "%-22s units %2d blocks %4d gather %3lld", form == 2 ? "columns, old" : form == 3 ? "columns, new, 4 stages" : form == 4 ? "columns, new, 3 stages" : "columns, new, 4, bulk", units, g.splits, static_cast<long long>(l.grid - g.splits));
  l.name = text;
  return l;
}
// The library's launches of plain sums, and of symv_tiles with twice the digits.
struct Row { int form; std::int64_t n; int threads; std::int64_t grid; std::size_t shared; std::int64_t chunk; int log2_groups, tile, splits, prefetch, strips, panels, panel_rows, align_mask, above, lead, held, log2_gathered, units, tile_units, least_units, most_units; std::int64_t mailboxes; bool streams; };
const Row table[] = {
    {0, 2048, 256, 282, 54528, 10, 3, 128, 218, 1, 16, 1, 128, 0, 0, 0, 336, 5, 2176, 16, 16, 256, 47232, false},
    {0, 4096, 256, 274, 76032, 18, 3, 256, 242, 1, 16, 2, 128, 0, 0, 0, 656, 7, 4352, 32, 32, 512, 100608, true},
    {0, 5001, 256, 283, 77312, 26, 3, 256, 258, 1, 20, 2, 128, 7, 7, 0, 736, 8, 6706, 32, 32, 626, 126611, true},
    {0, 8192, 256, 392, 81920, 64, 3, 256, 264, 1, 32, 2, 128, 0, 0, 0, 1024, 6, 16896, 32, 32, 1024, 210688, true},
    {0, 16384, 256, 520, 98304, 128, 3, 512, 264, 1, 32, 4, 128, 0, 0, 0, 0, 6, 33792, 64, 64, 2048, 421376, true},
    {0, 3072, 256, 274, 75008, 10, 3, 256, 250, 1, 12, 2, 128, 0, 0, 0, 592, 7, 2496, 32, 32, 384, 86784, false},
    {1, 3072, 128, 348, 56448, 4, 5, 128, 300, 0, 24, 1, 128, 0, 0, 0, 96, 6, 1200, 4, 4, 96, 79744, false},
    {1, 2048, 128, 168, 56448, 4, 5, 128, 136, 0, 16, 1, 128, 0, 0, 0, 96, 6, 544, 4, 4, 64, 36736, false},
};
Launch of_table(const Row& r) {
  SymvArgs g = common(r.n, false);
  g.chunk = r.chunk; g.log2_groups = r.log2_groups; g.tile = r.tile; g.splits = r.splits; g.prefetch = r.prefetch != 0;
  g.strips = r.strips; g.panels = r.panels; g.panel_rows = r.panel_rows; g.align_mask = r.align_mask; g.above = r.above; g.lead = r.lead;
  g.held = r.held; g.log2_gathered = r.log2_gathered; g.units = r.units; g.tile_units = r.tile_units;
  g.least_units = r.least_units; g.most_units = r.most_units; g.mailboxes_per_product = r.mailboxes; g.streams = r.streams;
  return {.name = r.form == 0 ? "plain" : "tiles", .form = r.form, .threads = r.threads, .grid = r.grid, .shared = r.shared, .args = g};
}

// Row i of A x by Dot2 on the host.
struct Dot2 {
  double value = 0, rest = 0, magnitude = 0;
  void add(double a, double b) {
    const double p = a * b, e = std::fma(a, b, -p), s = value + p, z = s - value;
    rest += (value - (s - z)) + (p - z) + e;
    value = s;
    magnitude += std::abs(p);
  }
};
struct Reference {
  struct Row { std::int64_t i; Dot2 re, im; };
  std::int64_t n;
  std::vector<Row> rows;

  Reference(std::int64_t size, bool upper, int spread) : n(size) {
    for (int t = 0; t < 48; ++t) {
      Row row{.i = t == 0 ? 0 : t == 1 ? n - 1 : static_cast<std::int64_t>(mix(t) % n)};
      for (std::int64_t k = 0; k < n; ++k) {
        const Complex<double> x = element(k + (1ull << 50), spread);
        const bool stored = upper ? row.i <= k : row.i >= k;
        Complex<double> a = stored ? element(row.i + k * n, spread) : element(k + row.i * n, spread);
        if (!stored) a.im = -a.im;
        if (row.i == k) a.im = 0;
        row.re.add(a.re, x.re); row.re.add(-a.im, x.im); row.im.add(a.re, x.im); row.im.add(a.im, x.re);
      }
      rows.push_back(row);
    }
  }
  // Sums with twice the digits: in units of a rounding of the result and of (2^-53)^2 n^2 sum |a x|; plain: of 2^-53 sum |a x|.
  double worst(const std::vector<Complex<double>>& y, bool twice) const {
    double most = 0;
    for (const Row& row : rows)
      for (const auto& [got, want] : {std::pair{y[row.i].re, row.re}, std::pair{y[row.i].im, row.im}}) {
        const double exact = want.value + want.rest;
        const double unit = twice ? std::abs(exact) * 0x1p-53 + want.magnitude * 0x1p-106 * n * n : want.magnitude * 0x1p-53;
        most = std::isfinite(got) ? std::max(most, std::abs(got - exact) / unit) : 1e30;
      }
    return most;
  }
};

int main(int argc, char**) {
  const bool bulk = argc > 1;  // bulk copies as well
  cudaStream_t stream;
  MUST(cudaStreamCreate(&stream));
  const std::size_t pool_bytes = std::size_t{2} * 16384 * 16384 * 16;
  Complex<double>*a, *x, *y;
  char* mailboxes;
  std::uint32_t* timed_out;
  const std::size_t mailbox_bytes = 128 << 20;
  MUST(cudaMalloc(&a, pool_bytes));
  MUST(cudaMalloc(&x, 16384 * 16));
  MUST(cudaMalloc(&y, 16384 * 16));
  MUST(cudaMalloc(&mailboxes, mailbox_bytes));
  MUST(cudaMemset(mailboxes, 0, mailbox_bytes));
  MUST(cudaHostAlloc(&timed_out, 64, cudaHostAllocMapped));
  *timed_out = 0;
  for (int form = 0; form < 6; ++form) {
    MUST(cudaFuncSetAttribute(kernel_of(form), cudaFuncAttributeMaxDynamicSharedMemorySize, 113 << 10));
    cudaFuncAttributes attributes;
    MUST(cudaFuncGetAttributes(&attributes, kernel_of(form)));
    std::printf("form %d: %d registers, %zu bytes of local memory\n", form, attributes.numRegs, attributes.localSizeBytes);
  }
  const auto with_operands = [&](const Launch& l, int matrix) {
    SymvArgs g = l.args;
    g.a = a + matrix * g.rows * g.rows;
    g.x = x; g.y = y;
    g.mailboxes = mailboxes + (l.sums_twice() ? mailbox_bytes / 2 : 0);
    g.timed_out = timed_out;
    return g;
  };
  const auto check = [&](const Launch& l, const Reference& reference) {
    MUST(cudaMemsetAsync(y, 0xff, 16384 * 16, stream));
    launch(l, with_operands(l, 0), stream);
    MUST(cudaStreamSynchronize(stream));
    std::vector<Complex<double>> got(l.args.rows);
    MUST(cudaMemcpy(got.data(), y, l.args.rows * 16, cudaMemcpyDeviceToHost));
    return reference.worst(got, l.sums_twice());
  };
  const auto fill_all = [&](std::int64_t n, bool upper, int spread, int count) {
    for (int m = 0; m < count; ++m) fill<<<4096, 256, 0, stream>>>(a + m * n * n, n, upper, spread);
    fill_x<<<1, 1024, 0, stream>>>(x, n, spread);
    MUST(cudaStreamSynchronize(stream));
  };

  // Right, whatever the triangle, the exponents and the launch?
  for (const std::int64_t n : {257, 1000, 3000})
    for (const bool upper : {false, true})
      for (const int spread : {0, 8, 100}) {
        fill_all(n, upper, spread, 1);
        const Reference reference(n, upper, spread);
        double worst = 0;
        for (const int form : bulk ? std::vector<int>{5} : std::vector<int>{3, 4})
          for (const int units : {1, 3, 7})
            worst = std::max(worst, check(columns(form, n, units, 128, upper), reference));
        std::printf("n %5lld %s spread %3d: error %.2f%s\n", static_cast<long long>(n), upper ? "upper" : "lower", spread, worst, worst < 4 ? "" : "  WRONG");
      }

  struct Case { std::int64_t n; int launches; std::vector<int> units4, units3; int old; };
  const Case cases[] = {{2048, 48, {1, 2, 3, 4}, {2, 3}, 3},
                        {3072, 32, {2, 3, 4, 5}, {3}, 3},
                        {4096, 24, {2, 3, 4, 5, 6, 7, 8, 9}, {4, 5, 8}, 5},
                        {5001, 16, {3, 4, 5, 6, 8, 10}, {5}, 5},
                        {8192, 8, {4, 5, 6, 8, 10, 12}, {6}, 6},
                        {16384, 4, {8, 10, 12, 16, 20}, {12}, 12}};
  for (const Case& c : cases) {
    const std::size_t bytes = static_cast<std::size_t>(c.n) * c.n * 16;
    const int matrices = static_cast<int>(std::max<std::size_t>((std::size_t{600} << 20) / bytes, 2));
    fill_all(c.n, false, 0, matrices);
    std::vector<Launch> launches;
    for (const Row& r : table)
      if (r.n == c.n) launches.push_back(of_table(r));
    launches.push_back(columns(2, c.n, c.old, 128));
    for (const int u : bulk ? c.units3 : c.units4) launches.push_back(columns(3, c.n, u, 128));
    if (!bulk) launches.push_back(columns(3, c.n, c.old, 64));
    for (const int u : c.units3) launches.push_back(columns(bulk ? 5 : 4, c.n, u, 128));
    struct Graph { cudaGraphExec_t graph; cudaEvent_t start, stop; };
    std::vector<Graph> graphs;
    std::vector<double> errors;
    std::vector<std::vector<float>> times(2 * launches.size());
    const auto capture = [&](const std::function<void()>& timed) {
      Graph g;
      cudaGraph_t graph;
      MUST(cudaEventCreate(&g.start));
      MUST(cudaEventCreate(&g.stop));
      MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
      MUST(cudaEventRecordWithFlags(g.start, stream, cudaEventRecordExternal));
      timed();
      MUST(cudaEventRecordWithFlags(g.stop, stream, cudaEventRecordExternal));
      MUST(cudaStreamEndCapture(stream, &graph));
      MUST(cudaGraphInstantiate(&g.graph, graph, 0));
      MUST(cudaGraphUpload(g.graph, stream));
      MUST(cudaGraphDestroy(graph));
      return g;
    };
    const auto replay = [&](const Graph& g) {
      MUST(cudaGraphLaunch(g.graph, stream));
      MUST(cudaStreamSynchronize(stream));
      float ms = 0;
      MUST(cudaEventElapsedTime(&ms, g.start, g.stop));
      return ms;
    };
    const Reference reference(c.n, false, 0);
    for (const Launch& l : launches) errors.push_back(check(l, reference));
    for (const Launch& l : launches)  // in a queue
      graphs.push_back(capture([&] { for (int i = 0; i < c.launches; ++i) launch(l, with_operands(l, i % matrices), stream); }));
    for (const Launch& l : launches)  // alone
      graphs.push_back(capture([&] {
        for (int i = 0; i < c.launches; ++i) {
          launch(l, with_operands(l, i % matrices), stream);
          between<<<132, 256, 0, stream>>>();
        }
      }));
    const Graph empty = capture([&] { for (int i = 0; i < c.launches; ++i) between<<<132, 256, 0, stream>>>(); });
    std::vector<float> of_empty;
    for (int round = 0; round < 8; ++round) {
      for (std::size_t i = 0; i < graphs.size(); ++i) {
        usleep(1000);
        const float t = replay(graphs[i]);
        if (round > 0) times[i].push_back(t);
      }
      of_empty.push_back(replay(empty));
    }
    const auto median = [](std::vector<float> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; };
    const double per = 1e3 / c.launches, plain = median(times[0]) * per, off = median(of_empty) * per;
    const double plain_alone = median(times[launches.size()]) * per - off;
    std::printf("\nn %lld, %d matrices\n", static_cast<long long>(c.n), matrices);
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const double us = median(times[i]) * per, alone = median(times[launches.size() + i]) * per - off;
      std::printf("%-58s queue %7.2f us ratio %.3f   alone %7.2f us ratio %.3f   error %.2f%s\n", launches[i].name.c_str(), us, plain / us, alone, plain_alone / alone, errors[i],
                  errors[i] < (launches[i].sums_twice() ? 4 : c.n) ? "" : "  WRONG");
    }
    std::fflush(stdout);
    for (const Graph& g : graphs) MUST(cudaGraphExecDestroy(g.graph));
  }
  std::printf("%s\n", *timed_out == 0 ? "no sum was missed" : "A SUM WAS MISSED");
}
