// gemv_n_wide on the simulator: values against sums in double precision, one pass over A, the same bits in every order
// of blocks and threads, infinities that stay in their rows.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include "backends/sim/launcher.hpp"
#include "backends/sim/memory_map.hpp"
#include "kernels/gemv_n_wide.hpp"
#include "kernels/gemv_t_tall.hpp"
#include "types/elements.hpp"
#include "tall_launch.hpp"
#include "wide_launch.hpp"

using namespace onepass;
using namespace onepass::sim;

static int failures = 0, launches = 0;
static std::int64_t conflicts = 0, accesses = 0;

struct Spec {
  std::int64_t rows, cols, pad;
  int offset, threads, blocks, log2_cluster;
  std::int64_t incx = 1, incy = 1;
  float alpha = 1, beta = 0;
  bool settled = false, wide_y = false;
  int special = 0;  // 1: infinities and NaN in A, 2: an infinity in x, 3: NaN in gaps
};

template <class E, bool tensor, int in_flight, bool early, bool clustered, bool rehearsed = false>
void test(const Spec& s, const char* name) {
  using A = typename E::A;
  const std::int64_t lda = s.rows + s.pad;
  std::mt19937 rng(static_cast<unsigned>(s.rows * 7919 + s.cols * 31 + s.offset));
  std::uniform_real_distribution<float> dist(-1, 1);
  std::vector<A> store(static_cast<std::size_t>(lda * s.cols + 64));
  auto base = reinterpret_cast<std::uintptr_t>(store.data());
  A* a = store.data() + ((16 - base % 16) % 16) / 2 + s.offset;
  const auto nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  for (auto& v : store) v = rounded<A>(s.special == 3 ? nan : 0.f);
  for (std::int64_t c = 0; c < s.cols; ++c)
    for (std::int64_t r = 0; r < s.rows; ++r) a[r + c * lda] = rounded<A>(dist(rng));
  if (s.special == 1) {
    a[3 + 5 * lda] = rounded<A>(inf);
    a[4 + (s.cols - 1) * lda] = rounded<A>(-inf);
    a[9 + 17 * lda] = rounded<A>(nan);
    a[s.rows - 1 + (s.cols - 1) * lda] = rounded<A>(inf);
    a[0] = rounded<A>(inf);
  }
  const std::int64_t ax = std::abs(s.incx), ay = std::abs(s.incy);
  std::vector<A> x(static_cast<std::size_t>(1 + (s.cols - 1) * ax));
  for (auto& v : x) v = rounded<A>(dist(rng));
  if (s.special == 2) x[0] = rounded<A>(inf), x[x.size() - 1] = rounded<A>(-inf);
  std::vector<A> y0(static_cast<std::size_t>(1 + (s.rows - 1) * ay));
  for (auto& v : y0) v = rounded<A>(s.beta == 0 ? nan : dist(rng));
  std::vector<float> yw0(y0.size());
  for (std::size_t i = 0; i < y0.size(); ++i) yw0[i] = s.beta == 0 ? nan : dist(rng);

  WideLaunch l = shape_wide(s.rows, s.cols, lda, s.offset, s.threads, s.blocks, s.log2_cluster, in_flight);
  const A* x_first = s.incx < 0 ? x.data() + (s.cols - 1) * ax : x.data();
  l.args.a = a, l.args.x = x_first, l.args.incx = s.incx, l.args.incy = s.incy, l.args.wide_y = s.wide_y;
  set_scalar(l.args.alpha, s.alpha), set_scalar(l.args.beta, s.beta);
  l.args.settled_x = s.settled, l.args.opens_first = s.settled;
  std::vector<float> boxes(l.workspace / 4 + 4);
  auto* mail = reinterpret_cast<float*>((reinterpret_cast<std::uintptr_t>(boxes.data()) + 15) / 16 * 16);
  l.args.mailboxes = mail;

  std::vector<double> want(static_cast<std::size_t>(s.rows)), scale(want.size());
  for (std::int64_t r = 0; r < s.rows; ++r) {
    double sum = 0, sc = 0;
    if (s.alpha != 0)
      for (std::int64_t c = 0; c < s.cols; ++c) {
        const double term = double(as<float>(a[r + c * lda])) * double(as<float>(x_first[c * s.incx]));
        sum += term, sc += std::abs(term);
      }
    want[static_cast<std::size_t>(r)] = s.alpha == 0 ? 0 : s.alpha * sum, scale[static_cast<std::size_t>(r)] = std::abs(s.alpha) * sc;
  }
  std::vector<float> first_bits;
  for (int order = 0; order < (s.special ? 1 : 3); ++order) {
    std::vector<A> y = y0;
    std::vector<float> yw = yw0;
    A* y_first = s.incy < 0 ? y.data() + (s.rows - 1) * ay : y.data();
    float* yw_first = s.incy < 0 ? yw.data() + (s.rows - 1) * ay : yw.data();
    l.args.y = s.wide_y ? static_cast<void*>(yw_first) : y_first;
    MemoryMap memory;
    if (s.alpha != 0) {
      memory.add(Role::matrix, {.rows = s.rows, .cols = s.cols, .lda = lda, .element = 2}, a);
      memory.add(Role::x, vector_pattern(s.cols, s.incx, 2), x.data());
    }
    memory.add(Role::y, vector_pattern(s.rows, s.incy, s.wide_y ? 4 : 2), s.wide_y ? static_cast<const void*>(yw.data()) : y.data());
    if (s.beta == 0) memory.forbid_reading_output();
    memory.settle(early, s.settled);
    memory.add(Role::workspace, {.rows = static_cast<std::int64_t>(l.workspace) / 4, .element = 4}, mail);
    options() = {};
    if (order == 1) options().block_order = BlockOrder::descending, options().reverse_threads = true;
    if (order == 2) options().block_order = BlockOrder::shuffled, options().seed = 11;
    const Status status = SimLauncher{&memory}.run<kernels::GemvNWide<E, tensor, in_flight, early, clustered, rehearsed>>(
        l.grid, l.threads, l.shared, l.args, l.cluster);
    ++launches;
    const auto fail = [&](const char* what, double x1, double x2) {
      if (++failures < 30)
        std::printf("FAIL %s %lldx%lld pad %lld off %d thr %d blocks %d cl %d incx %lld sp %d order %d: %s %g %g\n", name,
                    (long long)s.rows, (long long)s.cols, (long long)s.pad, s.offset, s.threads, s.blocks,
                    s.log2_cluster, (long long)s.incx, s.special, order, what, x1, x2);
    };
    if (!status.ok()) return fail(status.text.c_str(), 0, 0);
    const Counters& n = last_counters();
    conflicts += n.bank_conflicts, accesses += n.shared_accesses;
    if (s.alpha != 0 && !s.special && (n.matrix_elements_again || n.matrix_elements_never || n.matrix_elements_unneeded))
      return fail("not one pass", double(n.matrix_elements_again), double(n.matrix_elements_never));
    if (n.outputs_never) return fail("outputs never written", double(n.outputs_never), 0);
    for (std::size_t i = 0; i < l.workspace / 4; ++i)
      if (mail[i] != 0) return fail("mailbox left full", double(i), double(mail[i]));
    std::vector<float> bits;
    for (std::int64_t r = 0; r < s.rows; ++r) {
      const float got = s.wide_y ? yw_first[r * s.incy] : as<float>(y_first[r * s.incy]);
      const float old = s.wide_y ? (s.incy < 0 ? yw0.data() + (s.rows - 1) * ay : yw0.data())[r * s.incy]
                                 : as<float>((s.incy < 0 ? y0.data() + (s.rows - 1) * ay : y0.data())[r * s.incy]);
      const double w = want[static_cast<std::size_t>(r)] + (s.beta == 0 ? 0 : double(s.beta) * double(old));
      const double eps = std::is_same_v<A, Half> ? 1 / 2048. : 1 / 256.;
      const double bound = (s.wide_y ? 1e-7 : eps) * std::abs(w) + 1e-6 * (scale[static_cast<std::size_t>(r)] + 1) +
                           (std::is_same_v<A, Half> ? 1e-4 : 0);
      const bool same = std::isnan(w) ? std::isnan(got) : std::isinf(w) ? double(got) == w : std::abs(double(got) - w) <= bound;
      if (!same) return fail("value", double(got), w);
      bits.push_back(got);
    }
    if (order == 0) first_bits = bits;
    else if (std::memcmp(first_bits.data(), bits.data(), bits.size() * 4) != 0) fail("bits differ by order", 0, 0);
  }
}

