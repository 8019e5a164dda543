# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""ger: rank-1 updates of a matrix in place."""
from __future__ import annotations

import functools
import math
from ctypes import addressof
from typing import Any, NamedTuple

from ._arrays import NAMES, SIZES, library_of, need_no_gradient
from ._layout import batch_distance, in_elements, matrix_of, number, scalar, vector_of
from ._library import HOST, GerProblem, handle, library, require
from ._streams import joined

Array = Any  # of NumPy, PyTorch, CuPy, or of a library with DLPack or the CUDA array interface
_TYPES = ("float32", "float64", "complex64", "complex128")


class _Update(NamedTuple):
    """A problem of the C interface, and what the addresses of its vectors lack."""

    problem: object
    address: int
    shift_x: int
    shift_y: int
    type: int
    device: object


@functools.lru_cache(maxsize=4096)
def _prepare(x: tuple, y: tuple, a: tuple, conjugate: bool) -> _Update | None:
    """The problem of the layouts of three arrays; None where there is nothing to update."""
    (shape_x, _, _, type_x, _), (shape_y, _, _, type_y, _), (shape_a, _, _, type_a, device) = x, y, a
    if len(shape_a) < 2 or len(shape_x) < 1 or len(shape_y) < 1:
        raise ValueError(f"A, x and y have the shapes {tuple(shape_a)}, {tuple(shape_x)} and {tuple(shape_y)}: A must have at "
                         "least two dimensions, x and y one")
    if not device == x[4] == y[4]:
        places = ", ".join(f"{what} on {'the host' if o[4] == HOST else f'GPU {o[4]}'}" for what, o in zip("Axy", (a, x, y)))
        raise ValueError(f"all operands must be in one memory: {places}")
    if not type_a == type_x == type_y or NAMES[type_a] not in _TYPES:
        raise TypeError(f"A is {NAMES[type_a]}, x {NAMES[type_x]}, y {NAMES[type_y]}: must be one type of {', '.join(_TYPES)}")
    (m, n), extents = shape_a[-2:], tuple(shape_a[:-2])
    if shape_x[-1] != m or shape_y[-1] != n:
        raise ValueError(f"A is {m}x{n}, x has {shape_x[-1]} elements and y {shape_y[-1]}: must have {m} and {n}")
    for what, shape in (("x", shape_x), ("y", shape_y)):
        leading = (1,) * (len(extents) - len(shape) + 1) + tuple(shape[:-1])
        if len(leading) != len(extents) or any(own not in (1, of_a) for own, of_a in zip(leading, extents)):
            raise ValueError(f"the leading dimensions of {what}, {tuple(shape[:-1])}, do not fit those of A, {extents}")
    if 0 in shape_a:
        return None
    strides_a, strides_x, strides_y = in_elements("A", a), in_elements("x", x), in_elements("y", y)
    matrix, count = matrix_of(shape_a, strides_a), math.prod(extents)
    incx, shift_x = vector_of("x", m, strides_x[-1])
    incy, shift_y = vector_of("y", n, strides_y[-1])
    stride_a = batch_distance("A", extents, shape_a[:-2], strides_a[:-2])
    if count > 1 and stride_a == 0:
        raise ValueError("A is one matrix seen several times: each update needs a matrix of its own")
    is_complex = NAMES[type_a].startswith("complex")
    problem = GerProblem(type=type_a, conjugate=int(conjugate and is_complex), layout=matrix.layout, m=m, n=n,
                         lda=matrix.lda, incx=incx, incy=incy, batch=count, stride_a=stride_a,
                         stride_x=batch_distance("x", extents, shape_x[:-1], strides_x[:-1]),
                         stride_y=batch_distance("y", extents, shape_y[:-1], strides_y[:-1]))
    return _Update(problem, addressof(problem), shift_x * SIZES[type_a], shift_y * SIZES[type_a], type_a, device)


def ger(x: Array, y: Array, A: Array, alpha: complex = 1, *, conjugate: bool = False) -> Array:
    """A += alpha x y^T in place, or with conjugate=True alpha x y^H; returns A.

    Leading dimensions of A are updates of a batch; those of x and y are broadcast to them. Arrays are taken as they are,
    with any strides that BLAS can express. On a GPU the call runs on the caller's current stream.

    >>> import numpy, onepass
    >>> A = numpy.zeros((2, 3))
    >>> onepass.ger(numpy.array([1., 2.]), numpy.array([1., 10., 100.]), A, alpha=2)
    array([[  2.,  20., 200.],
           [  4.,  40., 400.]])
    """
    for what, array in (("x", x), ("y", y), ("A", A)):
        need_no_gradient(array, what, "torch.addr has gradients; or use {}.detach()")
    alpha, kind = number(alpha, "alpha"), library_of(A, "A")
    if not kind.is_writable(A):
        raise ValueError(f"A is a read-only array of {type(A).__module__}")
    a_address, a, stream = kind.view(A, "A")
    x_address, of_x, x_stream = library_of(x, "x").view(x, "x", stream)
    y_address, of_y, y_stream = library_of(y, "y").view(y, "y", stream)
    update = _prepare(of_x, of_y, a, conjugate)
    if update is None:
        return A
    with kind.on(A, update.device):
        kind.note_write(A)
        with joined(update.device, stream, x_stream, y_stream):
            require(library.onepassGer(handle(update.device, stream), update.address,
                                       addressof(scalar(update.type, alpha, "alpha")), x_address + update.shift_x,
                                       y_address + update.shift_y, a_address))
    return A
