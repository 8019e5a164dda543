# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Double-doubles: numbers of about 32 digits, as the sum of two float64. gemv and symv take arrays of them.

Arrays of NumPy have the type `dtype`, whose fields are head and tail:

>>> import onepass, numpy
>>> from onepass import double_double
>>> A = double_double.array([["0.1", "0.2"], ["1e-20", "1"]])
>>> x = double_double.array([1, 10])
>>> double_double.to_strings(onepass.gemv(A, x)).tolist()
['2.1', '10.00000000000000000001']
>>> onepass.gemv(A, x)["head"]
array([ 2.1, 10. ])

Other libraries have no such type: Pairs(array) is a float64 array of theirs whose last dimension has heads and tails, on a CPU
or a GPU, and the result is one too.
"""
from __future__ import annotations

import decimal
import numbers
from fractions import Fraction

import numpy

dtype = numpy.dtype([("head", "f8"), ("tail", "f8")])


class Pairs:
    """A float64 array of any library whose last dimension is two: heads and tails."""

    is_pairs_of_onepass = True
    __slots__ = ("array",)

    def __init__(self, array):
        if len(array.shape) == 0 or array.shape[-1] != 2:
            raise ValueError(f"the array has the shape {tuple(array.shape)}: its last dimension must be 2, head and tail")
        self.array = array

    @property
    def shape(self) -> tuple:
        return tuple(self.array.shape[:-1])

    @property
    def head(self):
        return self.array[..., 0]

    @property
    def tail(self):
        return self.array[..., 1]

    def __setitem__(self, index, other):
        self.array[index] = other.array if isinstance(other, Pairs) else other

    def __repr__(self) -> str:
        return f"Pairs({self.array!r})"


def pair(head, tail) -> numpy.ndarray:
    """head + tail, two float64 arrays that may overlap: nothing is rounded off.

    >>> pair(1., 2.**-60)
    array((1., 8.67361738e-19), dtype=[('head', '<f8'), ('tail', '<f8')])
    """
    head, tail = numpy.broadcast_arrays(numpy.asarray(head, "f8"), numpy.asarray(tail, "f8"))
    result = numpy.empty(head.shape, dtype)
    with numpy.errstate(invalid="ignore", over="ignore"):
        total = head + tail
        of_tail = total - head
        rest = (head - (total - of_tail)) + (tail - of_tail)
    result["head"] = numpy.where(numpy.isfinite(head), total, head)
    result["tail"] = numpy.where(numpy.isfinite(rest), rest, 0)
    return result


def _exact(value) -> Fraction | float:
    if isinstance(value, str):
        value = decimal.Decimal(value.strip())
    if isinstance(value, decimal.Decimal):
        return Fraction(value) if value.is_finite() else float(value)
    if isinstance(value, numbers.Rational):
        return Fraction(value)
    return Fraction(float(value)) if numpy.isfinite(value) else float(value)


def _of(value) -> tuple:
    exact = _exact(value)
    if isinstance(exact, float):
        return exact, 0.0
    try:
        head = float(exact)
    except OverflowError:
        return (float("inf") if exact > 0 else float("-inf")), 0.0
    return head, float(exact - Fraction(head))


def array(values) -> numpy.ndarray:
    """Numbers, rounded to nearest: of float64, longdouble and integer arrays, or Fractions, Decimals and text in any nesting.

    >>> array(["0.1"])["tail"] == array([Fraction(1, 10)])["tail"]
    array([ True])
    """
    given = values if isinstance(values, numpy.ndarray) else numpy.array(values, dtype=object)
    if given.dtype == dtype:
        return given.copy()
    if given.dtype.kind == "f":
        head = given.astype("f8")
        with numpy.errstate(invalid="ignore"):
            rest = (given - head).astype("f8")
        return pair(head, numpy.where(numpy.isfinite(rest), rest, 0))
    result = numpy.empty(given.shape, dtype)
    for index in numpy.ndindex(given.shape):
        result[index] = _of(given[index])
    return result


def _each(values, function) -> numpy.ndarray:
    values = numpy.asarray(values)
    if values.dtype != dtype:
        raise TypeError(f"the array has elements of type {values.dtype}: must be double_double.dtype")
    result = numpy.empty(values.shape, object)
    for index in numpy.ndindex(values.shape):
        head, tail = values[index].item()
        result[index] = function(head, tail)
    return result


def to_fractions(values) -> numpy.ndarray:
    """The exact values, as an array of Fractions."""
    return _each(values, lambda head, tail: Fraction(head) + Fraction(tail))


def to_longdouble(values) -> numpy.ndarray:
    """Rounded to NumPy's longdouble, which has 19 digits on x86."""
    values = numpy.asarray(values)
    return values["head"].astype(numpy.longdouble) + values["tail"]


def to_strings(values, digits: int = 32) -> numpy.ndarray:
    """Rounded to so many decimal digits.

    >>> to_strings(array([Fraction(1, 3)]), 40).tolist()
    ['0.3333333333333333333333333333333323061707']
    """
    def text(head, tail):
        if not numpy.isfinite(head):
            return str(head)
        with decimal.localcontext() as context:
            context.prec = 2200  # exact
            total = decimal.Decimal(head) + decimal.Decimal(tail)
            context.prec = digits
            short = total.normalize() if total else decimal.Decimal(0)
        return f"{short:f}" if -6 <= short.adjusted() < digits else f"{short:e}"
    return _each(values, text)


def scale(values, factor) -> None:
    """values *= factor, in place; zero where the factor is, whatever is there."""
    target = values.array if isinstance(values, Pairs) else values
    if factor == 0:
        target[...] = 0
    elif isinstance(values, Pairs):
        raise ValueError("an empty product of Pairs with beta: multiply y by beta outside")
    else:
        target[...] = array(_each(target, lambda head, tail: (Fraction(head) + Fraction(tail)) * Fraction(factor)))