template <class E, int in_flight>
void all_forms(const Spec& s, int turn) {
  const bool cl = s.log2_cluster > 0;
  if (turn % 2 == 0) {
    if (cl) test<E, true, in_flight, false, true>(s, "tensor cluster"); else test<E, true, in_flight, false, false, true>(s, "tensor");
    if (cl) test<E, false, in_flight, true, true>(s, "plain cluster early"); else test<E, false, in_flight, true, false>(s, "plain early");
  } else {
    if (cl) test<E, true, in_flight, true, true>(s, "tensor cluster early"); else test<E, true, in_flight, true, false>(s, "tensor early");
    if (cl) test<E, false, in_flight, false, true>(s, "plain cluster"); else test<E, false, in_flight, false, false>(s, "plain");
  }
}

template <class E, int in_flight, bool early, bool rehearsed>
void test_tall(const Spec& s) {
  using A = typename E::A;
  const std::int64_t lda = s.rows + s.pad;
  std::mt19937 rng(static_cast<unsigned>(s.rows * 7919 + s.cols * 31 + s.offset));
  std::uniform_real_distribution<float> dist(-1, 1);
  const auto nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const auto aligned = [](A* p) { return p + ((16 - reinterpret_cast<std::uintptr_t>(p) % 16) % 16) / 2; };
  std::vector<A> store(static_cast<std::size_t>(lda * s.cols + 64), rounded<A>(nan)), xs(static_cast<std::size_t>(s.rows + 64), rounded<A>(nan));
  A* const a = aligned(store.data()) + s.offset;
  A* const x = aligned(xs.data()) + s.special;  // its offset
  for (std::int64_t c = 0; c < s.cols; ++c)
    for (std::int64_t r = 0; r < s.rows; ++r) a[r + c * lda] = rounded<A>(dist(rng));
  for (std::int64_t r = 0; r < s.rows; ++r) x[r] = rounded<A>(dist(rng));
  if (s.special == 5) a[s.rows / 2 + lda] = rounded<A>(inf), a[0] = rounded<A>(nan);
  WideLaunch l = shape_tall(s.rows, s.cols, lda, s.threads, s.blocks, in_flight);
  l.args.a = a, l.args.x = x, l.args.incy = s.incy, l.args.wide_y = s.wide_y;
  set_scalar(l.args.alpha, s.alpha), set_scalar(l.args.beta, s.beta);
  l.args.settled_x = s.settled, l.args.opens_first = s.settled;
  std::vector<float> boxes(l.workspace / 4 + 4);
  auto* mail = reinterpret_cast<float*>((reinterpret_cast<std::uintptr_t>(boxes.data()) + 15) / 16 * 16);
  l.args.mailboxes = mail;
  const std::int64_t ay = std::abs(s.incy);
  std::vector<float> first_bits;
  for (int order = 0; order < 3; ++order) {
    std::vector<A> y(static_cast<std::size_t>(1 + (s.cols - 1) * ay), rounded<A>(s.beta == 0 ? nan : 0.5f));
    A* const y_first = s.incy < 0 ? y.data() + (s.cols - 1) * ay : y.data();
    l.args.y = y_first;
    MemoryMap memory;
    if (s.alpha != 0) {
      memory.add(Role::matrix, {.rows = s.rows, .cols = s.cols, .lda = lda, .element = 2}, a);
      memory.add(Role::x, vector_pattern(s.rows, 1, 2), x);
    }
    memory.add(Role::y, vector_pattern(s.cols, s.incy, 2), y.data());
    if (s.beta == 0) memory.forbid_reading_output();
    memory.settle(early, s.settled);
    memory.add(Role::workspace, {.rows = static_cast<std::int64_t>(l.workspace) / 4, .element = 4}, mail);
    options() = {};
    if (order == 1) options().block_order = BlockOrder::descending, options().reverse_threads = true;
    if (order == 2) options().block_order = BlockOrder::shuffled, options().seed = 5;
    const Status status = SimLauncher{&memory}.run<kernels::GemvTTall<E, in_flight, early, rehearsed>>(l.grid, l.threads, l.shared, l.args);
    ++launches;
    const auto fail = [&](const char* what, double x1, double x2) {
      if (++failures < 30)
        std::printf("FAIL tall %lldx%lld pad %lld off %d x off %d thr %d blocks %d order %d: %s %g %g\n", (long long)s.rows,
                    (long long)s.cols, (long long)s.pad, s.offset, s.special, s.threads, s.blocks, order, what, x1, x2);
    };
    if (!status.ok()) return fail(status.text.c_str(), 0, 0);
    const Counters& n = last_counters();
    if (s.alpha != 0 && (n.matrix_elements_again || n.matrix_elements_never || n.matrix_elements_unneeded))
      return fail("not one pass", double(n.matrix_elements_again), double(n.matrix_elements_never));
    if (n.outputs_never) return fail("outputs never written", double(n.outputs_never), 0);
    for (std::size_t i = 0; i < l.workspace / 4; ++i)
      if (mail[i] != 0) return fail("mailbox left full", double(i), double(mail[i]));
    std::vector<float> bits;
    for (std::int64_t c = 0; c < s.cols; ++c) {
      double w = 0, sc = 0;
      for (std::int64_t r = 0; r < s.rows; ++r) {
        const double term = double(as<float>(a[r + c * lda])) * double(as<float>(x[r]));
        w += term, sc += std::abs(term);
      }
      if (s.alpha == 0) w = sc = 0;
      w = s.alpha * w + (s.beta == 0 ? 0 : s.beta * 0.5);
      const float got = as<float>(y_first[c * s.incy]);
      const double eps = std::is_same_v<A, Half> ? 1 / 2048. : 1 / 256.;
      const bool same = std::isnan(w) ? std::isnan(got) : std::isinf(w) ? double(got) == w : std::abs(double(got) - w) <= eps * std::abs(w) + 1e-6 * (sc + 1) + 1e-4;
      if (!same) return fail("value", double(got), w);
      bits.push_back(got);
    }
    if (order == 0) first_bits = bits;
    else if (std::memcmp(first_bits.data(), bits.data(), bits.size() * 4) != 0) fail("bits differ by order", 0, 0);
  }
}

