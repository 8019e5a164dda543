// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The columns of a matrix that a block of a panel kernel owns, on their way from memory to its shared memory: all the
// time, also while the block waits at a barrier. The matrix stays as it is during a panel, so each column of the panel
// takes the same way again.
//
//        columns, dealt to blocks               A column comes in chunks of 1024 vectors of 16 bytes, each by one copy
//        0   1   2   2   1   0   0              into a slot of shared memory, with those of the block's next three
//      +---+---+---+---+---+---+---             columns: a batch. The first chunk of all columns comes before the
//      | chunk                                  second. A thread reads every 256th vector of a chunk; the vectors of all
//      |                                        threads are a slab.
//      +---                                     Rows are counted as they lie in memory, from the start of the 16 bytes
//      | chunk                                  that hold the first: "places". Columns are multiples of 16 bytes apart.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/exec/vector16.hpp"
#include "kernels/lapack/panel_shared.hpp"
#include "problem/scalar.hpp"

namespace onepass::kernels {

template <class A>
struct ColumnVector {
  static constexpr int size = 16 / static_cast<int>(sizeof(A));
  A element[size];
};

// What is streamed: of each column the places first..end - 1.
struct StreamShape {
  std::int64_t col_step = 0;
  int columns = 0;
  int first = 0, end = 0;              // places of column 0
  int first_slope = 0, end_slope = 0;  // in the next column, so many more
};

template <class A, class Ex>
struct ColumnStream {
  static constexpr int size = ColumnVector<A>::size, slab = panel_threads * size, chunk = panel_vectors * slab;

  Ex ex;
  typename Ex::template Shared<A> ring;
  typename Ex::template Shared<exec::Vector16> vectors;
  int slots_at;   // byte offset of their barriers
  const A* base;  // place 0 of column 0
  StreamShape shape;
  int block, blocks, t;
  int own = 0, chunks = 1, steps = 0;
  int last;  // the column that ends the matrix in memory: no copy may go beyond it
  A rest[size];  // its elements behind the last whole vector
  // What is loaded next.
  int step = 0, at_chunk = -1, l = 0, l_end = 0;
  int loaded = 0, used = 0;          // slots of the ring
  int load_round = 0, use_round = 0;  // and how often it went around
  int turn = 0;                       // the warp that begins the next copies

  // Pass p goes over the columns behind number p.
  ONEPASS_DEVICE ColumnStream(Ex exec, int barriers, const A* place_0, const StreamShape& s, int passes)
      : ex(exec),
        ring(exec.template shared<A>(0)),
        vectors(exec.template shared<exec::Vector16>(0)),
        slots_at(barriers),
        base(place_0),
        shape(s),
        block(static_cast<int>(exec.block_x())),
        blocks(static_cast<int>(exec.grid_x())),
        t(exec.thread()),
        steps(passes),
        last(s.col_step > 0 ? s.columns - 1 : 0),
        rest() {
    own = s.columns;
    own = first_of(s.columns - 1);
    chunks = (s.end + chunk - 1) / chunk;
    const int rest_at = end_place(last) / size * size;
    if (owner(last) == block && rest_at / size % panel_threads == t) {
#pragma unroll
      for (int e = 0; e < size; ++e)
        if (rest_at + e >= first_place(last) && rest_at + e < end_place(last))
          rest[e] = ex.load_matrix(base + last * s.col_step + rest_at + e);
    }
    l = l_end = own;
    find_next();
    ex.open_slots(slots_at, panel_stages, panel_batch);
#pragma unroll 1
    for (int i = 0; i < panel_stages - 1; ++i) load();
  }

  // Forth and back, so that triangles are shared evenly.
  ONEPASS_DEVICE int column(int index) const {
    return index * blocks + ((index & 1) == 0 ? block : blocks - 1 - block);
  }
  ONEPASS_DEVICE int owner(int c) const { return (c / blocks & 1) == 0 ? c % blocks : blocks - 1 - c % blocks; }
  // The first of the block's columns behind a number.
  ONEPASS_DEVICE int first_of(int behind) const {
    const int rounds = (behind + 1) / blocks, index = column(rounds) <= behind ? rounds + 1 : rounds;
    return index < own ? index : own;
  }
  ONEPASS_DEVICE int first_place(int c) const { return shape.first + c * shape.first_slope; }
  ONEPASS_DEVICE int end_place(int c) const { return shape.end + c * shape.end_slope; }
  // The block's columns that have places in a chunk are those before this one.
  ONEPASS_DEVICE int limit(int of_chunk) const {
    if (shape.first_slope == 0 && shape.end_slope == 0) return own;
    const int columns = shape.first_slope > 0 ? (of_chunk + 1) * chunk - shape.first : shape.end - of_chunk * chunk;
    return first_of(columns - 1);
  }
  // Of vector r of this thread.
  ONEPASS_DEVICE int place(int of_chunk, int r) const { return of_chunk * chunk + r * slab + t * size; }

