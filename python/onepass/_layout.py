# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shapes and strides -> a problem of BLAS, or the reason why there is none. Pure; each combination is worked out once."""
from __future__ import annotations

import functools
import math
import numbers
from ctypes import addressof, c_double, c_float
from fractions import Fraction
from typing import NamedTuple

from ._arrays import NAMES, SIZES, TYPES, need_no_gradient
from ._library import HOST
from ._routines import ACCUMULATE, ORDER, ROUTINES, Routine

_SUMS = (c_float, c_double, c_float * 2, c_double * 2, c_float, c_float, c_double * 2)  # the types of alpha and beta, by that of A


class Prepared(NamedTuple):
    """A problem, and what its addresses lack: BLAS counts a vector that runs backwards from its far end."""

    problem: object  # owns what `address` leads to
    address: int
    routine: Routine
    is_empty: bool
    shift_x: int
    shift_y: int
    type: int
    device: object


class _Matrix(NamedTuple):
    layout: int
    lda: int


def matrix_of(shape, strides) -> _Matrix:
    (m, n), (down, across) = shape[-2:], strides[-2:]
    if (down == 1 or m <= 1) and (across >= max(1, m) or n <= 1):
        return _Matrix(0, max(across, m, 1))
    if (across == 1 or n <= 1) and (down >= max(1, n) or m <= 1):
        return _Matrix(1, max(down, n, 1))
    raise ValueError(f"A of {m}x{n} elements has strides {(down, across)}: one of them must be 1, and the other at least as "
                     "long as a column or row. Copy it into an array without gaps")


def vector_of(name: str, length: int, stride: int) -> tuple[int, int]:
    """The increment of BLAS, and the distance in elements from the first element to the lowest address."""
    if length <= 1:
        return 1, 0
    if stride == 0:
        raise ValueError(f"{name} has a stride of 0, one element seen {length} times: BLAS cannot express it. Copy it")
    return stride, min(stride, 0) * (length - 1)


def batch_distance(name: str, extents, shape, strides) -> int:
    """The one distance between products, over leading dimensions that are broadcast to `extents`."""
    padded = [0] * (len(extents) - len(shape))
    steps = padded + [0 if own == 1 else step for own, step in zip(shape, strides)]
    distance, inner = None, 1
    for extent, step in zip(reversed(extents), reversed(steps)):
        if extent == 1:
            continue
        if distance is None:
            distance = step
        elif step != distance * inner:
            raise ValueError(f"the leading dimensions of {name} have strides {tuple(steps)}, which are not one distance from "
                             "product to product. Copy it, or call once for each")
        inner *= extent
    return distance or 0


def _extents(a, x) -> tuple:
    ours, theirs = a[:-2], x[:-1]
    rank = max(len(ours), len(theirs))
    padded = [(1,) * (rank - len(s)) + tuple(s) for s in (ours, theirs)]
    extents = []
    for one, other in zip(*padded):
        if one != other and 1 not in (one, other):
            raise ValueError(f"the leading dimensions of A, {ours}, and of x, {theirs}, do not fit together")
        extents.append(other if one == 1 else one)
    return tuple(extents)


def _need_dimensions(a, x) -> None:
    if len(a) < 2:
        raise ValueError(f"A has the shape {tuple(a)}: must have at least two dimensions")
    if len(x) < 1:
        raise ValueError("x is a scalar: must have at least one dimension")


