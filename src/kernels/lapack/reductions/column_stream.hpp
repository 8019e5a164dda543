// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The columns of a matrix that a block of a panel kernel owns, on their way from memory to its shared memory: all the
// time, also while the block waits at a barrier. The matrix stays as it is during a panel, so each column of the panel
// passes over the same columns again: to and fro, so that those which the last pass ended with are still in the L2.
//
//        columns, dealt to blocks               A column comes whole, by one copy; several short columns, a batch, fill
//        0   1   2   2   1   0   0              one slot of shared memory. A thread reads every 256th vector of 16
//      +---+---+---+---+---+---+---             bytes; the vectors of all threads are a slab.
//      | slab
//      +---                                     Rows are counted from the start of the 16 bytes that hold the first:
//      | slab                                   "places". Columns are multiples of 16 bytes apart.
//
// Where a slot holds one column, a pass begins with the columns that are still in the slots from the end of the last
// one, and goes through the slots the other way round: those are not loaded again.
//
// A column that is too long for one block has parts. So many blocks are a team, and own each its part of the same
// columns.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/exec/vector16.hpp"
#include "kernels/lapack/reductions/stream_shared.hpp"
#include "numbers/scalar.hpp"

namespace onepass::kernels {

// A pass over a block's columns, of which it takes number `origin`, origin + step, ...
struct ColumnPass {
  int origin = 0, step = 1, count = 0;
};

template <class A>
struct ColumnVector {
  static constexpr int size = 16 / static_cast<int>(sizeof(A));
  A element[size];
};

// `vectors`: of a thread in a column; `batch`: columns of a slot.
template <class A, class Ex, int vectors, int batch>
struct ColumnStream {
  static constexpr int size = ColumnVector<A>::size, slab = stream_threads * size;
  static constexpr int slots = stream_slots * stream_vectors / (batch * vectors);
  static constexpr bool reuses_slots = batch == 1;  // at the beginning of a pass

  Ex ex;
  typename Ex::template Shared<A> ring;
  typename Ex::template Shared<exec::Vector16> ring16;
  int slots_at;         // byte offset of their barriers
  int kept_sixteenths;  // in the L2
  const A* base;        // place 0 of column 0
  std::int64_t lda;
  int columns;
  int part, parts;  // of this block, of a column
  int shift;        // the place of row 0 of the matrix
  int from;         // the place of the column that is this part's place 0; first and end are counted from there
  int first, end;   // places first..end - 1 are the matrix's
  int team, teams, t;
  int own = 0, passes = 0;
  // The matrix may end within a vector: of the last column, what follows its last whole vector is kept here by the
  // thread that reads it.
  A rest[size];
  bool at_edge;       // whether the thread has a vector that begins before the first place or ends behind the last
  ColumnPass in_use;  // the pass that is used
  // What is loaded next: of pass number `pass`, from `at` on.
  ColumnPass loading;
  int pass = 0, at = 0;
  int loaded = 0, used = 0;  // slots
  int direction = 1;         // in which they are gone through
  std::uint32_t fills = 0;   // a bit of each slot: whether it was filled an odd number of times
  int ahead = 0;             // slots that are filled, or on their way
  int released = 0;          // slots to fill