  // Waits for the next batch, from the block's column `index` on, in a chunk that has `end_index` of them; then calls take(r, vectors r and r + 1 of
  // this thread of each column) for every other r where a column has places. edge(c, place, element) stands for an
  // element of column c in a vector that may hold its first or its last place.
  template <class Edge, class Take>
  ONEPASS_DEVICE void next(int of_chunk, int index, int end_index, Edge edge, Take take) {
    const int begin = of_chunk * chunk, far = index + panel_batch - 1;
    const int first = first_place(column(index)) - begin, end = end_place(column(index)) - begin;
    // Where all columns have all places: a triangle has its diagonal at one end.
    const int last_first = first_place(column(far)) - begin + (shape.first_slope == 0 ? 0 : 1);
    const int first_end = far < end_index ? end_place(column(far)) - begin - (shape.end_slope == 0 ? 0 : 1) : 0;
    ex.wait_for_slot(slots_at, used, use_round, panel_stages);
    const int from = used * panel_batch * panel_vectors * panel_threads + t;
#pragma unroll
    for (int r = 0; r < panel_vectors; r += 2) {
      if (first < (r + 2) * slab && end > r * slab) {
        ColumnVector<A> a[panel_batch][2];
        if (last_first <= r * slab && first_end >= (r + 2) * slab) {
#pragma unroll
          for (int i = 0; i < panel_batch; ++i)
#pragma unroll
            for (int q = 0; q < 2; ++q) a[i][q] = vector(from + (i * panel_vectors + r + q) * panel_threads);
        } else {
#pragma unroll
          for (int i = 0; i < panel_batch; ++i)
#pragma unroll
            for (int q = 0; q < 2; ++q)
              a[i][q] = index + i < end_index ? edge_vector(from + (i * panel_vectors + r + q) * panel_threads,
                                                            column(index + i), place(of_chunk, r + q), edge)
                                              : ColumnVector<A>{};
        }
        take(r, a);
      }
    }
    ex.release_slot(slots_at, used);
    if (++used == panel_stages) {
      used = 0;
      ++use_round;
    }
    load();
  }

 private:
  ONEPASS_DEVICE ColumnVector<A> vector(int index) const {
    const exec::Vector16 bits = vectors.get(index);
    ColumnVector<A> result;
    std::memcpy(static_cast<void*>(&result), &bits, sizeof bits);
    return result;
  }
  template <class Edge>
  ONEPASS_DEVICE ColumnVector<A> edge_vector(int index, int c, int at, Edge edge) const {
    const int first = first_place(c), end = end_place(c);
    ColumnVector<A> result = {};
    if (at + size > first && at < end) {
      const bool is_rest = c == last && at + size > end;
      if (!is_rest) result = vector(index);
      // Only one thread or two have the first and the last place of a column.
      if (at <= first || at + size >= end) {
#pragma unroll
        for (int e = 0; e < size; ++e) {
          const A element = is_rest ? rest[e] : result.element[e];
          result.element[e] = at + e >= first && at + e < end ? edge(c, at + e, element) : A{};
        }
      }
    }
    return result;
  }

  ONEPASS_DEVICE void find_next() {
    l += panel_batch;
    if (l < l_end) return;
    do {
      if (++at_chunk == chunks) {
        at_chunk = 0;
        ++step;
      }
      l = first_of(step);
      l_end = limit(at_chunk);
      if (l == own) step = steps;
    } while (step < steps && l >= l_end);
  }

  // The copies of the next batch, into the slot that was released before the last.
  ONEPASS_DEVICE void load() {
    const bool wanted = step < steps;
    const int begin = at_chunk * chunk;
    turn = turn + 1 == panel_warps ? 0 : turn + 1;
    ex.fill_slot(slots_at, loaded, load_round, panel_batch, turn, [&](int i) {
      int from = begin, count = 0, c = 0;
      if (wanted && l + i < l_end) {
        c = column(l + i);
        const int first = first_place(c), end = end_place(c);
        if (first > begin) from = first / size * size;
        int stop = c == last ? end / size * size : (end + size - 1) / size * size;
        if (stop > begin + chunk) stop = begin + chunk;
        count = stop > from ? stop - from : 0;
      }
      const int to = (loaded * panel_batch + i) * panel_vectors * slab + from - begin;
      ex.copy_run(slots_at, loaded, ring, to, base + c * shape.col_step + from, count, first_place(c) - from,
                  end_place(c) - from);
    });
    if (wanted) find_next();
    if (++loaded == panel_stages) {
      loaded = 0;
      ++load_round;
    }
  }
};

}  // namespace onepass::kernels
