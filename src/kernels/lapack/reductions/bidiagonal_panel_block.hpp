// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A block of the bidiagonal panel kernel: its rows, its columns of A and their stream, and what both steps do with the
// thin matrices P = (U, X) and Q = (Y, V).
#pragma once

#include "kernels/lapack/reductions/bidiagonal_args.hpp"
#include "kernels/lapack/reductions/column_stream.hpp"
#include "kernels/lapack/reductions/panel_block.hpp"
#include "kernels/lapack/reductions/panel_strip.hpp"

namespace onepass::kernels {

template <class A>
struct BidiagonalPanelShape {
  using R = RealOf<A>;
  static constexpr int warps = stream_warps, nb = stream_columns, size = ColumnVector<A>::size;
  static_assert(warps == 8);

  // Shared memory behind the slots, in elements of A. Of 32 columns of the block: sums of the warps, two each; then, of
  // those of all parts, dot products, bases, r, y. Of 64 rows: sums likewise; then b. Coefficients of two sums. Sums of
  // a batch, twice. A reflector.
  static constexpr int most_in_tile = 32 * stream_most_parts;
  static constexpr int at_sums = stream_slots * stream_vectors * stream_threads * size;
  static constexpr int at_tile = at_sums + 4 * warps * 32, at_one = at_tile + 4 * most_in_tile,
                       at_two = at_one + 2 * nb;
  static constexpr int at_batch = at_two + 2 * nb, at_reflector = at_batch + 2 * stream_most_sums * warps;
  static constexpr int elements = at_reflector + 4;
  static constexpr int at_slots = elements * static_cast<int>(sizeof(A));
  static constexpr int at_boxes = at_slots + 8 * stream_most_slots;  // of the sums of a batch
  static constexpr std::size_t bytes = stream_shared_bytes(sizeof(A), sizeof(R));
  static constexpr int at_tile_box = at_boxes + 8 * 2;
  static_assert(at_tile_box + 8 <= bytes && at_slots % 8 == 0);
};

// `in_parts`: columns have parts, as many as the arguments say.
template <class A, class Ex, int vectors, int batch, bool in_parts>
struct BidiagonalPanelBlock {
  using R = RealOf<A>;
  using Shape = BidiagonalPanelShape<A>;
  using Stream = ColumnStream<A, Ex, vectors, batch>;

  Ex ex;
  const BidiagonalPanelArgs& g;
  typename Ex::template Shared<A> shared;
  Stream stream;
  int t, lane, warp, block, blocks;
  int batches = 0, tiles = 0;  // that sums were exchanged of
  // Where work goes by rows: those of this block, and the blocks that have any.
  int first_row, end_row, row_blocks;

  ONEPASS_DEVICE BidiagonalPanelBlock(Ex exec, const BidiagonalPanelArgs& args)
      : ex(exec),
        g(args),
        shared(exec.template shared<A>(0)),
        stream{exec,         Shape::at_slots, static_cast<const A*>(args.a), args.lda, args.m, args.n,
               args.columns, args.parts,      args.kept_sixteenths},
        t(exec.thread()),
        lane(t & 31),
        warp(t >> 5),
        block(static_cast<int>(exec.block_x())),
        blocks(static_cast<int>(exec.grid_x())) {
    const int tiles = (g.m + 31) / 32, share = (tiles + blocks - 1) / blocks * 32;
    first_row = block * share < g.m ? block * share : g.m;
    end_row = (block + 1) * share < g.m ? (block + 1) * share : g.m;
    row_blocks = (g.m + share - 1) / share;
  }

