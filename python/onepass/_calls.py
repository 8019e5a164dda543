# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""gemv, symv, hemv."""
from __future__ import annotations

from ctypes import addressof
from typing import Any

from ._arrays import TYPES, library_of, need_no_gradient
from ._layout import Prepared, number, prepare, scalar, shape_of_result
from ._library import handle, require
from ._streams import joined

Array = Any  # of NumPy, PyTorch, CuPy, or of a library with DLPack or the CUDA array interface


def operands(prepared: Prepared, alpha, a: int, x: int, beta, y: int) -> tuple:
    """What every run of the library takes: alpha, A, x, beta, y as addresses. The scalars are kept by their cache."""
    return (addressof(scalar(prepared.type, alpha, "alpha")), a, x + prepared.shift_x,
            addressof(scalar(prepared.type, beta, "beta")), y + prepared.shift_y)


def result_array(routine: str, option: str, A, a: tuple, x: tuple, x_address: int, out, stream: int):
    """`out`, or a new array for the result, with its address, layout and stream."""
    if out is None:
        kind = library_of(A, "A")
        out = kind.empty(A, shape_of_result(routine, option, a[0], x[0]))
        return (out, *kind.view(out, "out", stream))
    kind = library_of(out, "out")
    if not kind.is_writable(out):
        raise ValueError(f"out is a read-only array of {type(out).__module__}")
    address, layout, own = kind.view(out, "out", stream)
    if address == x_address and 0 not in layout[0]:
        raise ValueError("out is x: x is read until the end, so the result needs memory of its own")
    return out, address, layout, own


def _add(prepared: Prepared, alpha, a: int, x: int, beta, y: int, stream: int) -> None:
    require(prepared.routine.run(handle(prepared.device, stream), prepared.address,
                                 *operands(prepared, alpha, a, x, beta, y)))


def call(routine: str, option: str, A, x, y, alpha, beta, out, accumulate="default", order="default"):
    """gemv, symv or hemv, without a look at gradients."""
    kind = library_of(A, "A")
    a_address, a, stream = kind.view(A, "A")
    x_address, v, x_stream = library_of(x, "x").view(x, "x", stream)
    if y is None and beta != 0:
        raise ValueError(f"beta = {beta}, and there is no y: pass y, or beta=0")
    is_new = out is None
    out, y_address, result, y_stream = result_array(routine, option, A, a, v, x_address, out, stream)
    prepared = prepare(routine, option, a, v, result, accumulate, order)
    with kind.on(A, prepared.device):
        if beta != 0 and y is not out:
            library_of(y, "y")
            if tuple(y.shape) != tuple(out.shape):
                raise ValueError(f"y has the shape {tuple(y.shape)}: must be {tuple(out.shape)}")
            out[...] = y
        if prepared.is_empty:  # a sum without terms, where BLAS would leave the result as it is
            if prepared.type == TYPES["double_double"]:
                from . import double_double  # it needs NumPy
                double_double.scale(out, beta)
            else:
                out[...] = out * beta if beta != 0 else 0
        else:
            if not is_new:
                library_of(out, "out").note_write(out)
            with joined(prepared.device, stream, x_stream, y_stream):
                _add(prepared, alpha, a_address, x_address, beta, y_address, stream)
    return out


def _call(routine: str, option: str, A, x, y, alpha, beta, out, accumulate, order):
    for what, array in (("A", A), ("x", x), ("y", y), ("out", out)):
        need_no_gradient(array, what)
    return call(routine, option, A, x, y, number(alpha, "alpha"), number(beta, "beta"), out, accumulate, order)


def gemv(A: Array, x: Array, y: Array | None = None, alpha: complex = 1, beta: complex = 0, trans: str = "N", *,
         out: Array | None = None, accumulate: str = "default", order: str = "default") -> Array:
    """alpha op(A) x + beta y, with op(A) = A ("N"), its transpose ("T") or its conjugate transpose ("C").

    The result is a new array, or `out`, which may be `y` itself: then nothing is copied. With beta = 0, y is not read.
    Leading dimensions are products of a batch, and are broadcast. Arrays are taken as they are, with any strides that
    BLAS can express; others raise ValueError. On a GPU the call runs on the caller's current stream.

    accumulate: in what products are summed. "wider": float32, complex64 and half types in double precision; "twice": with
    twice the digits of their type. alpha, beta and y are part of the sum: y = b - A x is right to the last digit or two.

    order: "canonical" sums float32, float64, complex64 and complex128 in an order that their number alone determines: the
    same bits on every CPU and GPU, in every batch, layout and alignment, and whatever the other rows are.

    >>> import numpy, onepass
    >>> A = numpy.array([[1., 2., 3.], [4., 5., 6.]])
    >>> onepass.gemv(A, numpy.array([1., 10., 100.]))
    array([321., 654.])
    >>> y = numpy.array([1., 1., 1.])
    >>> onepass.gemv(A, numpy.array([1., 1.]), y, alpha=2, beta=-1, trans="T", out=y)
    array([ 9., 13., 17.])
    >>> onepass.gemv(numpy.ones((4, 2, 3)), numpy.ones(3)).shape
    (4, 2)
    >>> onepass.gemv(numpy.array([[1e16, 1., -1e16]]), numpy.ones(3), accumulate="twice")
    array([1.])
    >>> tall = numpy.random.rand(900, 500)
    >>> bool((onepass.gemv(tall, tall[0], order="canonical")[:3] == onepass.gemv(tall[:3], tall[0], order="canonical")).all())
    True
    """
    return _call("gemv", trans, A, x, y, alpha, beta, out, accumulate, order)


def symv(A: Array, x: Array, y: Array | None = None, alpha: complex = 1, beta: complex = 0, uplo: str = "L", *,
         out: Array | None = None, accumulate: str = "default", order: str = "default") -> Array:
    """alpha A x + beta y with a symmetric A, of which only the triangle `uplo` ("L" or "U") is read. See gemv.

    >>> import numpy, onepass
    >>> A = numpy.array([[1., numpy.nan], [2., 3.]])
    >>> onepass.symv(A, numpy.array([1., 10.]))
    array([21., 32.])
    """
    return _call("symv", uplo, A, x, y, alpha, beta, out, accumulate, order)


def hemv(A: Array, x: Array, y: Array | None = None, alpha: complex = 1, beta: complex = 0, uplo: str = "L", *,
         out: Array | None = None, accumulate: str = "default", order: str = "default") -> Array:
    """alpha A x + beta y with a Hermitian A, of which only the triangle `uplo` is read. See gemv.

    >>> import numpy, onepass
    >>> A = numpy.array([[1, 0], [2j, 3]])
    >>> onepass.hemv(A, numpy.array([1, 1j]))
    array([3.+0.j, 0.+5.j])
    """
    return _call("hemv", uplo, A, x, y, alpha, beta, out, accumulate, order)