def in_elements(name: str, layout: tuple) -> tuple:
    """The strides of a layout in elements."""
    _, strides, unit, kind, _ = layout
    if unit == 0:
        return strides
    if any(s * unit % SIZES[kind] for s in strides):
        raise ValueError(f"{name} has strides of {strides} bytes: must be multiples of its {SIZES[kind]}-byte elements")
    return tuple(s * unit // SIZES[kind] for s in strides)


def number(value, what: str):
    """alpha or beta as a number of Python's: a tensor or an array of one element may hold another one at the next call."""
    if type(value) in (int, float, complex):
        return value
    need_no_gradient(value, what, "multiply by it outside, or pass {}.item()")
    single = value.item() if hasattr(value, "item") and math.prod(value.shape) == 1 else value
    if type(single) is tuple and len(single) == 2:  # an element of a double_double array
        head, tail = single
        return Fraction(head) + Fraction(tail) if math.isfinite(head) else head
    if not isinstance(single, numbers.Complex):
        raise TypeError(f"{what} = {value!r}: must be a number, or an array of one element")
    return single


@functools.lru_cache(maxsize=1024)
def scalar(kind: int, value, what: str):
    """alpha or beta for an A of a type."""
    if kind == TYPES["double_double"] and isinstance(value, numbers.Rational):
        head = float(value)
        return _SUMS[kind](head, float(Fraction(value) - Fraction(head)))
    number = complex(value)
    if kind in (TYPES["complex64"], TYPES["complex128"]):
        return _SUMS[kind](number.real, number.imag)
    if number.imag != 0:
        raise TypeError(f"{what} = {value}: must be real, as the matrix is")
    return _SUMS[kind](number.real)


@functools.lru_cache(maxsize=4096)
def shape_of_result(name: str, option: str, a, x) -> tuple:
    """Of y, from the shapes of A and x. `option`: trans of gemv, uplo of symv and hemv."""
    routine = ROUTINES[name]
    if option not in routine.values:
        raise ValueError(f"{routine.option} = {option!r}: must be one of {', '.join(routine.values)}")
    _need_dimensions(a, x)
    outputs, terms = (a[-1], a[-2]) if option in ("T", "C") else (a[-2], a[-1])
    if x[-1] != terms:
        raise ValueError(f"x has {x[-1]} elements, and op(A) of {outputs}x{terms} needs {terms}")
    return _extents(a, x) + (outputs,)


@functools.lru_cache(maxsize=4096)
def prepare(name: str, option: str, a: tuple, x: tuple, y: tuple, accumulate: str = "default",
            order: str = "default") -> Prepared:
    """The problem of the layouts of three arrays."""
    (shape_a, _, _, type_a, device), (shape_x, _, _, type_x, _), (shape_y, _, _, type_y, _) = a, x, y
    if accumulate not in ACCUMULATE:
        raise ValueError(f"accumulate = {accumulate!r}: must be one of {', '.join(ACCUMULATE)}")
    if order not in ORDER:
        raise ValueError(f"order = {order!r}: must be one of {', '.join(ORDER)}")
    expected, routine = shape_of_result(name, option, shape_a, shape_x), ROUTINES[name]
    if not device == x[4] == y[4]:
        places = ", ".join(f"{what} on {'the host' if o[4] == HOST else f'GPU {o[4]}'}" for what, o in zip("Axy", (a, x, y)))
        raise ValueError(f"all operands must be in one memory: {places}")
    if type_a != type_x or (type_y != type_a and not (SIZES[type_a] == 2 and type_y == TYPES["float32"])):
        raise TypeError(f"A is {NAMES[type_a]}, x {NAMES[type_x]}, y {NAMES[type_y]}: must be one type; "
                        "y of a 16-bit A may be float32")
    if routine.needs_complex and not NAMES[type_a].startswith("complex"):
        raise TypeError(f"A is {NAMES[type_a]}: {name} needs a complex type; symv takes the others")
    if shape_y != expected:
        raise ValueError(f"y has the shape {tuple(shape_y)}: must be {expected}")
    if routine.is_symmetric and shape_a[-2] != shape_a[-1]:
        raise ValueError(f"A is {shape_a[-2]}x{shape_a[-1]}: a symmetric matrix is square")

    if 0 in shape_a or 0 in shape_x:
        return Prepared(problem=None, address=0, routine=routine, is_empty=True, shift_x=0, shift_y=0, type=type_a,
                        device=device)
    strides_a, strides_x, strides_y = in_elements("A", a), in_elements("x", x), in_elements("y", y)
    matrix = matrix_of(shape_a, strides_a)
    incx, shift_x = vector_of("x", shape_x[-1], strides_x[-1])
    incy, shift_y = vector_of("y", shape_y[-1], strides_y[-1])
    extents = expected[:-1]
    count = math.prod(extents)
    stride_y = batch_distance("y", extents, shape_y[:-1], strides_y[:-1])
    if count > 1 and stride_y == 0:
        raise ValueError("y is one vector seen several times: each product needs a y of its own")
    fields = {"type_a": type_a, "type_x": type_x, "type_y": type_y, "layout": matrix.layout, "n": shape_a[-1],
              "lda": matrix.lda, "incx": incx, "incy": incy, "batch": count,
              "stride_a": batch_distance("A", extents, shape_a[:-2], strides_a[:-2]),
              "stride_x": batch_distance("x", extents, shape_x[:-1], strides_x[:-1]), "stride_y": stride_y,
              "accumulate": ACCUMULATE[accumulate], "order": ORDER[order]}
    problem = routine.problem(routine.values[option], shape_a[-2], fields)
    return Prepared(problem=problem, address=addressof(problem), routine=routine, is_empty=False,
                    shift_x=shift_x * SIZES[type_x], shift_y=shift_y * SIZES[type_y], type=type_a, device=device)
