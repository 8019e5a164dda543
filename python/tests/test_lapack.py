# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""LAPACK's factors: those of SciPy's LAPACK, and Q generated or applied."""
import numpy
import pytest
from reductions import TYPES, adjoint, hermitian, matrix

from onepass._library import path

if not path("libonepass_lapack.so").exists():
    pytest.skip("this build has no libonepass_lapack.so", allow_module_level=True)
from onepass import lapack  # noqa: E402


def close(one, other, scale=1):
    """Within c n eps |A|, with n of at most 12 and |A| of at most 20 in these tests."""
    numpy.testing.assert_allclose(one, other, atol=1000 * scale * numpy.finfo(other.dtype).eps, rtol=0)


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("dtype", TYPES)
def test_factors_of_sytrd(dtype, lower):
    functions = pytest.importorskip("scipy.linalg.lapack")
    a = hermitian((10, 10), dtype)
    names = ("hetrd", "ungtr") if dtype.startswith("complex") else ("sytrd", "orgtr")
    letter = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}[dtype]
    theirs = getattr(functions, letter + names[0])(a, lower=int(lower))
    ours = lapack.sytrd(a, lower)
    triangle = numpy.tril if lower else numpy.triu
    close(triangle(ours.a), triangle(theirs[0]))
    for i in range(1, 4):
        close(ours[i], theirs[i])
    q = lapack.orgtr(ours.a, ours.tau, lower)
    for side, expected in (("L", q @ a), ("R", a @ q)):
        close(lapack.ormtr(ours.a, ours.tau, a, side, lower=lower), expected)
    for side, expected in (("L", adjoint(q) @ a), ("R", a @ adjoint(q))):
        close(lapack.ormtr(ours.a, ours.tau, a, side, "C", lower), expected)


@pytest.mark.parametrize("dtype", TYPES)
def test_factors_of_gehrd_in_a_range(dtype):
    functions = pytest.importorskip("scipy.linalg.lapack")
    letter = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}[dtype]
    a = matrix((10, 10), dtype)
    lo, hi = 2, 7
    a[:, :lo], a[hi + 1:] = numpy.triu(a)[:, :lo], numpy.triu(a)[hi + 1:]
    theirs = getattr(functions, letter + "gehrd")(a, lo=lo, hi=hi)
    ours = lapack.gehrd(a, lo, hi)
    close(ours.a, theirs[0])
    close(ours.tau[lo:hi], theirs[1][lo:hi])
    q, c = lapack.orghr(ours.a, ours.tau, lo, hi), matrix((10, 4), dtype, 2)
    close(lapack.ormhr(ours.a, ours.tau, c, lo, hi), q @ c)
    close(lapack.ormhr(ours.a, ours.tau, adjoint(c), lo, hi, "R", "C"), adjoint(c) @ adjoint(q))
    close(q @ numpy.triu(ours.a, -1) @ adjoint(q), a)


@pytest.mark.parametrize("shape", [(12, 7), (7, 12), (7, 7)])
@pytest.mark.parametrize("dtype", TYPES)
def test_factors_of_gebrd_applied(dtype, shape):
    a, (m, n) = matrix(shape, dtype), shape
    b = lapack.gebrd(a)
    c = lapack.ormbr(b.a, b.tauq, a, n, "Q", "L", "C")
    c = lapack.ormbr(b.a, b.taup, c, m, "P", "R", overwrite_c=True)
    offset = 1 if m >= n else -1
    expected = numpy.zeros(shape, dtype)
    expected[:min(shape), :min(shape)] = numpy.diag(b.d) + numpy.diag(b.e, offset)
    close(c, expected)
    k = min(shape)
    close(lapack.orgbr(b.a[:, :k], b.tauq, n), lapack.ormbr(b.a, b.tauq, numpy.eye(m, k, dtype=dtype), n))
    close(lapack.orgbr(b.a[:k], b.taup, m, "P"), lapack.ormbr(b.a, b.taup, numpy.eye(k, n, dtype=dtype), m, "P", "R", "C"))


