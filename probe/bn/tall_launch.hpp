// Host side of gemv_t_tall: the launch of a shape.
#pragma once
#include "wide_launch.hpp"

inline WideLaunch shape_tall(std::int64_t rows, std::int64_t cols, std::int64_t lda, int threads, std::int64_t blocks,
                             int in_flight) {
  WideLaunch l;
  l.threads = threads;
  auto& g = l.args;
  g.rows = rows, g.cols = cols, g.lda = lda, g.incx = 1, g.incy = 1;
  g.tile = onepass::kernels::gemv_t_tall_columns;
  l.tiles = static_cast<int>(up(cols, g.tile));
  const std::int64_t vectors = up(rows + 7, 8), most = std::int64_t{threads} / 32 * 4 * in_flight;
  g.chunk = std::min(most, up(up(vectors, std::max<std::int64_t>(blocks, 1)), 4) * 4);
  g.splits = static_cast<int>(up(vectors, g.chunk));
  int lanes = 2;
  while (lanes < 5 && g.splits > 4 << lanes) ++lanes;
  g.log2_grouped = lanes;
  const std::int64_t of_block = onepass::kernels::gemv_gathering_threads >> lanes;
  const std::int64_t gather_rows = up(up(4 * l.tiles, of_block), l.tiles);
  l.gather_blocks = static_cast<int>(gather_rows * l.tiles);
  l.grid = {.x = l.tiles, .y = g.splits + gather_rows, .z = 1};
  l.shared = static_cast<std::size_t>(threads / 32 * g.tile * 4);
  l.workspace = static_cast<std::size_t>(4 * l.tiles * g.splits * 16);
  l.warp_loads = static_cast<int>(up(g.chunk, threads / 32 * 4));
  return l;
}
