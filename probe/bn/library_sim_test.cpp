#include <cmath>
#include <cstdio>
#include <random>
#include <vector>
#include "backends/sim/launcher.hpp"
#include "backends/sim/memory_map.hpp"
#include "kernels/gemv_n.hpp"
#include "kernels/gemv_n_small.hpp"
#include "kernels/gemv_t_tensor.hpp"
#include "types/elements.hpp"
#include "library_launch.hpp"
using namespace onepass; using namespace onepass::sim;
template <class K> void go(WideLaunch l, bool t, const char* name) {
  auto& g = l.args; std::vector<std::uint16_t> raw(g.rows * g.cols + 16), xr((t ? g.rows : g.cols) + 16);
  std::mt19937 rng(1); std::uniform_real_distribution<float> d(-1, 1);
  auto al = [](std::uint16_t* p) { return reinterpret_cast<Bfloat16*>((reinterpret_cast<std::uintptr_t>(p) + 15) / 16 * 16); };
  Bfloat16 *a = al(raw.data()), *x = al(xr.data()); std::int64_t nx = t ? g.rows : g.cols, ny = t ? g.cols : g.rows;
  for (std::int64_t i = 0; i < g.rows * g.cols; ++i) a[i] = rounded<Bfloat16>(d(rng));
  for (std::int64_t i = 0; i < nx; ++i) x[i] = rounded<Bfloat16>(d(rng));
  std::vector<Bfloat16> y(ny); std::vector<float> box(l.workspace / 4 + 4);
  g.a = a, g.x = x, g.y = y.data(), g.mailboxes = box.data(); set_scalar(g.alpha, 1.f), set_scalar(g.beta, 0.f);
  MemoryMap m; m.add(Role::matrix, {.rows = g.rows, .cols = g.cols, .lda = g.lda, .element = 2}, a); m.add(Role::x, vector_pattern(nx, 1, 2), x);
  m.add(Role::y, vector_pattern(ny, 1, 2), y.data()); m.forbid_reading_output(); if (l.workspace) m.add(Role::workspace, {.rows = (std::int64_t)box.size(), .element = 4}, box.data());
  Status s = SimLauncher{&m}.run<K>(l.grid, l.threads, l.shared, g, l.cluster);
  double worst = 0; for (std::int64_t o = 0; o < ny; ++o) { double w = 0; for (std::int64_t k = 0; k < nx; ++k) w += double(as<float>(t ? a[k + o * g.lda] : a[o + k * g.lda])) * double(as<float>(x[k])); worst = std::max(worst, std::abs(w - as<float>(y[o])) / (std::abs(w) + 1)); }
  std::printf("%s: %s worst %g never %lld again %lld\n", name, s.ok() ? "ok" : s.text.c_str(), worst, (long long)last_counters().matrix_elements_never, (long long)last_counters().matrix_elements_again);
}
int main() {
  using M = kernels::GemvNSmall<ElementsB, 16, false, true>;
  go<M>(shape_library_small(55, 7585, 55, 256, 4, 14), false, "small 55x7585");
  go<M>(shape_library_small(16, 7585, 16, 256, 4, 4), false, "small 16x7585");
  go<M>(shape_library_small(188, 2212, 188, 512, 16, 12), false, "small 188x2212");
  go<M>(shape_library_small(55, 2212, 55, 256, 8, 7), false, "small 55x2212");
  go<kernels::GemvN<ElementsB, Form::plain, Loads::many, false>>(shape_library_n(2212, 645, 2212, 8, 39, 3), false, "2212x645");
  using N = kernels::GemvN<ElementsB, Form::plain, Loads::many, false>;
  go<N>(shape_library_n(55, 26008, 55, 4, 3, 44), false, "55x26008");
  go<N>(shape_library_n(16, 26008, 16, 2, 1, 33), false, "16x26008");
  go<N>(shape_library_n(16, 89181, 16, 2, 1, 66), false, "16x89181");
  go<N>(shape_library_n(645, 2212, 645, 4, 26, 5), false, "645x2212");
  go<N>(shape_library_n(188, 7585, 188, 4, 8, 16), false, "188x7585");
  go<N>(shape_library_n(55, 89181, 55, 4, 3, 66), false, "55x89181");
  go<kernels::GemvTTensor<ElementsB, 2, 2, false, false, true>>(shape_library_t(89181, 16, 89181, 2, 256, 3), true, "89181x16");
  go<kernels::GemvTTensor<ElementsB, 4, 4, false, false, true>>(shape_library_t(89181, 16, 89181, 4, 256, 3), true, "89181x16");
  go<kernels::GemvTTensor<ElementsB, 2, 2, false, false, true>>(shape_library_t(26008, 16, 26008, 2, 256, 4), true, "26008x16 c16");
}
