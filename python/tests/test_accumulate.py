# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sums with more digits than their elements."""
from fractions import Fraction

import numpy
import onepass
import pytest

LOWER = numpy.tril(numpy.ones((3, 3)))


def exact(a, x, b):
    """b - a x, every row rounded once."""
    rows = [Fraction(float(b_i)) - sum(Fraction(float(a_ij)) * Fraction(float(x_j)) for a_ij, x_j in zip(row, x))
            for row, b_i in zip(a, b)]
    return numpy.array([float(row) for row in rows])


def test_a_residual_is_right_to_the_last_digit():
    random = numpy.random.default_rng(1)
    a, x = random.standard_normal((40, 60)), random.standard_normal(60)
    b = a @ x
    wanted = exact(a, x, b)
    assert numpy.abs(onepass.gemv(a, x, b, alpha=-1, beta=1) - wanted).max() > 1e-17
    numpy.testing.assert_allclose(onepass.gemv(a, x, b, alpha=-1, beta=1, accumulate="twice"), wanted, rtol=4e-16, atol=1e-30)


@pytest.mark.parametrize("accumulate", ["wider", "twice"])
def test_single_precision_is_summed_in_double(accumulate):
    a = numpy.array([[1e8, 1, -1e8], [3, 0, 0], [0, 0, 5]], numpy.float32)
    assert onepass.gemv(a, numpy.ones(3, numpy.float32), accumulate=accumulate)[0] == 1
    s = (a + a.T).astype(numpy.float32)
    wanted = (s.astype(float) @ numpy.ones(3)).astype(numpy.float32)
    numpy.testing.assert_array_equal(onepass.symv(s * LOWER.astype(numpy.float32), numpy.ones(3, numpy.float32), accumulate=accumulate), wanted)


def test_a_hermitian_matrix_is_summed_twice():
    a = numpy.array([[1e16, 1 + 2j, -1e16], [1 - 2j, 1, 1], [-1e16, 1, 2]])
    assert onepass.hemv(a * LOWER, numpy.ones(3, complex), accumulate="twice")[0] == 1 + 2j


def test_a_plan_says_how_it_sums():
    a, x = numpy.ones((3, 2)), numpy.ones(2)
    plan = onepass.Plan(a, x, accumulate="twice")
    assert "accumulate twice" in plan.explain()
    numpy.testing.assert_array_equal(plan.run(a, x), [2, 2, 2])


@pytest.mark.parametrize("type_, accumulate, words", [("d", "wider", "wider sums are for s, c, h and b"),
                                                      ("e", "twice", "h and b can be summed wider")])
def test_types_that_have_no_such_sums_are_refused(type_, accumulate, words):
    with pytest.raises(onepass.Error, match=words):
        onepass.gemv(numpy.ones((2, 2), type_), numpy.ones(2, type_), accumulate=accumulate)


def test_a_word_that_is_none_is_refused():
    with pytest.raises(ValueError, match="accumulate = 'thrice': must be one of default, wider, twice"):
        onepass.gemv(numpy.ones((2, 2)), numpy.ones(2), accumulate="thrice")


def exact_pair(a, x, tail, y, y_tail):
    """y + y_tail - a (x + tail), of every row its head and its tail."""
    rows = [Fraction(float(y_i)) + Fraction(float(t_i)) - sum(Fraction(float(a_ij)) * (Fraction(float(x_j)) + Fraction(float(r_j)))
                                                              for a_ij, x_j, r_j in zip(row, x, tail))
            for row, y_i, t_i in zip(a, y, y_tail)]
    heads = [float(row) for row in rows]
    return numpy.array(heads), numpy.array([float(row - Fraction(head)) for row, head in zip(rows, heads)])


def test_tails_of_x_and_y_count():
    random = numpy.random.default_rng(2)
    a, x, y = random.standard_normal((30, 30)), random.standard_normal(30), random.standard_normal(30)
    x_tail, y_tail = 1e-17 * random.standard_normal(30), 1e-17 * random.standard_normal(30)
    lower = numpy.tril(a) + numpy.tril(a, -1).T
    for matrix, call in ((a, onepass.gemv2), (lower, onepass.symv2)):
        head, tail = exact_pair(matrix, x, x_tail, y, y_tail)
        got, rest = call(matrix, x, x_tail, y, y_tail, alpha=-1, beta=1)
        numpy.testing.assert_array_equal(got, head)
        numpy.testing.assert_allclose(rest, tail, rtol=0, atol=4e-28)  # (n 2^-53)^2 |A||x|
    numpy.testing.assert_array_equal(onepass.gemv2(a, x, x_tail), -exact_pair(a, x, x_tail, 0 * y, 0 * y)[0])
    assert onepass.hemv2(numpy.eye(2) + 0j, numpy.ones(2) + 0j, numpy.full(2, 1e-20j), tail=True)[1][0] == 0


def test_a_tail_lies_as_its_head_does():
    with pytest.raises(ValueError, match="x_tail must be an array as x is"):
        onepass.gemv2(numpy.ones((2, 2)), numpy.ones(2), numpy.ones(4)[::2])
    with pytest.raises(onepass.Error, match="single products"):
        onepass.gemv2(numpy.ones((3, 2, 2)), numpy.ones(2), numpy.ones(2))