  ONEPASS_DEVICE int parts() const { return in_parts ? g.parts : 1; }
  // That the blocks of a team put into the shared memory of each of them for a batch.
  ONEPASS_DEVICE int bytes_of_sums() const { return parts() * batch * Shape::warps * static_cast<int>(sizeof(A)); }
  // Of a tile, 32 columns of each part, likewise.
  ONEPASS_DEVICE int bytes_of_tile() const { return parts() * 2 * 32 * static_cast<int>(sizeof(A)); }
  ONEPASS_DEVICE A* a(int i, int k) const { return static_cast<A*>(g.a) + i + k * g.lda; }
  // Column c of U is column 2 c of P, that of X is 2 c + 1; likewise Y and V in Q.
  ONEPASS_DEVICE A* p(int i, int e) const { return static_cast<A*>(g.p) + i + e * g.p_ld; }
  ONEPASS_DEVICE A* q(int k, int e) const { return static_cast<A*>(g.q) + k + e * g.q_ld; }
  ONEPASS_DEVICE A* column(int i) const { return static_cast<A*>(g.column) + stream.shift + i; }
  ONEPASS_DEVICE A* row(int k) const { return static_cast<A*>(g.row) + k; }
  ONEPASS_DEVICE R rescale() const {
    return g.scale == nullptr ? R{1} : ex.load_matrix(static_cast<const R*>(g.scale) + 1);
  }

  // Sums over the warps of two numbers of each lane, from number `which` on; for the first warp.
  ONEPASS_DEVICE void put_sums(A one, A two, int which = 0) const {
    shared.put(Shape::at_sums + which * stream_threads + t, one);
    shared.put(Shape::at_sums + (which + 1) * stream_threads + t, two);
  }
  ONEPASS_DEVICE A get_sum(int which) const {
    return sum_of_lane<A>(ex, shared, Shape::at_sums + which * stream_threads);
  }

  // The reflector of (alpha, x), where blocks have published |x|^2 in parts: by the last warp, which has the fewest
  // coefficients to sum up, for all.
  struct Norm {
    NumberOfBlocks<R> parts;
    A alpha;

    ONEPASS_DEVICE Norm(const BidiagonalPanelBlock& s, bool wanted, const A* first, const void* published,
                        int publishers)
        : parts(s.ex, published, wanted && s.warp == Shape::warps - 1 ? publishers : 0),
          alpha(wanted && s.warp == Shape::warps - 1 ? s.ex.load_fresh(first) : A{}) {}
    ONEPASS_DEVICE void put(const BidiagonalPanelBlock& s) {
      if (s.warp < Shape::warps - 1) return;
      const Reflector<A> h = reflector_of_column(s.ex, alpha, parts.sum(s.ex));
      if (s.lane > 0) return;
      s.shared.put(Shape::at_reflector, h.tau);
      s.shared.put(Shape::at_reflector + 1, h.scale);
      s.shared.put(Shape::at_reflector + 2, from_real<A>(h.beta));
    }
  };
  ONEPASS_DEVICE Reflector<A> get_reflector() const {
    Reflector<A> h;
    h.tau = shared.get(Shape::at_reflector);
    h.scale = shared.get(Shape::at_reflector + 1);
    h.beta = real_part(shared.get(Shape::at_reflector + 2));
    return h;
  }

  // Coefficients of two sums over the columns e of a strip, of P from column e of Q or the other way round: the dot
  // product of that column with x, and its first element, conjugated. Its dot product with (1, scale x) is the latter
  // and `scale` times the former.
  struct Coefficients {
    NumbersOfBlocks<A> dots;
    int e;      // of this thread, or -1
    A element;  // likewise

    ONEPASS_DEVICE Coefficients(const BidiagonalPanelBlock& s, const A* row, std::int64_t ld, const void* published,
                                int count, int publishers)
        : dots(s.ex, published, count, publishers), e(s.warp + 8 * (s.lane >> 2)), element() {
      if ((s.lane & 3) == 0 && e < count)
        element = conjugate(s.ex.load_fresh(row + e * ld));
      else
        e = -1;
    }
    ONEPASS_DEVICE void put(const BidiagonalPanelBlock& s) {
      const A dot = dots.sum(s.ex);
      if (e < 0) return;
      s.shared.put(Shape::at_one + e, dot);
      s.shared.put(Shape::at_two + e, element);
    }
  };
};

}  // namespace onepass::kernels
