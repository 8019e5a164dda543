# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Rank-1 updates of NumPy's arrays, against NumPy's outer products."""
import numpy
import pytest
from conftest import numbers

import onepass

TYPES = ("float32", "float64", "complex64", "complex128")


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("conjugate", (False, True))
@pytest.mark.parametrize("dtype", TYPES)
def test_ger_is_the_outer_product(dtype, conjugate, order):
    A = numpy.asarray(numbers((5, 3), dtype, 1).astype(dtype), order=order)
    x, y = numbers(5, dtype, 2).astype(dtype), numbers(3, dtype, 3).astype(dtype)
    expected = A + 2 * numpy.outer(x, y.conj() if conjugate else y)
    result = onepass.ger(x, y, A, alpha=2, conjugate=conjugate)
    assert result is A
    numpy.testing.assert_array_equal(A, expected)


def test_ger_takes_strides_and_parts():
    whole = numbers((9, 12), "float64", 1)
    x, y = numbers(20, "float64", 2)[::-4], numbers(9, "float64", 3)[1::3]
    A = whole[2:7, 4:7]
    expected = whole.copy()
    expected[2:7, 4:7] += numpy.outer(x, y)
    onepass.ger(x, y, A)
    numpy.testing.assert_array_equal(whole, expected)


def test_ger_updates_batches_with_vectors_that_are_broadcast():
    A, x, y = numbers((4, 3, 2), "float32", 1), numbers((4, 3), "float32", 2), numbers(2, "float32", 3)
    A, x, y = (v.astype("float32") for v in (A, x, y))
    expected = A + x[:, :, None] * y[None, None, :]
    numpy.testing.assert_array_equal(onepass.ger(x, y, A), expected)


def test_alpha_zero_touches_nothing():
    A = numpy.ones((2, 2))
    onepass.ger(numpy.full(2, numpy.nan), numpy.full(2, numpy.inf), A, alpha=0)
    numpy.testing.assert_array_equal(A, numpy.ones((2, 2)))


@pytest.mark.parametrize("x, y, A, error, text", [
    (numpy.ones(3), numpy.ones(3), numpy.ones((2, 3)), ValueError, "x has 3 elements"),
    (numpy.ones(2), numpy.ones(2), numpy.ones((2, 3)), ValueError, "y 2"),
    (numpy.ones(2, "f"), numpy.ones(3), numpy.ones((2, 3)), TypeError, "must be one type"),
    (numpy.ones(2, "e"), numpy.ones(3, "e"), numpy.ones((2, 3), "e"), TypeError, "float16"),
    (numpy.ones(2), numpy.ones(3), numpy.ones(3), ValueError, "at least two dimensions"),
    (numpy.ones(2), numpy.ones(3), numpy.broadcast_to(numpy.ones((2, 3)), (4, 2, 3)), ValueError, "read-only"),
    (numpy.ones((3, 2)), numpy.ones(3), numpy.ones((4, 2, 3)), ValueError, "leading dimensions of x"),
    (numpy.ma.masked_array([1.0, 2.0]), numpy.ones(3), numpy.ones((2, 3)), TypeError, "masked"),
])
def test_ger_says_what_is_wrong(x, y, A, error, text):
    with pytest.raises(error, match=text):
        onepass.ger(x, y, A)
