// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A plan as a plain value: which kernel, in which shape. It decides nothing and owns nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "plan/kernel_id.hpp"
#include "problem/problem.hpp"
#include "problem/status.hpp"

namespace onepass {

struct DeviceTraits;

// visit(name, field) for each field.
template <std::size_t count, class... Fields>
void visit_each(auto& visit, const char* const (&names)[count], Fields&... fields) {
  static_assert(sizeof...(Fields) == count);
  const char* const* name = names;
  (visit(*name++, fields), ...);
}

// What a launch is shaped by, one struct for each kind of launch: a field means one thing. Each names its fields once,
// for printing, saving and loading. `prefetch`: into the L2, before the grid-dependency wait.

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
  static constexpr const char* names[] = {
      "lanes", "tile", "tiles", "splits", "chunk", "products_per_block", "prefetch_blocks", "prefetch_vectors"};
  static void fields(auto& p, auto visit) {
    visit_each(visit, names, p.lanes, p.tile, p.tiles, p.splits, p.chunk, p.products_per_block, p.prefetch_blocks,
               p.prefetch_vectors);
  }
  bool operator==(const GemvParams&) const = default;
};

// gemv_flat: a batch as one array without gaps, in shares of whole sums.
struct FlatParams {
  int lanes = 1;             // threads along a sum
  std::int64_t outputs = 1;  // of a block
  std::int64_t blocks = 1;
  bool prefetch = false;

  static constexpr const char *kind = "flat", *names[] = {"lanes", "outputs", "blocks", "prefetch"};
  static void fields(auto& p, auto visit) { visit_each(visit, names, p.lanes, p.outputs, p.blocks, p.prefetch); }
  bool operator==(const FlatParams&) const = default;
};

// symv_tiles: a triangle as strips of rows, cut into units (eight columns for each warp), in even shares;
// symv_canonical likewise.
struct SymvParams {
  std::int64_t strip_rows = 1;
  std::int64_t strips = 1;
  std::int64_t blocks = 1;  // of a product
  std::int64_t units = 0;   // of a block

  static constexpr const char *kind = "symv", *names[] = {"strip_rows", "strips", "blocks", "units"};
  static void fields(auto& p, auto visit) { visit_each(visit, names, p.strip_rows, p.strips, p.blocks, p.units); }
  bool operator==(const SymvParams&) const = default;
};

// symv_small: whole triangles of a batch, in squares of 32 x 32 or pieces of them.
struct SymvSmallParams {
  std::int64_t products = 1;  // of a block, a power of two
  std::int64_t blocks = 1;
  std::int64_t pieces = 0;  // of a warp
  bool prefetch = false;

  static constexpr const char *kind = "symv_small", *names[] = {"products", "blocks", "pieces", "prefetch"};
  static void fields(auto& p, auto visit) { visit_each(visit, names, p.products, p.blocks, p.pieces, p.prefetch); }
  bool operator==(const SymvSmallParams&) const = default;
};

// symv_rows: teams of threads that own whole outputs of one triangle.
struct SymvRowsParams {
  std::int64_t outputs = 1;  // of a team: a warp where loads are few, else a block
  std::int64_t blocks = 1;
  bool prefetch = false;

  static constexpr const char *kind = "symv_rows", *names[] = {"outputs", "blocks", "prefetch"};
  static void fields(auto& p, auto visit) { visit_each(visit, names, p.outputs, p.blocks, p.prefetch); }
  bool operator==(const SymvRowsParams&) const = default;
};

// symv_squares: squares of triangles, in runs along their rows.
struct SymvSquaresParams {
  std::int64_t tiles = 1;    // along a side of a square
  std::int64_t squares = 1;  // of a block, a power of two
  std::int64_t blocks = 1;   // of a product
  bool prefetch = false;

  static constexpr const char *kind = "symv_squares", *names[] = {"tiles", "squares", "blocks", "prefetch"};
  static void fields(auto& p, auto visit) { visit_each(visit, names, p.tiles, p.squares, p.blocks, p.prefetch); }
  bool operator==(const SymvSquaresParams&) const = default;
};

// ger_flat: a matrix without gaps as one array.
struct GerFlatParams {
  std::int64_t blocks = 1;  // of a product
  bool prefetch = false;

  static constexpr const char *kind = "ger_flat", *names[] = {"blocks", "prefetch"};
  static void fields(auto& p, auto visit) { visit_each(visit, names, p.blocks, p.prefetch); }
  bool operator==(const GerFlatParams&) const = default;
};