  // Pass p goes over the columns behind number p. The L2 is asked to keep some sixteenths of them.
  ONEPASS_DEVICE ColumnStream(Ex exec, int barriers, const A* a, std::int64_t column_step, int rows, int column_count,
                              int pass_count, int part_count, int kept)
      : ex(exec),
        ring(exec.template shared<A>(0)),
        ring16(exec.template shared<exec::Vector16>(0)),
        slots_at(barriers),
        kept_sixteenths(kept),
        lda(column_step),
        columns(column_count),
        part(static_cast<int>(exec.block_x()) % part_count),
        parts(part_count),
        shift(static_cast<int>(reinterpret_cast<std::uintptr_t>(a) % 16 / sizeof(A))),
        from(part * share_of(shift + rows, part_count)),
        first(part == 0 ? shift : 0),
        end(shift + rows - from),
        team(static_cast<int>(exec.block_x()) / part_count),
        teams(static_cast<int>(exec.grid_x()) / part_count),
        t(exec.thread()),
        passes(pass_count),
        rest() {
    // The column may end within this part, or before it.
    const int share = share_of(shift + rows, parts);
    if (end > share) end = share;
    if (end < 0) end = 0;
    base = a - shift + from;
    own = columns;
    own = first_of(columns - 1);
    const int whole = end / size * size;
    const bool has_end = end > whole && whole / size % stream_threads == t;
    at_edge = has_end || (t == 0 && first > 0);
    if (has_end && owner(columns - 1) == team) {
#pragma unroll
      for (int e = 0; e < size; ++e)
        if (whole + e >= first && whole + e < end) rest[e] = ex.load_matrix(base + (columns - 1) * lda + whole + e);
    }
    // What no copy ever fills is 0.
    for (int i = 0; i < stream_slots * stream_vectors; ++i) ring16.put(i * stream_threads + t, exec::Vector16{});
    ex.open_slots(slots_at, slots, batch);
    loading = pass_of(0);
#pragma unroll 1
    for (int i = 0; i < slots; ++i) load();
  }

  ONEPASS_DEVICE int column(int index) const { return index * teams + ((index & 1) == 0 ? team : teams - 1 - team); }
  ONEPASS_DEVICE int owner(int c) const { return (c / teams & 1) == 0 ? c % teams : teams - 1 - c % teams; }
  // The first of the team's columns behind a number.
  ONEPASS_DEVICE int first_of(int behind) const {
    const int rounds = (behind + 1) / teams, index = column(rounds) <= behind ? rounds + 1 : rounds;
    return index < own ? index : own;
  }
  ONEPASS_DEVICE ColumnPass pass_of(int p) const {
    const int first_own = first_of(p);
    return {.origin = (p & 1) == 0 ? first_own : own - 1, .step = (p & 1) == 0 ? 1 : -1, .count = own - first_own};
  }
  // The columns of pass p are used from now on. A barrier of the block is behind the last release().
  ONEPASS_DEVICE void begin_pass(int p) {
    const int before = in_use.count;
    in_use = pass_of(p);
    if (reuses_slots && p > 0) begin_with_slots(p, before);
  }
  ONEPASS_DEVICE int count() const { return in_use.count; }
  // Number `index` of the columns of the pass.
  ONEPASS_DEVICE int column_of_pass(int index) const { return column(in_use.origin + index * in_use.step); }
  // Of vector r of this thread: in the part, and in the column.
  ONEPASS_DEVICE int place(int r) const { return r * slab + t * size; }
  ONEPASS_DEVICE int place_in_column(int r) const { return from + place(r); }

  // Waits for the next batch, which begins with number `index` of the pass, or for the one behind it; its slot.
  ONEPASS_DEVICE int wait(int index, bool behind_next = false) {
    const int slot = behind_next ? next(used) : used;
    ex.wait_for_slot(slots_at, slot, (fills >> slot & 1u) == 0, ahead - (behind_next ? 2 : 1));
    if (!at_edge) return slot;
#pragma unroll 1
    for (int i = 0; i < batch && index + i < count(); ++i) {
      clear_outside(slot, i, 0, column_of_pass(index + i));
      clear_outside(slot, i, end / slab, column_of_pass(index + i));
    }
    ex.order_before_copies();
    return slot;
  }
  // Vector r of column i of the batch in a slot; anything if the batch has fewer.
  ONEPASS_DEVICE ColumnVector<A> vector(int slot, int i, int r) const {
    const exec::Vector16 bits = ring16.get(((slot * batch + i) * vectors + r) * stream_threads + t);
    ColumnVector<A> result;
    std::memcpy(static_cast<void*>(&result), &bits, sizeof bits);
    return result;
  }
  // Calls use(element, i, r, e) for element e of each vector r of each column i of the batch in a slot.
  template <class Use>
  ONEPASS_DEVICE void for_each_element(int slot, Use use) const {
#pragma unroll
    for (int r = 0; r < vectors; ++r)
#pragma unroll
      for (int i = 0; i < batch; ++i) {
        const ColumnVector<A> a = vector(slot, i, r);
#pragma unroll
        for (int e = 0; e < size; ++e) use(a.element[e], i, r, e);
      }
  }
  // Adds the batch's columns to `sum`, each times its coefficient.
  ONEPASS_DEVICE void add_columns(const A (&coefficient)[batch], ColumnVector<A> (&sum)[vectors]) const {
    for_each_element(used, [&](A a, int i, int r, int e) {
      sum[r].element[e] = multiply_add(sum[r].element[e], a, coefficient[i]);
    });
  }
  // The thread has read all that it wants of the batch.
  ONEPASS_DEVICE void release() {
    used = next(used);
    --ahead;
    ++released;
  }
  // A barrier of the block is behind the last release().
  ONEPASS_DEVICE void refill() {
#pragma unroll 1
    for (; released > 0; --released) load();
  }

