// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a launch of the QR panel kernel is given, and what the host must know of it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onepass::kernels {

inline constexpr int qr_threads = 256;

struct QrPanelArgs {
  void* a = nullptr;  // m x columns; becomes R and the vectors, as LAPACK stores them
  std::int64_t lda = 0;
  int m = 0;
  int columns = 0;        // at most those of the kernel, and m
  int rows_of_block = 0;  // block b has rows b rows_of_block and those behind it
  int rows_on_chip = 0;   // of them, the first ones in shared memory; the others stay in A
  void* tau = nullptr;
  // For the columns behind the panel, or null: V, m x columns, with its ones and zeros and so many rows of zeros above
  // it; T, columns x columns.
  void* v = nullptr;
  std::int64_t ldv = 0;
  int zeros_above = 0;
  void* t = nullptr;
  std::int64_t ldt = 0;
  // Where blocks exchange, with nb columns of the kernel.
  void* largest = nullptr;           // real: nb numbers of each block
  void* dots = nullptr;              // likewise, twice
  void* row = nullptr;               // nb, twice
  std::uint32_t* barrier = nullptr;  // zero
  std::uint32_t* timed_out = nullptr;
};

// Shared memory in elements: sums of the threads, twice; powers of two of the columns; T, if it is wanted; rows.
constexpr int qr_panel_elements(int nb, bool has_t) { return 2 * qr_threads + nb + (has_t ? nb * nb : 0); }
constexpr std::size_t qr_panel_shared_bytes(int nb, bool has_t, int rows_on_chip, int element) {
  return (static_cast<std::size_t>(qr_panel_elements(nb, has_t)) +
          static_cast<std::size_t>(nb) * static_cast<std::size_t>(rows_on_chip)) *
         static_cast<std::size_t>(element);
}

}  // namespace onepass::kernels