// ger and ger_aligned: tiles of rows in runs of columns.
struct GerParams {
  int lanes = 1;                   // threads along a column
  std::int64_t tiles = 1;          // of rows
  std::int64_t column_blocks = 1;  // blocks with different columns
  std::int64_t columns = 1;        // of a block

  static constexpr const char *kind = "ger", *names[] = {"lanes", "tiles", "column_blocks", "columns"};
  static void fields(auto& p, auto visit) { visit_each(visit, names, p.lanes, p.tiles, p.column_blocks, p.columns); }
  bool operator==(const GerParams&) const = default;
};

// The cpu backend: how threads of the host share a product. With tiles = splits = 1 and several threads, each takes
// whole products of the batch.
struct HostParams {
  std::int64_t tiles = 1;   // threads that own different outputs
  std::int64_t splits = 1;  // threads that share one sum

  static constexpr const char *kind = "host", *names[] = {"tiles", "splits"};
  static void fields(auto& p, auto visit) { visit_each(visit, names, p.tiles, p.splits); }
  bool operator==(const HostParams&) const = default;
};

// The reference backend: loops have no shape.
struct NoParams {
  static constexpr const char* kind = "none";
  static void fields(auto&, auto) {}
  bool operator==(const NoParams&) const = default;
};

using Params = std::variant<NoParams, HostParams, GemvParams, FlatParams, SymvParams, SymvSmallParams, SymvRowsParams,
                            SymvSquaresParams, GerFlatParams, GerParams>;

enum class BackendId : std::uint8_t { cuda, cpu, sim, reference };

// The mailboxes of a launch: all zeros before the first launch and after each. No plan asks for more, but those of
// SYMV with the largest sums (symv_workspace_limit()).
inline constexpr std::size_t workspace_limit = std::size_t{32} << 20, largest_workspace = 2 * workspace_limit;
// What a stream has from its first call on; the model plans single products of GEMV that need no more.
inline constexpr std::size_t first_workspace = std::size_t{4} << 20;

struct Plan {
  Problem problem;
  BackendId backend = BackendId::reference;
  KernelId kernel = {};  // with the types of the problem: the compiled instance that runs
  int threads = 1;       // of a block, or of the host
  Params params = {};    // what this variant is told beside
  std::size_t shared_bytes = 0;
  std::size_t workspace_bytes = 0;

  bool operator==(const Plan&) const = default;
};

// The parameters of a plan of such a kernel.
template <class P>
const P& params(const Plan& plan) {
  return std::get<P>(plan.params);
}
template <class P>
P& params(Plan& plan) {
  return std::get<P>(plan.params);
}

// The kind of parameters that plans of a variant have, with their defaults.
Params parameters_of(Variant variant);

constexpr bool on_device(BackendId backend) { return backend == BackendId::cuda || backend == BackendId::sim; }

const char* name(BackendId backend);
std::optional<BackendId> parse_backend(std::string_view text);

// One line: "gemv_n plain many threads 256 lanes 32 tile 128 tiles 32 splits 4 ... shared 8192 workspace 65536".
std::string print(const Plan& plan);

// For saving, loading and machines that read.
std::string to_json(const Plan& plan);
std::string to_json(const DeviceTraits& traits);

// Reads what to_json wrote. Refuses other text, unknown names and impossible numbers, and says why.
Status from_json(std::string_view text, Plan* plan);

// `runs` runs of `bytes`, `pitch` bytes from one to the next, from the first element of A on.
struct PrefetchRuns {
  std::int64_t runs = 0, bytes = 0, pitch = 0;

  bool operator==(const PrefetchRuns&) const = default;
};

// The A of a checked problem as it lies in memory: at most so many bytes, whole columns from the first on, or as much
// of the first as that is. Columns without gaps are one run.
constexpr PrefetchRuns prefetch_runs(const Problem& p, std::int64_t most_bytes) {
  const Stored s = stored(p);
  const std::int64_t column = s.rows * size_of(p.type_a);
  if (is_empty(p) || most_bytes <= 0) return {};
  if (p.lda == s.rows || s.cols == 1) {
    const std::int64_t bytes = std::min(column * s.cols, most_bytes);
    return {.runs = 1, .bytes = bytes, .pitch = bytes};
  }
  return {.runs = std::clamp<std::int64_t>(most_bytes / column, 1, s.cols),
          .bytes = std::min(column, most_bytes),
          .pitch = p.lda * size_of(p.type_a)};
}

}  // namespace onepass
