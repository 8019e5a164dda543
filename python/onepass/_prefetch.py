# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""prefetch: a matrix into the L2 ahead of its product."""
from __future__ import annotations

import functools
from typing import Any

from ._arrays import SIZES, library_of
from ._library import handle, library, require


@functools.lru_cache(maxsize=1024)
def _as_columns(shape: tuple, strides: tuple, unit: int, kind: int) -> tuple[int, int, int]:
    """Rows, columns and their distance of an array as it lies in memory: of one without gaps a single column."""
    steps = [(step // SIZES[kind] if unit else step, size) for step, size in zip(strides, shape) if size != 1]
    steps.sort()
    count = 1
    for place, (step, size) in enumerate(steps):
        if step != count:
            break
        count *= size
    else:
        return count, 1, max(1, count)
    if place == len(steps) - 1 and steps[-1][0] > count and place > 0:
        return count, steps[-1][1], steps[-1][0]
    raise ValueError(f"an array of the shape {shape} with the strides {strides}: must be one block of memory, or rows or columns "
                     "of one without gaps between their elements")


def prefetch(A: Any, most_bytes: int = 0) -> None:
    """Asks A, a matrix or any array without gaps, into the L2 cache of its GPU, on the caller's current stream: while others still
    compute what it will be multiplied by. At most so many bytes of it; 0: half of the L2. A hint, of which no result depends;
    of arrays on the CPU nothing is done.

    >>> import numpy, onepass
    >>> onepass.prefetch(numpy.ones((3, 4)))
    """
    if most_bytes < 0:
        raise ValueError(f"most_bytes = {most_bytes}: must not be negative")
    kind = library_of(A, "A")
    address, (shape, strides, unit, type_, device), stream = kind.view(A, "A")
    if 0 in shape:
        return
    rows, columns, distance = _as_columns(tuple(shape), tuple(strides), unit, type_)
    with kind.on(A, device):
        require(library.onepassPrefetch(handle(device, stream), type_, rows, columns, address, distance, most_bytes))
