# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""gemv2, symv2, hemv2: vectors as head and tail, two arrays whose sum is meant."""
from __future__ import annotations

from ._arrays import library_of, need_no_gradient
from ._calls import Array, operands, result_array
from ._layout import number, prepare
from ._library import handle, library, require
from ._streams import joined

_RUN = {"gemv": library.onepassGemv2, "symv": library.onepassSymv2, "hemv": library.onepassSymv2}


def _call(routine: str, option: str, A, x, x_tail, y, y_tail, alpha, beta, tail: bool):
    for what, array in (("A", A), ("x", x), ("x_tail", x_tail), ("y", y), ("y_tail", y_tail)):
        need_no_gradient(array, what)
    alpha, beta = number(alpha, "alpha"), number(beta, "beta")
    if y is None and beta != 0:
        raise ValueError(f"beta = {beta}, and there is no y: pass y, or beta=0")
    kind = library_of(A, "A")
    a_address, a, stream = kind.view(A, "A")
    x_address, v, x_stream = library_of(x, "x").view(x, "x", stream)
    tail_address, t, tail_stream = library_of(x_tail, "x_tail").view(x_tail, "x_tail", stream)
    if t != v:
        raise ValueError(f"x_tail must be an array as x is, in type, shape {tuple(v[0])} and strides")
    tail = tail or y_tail is not None
    head, y_address, result, y_stream = result_array(routine, option, A, a, v, x_address, None, stream)
    rest, rest_address, _, _ = (result_array(routine, option, A, a, v, x_address, None, stream) if tail
                                else (None, None, None, None))
    prepared = prepare(routine, option, a, v, result, "twice")
    with kind.on(A, prepared.device):
        for array, given, what in ((head, y, "y"), (rest, y_tail, "y_tail")):
            if beta == 0 or array is None:
                continue
            if given is not None and tuple(given.shape) != tuple(head.shape):
                raise ValueError(f"{what} has the shape {tuple(given.shape)}: must be {tuple(head.shape)}")
            array[...] = 0 if given is None else given
        if prepared.is_empty:  # a sum without terms, where BLAS would leave the result as it is
            head[...] = head * beta if beta != 0 else 0
            if tail:
                rest[...] = rest * beta if beta != 0 else 0
        else:
            alpha_at, a_at, x_at, beta_at, y_at = operands(prepared, alpha, a_address, x_address, beta, y_address)
            with joined(prepared.device, stream, x_stream, tail_stream, y_stream):
                require(_RUN[routine](handle(prepared.device, stream), prepared.address, alpha_at, a_at, x_at,
                                      tail_address + prepared.shift_x, beta_at, y_at,
                                      rest_address + prepared.shift_y if tail else None))
    return (head, rest) if tail else head


def gemv2(A: Array, x: Array, x_tail: Array, y: Array | None = None, y_tail: Array | None = None, alpha: complex = 1,
          beta: complex = 0, trans: str = "N", *, tail: bool = False) -> Array | tuple[Array, Array]:
    """alpha op(A) (x + x_tail) + beta (y + y_tail), summed with twice the digits; a single product.

    With y_tail or tail=True, the result as head and tail; else rounded to one array.

    >>> import numpy, onepass
    >>> A, x = numpy.array([[1., -1.], [-1., 3.]]), numpy.ones(2)
    >>> onepass.gemv2(A, x, numpy.array([1e-20, 0.]))
    array([1.e-20, 2.e+00])
    >>> onepass.gemv2(A, x, numpy.array([1e-20, 0.]), tail=True)[1]
    array([ 0.e+00, -1.e-20])
    """
    return _call("gemv", trans, A, x, x_tail, y, y_tail, alpha, beta, tail)


def symv2(A: Array, x: Array, x_tail: Array, y: Array | None = None, y_tail: Array | None = None, alpha: complex = 1,
          beta: complex = 0, uplo: str = "L", *, tail: bool = False) -> Array | tuple[Array, Array]:
    """alpha A (x + x_tail) + beta (y + y_tail) with a symmetric A, of which only the triangle `uplo` is read. See gemv2."""
    return _call("symv", uplo, A, x, x_tail, y, y_tail, alpha, beta, tail)


def hemv2(A: Array, x: Array, x_tail: Array, y: Array | None = None, y_tail: Array | None = None, alpha: complex = 1,
          beta: complex = 0, uplo: str = "L", *, tail: bool = False) -> Array | tuple[Array, Array]:
    """alpha A (x + x_tail) + beta (y + y_tail) with a Hermitian A, of which only the triangle `uplo` is read. See gemv2."""
    return _call("hemv", uplo, A, x, x_tail, y, y_tail, alpha, beta, tail)
