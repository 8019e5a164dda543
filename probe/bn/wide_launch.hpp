// Host side of gemv_n_wide: the launch of a shape. What a plan would hold.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "kernels/args.hpp"
#include "launch/launcher.hpp"

struct WideLaunch {
  onepass::kernels::GemvArgs args;
  onepass::Grid grid;
  int threads = 256, cluster = 1;
  std::size_t shared = 0, workspace = 0;
  int tiles = 1, gather_blocks = 0;
  int warp_loads = 0;  // vectors that the busiest thread has
};

inline std::int64_t up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// `offset`: of A from a 16-byte boundary, in elements. `blocks`: that share a sum, wished for.
inline WideLaunch shape_wide(std::int64_t rows, std::int64_t cols, std::int64_t lda, int offset, int threads,
                             std::int64_t blocks, int log2_cluster, int in_flight, int log2_gathering = -1) {
  WideLaunch l;
  l.threads = threads;
  l.cluster = 1 << log2_cluster;
  const int classes = 8 / static_cast<int>(std::gcd<std::int64_t>(8, lda));
  const int slack = classes > 1 ? 7 : offset;
  const std::int64_t need = rows + slack;
  const int log2_lanes = need <= 16 ? 1 : need <= 32 ? 2 : 3;
  const std::int64_t most = (8 << log2_lanes) - (rows > (8 << log2_lanes) - slack && slack > 0 ? 7 : slack);
  l.tiles = static_cast<int>(up(rows, most));
  const std::int64_t tile = l.tiles == 1 ? rows : slack > 0 ? up(rows, l.tiles) : most;
  auto& g = l.args;
  g.rows = rows, g.cols = cols, g.lda = lda, g.incx = 1, g.incy = 1;
  g.log2_lanes = log2_lanes;
  g.log2_step = std::countr_zero(static_cast<unsigned>(classes));
  g.tile = static_cast<int>(tile);
  g.log2_cluster = log2_cluster;
  g.log2_groups = std::countr_zero(static_cast<unsigned>(threads / 32 * 4 * (8 >> log2_lanes)));
  const std::int64_t in_a_round = std::int64_t{in_flight} << g.log2_groups;
  const std::int64_t wished = std::max({up(blocks, l.cluster) * l.cluster, std::int64_t{2}, up(cols, in_a_round)});
  g.chunk = up(up(cols, wished), classes) * classes;
  g.splits = static_cast<int>(up(cols, g.chunk << log2_cluster));
  const int outputs = 8 << log2_lanes;
  int lanes = 2;
  while (lanes < 5 && g.splits > 4 << lanes) ++lanes;
  g.log2_grouped = log2_gathering >= 0 ? log2_gathering : lanes;
  const std::int64_t fours = static_cast<std::int64_t>(l.tiles) * outputs / 4;
  const std::int64_t of_block = onepass::kernels::gemv_gathering_threads >> g.log2_grouped;
  const std::int64_t grid_x = static_cast<std::int64_t>(l.tiles) << log2_cluster;
  const std::int64_t gather_rows = up(up(l.tiles == 1 ? up(rows, 4) : fours, of_block), grid_x);
  l.gather_blocks = static_cast<int>(gather_rows * grid_x);
  l.grid = {.x = grid_x, .y = g.splits + gather_rows, .z = 1};
  const int warps = threads / 32, sets = 8 >> log2_lanes;
  l.shared = static_cast<std::size_t>(warps * sets * (outputs + 8) * 4);
  if (log2_cluster > 0) l.shared += static_cast<std::size_t>(16 + ((1 << log2_cluster) - 1) * outputs * 4);
  l.workspace = static_cast<std::size_t>(fours * g.splits * 16);
  l.warp_loads = static_cast<int>(up(g.chunk, warps * 4 * sets));
  return l;
}

template <class T>
void set_scalar(onepass::kernels::Scalar& s, T value) {
  std::memcpy(s.bytes, &value, sizeof(T));
}
