// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the host must know of the panel kernels that stream columns: their blocks, their shared memory, and the vectors
// that blocks exchange.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace onepass::kernels {

inline constexpr int stream_threads = 256, stream_warps = stream_threads / 32;
inline constexpr int stream_columns = 32;  // of a panel, at most
inline constexpr int stream_vectors = 16;  // of 16 bytes, of a thread in a slot: 64 KB of a batch of columns
inline constexpr int stream_slots = 3, stream_most_slots = 4;   // smaller ones in the same room
inline constexpr int stream_most_parts = 4;                     // of a column that is too long for one block
inline constexpr int stream_most_sums = 2 * stream_most_parts;  // of a batch, in parts

// Rows of the longest column that vectors of a thread hold.
constexpr int stream_rows(int vectors, int element) { return vectors * stream_threads * (16 / element); }
// How a column is dealt to threads: as few vectors of each as its rows allow, since several short columns make a batch,
// and more slots have room; a column too long for one block in equal parts, of as many blocks. No parts: too long.
inline constexpr int stream_vectors_of_shapes[] = {4, 6, 8, 10, 12, stream_vectors};
// Longer columns in one part, two of which have room: for gebrd, whose blocks would have to meet for each column in
// parts. Of elements of 16 bytes registers do not hold the longest.
inline constexpr int stream_vectors_of_long_columns[] = {20, 24};
constexpr bool stream_holds_long_columns(int vectors, int element) { return vectors == 20 || element < 16; }
inline constexpr int stream_vectors_in_parts[] = {12, stream_vectors, 20};
constexpr bool stream_has_parts(int vectors) {
  for (const int one : stream_vectors_in_parts)
    if (one == vectors) return true;
  return false;
}
// Of gebrd: 20 vectors in two parts have room for two columns, as in one; of elements of 16 bytes four parts of 12 are
// slower than of 16.
constexpr bool stream_takes_parts(int vectors, int parts, int element, bool long_columns) {
  if (!long_columns) return vectors <= stream_vectors;
  return parts == 2 || vectors == stream_vectors || (vectors < stream_vectors && element < 16);
}
struct StreamShape {
  int vectors = 0, parts = 0;
  bool operator==(const StreamShape&) const = default;
};
// Columns begin at any element of a vector, or, if they are aligned, at the first.
constexpr StreamShape stream_shape(std::int64_t rows, int element, bool aligned, bool long_columns) {
  const std::int64_t places = rows + (aligned ? 0 : 16 / element - 1);
  for (const int vectors : stream_vectors_of_shapes)
    if (places <= stream_rows(vectors, element)) return {vectors, 1};
  for (const int vectors : stream_vectors_of_long_columns)
    if (long_columns && stream_holds_long_columns(vectors, element) && places <= stream_rows(vectors, element))
      return {vectors, 1};
  for (const int parts : {2, stream_most_parts})
    for (const int vectors : stream_vectors_in_parts)
      if (stream_takes_parts(vectors, parts, element, long_columns) &&
          places <= std::int64_t{parts} * stream_rows(vectors, element))
        return {vectors, parts};
  return {};
}

// Columns of a slot; the longest are larger than those of a batch, and two slots have room. Of columns in parts gebrd
// takes two where they have room, so that clusters meet half as often; for elements of 16 bytes it has no registers
// left.
constexpr int stream_batch(int vectors) { return vectors < stream_vectors ? stream_vectors / vectors : 1; }
constexpr int stream_batch_in_parts(int vectors, int element) {
  return vectors == 12 && element < 16 ? 2 : stream_batch(vectors);
}

// Tiles of 32 rows that a block of gebrd takes at once. Of up to 4096 rows a block of 128 has no more than one.
constexpr int stream_row_tiles(int vectors, int element, bool in_parts) {
  return in_parts || stream_rows(vectors, element) > 4096 ? 2 : 1;
}

// The panel of gebrd, with room to spare: the slots; their barriers; sums of each thread; coefficients; sums of the
// warps.
constexpr std::size_t stream_shared_bytes(int element, int real) {
  const int elements = 6 * stream_threads + 8 * stream_columns + 4 * stream_warps;
  return static_cast<std::size_t>(stream_slots * stream_vectors * stream_threads * 16 + stream_most_slots * 8) +
         static_cast<std::size_t>(elements) * static_cast<std::size_t>(element) +
         static_cast<std::size_t>(4 * stream_warps) * static_cast<std::size_t>(real);
}

// The panel of gehrd: the slots; their barriers; three sums of each thread; 32 rows; two rows of coefficients; T.
constexpr std::size_t hessenberg_shared_bytes(int element) {
  const int elements = 3 * stream_threads + 32 + 2 * stream_columns + stream_columns * stream_columns;
  return static_cast<std::size_t>(stream_slots * stream_vectors * stream_threads * 16 + stream_most_slots * 8) +
         static_cast<std::size_t>(elements) * static_cast<std::size_t>(element);
}

// Elements from one exchanged column of `rows` to the next.
constexpr std::int64_t stream_pitch(std::int64_t rows) { return (rows + 19) / 16 * 16; }

}  // namespace onepass::kernels
