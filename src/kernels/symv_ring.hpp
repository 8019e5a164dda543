// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_ring: symv for one large triangle. The strips of a lane's vectors, and no higher, so that a warp keeps its rows
// from the first column of its share to the last: their sums and their x stay in registers, and columns come one behind
// the other through a ring in shared memory. A fifth of the instructions of symv, and the bus never waits for a step.
#pragma once

#include "kernels/blocks/triangle_ring.hpp"
#include "kernels/symv.hpp"

namespace onepass::kernels {

template <class E, Loads L>
using SymvRing = SymvBy<E, Form::plain, TriangleRing<E, symv_ring_vectors(L), symv_ring_columns, symv_ring_slots(L)>>;

}  // namespace onepass::kernels
