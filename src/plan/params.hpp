// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a kernel's launch is shaped by, one struct for each kind of launch: a field means one thing.
//
// Each names its fields once, for printing, saving and loading.
#pragma once

#include <cstdint>
#include <variant>

namespace onepass {

// gemv_n, gemv_t and gemv_t_once: tiles of outputs, and splits of each sum (split-K).
struct GemvParams {
  int lanes = 1;            // threads along the contiguous dimension; threads / lanes groups across it
  std::int64_t tile = 1;    // outputs of a block
  std::int64_t tiles = 1;   // blocks that own different outputs
  std::int64_t splits = 1;  // blocks that share one sum
  std::int64_t chunk = 0;   // of the summed dimension for a split: in columns (gemv_n), or in 16-byte vectors
  std::int64_t products_per_block = 1;  // of a batch, one after the other
  std::int64_t prefetch_blocks = 0;     // that prefetch before the grid-dependency wait: at most what the device holds
  int prefetch_vectors = 0;             // of each of their threads

  static constexpr const char* kind = "gemv";
  template <class Self, class Visit>
  static void fields(Self& self, Visit visit) {
    visit("lanes", self.lanes);
    visit("tile", self.tile);
    visit("tiles", self.tiles);
    visit("splits", self.splits);
    visit("chunk", self.chunk);
    visit("products_per_block", self.products_per_block);
    visit("prefetch_blocks", self.prefetch_blocks);
    visit("prefetch_vectors", self.prefetch_vectors);
  }
  bool operator==(const GemvParams&) const = default;
};

// gemv_flat: a batch as one array without gaps, in shares of whole sums.
struct FlatParams {
  int lanes = 1;             // threads along a sum
  std::int64_t outputs = 1;  // of a block
  std::int64_t blocks = 1;
  bool prefetch = false;  // before the grid-dependency wait

  static constexpr const char* kind = "flat";
  template <class Self, class Visit>
  static void fields(Self& self, Visit visit) {
    visit("lanes", self.lanes);
    visit("outputs", self.outputs);
    visit("blocks", self.blocks);
    visit("prefetch", self.prefetch);
  }
  bool operator==(const FlatParams&) const = default;
};

// symv: a triangle as strips of rows, cut into units (a column for each warp), in equal shares.
struct SymvParams {
  std::int64_t strip_rows = 1;
  std::int64_t strips = 1;
  std::int64_t blocks = 1;  // of a product
  std::int64_t units = 0;   // of a block
  bool prefetch = false;    // before the grid-dependency wait

  static constexpr const char* kind = "symv";
  template <class Self, class Visit>
  static void fields(Self& self, Visit visit) {
    visit("strip_rows", self.strip_rows);
    visit("strips", self.strips);
    visit("blocks", self.blocks);
    visit("units", self.units);
    visit("prefetch", self.prefetch);
  }
  bool operator==(const SymvParams&) const = default;
};

// symv_small: whole triangles of a batch, in squares of 32 x 32 or pieces of them.
struct SymvSmallParams {
  std::int64_t products = 1;  // of a block, a power of two
  std::int64_t blocks = 1;
  std::int64_t pieces = 0;  // of a warp
  bool prefetch = false;    // before the grid-dependency wait

  static constexpr const char* kind = "symv_small";
  template <class Self, class Visit>
  static void fields(Self& self, Visit visit) {
    visit("products", self.products);
    visit("blocks", self.blocks);
    visit("pieces", self.pieces);
    visit("prefetch", self.prefetch);
  }
  bool operator==(const SymvSmallParams&) const = default;
};

// symv_rows: teams of threads that own whole outputs of one triangle.
struct SymvRowsParams {
  std::int64_t outputs = 1;  // of a team: a warp where loads are few, else a block
  std::int64_t blocks = 1;
  bool prefetch = false;  // before the grid-dependency wait

  static constexpr const char* kind = "symv_rows";
  template <class Self, class Visit>
  static void fields(Self& self, Visit visit) {
    visit("outputs", self.outputs);
    visit("blocks", self.blocks);
    visit("prefetch", self.prefetch);
  }
  bool operator==(const SymvRowsParams&) const = default;
};

// symv_squares: squares of one triangle, in runs along its rows.
struct SymvSquaresParams {
  std::int64_t squares = 1;  // of a block, a power of two
  std::int64_t blocks = 1;
  bool prefetch = false;  // before the grid-dependency wait

  static constexpr const char* kind = "symv_squares";
  template <class Self, class Visit>
  static void fields(Self& self, Visit visit) {
    visit("squares", self.squares);
    visit("blocks", self.blocks);
    visit("prefetch", self.prefetch);
  }
  bool operator==(const SymvSquaresParams&) const = default;
};

// ger_flat: a matrix without gaps as one array.
struct GerFlatParams {
  std::int64_t blocks = 1;  // of a product
  bool prefetch = false;    // before the grid-dependency wait

  static constexpr const char* kind = "ger_flat";
  template <class Self, class Visit>
  static void fields(Self& self, Visit visit) {
    visit("blocks", self.blocks);
    visit("prefetch", self.prefetch);
  }
  bool operator==(const GerFlatParams&) const = default;
};

// ger and ger_aligned: tiles of rows in runs of columns.
struct GerParams {
  int lanes = 1;                   // threads along a column
  std::int64_t tiles = 1;          // of rows
  std::int64_t column_blocks = 1;  // blocks with different columns
  std::int64_t columns = 1;        // of a block

  static constexpr const char* kind = "ger";
  template <class Self, class Visit>
  static void fields(Self& self, Visit visit) {
    visit("lanes", self.lanes);
    visit("tiles", self.tiles);
    visit("column_blocks", self.column_blocks);
    visit("columns", self.columns);
  }
  bool operator==(const GerParams&) const = default;
};

// The cpu backend: how threads of the host share a product. With tiles = splits = 1 and several threads, each takes
// whole products of the batch.
struct HostParams {
  std::int64_t tiles = 1;   // threads that own different outputs
  std::int64_t splits = 1;  // threads that share one sum

  static constexpr const char* kind = "host";
  template <class Self, class Visit>
  static void fields(Self& self, Visit visit) {
    visit("tiles", self.tiles);
    visit("splits", self.splits);
  }
  bool operator==(const HostParams&) const = default;
};

// The reference backend: loops have no shape.
struct NoParams {
  static constexpr const char* kind = "none";
  template <class Self, class Visit>
  static void fields(Self&, Visit) {}
  bool operator==(const NoParams&) const = default;
};

using Params = std::variant<NoParams, HostParams, GemvParams, FlatParams, SymvParams, SymvSmallParams, SymvRowsParams,
                            SymvSquaresParams, GerFlatParams, GerParams>;

}  // namespace onepass