@pytest.mark.parametrize("shape", [(12, 7), (7, 12), (7, 7), (5, 0), (0, 5)])
@pytest.mark.parametrize("dtype", TYPES)
def test_factors_of_geqrf(dtype, shape):
    a, (m, n), k = matrix(shape, dtype), shape, min(shape)
    f = lapack.geqrf(a)
    close(lapack.ormqr(f.a, f.tau, a, "L", "C"), numpy.triu(f.a))
    q = lapack.orgqr(f.a[:, :k], f.tau)
    close(q, lapack.ormqr(f.a, f.tau, numpy.eye(m, k, dtype=dtype)))
    close(lapack.ormqr(f.a, f.tau, adjoint(a), "R"), adjoint(numpy.triu(f.a)))
    if k:
        functions = pytest.importorskip("scipy.linalg.lapack")
        letter = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}[dtype]
        theirs = getattr(functions, letter + "geqrf")(a)
        close(f.a, theirs[0])
        close(f.tau, theirs[1])


def test_batches_and_strides_of_all_operands():
    a, c = hermitian((3, 6, 6), "complex128"), matrix((3, 6, 4), "complex128", 2)
    t = lapack.sytrd(a)
    spread = numpy.repeat(t.tau, 2, -1)[..., ::2]
    product = lapack.ormtr(numpy.ascontiguousarray(t.a), spread, numpy.asfortranarray(c))
    for i in range(3):
        close(product[i], lapack.orgtr(t.a[i], t.tau[i]) @ c[i])
    numpy.testing.assert_array_equal(lapack.orgtr(t.a, spread), lapack.orgtr(t.a, t.tau))


def test_memory_of_the_caller_is_used_where_it_may_be():
    a = numpy.asfortranarray(matrix((6, 6), "float64"))
    assert lapack.gehrd(a, overwrite_a=True).a is a
    inside = numpy.asfortranarray(matrix((9, 9), "float64"))
    part = inside[1:7, 2:8]
    expected, around = lapack.gehrd(part), inside.copy()
    assert lapack.gehrd(part, overwrite_a=True).a is part
    numpy.testing.assert_array_equal(part, expected.a)
    around[1:7, 2:8] = part
    numpy.testing.assert_array_equal(inside, around)


T = lapack.sytrd(numpy.eye(4))


@pytest.mark.parametrize("error, text, call", [
    (ValueError, "tau has the shape .2,.: must be .3,.", lambda: lapack.orgtr(T.a, T.tau[:2])),
    (ValueError, "lo = 1, hi = 4: must be 0 <= lo <= hi < 4", lambda: lapack.gehrd(T.a, 1, 4)),
    (ValueError, "lo = 3, hi = 1", lambda: lapack.orghr(T.a, T.tau, 3, 1)),
    (ValueError, "a is 4x3 and k = 4: must have from 4 to 4 columns", lambda: lapack.orgbr(T.a[:, :3], T.tau, 4)),
    (ValueError, "vect = 'X': must be one of Q, P", lambda: lapack.orgbr(T.a, T.tau, 4, "X")),
    (ValueError, "side = 'X': must be one of L, R", lambda: lapack.ormtr(T.a, T.tau, T.a, "X")),
    (ValueError, "trans = 'X': must be one of N, T, C", lambda: lapack.ormtr(T.a, T.tau, T.a, trans="X")),
    (ValueError, "trans = 'T': must be one of N, C", lambda: lapack.ormtr(T.a, T.tau, T.a + 0j, trans="T")),
    (ValueError, "a has the shape .4, 4.: must be .5, 5.", lambda: lapack.ormtr(T.a, T.tau, numpy.ones((5, 4)))),
    (ValueError, "a has the shape .4, 4.: must be .5, 2.", lambda: lapack.ormbr(T.a, T.tau, numpy.ones((5, 4)), 2)),
    (ValueError, "k = -1: must be at least 0", lambda: lapack.ormbr(T.a, T.tau, T.a, -1)),
    (ValueError, "a is 4x2 and tau has 3 elements: must have m >= n >= 3", lambda: lapack.orgqr(T.a[:, :2], T.tau)),
    (ValueError, "a has the shape .4, 4.: must be .5, 3.", lambda: lapack.ormqr(T.a, T.tau, numpy.ones((5, 4)))),
    (TypeError, "tau is a list", lambda: lapack.orgqr(T.a, [1.0])),
    (TypeError, "a is float64, and c complex128: must be one type", lambda: lapack.ormtr(T.a, T.tau, T.a + 0j)),
    (TypeError, "tau is float32, and a float64: must be one type", lambda: lapack.orgtr(T.a, T.tau.astype("f"))),
    (TypeError, "a is a list", lambda: lapack.ormtr([[1.0]], T.tau, T.a)),
])
def test_a_wrong_argument_is_named(error, text, call):
    with pytest.raises(error, match=text):
        call()
