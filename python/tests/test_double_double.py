# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Double-doubles: arrays of pairs of float64."""
from decimal import Decimal
from fractions import Fraction

import numpy
import onepass
import pytest
from onepass import double_double


def random_pairs(random, *shape):
    head = random.standard_normal(shape)
    return double_double.pair(head, head * random.uniform(-1, 1, shape) * 2.0**-54)


def product(a, x):
    a, x = double_double.to_fractions(a), double_double.to_fractions(x)
    return [sum(one * other for one, other in zip(row, x)) for row in a], [sum(abs(one * other) for one, other in zip(row, x)) for row in a]


def expect(got, a, x):
    wanted, magnitudes = product(a, x)
    for own, exact, magnitude in zip(double_double.to_fractions(got), wanted, magnitudes):
        assert abs(own - exact) <= abs(exact) / 2**106 + (len(x) + 8) * magnitude / 2**102


def test_products_have_32_digits():
    random = numpy.random.default_rng(1)
    a, x, y = random_pairs(random, 7, 30), random_pairs(random, 30), random_pairs(random, 7)
    assert onepass.gemv(a, x).dtype == double_double.dtype
    expect(onepass.gemv(a, x), a, x)
    expect(onepass.gemv(a, y, trans="T"), a.T, y)
    expect(onepass.gemv(numpy.asfortranarray(a), x), a, x)
    expect(onepass.gemv(a[:, ::-1][:, ::-1], x[::-1]), a, x[::-1])
    square = random_pairs(random, 9, 9)
    lower = numpy.where(numpy.tri(9, dtype=bool), square, square.T)
    expect(onepass.symv(square, x[:9]), lower, x[:9])
    batch = onepass.gemv(numpy.stack([a, a]), x)
    assert batch.shape == (2, 7) and numpy.array_equal(batch[0], batch[1])


def test_the_residual_of_a_product_is_nearly_nothing():
    random = numpy.random.default_rng(2)
    a, x = random_pairs(random, 20, 20), random_pairs(random, 20)
    b = onepass.gemv(a, x)
    residual = onepass.gemv(a, x, b, alpha=-1, beta=1)
    assert numpy.abs(residual["head"]).max() < 1e-29
    assert onepass.gemv(a, x, b, alpha=-1, beta=1, out=b) is b


def test_scalars_may_be_fractions_and_elements():
    a, x = double_double.array([[3]]), double_double.array([1])
    third = Fraction(1, 3)
    for alpha in (third, double_double.array([third])[0], double_double.array([third])):
        assert abs(double_double.to_fractions(onepass.gemv(a, x, alpha=alpha))[0] - 1) < Fraction(1, 2**104)
    assert onepass.gemv(a, x, alpha=0.5)["head"][0] == 1.5
    with pytest.raises(TypeError, match="must be real"):
        onepass.gemv(a, x, alpha=1j)


def test_numbers_come_and_go():
    third = Fraction(1, 3)
    values = double_double.array([[third, 1], [Decimal("0.1"), "1e-400"]])
    exact = double_double.to_fractions(values)
    assert abs(exact[0, 0] - third) <= third / 2**106 and exact[0, 1] == 1 and exact[1, 1] == 0
    assert double_double.to_strings(values).tolist() == [["0.33333333333333333333333333333333", "1"], ["0.1", "0"]]
    wide = numpy.longdouble(1) / 3
    found = double_double.to_longdouble(double_double.array(numpy.array([wide])))[0]
    assert abs(found - wide) <= (0 if numpy.finfo(numpy.longdouble).nmant < 106 else wide * numpy.longdouble(2)**-106)  # quadruple precision
    assert double_double.array(numpy.array([1, 2])).tolist() == [(1, 0), (2, 0)]
    assert double_double.array([2**70 + 1]).tolist() == [(2.0**70, 1)]
    assert double_double.array(["inf", -numpy.inf, 10**400]).tolist() == [(numpy.inf, 0), (-numpy.inf, 0), (numpy.inf, 0)]
    assert double_double.pair(1, 1).item() == (2, 0)
    assert numpy.array_equal(double_double.array(values), values)
    with pytest.raises(TypeError, match="float64"):
        double_double.to_fractions(numpy.ones(2))


def test_pairs_of_any_array():
    random = numpy.random.default_rng(3)
    a, x = random_pairs(random, 4, 6), random_pairs(random, 6)
    pairs = [double_double.Pairs(v.view("f8").reshape(*v.shape, 2)) for v in (a, x)]
    result = onepass.gemv(*pairs)
    assert isinstance(result, double_double.Pairs) and result.shape == (4,)
    wanted = onepass.gemv(a, x)
    numpy.testing.assert_array_equal(result.head, wanted["head"])
    numpy.testing.assert_array_equal(result.tail, wanted["tail"])
    again = onepass.gemv(*pairs, result, alpha=-1, beta=1)
    assert numpy.abs(again.head).max() < 1e-29
    with pytest.raises(ValueError, match="last dimension"):
        double_double.Pairs(numpy.ones(3))
    with pytest.raises(ValueError, match="without a gap"):
        onepass.gemv(double_double.Pairs(numpy.ones((2, 4, 4)).swapaxes(0, 2)[..., :2]), pairs[1])


def test_other_types_do_not_mix():
    a = double_double.array([[1.0]])
    with pytest.raises(TypeError, match="must be one type"):
        onepass.gemv(a, numpy.ones(1))
    with pytest.raises(onepass.Error, match="takes one of|sums"):
        onepass.gemv(a, double_double.array([1.0]), accumulate="twice")
    with pytest.raises(TypeError, match="one of"):
        onepass.gemv(numpy.zeros((1, 1), [("head", "f4"), ("tail", "f4")]), numpy.ones(1))


def test_empty_sums():
    y = double_double.array([Fraction(1, 3)])
    result = onepass.gemv(numpy.empty((1, 0), double_double.dtype), numpy.empty(0, double_double.dtype), y, beta=3)
    assert abs(double_double.to_fractions(result)[0] - 1) < Fraction(1, 2**104)
    assert onepass.gemv(numpy.empty((1, 0), double_double.dtype), numpy.empty(0, double_double.dtype)).tolist() == [(0, 0)]
