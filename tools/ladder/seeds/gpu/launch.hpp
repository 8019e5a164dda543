// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table from rungs of the lineage to launches, for any launcher: CUDA's, the simulator's, or one that only looks.
#pragma once

#include <algorithm>

#include "ladder/seeds/gpu/march.hpp"
#include "ladder/seeds/gpu/rows.hpp"
#include "ladder/seeds/gpu/triangle.hpp"
#include "ladder/seeds/seeds.hpp"
#include "launch/launcher.hpp"
#include "problem/status.hpp"

namespace onepass::tools::ladder {

template <class Kernel, class T, class Launcher>
Status launch_by_rows(const Launcher& launcher, const SeedArgs<T>& g) {
  return launcher.template run<Kernel>({.x = (g.rows + Kernel::max_threads - 1) / Kernel::max_threads},
                                       Kernel::max_threads, 0, g);
}

template <class T, int rows_per_thread, class Launcher>
Status launch_rows(const Launcher& launcher, const RowsLaunch& chosen, SeedArgs<T> g) {
  g.lanes = chosen.lanes;
  g.columns = chosen.columns;
  const Grid grid{.x = chosen.blocks, .y = chosen.splits};
  const int threads = chosen.lanes * chosen.groups;
  const std::size_t shared = sizeof(T) * static_cast<std::size_t>(threads * rows_per_thread);
  if constexpr (rows_per_thread == 1) {
    if (chosen.splits > 1) {
      if (Status status = launch_by_rows<Clear<T>>(launcher, g); !status.ok()) return status;
      return launcher.template run<Rows<T, rows_per_thread, true>>(grid, threads, shared, g);
    }
  }
  return launcher.template run<Rows<T, rows_per_thread, false>>(grid, threads, shared, g);
}

template <class T, bool transposed, class Launcher>
Status launch_march(const Launcher& launcher, const SeedArgs<T>& g) {
  using Kernel = March<T, transposed>;
  return launcher.template run<Kernel>({.x = ((transposed ? g.cols : g.rows) + Kernel::side - 1) / Kernel::side},
                                       Kernel::max_threads, sizeof(T) * Kernel::shared_numbers, g);
}

template <class T, int shape, Halves halves, class Launcher>
Status launch_triangle(const Launcher& launcher, const SeedArgs<T>& g) {
  constexpr TriangleShape s = triangle_shapes[shape];
  using Kernel = Triangle<T, s.tx, s.ty, s.u, halves>;
  if constexpr (halves == Halves::atomics)
    if (Status status = launch_by_rows<Clear<T>>(launcher, g); !status.ok()) return status;
  Status status = launcher.template run<Kernel>({.x = (g.rows + s.u - 1) / s.u}, Kernel::max_threads,
                                                sizeof(T) * Kernel::shared_numbers, g);
  if constexpr (halves == Halves::temporary_set)
    if (status.ok()) return launch_by_rows<AddSet<T, s.u>>(launcher, g);
  return status;
}

template <class T, class Launcher>
Status launch_seed(const Launcher& launcher, const Seed& seed, const SeedDevice& device, SeedArgs<T> g) {
  g.order = seed.order;
  switch (seed.rung) {
    case SeedRung::rows_per_thread:
      return launch_rows<T, 4>(launcher, rows_launch(seed.rung, g.rows, g.cols, device), g);
    case SeedRung::march:
      return seed.op == Op::n ? launch_march<T, false>(launcher, g) : launch_march<T, true>(launcher, g);
    case SeedRung::set: return launch_triangle<T, 0, Halves::temporary_set>(launcher, g);
    case SeedRung::atomics: return launch_triangle<T, 0, Halves::atomics>(launcher, g);
    case SeedRung::ticket: return launch_triangle<T, 0, Halves::ticket>(launcher, g);
    case SeedRung::space:
      switch (seed.shape) {
        case 1: return launch_triangle<T, 1, Halves::atomics>(launcher, g);
        case 2: return launch_triangle<T, 2, Halves::atomics>(launcher, g);
        case 3: return launch_triangle<T, 3, Halves::atomics>(launcher, g);
        case 4: return launch_triangle<T, 4, Halves::atomics>(launcher, g);
        default: return launch_triangle<T, 5, Halves::atomics>(launcher, g);
      }
    default: return launch_rows<T, 1>(launcher, rows_launch(seed.rung, g.rows, g.cols, device), g);
  }
}

// launch_seed() in the type of the problem, with pointers of that type.
template <class Launcher>
Status launch_seed_of(const Launcher& launcher, const Seed& seed, const SeedDevice& device, const Problem& p,
                      const void* a, const void* x, void* y, void* partial) {
  const auto typed = [&]<class T>() {
    return launch_seed<T>(launcher, seed, device,
                          {.a = static_cast<const T*>(a),
                           .x = static_cast<const T*>(x),
                           .y = static_cast<T*>(y),
                           .partial = static_cast<T*>(partial),
                           .rows = p.m,
                           .cols = p.n});
  };
  return p.type_a == Type::s ? typed.template operator()<float>() : typed.template operator()<double>();
}

}  // namespace onepass::tools::ladder