int main(int argc, char**) {
  int turn = 0;
  for (const std::int64_t rows : {33, 1000, 2049, 4001})
    for (const std::int64_t cols : {1, 7, 8, 13, 16, 17, 40})
      for (const std::int64_t pad : {0, 1, 5})
        for (const int offset : {0, 1, 6})
          for (const int x_offset : {0, 1, 4, 5}) {
            if (++turn % 3 != 0) continue;
            Spec s{.rows = rows, .cols = cols, .pad = pad, .offset = offset, .threads = turn % 4 ? 256 : 512, .blocks = turn % 5 == 0 ? 1 : 9, .log2_cluster = 0};
            s.special = x_offset, s.incy = turn % 4 == 1 ? -2 : 1, s.settled = turn % 7 == 0;
            if (turn % 5 == 1) s.alpha = -0.5f, s.beta = 1.5f;
            if (turn % 19 == 0) s.alpha = 0, s.beta = 2;
            if (turn % 2) test_tall<ElementsB, 4, true, false>(s); else s.settled = false, test_tall<ElementsH, 3, false, true>(s);
          }
  std::printf("tall: %d launches, %d failures\n", launches, failures);
  if (argc > 1) return failures != 0;
  for (const std::int64_t rows : {16, 17, 23, 24, 31, 32, 33, 55, 57, 58, 59, 64, 65, 100, 129})
    for (const std::int64_t cols : {65, 513, 1027})
      for (const std::int64_t pad : {0, 1, 3, 8, 4})
        for (const int offset : {0, 1, 3, 6, 7}) {
          if (++turn % 3 != 0) continue;
          Spec s{.rows = rows, .cols = cols, .pad = pad, .offset = offset, .threads = turn % 4 ? 256 : 512,
                 .blocks = turn % 5 == 0 ? 2 : turn % 5 == 1 ? 7 : 23, .log2_cluster = turn % 7 == 0 ? 3 : turn % 7 == 1 ? 1 : 0};
          s.settled = turn % 2 == 0 && turn % 11 == 0;
          if (turn % 4 == 0) s.incx = 3, s.incy = -2;
          if (turn % 4 == 1) s.incx = -2, s.beta = 1.5f;
          if (turn % 4 == 2) s.alpha = -0.5f, s.beta = 1, s.wide_y = true;
          if (turn % 17 == 0) s.alpha = 0, s.beta = 2;
          if (turn % 2) all_forms<ElementsB, 4>(s, turn); else all_forms<ElementsH, 8>(s, turn);
        }
  std::printf("grid of shapes: %d launches, %d failures\n", launches, failures);
  for (const std::int64_t rows : {16, 24, 55, 64, 100})
    for (const std::int64_t pad : {0, 5})
      for (const int offset : {0, 5})
        for (const int special : {1, 2, 3})
          for (const int cl : {0, 2}) {
            Spec s{.rows = rows, .cols = 300, .pad = pad, .offset = offset, .threads = 256, .blocks = 9, .log2_cluster = cl};
            s.special = special;
            all_forms<ElementsB, 4>(s, ++turn);
            all_forms<ElementsH, 4>(s, turn);
          }
  std::printf("special values too: %d launches, %d failures\n", launches, failures);
  // The launches of the probe, smaller in columns.
  Spec s{.rows = 55, .cols = 26008 / 4, .pad = 0, .offset = 0, .threads = 512, .blocks = 126, .log2_cluster = 0};
  all_forms<ElementsB, 4>(s, 0);
  s.rows = 645, s.cols = 2212, s.blocks = 11;
  all_forms<ElementsB, 4>(s, 1);
  s.rows = 16, s.cols = 26008, s.blocks = 128, s.threads = 256, s.log2_cluster = 3;
  all_forms<ElementsB, 4>(s, 0);
  std::printf("all: %d launches, %d failures; shared accesses %lld, conflicts %lld\n", launches, failures, (long long)accesses, (long long)conflicts);
  return failures != 0;
}
