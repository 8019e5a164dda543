// Launches of gemv_n and gemv_t_tensor as today's plans have them.
#pragma once
#include "wide_launch.hpp"

inline WideLaunch shape_library_n(std::int64_t rows, std::int64_t cols, std::int64_t lda, int lanes, int tiles, int splits) {
  WideLaunch l;
  auto& g = l.args;
  g.rows = rows, g.cols = cols, g.lda = lda, g.incx = g.incy = 1;
  g.log2_lanes = std::countr_zero(static_cast<unsigned>(lanes)), g.log2_groups = 8 - g.log2_lanes;
  g.tile = static_cast<int>(up(rows, tiles)), g.chunk = up(cols, splits);
  g.splits = static_cast<int>(up(cols, g.chunk));
  if (up(static_cast<std::int64_t>(g.splits) * lanes * 8, 512) > 4) g.log2_grouped = 4;
  l.tiles = tiles;
  l.grid = {.x = tiles, .y = g.splits};
  l.shared = 256 * 9 * 4;
  l.workspace = static_cast<std::size_t>(tiles) * static_cast<std::size_t>(g.splits) * static_cast<std::size_t>(lanes) * 32;
  return l;
}

// gemv_n_small in clusters of 8.
inline WideLaunch shape_library_small(std::int64_t rows, std::int64_t cols, std::int64_t lda, int threads, int lanes, int tiles) {
  WideLaunch l;
  auto& g = l.args;
  g.rows = rows, g.cols = cols, g.lda = lda, g.incx = g.incy = 1;
  g.log2_lanes = std::countr_zero(static_cast<unsigned>(lanes));
  g.log2_groups = std::countr_zero(static_cast<unsigned>(threads / lanes));
  g.tile = static_cast<int>(up(rows, tiles)), g.chunk = up(cols, 8), g.splits = 1, g.log2_cluster = 3;
  l.tiles = tiles, l.threads = threads, l.cluster = 8;
  l.grid = {.x = tiles * 8};
  l.shared = static_cast<std::size_t>(16 + 7 * lanes * 4 + threads / lanes * (lanes + 1) * 4 + threads / 32 * 4);
  return l;
}

inline WideLaunch shape_library_t(std::int64_t rows, std::int64_t cols, std::int64_t lda, int columns, int threads, int log2_cluster) {
  WideLaunch l;
  const std::int64_t classes = 8 / std::gcd<std::int64_t>(8, lda), vectors = up(rows + 7, 8);
  auto& g = l.args;
  g.rows = rows, g.cols = cols, g.lda = lda, g.incx = g.incy = 1;
  g.log2_groups = 0, g.log2_step = std::countr_zero(static_cast<unsigned>(classes)), g.log2_cluster = log2_cluster;
  g.chunk = up(vectors, 1 << log2_cluster), g.splits = 1;
  l.tiles = static_cast<int>(classes * up(up(cols, classes), columns));
  l.threads = threads, l.cluster = 1 << log2_cluster;
  l.grid = {.x = static_cast<std::int64_t>(l.tiles) << log2_cluster};
  l.shared = static_cast<std::size_t>(16 + (threads / 32 + l.cluster - 1) * columns * 4);
  return l;
}
