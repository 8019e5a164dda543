// gemv_n_wide against today's gemv_n, two-byte elements, few rows and many columns: us alone (an empty kernel of 132 x
// 256 between two calls, its time taken off) and in a queue (programmatic launches, A and x settled). Checked against
// sums in double precision.   probe [quick]
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kernels/exec/cuda.hpp"
#include "kernels/gemv_n.hpp"
#include "kernels/gemv_n_small.hpp"
#include "kernels/gemv_n_wide.hpp"
#include "types/elements.hpp"
#include "library_launch.hpp"
#include "wide_launch.hpp"
#ifdef WITH_TALL
#include "kernels/gemv_t_tall.hpp"
#include "kernels/gemv_t_tensor.hpp"
#include "tall_launch.hpp"
#endif

using namespace onepass;
using kernels::GemvArgs;

#define CK(x)                                                                              \
  do {                                                                                     \
    cudaError_t e_ = (x);                                                                  \
    if (e_ != cudaSuccess) {                                                               \
      std::printf("%s:%d %s: %s\n", __FILE__, __LINE__, #x, cudaGetErrorString(e_));       \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (0)

template <class Kernel>
__global__ void __launch_bounds__(Kernel::max_threads, Kernel::min_blocks) entry(const __grid_constant__ GemvArgs args) {
  Kernel::run(exec::Cuda{}, args);
}
__global__ void empty() {}
__global__ void fill(unsigned short* p, std::size_t n, unsigned seed) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x) {
    unsigned h = static_cast<unsigned>(i) * 2654435761u + seed;
    h ^= h >> 15, h *= 2246822519u, h ^= h >> 13;
    const float f = static_cast<float>(h & 0xffff) / 32768.0f - 1.0f;
    p[i] = static_cast<unsigned short>(__float_as_uint(f) >> 16);
  }
}

static cudaStream_t S;
static float* boxes;
static constexpr std::size_t box_bytes = 16 << 20;
static unsigned* timed_out;

using Kernel = void (*)(GemvArgs);
struct Launch {
  std::string family, text;
  Kernel alone = nullptr, queued = nullptr;  // queued: the instance with loads before the wait
  GemvArgs args;
  Grid grid;
  int threads = 256, cluster = 1;
  std::size_t shared = 0;
  double us = 0, queue = 0;
  bool right = false, gathers = false;
};

static cudaError_t start(const Launch& l, const GemvArgs& args, bool queued) {
  cudaLaunchAttribute at[2]{};
  unsigned n = 0;
  if (queued) {
    at[n].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    at[n++].val.programmaticStreamSerializationAllowed = 1;
  }
  if (l.cluster > 1) {
    at[n].id = cudaLaunchAttributeClusterDimension;
    at[n++].val.clusterDim = {static_cast<unsigned>(l.cluster), 1, 1};
  }
  cudaLaunchConfig_t c{};
  c.gridDim = dim3(static_cast<unsigned>(l.grid.x), static_cast<unsigned>(l.grid.y), 1);
  c.blockDim = dim3(static_cast<unsigned>(l.threads));
  c.dynamicSmemBytes = l.shared;
  c.stream = S;
  c.attrs = at;
  c.numAttrs = n;
  GemvArgs copy = args;
  copy.settled_x = copy.opens_first = queued;
  void* parameters[] = {&copy};
  return cudaLaunchKernelExC(&c, reinterpret_cast<const void*>(queued ? l.queued : l.alone), parameters);
}

struct Shape {
  long long rows, cols, lda;
  bool transposed = false;
};
struct Pool {
  Shape s;
  std::size_t a_bytes, x_bytes, stride;
  int sets, offset;
  char* data = nullptr;
  unsigned short* y = nullptr;
  long long outputs() const { return s.transposed ? s.cols : s.rows; }
  long long terms() const { return s.transposed ? s.rows : s.cols; }
  GemvArgs operands(GemvArgs g, int i) const {
    char* const set = data + static_cast<std::size_t>(i % sets) * stride;
    g.a = set + 2 * offset, g.x = set + a_bytes, g.y = y + static_cast<std::size_t>(i % sets) * 4096;
    g.mailboxes = boxes, g.timed_out = timed_out;
    return g;
  }
};

static double between_us = 0;
static double time_graph(int calls, const std::function<void(int)>& body) {
  cudaEvent_t a, b;
  cudaGraph_t g;
  cudaGraphExec_t ge;
  CK(cudaEventCreate(&a));
  CK(cudaEventCreate(&b));
  CK(cudaStreamBeginCapture(S, cudaStreamCaptureModeRelaxed));
  CK(cudaEventRecordWithFlags(a, S, cudaEventRecordExternal));
  for (int i = 0; i < calls; ++i) body(i);
  CK(cudaEventRecordWithFlags(b, S, cudaEventRecordExternal));
  CK(cudaStreamEndCapture(S, &g));
  CK(cudaGraphInstantiate(&ge, g, 0));
  CK(cudaGraphUpload(ge, S));
  std::vector<float> t;
  for (int r = 0; r < 8; ++r) {
    CK(cudaGraphLaunch(ge, S));
    CK(cudaStreamSynchronize(S));
    float ms;
    CK(cudaEventElapsedTime(&ms, a, b));
    if (r > 0) t.push_back(ms);
  }
  CK(cudaGraphExecDestroy(ge));
  CK(cudaGraphDestroy(g));
  CK(cudaEventDestroy(a));
  CK(cudaEventDestroy(b));
  std::sort(t.begin(), t.end());
  return t[t.size() / 2] * 1e3 / calls;
}

static float widened(unsigned short v) {
  const unsigned u = static_cast<unsigned>(v) << 16;
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
static std::vector<double> want, scale;
static void reference(const Pool& p) {
  std::vector<unsigned short> set(p.stride / 2);
  CK(cudaMemcpy(set.data(), p.data, p.stride, cudaMemcpyDeviceToHost));
  const unsigned short *a = set.data() + p.offset, *x = set.data() + p.a_bytes / 2;
  want.assign(static_cast<std::size_t>(p.outputs()), 0), scale = want;
  for (long long c = 0; c < p.s.cols; ++c)
    for (long long r = 0; r < p.s.rows; ++r) {
      const double term = double(widened(a[r + c * p.s.lda])) * double(widened(x[p.s.transposed ? r : c]));
      const auto o = static_cast<std::size_t>(p.s.transposed ? c : r);
      want[o] += term, scale[o] += std::abs(term);
    }
}
// y of the first set, three times with the same bits; the mailboxes are empty again.
static bool check(const Pool& p, const Launch& l, bool queued) {
  std::vector<unsigned short> first, y(static_cast<std::size_t>(p.outputs()));
  const GemvArgs args = p.operands(l.args, 0);
  for (int i = 0; i < 3; ++i) {
    CK(cudaMemsetAsync(p.y, 0xff, 2 * y.size(), S));
    const cudaError_t e = start(l, args, queued);
    if (e != cudaSuccess) {
      std::printf("   %s %s: %s\n", l.family.c_str(), l.text.c_str(), cudaGetErrorString(e));
      (void)cudaGetLastError();
      return false;
    }
    CK(cudaStreamSynchronize(S));
    CK(cudaMemcpy(y.data(), p.y, 2 * y.size(), cudaMemcpyDeviceToHost));
    if (i == 0) first = y;
    if (y != first) return std::printf("   %s %s: other bits\n", l.family.c_str(), l.text.c_str()), false;
  }
  for (std::size_t o = 0; o < y.size(); ++o) {
    const double got = widened(y[o]);
    if (!(std::abs(got - want[o]) <= std::abs(want[o]) / 128 + 2e-6 * scale[o]))
      return std::printf("   %s %s: y[%zu] = %g, not %g\n", l.family.c_str(), l.text.c_str(), o, got, want[o]), false;
  }
  std::vector<float> left(box_bytes / 4 / 16);
  CK(cudaMemcpy(left.data(), boxes, left.size() * 4, cudaMemcpyDeviceToHost));
  for (const float f : left)
    if (f != 0) {
      CK(cudaMemset(boxes, 0, box_bytes));
      return std::printf("   %s %s: a mailbox is full\n", l.family.c_str(), l.text.c_str()), false;
    }
  return true;
}

static void time_alone(const Pool& p, Launch& l) {
  l.us = time_graph(p.sets, [&](int i) {
           CK(start(l, p.operands(l.args, i), false));
           empty<<<132, 256, 0, S>>>();
         }) - between_us;
}
static void time_queue(const Pool& p, Launch& l) {
  l.queue = time_graph(p.sets, [&](int i) { CK(start(l, p.operands(l.args, i), true)); });
}

#ifdef WITH_WIDE
template <bool tensor, int in_flight, bool clustered, bool rehearsed>
void add_wide(std::vector<Launch>& all, const char* family, const Shape& s, int offset, int threads, int blocks, int log2_cluster,
              int gathering = -1) {
  using K = kernels::GemvNWide<ElementsB, tensor, in_flight, false, clustered, rehearsed>;
  using Q = kernels::GemvNWide<ElementsB, tensor, in_flight, true, clustered, rehearsed>;
  const WideLaunch w = shape_wide(s.rows, s.cols, s.lda, offset, threads, blocks, log2_cluster, in_flight, gathering);
  if (w.warp_loads <= in_flight / 2 && in_flight > 2) return;  // an instance with fewer loads has it
  char text[200];
  std::snprintf(text, sizeof text, "%d x %d + %d blocks of %d, loads %d of %d, gather by %d", w.tiles, w.args.splits << log2_cluster,
                w.gather_blocks, threads, w.warp_loads, in_flight, 1 << w.args.log2_grouped);
  for (const Launch& l : all)
    if (l.family == family && l.text == text) return;
  Launch l{.family = family, .text = text, .alone = entry<K>, .queued = entry<Q>, .args = w.args, .grid = w.grid,
           .threads = threads, .cluster = w.cluster, .shared = w.shared, .gathers = true};
  set_scalar(l.args.alpha, 1.0f), set_scalar(l.args.beta, 0.0f);
  if (w.workspace > box_bytes / 16) return;
  if (log2_cluster > 3)
    for (const Kernel k : {l.alone, l.queued})
      CK(cudaFuncSetAttribute(k, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  all.push_back(l);
}

static void add_library(std::vector<Launch>& all, const Shape& s, int lanes, int tiles, int splits) {
  const WideLaunch w = shape_library_n(s.rows, s.cols, s.lda, lanes, tiles, splits);
  Launch l{.family = "gemv_n", .alone = entry<kernels::GemvN<ElementsB, Form::plain, Loads::many, false>>,
           .queued = entry<kernels::GemvN<ElementsB, Form::plain, Loads::many, true>>, .args = w.args, .grid = w.grid,
           .shared = w.shared};
  char text[100];
  std::snprintf(text, sizeof text, "as planned, %d x %d blocks of 256, %d lanes", tiles, w.args.splits, lanes);
  l.text = text;
  set_scalar(l.args.alpha, 1.0f), set_scalar(l.args.beta, 0.0f);
  all.push_back(l);
}

static void add_library_small(std::vector<Launch>& all, const Shape& s, int threads, int lanes, int tiles) {
  const WideLaunch w = shape_library_small(s.rows, s.cols, s.lda, threads, lanes, tiles);
  Launch l{.family = "gemv_n_small", .alone = entry<kernels::GemvNSmall<ElementsB, 16, false, true>>,
           .queued = entry<kernels::GemvNSmall<ElementsB, 16, true, true>>, .args = w.args, .grid = w.grid,
           .threads = threads, .cluster = 8, .shared = w.shared};
  char text[100];
  std::snprintf(text, sizeof text, "as planned, %d clusters of 8 blocks of %d, %d lanes", tiles, threads, lanes);
  l.text = text;
  set_scalar(l.args.alpha, 1.0f), set_scalar(l.args.beta, 0.0f);
  all.push_back(l);
}

static void wide_launches(std::vector<Launch>& all, const Shape& s, int offset, bool quick) {
  const int most = 132;
  const WideLaunch one = shape_wide(s.rows, s.cols, s.lda, offset, 256, 2, 0, 8);
  const auto of_tile = [&](int blocks) { return std::max(2, blocks / one.tiles); };
  for (const int blocks : {most / 2, 100, 120, 126, 190, 256})
    for (const int threads : {256, 512}) {
      const int n = of_tile(blocks);
      add_wide<true, 2, false, false>(all, "tensor", s, offset, threads, n, 0);
      add_wide<true, 4, false, false>(all, "tensor", s, offset, threads, n, 0);
      add_wide<true, 8, false, false>(all, "tensor", s, offset, threads, n, 0);
      if (quick || blocks < 120) continue;
      add_wide<true, 4, false, true>(all, "tensor, rehearsed", s, offset, threads, n, 0);
      add_wide<true, 8, false, true>(all, "tensor, rehearsed", s, offset, threads, n, 0);
      add_wide<false, 4, false, false>(all, "plain", s, offset, threads, n, 0);
    }
  if (quick) return;
  for (const int threads : {256, 512}) {
    add_wide<true, 4, false, false>(all, "tensor, fewer lanes gather", s, offset, threads, of_tile(126), 0, 4);
    for (const int blocks : {64, 128}) {
      const int n = of_tile(blocks);
      add_wide<true, 4, true, false>(all, "clusters of 8", s, offset, threads, n, 3);
      add_wide<true, 8, true, false>(all, "clusters of 8", s, offset, threads, n, 3);
      add_wide<true, 4, true, false>(all, "clusters of 16", s, offset, threads, n, 4);
      add_wide<true, 8, true, false>(all, "clusters of 16", s, offset, threads, n, 4);
    }
  }
}

#endif
#ifdef WITH_TALL
template <int in_flight, bool rehearsed>
void add_tall(std::vector<Launch>& all, const char* family, const Shape& s, int threads, int blocks) {
  const WideLaunch w = shape_tall(s.rows, s.cols, s.lda, threads, blocks, in_flight);
  if (w.warp_loads < in_flight && in_flight > 2) return;  // an instance with fewer loads has it
  if (w.args.splits > 2 * blocks) return;
  char text[200];
  std::snprintf(text, sizeof text, "%d x %d + %d blocks of %d, 2 x %d loads, gather by %d", w.tiles, w.args.splits, w.gather_blocks,
                threads, in_flight, 1 << w.args.log2_grouped);
  for (const Launch& l : all)
    if (l.family == family && l.text == text) return;
  Launch l{.family = family, .text = text, .alone = entry<kernels::GemvTTall<ElementsB, in_flight, false, rehearsed>>,
           .queued = entry<kernels::GemvTTall<ElementsB, in_flight, true, rehearsed>>, .args = w.args, .grid = w.grid,
           .threads = threads, .shared = w.shared, .gathers = true};
  set_scalar(l.args.alpha, 1.0f), set_scalar(l.args.beta, 0.0f);
  all.push_back(l);
}
// gemv_t_tensor in clusters, as planned; 16 blocks of a cluster too.
template <int columns, int in_flight>
void add_tensor_t(std::vector<Launch>& all, const Shape& s, int threads, int log2_cluster) {
  Launch l{.family = "gemv_t_tensor", .alone = entry<kernels::GemvTTensor<ElementsB, columns, in_flight, false, false, true>>,
           .queued = entry<kernels::GemvTTensor<ElementsB, columns, in_flight, false, true, true>>};
  const WideLaunch w = shape_library_t(s.rows, s.cols, s.lda, columns, threads, log2_cluster);
  l.args = w.args, l.threads = threads, l.cluster = w.cluster, l.grid = w.grid, l.shared = w.shared;
  char text[100];
  std::snprintf(text, sizeof text, "%lld clusters of %d blocks of %d, %d x %d loads", (long long)w.tiles, l.cluster, threads, columns, in_flight);
  l.text = text;
  set_scalar(l.args.alpha, 1.0f), set_scalar(l.args.beta, 0.0f);
  if (log2_cluster > 3)
    for (const Kernel k : {l.alone, l.queued}) CK(cudaFuncSetAttribute(k, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  all.push_back(l);
}
static void tall_launches(std::vector<Launch>& all, const Shape& s, bool quick) {
  add_tensor_t<2, 2>(all, s, 256, 3);
  add_tensor_t<4, 4>(all, s, 256, 3);
  add_tensor_t<4, 4>(all, s, 128, 3);
  if (!quick) add_tensor_t<2, 2>(all, s, 256, 4);
  const int tiles = static_cast<int>(up(s.cols, 16));
  for (const int blocks : {64, 120, 128, 190, 256, 400})
    for (const int threads : {128, 256, 512}) {
      const int n = std::max(1, blocks / tiles);
      add_tall<2, false>(all, "tall", s, threads, n);
      add_tall<3, false>(all, "tall", s, threads, n);
      add_tall<4, false>(all, "tall", s, threads, n);
      add_tall<5, false>(all, "tall", s, threads, n);
      if (!quick) add_tall<3, true>(all, "tall, rehearsed", s, threads, n);
    }
}
#endif

static void run(const Shape& s, int offset, const std::function<void(std::vector<Launch>&)>& launches) {
  Pool p{.s = s};
  const auto round = [](std::size_t b) { return (b + 255) / 256 * 256; };
  p.offset = offset;
  p.a_bytes = round(static_cast<std::size_t>(s.lda * s.cols * 2 + 16));
  p.x_bytes = round(static_cast<std::size_t>(p.terms() * 2));
  p.stride = p.a_bytes + p.x_bytes;
  p.sets = static_cast<int>(std::clamp<std::size_t>(260'000'000 / p.stride, 40, 320));
  CK(cudaMalloc(&p.data, p.stride * static_cast<std::size_t>(p.sets)));
  CK(cudaMalloc(&p.y, static_cast<std::size_t>(p.sets) * 8192));
  fill<<<1024, 256, 0, S>>>(reinterpret_cast<unsigned short*>(p.data), p.stride / 2 * static_cast<std::size_t>(p.sets), 7);
  CK(cudaStreamSynchronize(S));
  reference(p);
  std::vector<Launch> all;
  launches(all);
  const double bytes = double(s.rows * s.cols * 2) + double(p.terms() + p.outputs()) * 2, floor = 1.45 + bytes / 4.6e6;
  std::printf("== b %c %lldx%lld lda %lld offset %d: %.2f MB, floor alone %.2f us, %zu launches\n", s.transposed ? 'T' : 'N', s.rows,
              s.cols, s.lda, offset, bytes / 1e6, floor, all.size());
  std::map<std::string, std::vector<Launch*>> by_family;
  for (Launch& l : all) {
    l.right = check(p, l, false) && check(p, l, true);
    if (!l.right) continue;
    time_alone(p, l);
    by_family[l.family].push_back(&l);
  }
  for (auto& [family, of] : by_family) {
    std::sort(of.begin(), of.end(), [](const Launch* a, const Launch* b) { return a->us < b->us; });
    for (std::size_t i = 0; i < of.size() && i < 3; ++i) {
      time_queue(p, *of[i]);
      std::printf("%-28s alone %5.2f (%.2f)  queue %5.2f   %s\n", family.c_str(), of[i]->us, floor / of[i]->us, of[i]->queue,
                  of[i]->text.c_str());
    }
    // The best launch without the blocks that gather: what loads, sums of a block and publishing take.
    if (of[0]->gathers) {
      Launch cut = *of[0];
      cut.grid.y = cut.args.splits;
      time_alone(p, cut);
      CK(cudaMemset(boxes, 0, box_bytes));
      std::printf("%-28s alone %5.2f\n", "  nobody gathers (y is wrong)", cut.us);
    }
  }
  std::fflush(stdout);
  CK(cudaFree(p.data));
  CK(cudaFree(p.y));
}

int main(int argc, char**) {
  const bool quick = argc > 1;
  CK(cudaStreamCreate(&S));
  CK(cudaMalloc(&boxes, box_bytes));
  CK(cudaMemset(boxes, 0, box_bytes));
  CK(cudaMalloc(&timed_out, 256));
  CK(cudaMemset(timed_out, 0, 256));
  empty<<<132, 256, 0, S>>>();
  CK(cudaStreamSynchronize(S));
  between_us = time_graph(256, [&](int) { empty<<<132, 256, 0, S>>>(); });
  between_us = std::min(between_us, time_graph(256, [&](int) { empty<<<132, 256, 0, S>>>(); }));
  std::printf("empty kernel between two calls: %.2f us (0.60 is fast, 1.00 is slow: then run again)\n", between_us);
#ifdef WITH_WIDE
  const auto n = [&](long long rows, long long cols, int lanes, int tiles, int splits, int offset = 0, long long pad = 0) {
    const Shape s{rows, cols, rows + pad};
    run(s, offset, [&](std::vector<Launch>& all) {
      if (lanes > 0) add_library(all, s, lanes, tiles, splits);
      wide_launches(all, s, offset, quick || lanes == 0);
    });
  };
  const auto small = [&](long long rows, long long cols, int threads, int lanes, int tiles) {
    const Shape s{rows, cols, rows};
    run(s, 0, [&](std::vector<Launch>& all) {
      add_library_small(all, s, threads, lanes, tiles);
      wide_launches(all, s, 0, true);
    });
  };
  n(55, 26008, 4, 3, 44);
  n(16, 26008, 2, 1, 33);
  n(16, 89181, 2, 1, 66);
  n(645, 2212, 4, 26, 5);
  n(188, 7585, 4, 8, 16);
  n(55, 89181, 4, 3, 66);
  n(188, 26008, 4, 8, 33);
  n(2212, 645, 8, 39, 3);
  small(55, 7585, 256, 4, 14);
  small(16, 7585, 256, 4, 4);
  small(188, 2212, 512, 16, 12);
  small(55, 2212, 256, 8, 7);
  n(55, 26008, 0, 0, 0, 3, 2);  // gaps, an odd A: right, and how much slower
  n(16, 26008, 0, 0, 0, 5, 0);
#endif
#ifdef WITH_TALL
  const auto t = [&](long long rows, long long cols) {
    const Shape s{rows, cols, rows, true};
    run(s, 0, [&](std::vector<Launch>& all) { tall_launches(all, s, quick); });
  };
  t(89181, 16);
  t(305799, 16);
  t(26008, 16);
  t(89181, 55);
#endif
  unsigned late = 0;
  CK(cudaMemcpy(&late, timed_out, 4, cudaMemcpyDeviceToHost));
  std::printf("done; polls that gave up: %u\n", late);
}
