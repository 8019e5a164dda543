# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The canonical order: the same bits wherever a row stands."""
import numpy
import onepass
import pytest

RANDOM = numpy.random.default_rng(5)
TYPES = ("float32", "float64", "complex64", "complex128")


def array(type_, *shape):
    a = RANDOM.standard_normal(shape)
    return (a + 1j * RANDOM.standard_normal(shape) if type_.startswith("complex") else a).astype(type_)


def same(a, b):
    return numpy.asarray(a).tobytes() == numpy.asarray(b).tobytes()


@pytest.mark.parametrize("type_", TYPES)
def test_a_row_has_its_bits_wherever_it_stands(type_):
    a, x = array(type_, 70, 900), array(type_, 900)
    wanted = onepass.gemv(a, x, order="canonical")
    assert same(onepass.gemv(a[10:20], x, order="canonical"), wanted[10:20])
    assert same(onepass.gemv(numpy.asfortranarray(a), x, order="canonical"), wanted)
    assert same(onepass.gemv(numpy.asfortranarray(a)[1:, :], x, order="canonical"), wanted[1:])
    assert same(onepass.gemv(a.T, x, trans="T", order="canonical"), wanted)
    assert same(onepass.gemv(a[:, ::1], numpy.repeat(x, 2)[::2], order="canonical"), wanted)
    assert same(onepass.gemv(numpy.stack([a, 2 * a]), x, order="canonical")[0], wanted)
    assert not same(onepass.gemv(a, x), wanted)
    numpy.testing.assert_allclose(wanted, a @ x, rtol=1e-3 if type_ in ("float32", "complex64") else 1e-10)


@pytest.mark.parametrize("type_", TYPES)
def test_a_triangle_has_the_bits_of_the_full_matrix(type_):
    a, x = array(type_, 333, 333), array(type_, 333)
    if type_.startswith("complex"):
        a = a + a.conj().T
        a.imag[numpy.diag_indices(333)] = 0
    else:
        a = a + a.T
    routine = onepass.hemv if type_.startswith("complex") else onepass.symv
    wanted = onepass.gemv(a, x, order="canonical")
    for uplo, half in (("L", numpy.tril(a)), ("U", numpy.triu(a))):
        assert same(routine(half, x, uplo=uplo, order="canonical"), wanted)


def test_a_plan_says_its_order():
    a, x = numpy.ones((3, 2)), numpy.ones(2)
    plan = onepass.Plan(a, x, order="canonical")
    assert "order canonical" in plan.explain()
    numpy.testing.assert_array_equal(plan.run(a, x), [2, 2, 2])


def test_types_and_sums_that_have_none_are_refused():
    with pytest.raises(onepass.Error, match="the canonical order is for s, d, c and z"):
        onepass.gemv(numpy.ones((2, 2), "e"), numpy.ones(2, "e"), order="canonical")
    with pytest.raises(onepass.Error, match="summed in their own type"):
        onepass.gemv(numpy.ones((2, 2)), numpy.ones(2), accumulate="twice", order="canonical")
    with pytest.raises(ValueError, match="order = 'any': must be one of default, canonical"):
        onepass.gemv(numpy.ones((2, 2)), numpy.ones(2), order="any")