  // The next columns that no slot has, so many, into the L2: while the block does other things memory has nothing to
  // do.
  ONEPASS_DEVICE void prefetch(int number) const {
    if (t >= number || pass >= passes || at + t >= loading.count) return;
    const A* const from = base + column(loading.origin + (at + t) * loading.step) * lda;
    const int bytes = end * static_cast<int>(sizeof(A)) / 128 * 128;  // whole lines
    for (int done = 0; done < bytes; done += 16384)
      ex.prefetch_piece(reinterpret_cast<const char*>(from) + done, bytes - done < 16384 ? bytes - done : 16384);
  }

 private:
  // Places of a part: as many of each, so that all blocks of a team load as much; parts begin at multiples of 128
  // bytes.
  static ONEPASS_DEVICE int share_of(int places, int part_count) {
    constexpr int line = 128 / static_cast<int>(sizeof(A));
    return ((places + part_count - 1) / part_count + line - 1) / line * line;
  }

  // In vector r: what lies outside of column c is 0.
  ONEPASS_DEVICE void clear_outside(int slot, int i, int r, int c) const {
    const int at = place(r), to = ((slot * batch + i) * vectors + r) * slab + t * size;
    if (r >= vectors || at >= end || (at >= first && at + size <= end)) return;
#pragma unroll
    for (int e = 0; e < size; ++e) {
      const bool inside = at + e >= first && at + e < end;
      if (!inside || (c == columns - 1 && at + size > end)) ring.put(to + e, inside ? rest[e] : A{});
    }
  }

  ONEPASS_DEVICE int next(int slot) const {
    const int following = slot + direction;
    return following == slots ? 0 : following < 0 ? slots - 1 : following;
  }

  // Slots have what the pass before ended with, so many columns of it at most; one of them may belong to the panel now.
  ONEPASS_DEVICE void begin_with_slots(int p, int before) {
    const int gone = (p & 1) == 0 ? before - in_use.count : 0, held = (before < slots ? before : slots) - gone;
    direction = -direction;
    used = next(used);
    if (gone > 0) used = next(used);
    loaded = used;
    for (int i = 0; i < held; ++i) loaded = next(loaded);
    loading = in_use;
    pass = p;
    at = held;
    ahead = held;
    released = 0;
    for (int i = held; i < slots; ++i) load();
  }

  // The copies of the next batch. Where slots are reused the next pass begins with those, in begin_with_slots().
  ONEPASS_DEVICE void load() {
    if (pass >= passes || at >= loading.count) return;
    ex.fill_slot(batch, [&](int i) {
      const bool live = at + i < loading.count;
      const int c = live ? column(loading.origin + (at + i) * loading.step) : 0;
      const int stop = c == columns - 1 ? end / size * size : (end + size - 1) / size * size;
      ex.copy_run(slots_at, loaded, ring, (loaded * batch + i) * vectors * slab, base + c * lda, live ? stop : 0, first,
                  end, ex.stream_policy(kept_sixteenths));
    });
    fills ^= 1u << loaded;
    loaded = next(loaded);
    ++ahead;
    at += batch;
    if (!reuses_slots && at >= loading.count) {
      loading = pass_of(++pass);
      at = 0;
    }
  }
};

}  // namespace onepass::kernels
