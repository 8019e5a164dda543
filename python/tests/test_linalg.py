# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reductions of NumPy's arrays."""
import threading

import numpy
import pytest
from reductions import TYPES, adjoint, assert_factors, banded, hermitian, matrix

import onepass
from onepass._library import path

if not path("libonepass_lapack.so").exists():
    pytest.skip("this build has no libonepass_lapack.so", allow_module_level=True)
from onepass import linalg  # noqa: E402

real = {"float32": "float32", "complex64": "float32", "float64": "float64", "complex128": "float64"}


@pytest.mark.parametrize("n", [0, 1, 2, 5, 70])
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("dtype", TYPES)
def test_tridiagonal_form(dtype, lower, n):
    a = hermitian((n, n), dtype)
    read = numpy.where(numpy.tril(numpy.ones((n, n), bool)) if lower else numpy.triu(numpy.ones((n, n), bool)), a, numpy.nan)
    d, e, q = linalg.tridiagonalize(read, lower)
    assert d.shape == (n,) and e.shape == (max(0, n - 1),) and d.dtype == e.dtype == real[dtype] and q.dtype == dtype
    assert_factors(a, q, banded(d, e, (1, -1)), adjoint(q))


@pytest.mark.parametrize("shape", [(5, 5), (70, 40), (40, 70), (1, 4), (4, 1), (0, 3), (3, 0)])
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("dtype", TYPES)
def test_bidiagonal_form(dtype, full, shape):
    a, (m, n) = matrix(shape, dtype), shape
    k = min(m, n)
    q, d, e, ph = linalg.bidiagonalize(a, full_matrices=full)
    assert d.shape == (k,) and e.shape == (max(0, k - 1),) and d.dtype == e.dtype == real[dtype]
    middle = banded(d, e, (1,) if m >= n else (-1,))
    if full:
        middle = numpy.pad(middle, ((0, m - k), (0, n - k)))
    assert q.shape == (m, middle.shape[0]) and ph.shape == (middle.shape[1], n) and q.dtype == ph.dtype == dtype
    assert_factors(a, q, middle, ph)


@pytest.mark.parametrize("n", [0, 1, 2, 5, 70])
@pytest.mark.parametrize("dtype", TYPES)
def test_hessenberg_form(dtype, n):
    a = matrix((n, n), dtype)
    h, q = linalg.hessenberg(a)
    assert h.dtype == q.dtype == dtype and not numpy.tril(h, -2).any()
    assert_factors(a, q, h, adjoint(q))


@pytest.mark.parametrize("shape", [(0, 0), (3, 0), (1, 1), (5, 5), (70, 40), (40, 70)])
@pytest.mark.parametrize("mode", ["reduced", "complete", "r"])
@pytest.mark.parametrize("dtype", TYPES)
def test_qr(dtype, mode, shape):
    a, k = matrix(shape, dtype), min(shape)
    made, theirs = linalg.qr(a, mode), numpy.linalg.qr(a, mode)
    r = made if mode == "r" else made.r
    assert r.dtype == dtype and r.shape == (theirs if mode == "r" else theirs[1]).shape and not numpy.tril(r, -1).any()
    numpy.testing.assert_allclose(abs(numpy.diagonal(r)), abs(numpy.diagonal(theirs if mode == "r" else theirs[1])),
                                  rtol=0, atol=1000 * numpy.finfo(dtype).eps * (1 + k))
    if mode != "r":
        assert made.q.shape == theirs[0].shape
        assert_factors(a, made.q, made.r, numpy.eye(shape[1], dtype=dtype))


@pytest.mark.parametrize("n", [0, 1, 2, 5, 70])
@pytest.mark.parametrize("uplo", ["L", "U"])
@pytest.mark.parametrize("dtype", TYPES)
def test_eigenvalues_and_eigenvectors(dtype, uplo, n):
    a = hermitian((n, n), dtype)
    read = numpy.where(numpy.tril(numpy.ones((n, n), bool)) if uplo == "L" else numpy.triu(numpy.ones((n, n), bool)), a, numpy.nan)
    w, v = linalg.eigh(read, uplo)
    assert w.shape == (n,) and w.dtype == real[dtype] and v.dtype == dtype and (numpy.diff(w) >= 0).all()
    assert_factors(a, v, numpy.diag(w), adjoint(v))
    numpy.testing.assert_allclose(linalg.eigvalsh(read, uplo), w, atol=30 * max(n, 1) * numpy.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", TYPES)
def test_some_eigenvalues(dtype):
    """As SciPy has them."""
    a = hermitian((2, 30, 30), dtype)
    w, v = linalg.eigh(a)
    some, of_some = linalg.eigh(a, subset_by_index=(4, 9))
    tolerance = 300 * numpy.finfo(dtype).eps
    numpy.testing.assert_allclose(some, w[:, 4:10], atol=tolerance)
    numpy.testing.assert_allclose(linalg.eigvalsh(a, subset_by_index=[29, 29]), w[:, 29:], atol=tolerance)
    assert of_some.shape == (2, 30, 6)
    numpy.testing.assert_allclose(a @ of_some, of_some * some[:, None, :], atol=tolerance)
    low, high = (w[0, 3] + w[0, 4]) / 2, (w[0, 9] + w[0, 10]) / 2
    some, of_some = linalg.eigh(a[0], "U", subset_by_value=(low, high))
    numpy.testing.assert_allclose(some, w[0, 4:10], atol=tolerance)
    numpy.testing.assert_allclose(a[0] @ of_some, of_some * some, atol=tolerance)
    assert linalg.eigvalsh(a[0], subset_by_value=(w[0, 29] + 1, numpy.inf)).shape == (0,)
    assert linalg.eigvalsh(a[0], subset_by_value=(-numpy.inf, numpy.inf)).shape == (30,)


def test_a_subset_that_is_none_is_refused():
    a = hermitian((2, 5, 5), "float64")
    for text, what in (("must be 0 <= first <= last < 5", {"subset_by_index": (2, 5)}),
                       ("must be 0 <= first <= last < 5", {"subset_by_index": (-1, 2)}),
                       ("must be one of them", {"subset_by_index": (0, 1), "subset_by_value": (0, 1)}),
                       ("it must be one matrix", {"subset_by_value": (0, 1)})):
        with pytest.raises(ValueError, match=text):
            linalg.eigh(a, **what)
    with pytest.raises(ValueError, match="must be ascending"):
        linalg.eigvalsh(a[0], subset_by_value=(1, 1))
    with pytest.raises(ValueError, match="il = 3 and iu = 2: must be 1 <= il <= iu <= 5"):
        onepass.lapack.syevd(a, il=3, iu=2)


def test_eigenvalues_of_a_batch_and_of_what_is_not_finite():
    a = hermitian((2, 3, 6, 6), "complex128")
    w, v = linalg.eigh(a)
    numpy.testing.assert_allclose(a @ v, v * w[..., None, :], atol=1e-13)
    a[1, 2, 5, 3] = numpy.nan
    solved = onepass.lapack.syevd(a)
    assert solved.info.dtype == numpy.int32 and solved.info.tolist() == [[0, 0, 0], [0, 0, 13]]
    assert numpy.isnan(solved.w[1, 2]).all() and numpy.isnan(solved.v[1, 2]).all()
    assert onepass.lapack.syevd(a, vectors=False).v is None
    with pytest.raises(ValueError, match="uplo = 'l': must be one of L, U"):
        linalg.eigh(a, "l")
    with pytest.raises(ValueError, match="a is 2x3: must be square"):
        linalg.eigvalsh(numpy.ones((2, 3)))


@pytest.mark.parametrize("shape", [(5, 5), (70, 60), (60, 70), (90, 20), (20, 90), (1, 4), (4, 1), (0, 3), (3, 0)])
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("dtype", TYPES)
def test_singular_values_and_vectors(dtype, full, shape):
    a, (m, n), k = matrix(shape, dtype), shape, min(shape)
    before = a.copy()
    u, s, vh = linalg.svd(a, full_matrices=full)
    assert (a == before).all() and s.shape == (k,) and s.dtype == real[dtype] and (numpy.diff(s) <= 0).all()
    middle = numpy.diag(s)
    if full:
        middle = numpy.pad(middle, ((0, m - k), (0, n - k)))
    assert u.shape == (m, middle.shape[0]) and vh.shape == (middle.shape[1], n) and u.dtype == vh.dtype == dtype
    assert_factors(a, u, middle, vh)
    values = linalg.svdvals(a)
    numpy.testing.assert_allclose(values, s, atol=30 * max(*shape) * numpy.finfo(dtype).eps)
    assert (linalg.svd(a, compute_uv=False) == values).all()


def test_singular_values_of_a_batch_and_of_what_is_not_finite():
    a = matrix((2, 3, 6, 4), "complex128")
    u, s, vh = linalg.svd(a, full_matrices=False)
    numpy.testing.assert_allclose(u * s[..., None, :] @ vh, a, atol=1e-13)
    assert [x.shape for x in linalg.svd(a)] == [(2, 3, 6, 6), (2, 3, 4), (2, 3, 4, 4)]
    a[1, 2, 5, 3] = numpy.nan
    made = onepass.lapack.gesvd(a)
    assert made.info.dtype == numpy.int32 and made.info.tolist() == [[0, 0, 0], [0, 0, 4]]
    assert numpy.isnan(made.s[1, 2]).all() and numpy.isnan(made.u[1, 2]).all() and numpy.isnan(made.vt[1, 2]).all()
    assert onepass.lapack.gesvd(a, "N").u is None
    parts = matrix((2, 6, 12, 12), "float32")[:, ::2, 1:6, :10:2]  # neither axis of which is one distance
    u, s, vh = linalg.svd(parts)
    numpy.testing.assert_allclose(u * s[..., None, :] @ vh, parts, atol=1e-5)
    with pytest.raises(ValueError, match="job = 'V': must be one of N, S, A"):
        onepass.lapack.gesvd(a, "V")


@pytest.mark.parametrize("twist", [
    lambda a: a, lambda a: a.swapaxes(0, 1), lambda a: a[::-1], lambda a: a[:, ::2], lambda a: a[:, :0],
    lambda a: numpy.broadcast_to(a[:1], a.shape), lambda a: a.swapaxes(-1, -2).copy().swapaxes(-1, -2),
    lambda a: numpy.pad(a, ((0, 0), (0, 0), (0, 2), (0, 1))).swapaxes(-1, -2)[..., :7, :7]])
@pytest.mark.parametrize("overwrite", [False, True])
def test_matrices_of_a_batch_have_the_bits_of_their_own(twist, overwrite):
    a = twist(hermitian((3, 4, 7, 7), "complex64"))
    alone = [[onepass.lapack.syevd(m[None]) for m in row] for row in a]
    values = [[onepass.lapack.syevd(m[None], vectors=False).w[0] for m in row] for row in a]
    solved = onepass.lapack.syevd(a.copy(order="K") if overwrite else a, overwrite_a=overwrite)
    assert solved.w.shape == a.shape[:-1] and solved.v.shape == a.shape and solved.info.shape == a.shape[:2]
    for i, j in numpy.ndindex(a.shape[:2]):
        numpy.testing.assert_array_equal(solved.w[i, j], alone[i][j].w[0])
        numpy.testing.assert_array_equal(solved.v[i, j], alone[i][j].v[0])
        numpy.testing.assert_allclose(values[i][j], solved.w[i, j], atol=30 * 7 * numpy.finfo("float32").eps)


def test_a_large_batch_is_one_call(monkeypatch):
    from onepass import _lapack
    calls, run = [], _lapack._library.onepassLapackRun
    monkeypatch.setattr(_lapack._library, "onepassLapackRun", lambda *given: calls.append(given) or run(*given))
    w = linalg.eigvalsh(hermitian((50, 20, 3, 3), "float64"))
    assert w.shape == (50, 20, 3) and len(calls) == 1
    linalg.eigvalsh(hermitian((2, 513, 513), "float32"))
    assert len(calls) == 3


def test_as_scipy():
    scipy = pytest.importorskip("scipy.linalg")
    a = matrix((30, 30), "float64")
    for ours, theirs in zip(linalg.hessenberg(a), scipy.hessenberg(a, calc_q=True)):
        numpy.testing.assert_allclose(ours, theirs, atol=30 * 30 * 2.0**-52 * numpy.linalg.norm(a))
    values = scipy.eigvalsh_tridiagonal(*linalg.tridiagonalize(a + a.T, q=False)[:2])
    numpy.testing.assert_allclose(values, numpy.linalg.eigvalsh(a + a.T), atol=30 * 2.0**-52 * numpy.linalg.norm(a))


def test_without_q_it_is_none():
    a = hermitian((6, 6), "float64")
    assert linalg.tridiagonalize(a, q=False).q is None and linalg.hessenberg(a, q=False).q is None
    b = linalg.bidiagonalize(a, q=False)
    assert b.q is None and b.ph is None
    numpy.testing.assert_array_equal(b.d, linalg.bidiagonalize(a).d)


@pytest.mark.parametrize("twist", [
    numpy.asfortranarray, lambda a: numpy.repeat(numpy.repeat(a, 2, 0), 3, 1)[::2, ::3], lambda a: a[::-1].copy()[::-1],
    lambda a: numpy.pad(a, 2)[2:-2, 2:-2], lambda a: numpy.pad(a, 2).T[2:-2, 2:-2].T,
    lambda a: a.astype(a.dtype.newbyteorder()),
    lambda a: numpy.frombuffer(a.tobytes(), a.dtype).reshape(a.shape)])
def test_strides_do_not_matter(twist):
    a = matrix((9, 6), "float64")
    for ours, plain in zip(linalg.bidiagonalize(twist(a)), linalg.bidiagonalize(a)):
        numpy.testing.assert_array_equal(ours, plain)


def test_arrays_that_do_not_lie_on_their_elements():
    a = matrix((6, 6), "complex128")
    fields = numpy.zeros((6, 6), [("value", "complex128"), ("flag", "i4")])
    fields["value"] = a
    odd = numpy.zeros(a.nbytes + 4, "u1")[4:].view("complex128").reshape((6, 6), order="F")
    odd[...] = a
    for twisted in (fields["value"], odd):
        for ours, plain in zip(linalg.hessenberg(twisted, overwrite_a=True), linalg.hessenberg(a)):
            numpy.testing.assert_array_equal(ours, plain)
        numpy.testing.assert_array_equal(twisted, a)


@pytest.mark.parametrize("dtype", ["int32", "uint8", "bool"])
def test_integers_become_float64(dtype):
    a = (numpy.arange(16).reshape(4, 4) % 3).astype(dtype)
    for ours, plain in zip(linalg.hessenberg(a), linalg.hessenberg(a.astype("float64"))):
        assert ours.dtype == "float64"
        numpy.testing.assert_array_equal(ours, plain)


@pytest.mark.parametrize("reduce", [linalg.tridiagonalize, linalg.bidiagonalize, linalg.hessenberg])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_callers_array_stays_unless_it_may_be_overwritten(reduce, order):
    a = numpy.array(hermitian((8, 8), "complex64"), order=order)
    kept = a.copy(order)
    expected = reduce(a)
    numpy.testing.assert_array_equal(a, kept)
    for ours, plain in zip(reduce(a, overwrite_a=True), expected):
        numpy.testing.assert_array_equal(ours, plain)
    assert numpy.array_equal(a, kept) == (order == "C")
    fixed = kept.copy(order)
    fixed.flags.writeable = False
    reduce(fixed, overwrite_a=True)
    numpy.testing.assert_array_equal(fixed, kept)


@pytest.mark.parametrize("a", [matrix((2, 3, 5, 5), "float32"), matrix((3, 2, 5, 5), "float32").swapaxes(0, 1),
                               numpy.broadcast_to(matrix((5, 5), "float32"), (2, 3, 5, 5)), numpy.empty((0, 5, 5), "float32")])
def test_leading_dimensions_are_a_batch(a):
    for reduce in (linalg.tridiagonalize, linalg.bidiagonalize, linalg.hessenberg):
        whole = reduce(a)
        for index in numpy.ndindex(a.shape[:-2]):
            for ours, single in zip(whole, reduce(a[index])):
                numpy.testing.assert_array_equal(ours[index], single)
        assert all(part.shape[:-1][:a.ndim - 2] == a.shape[:-2] for part in whole)


def test_threads_do_not_share_a_handle():
    a, results = hermitian((60, 60), "float64"), []
    threads = [threading.Thread(target=lambda: results.append(linalg.tridiagonalize(a))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for d, e, q in results:
        assert_factors(a, q, banded(d, e, (1, -1)), adjoint(q))
    assert len(results) == 4


@pytest.mark.parametrize("error, text, call", [
    (ValueError, "a is 3x4: must be square", lambda: linalg.tridiagonalize(numpy.ones((3, 4)))),
    (ValueError, "a is 3x4: must be square", lambda: linalg.hessenberg(numpy.ones((3, 4)))),
    (ValueError, "mode = 'full': must be one of reduced, complete, r", lambda: linalg.qr(numpy.ones((3, 4)), "full")),
    (ValueError, "a has the shape .3,.: must have at least two dimensions", lambda: linalg.bidiagonalize(numpy.ones(3))),
    (TypeError, "a has elements of type float16: must be float32", lambda: linalg.hessenberg(numpy.ones((2, 2), "float16"))),
    (TypeError, "a has elements of type object", lambda: linalg.hessenberg(numpy.ones((2, 2), object))),
    (TypeError, "a is a list: must be an array", lambda: linalg.hessenberg([[1.0]])),
    (TypeError, "a is a masked array", lambda: linalg.hessenberg(numpy.ma.ones((2, 2)))),
])
def test_a_wrong_argument_is_named(error, text, call):
    with pytest.raises(error, match=text):
        call()


def test_another_backend_by_its_name(monkeypatch):
    """The simulator has no reductions: the cpu serves them."""
    made = []
    monkeypatch.setattr("onepass._lapack._library", type("Library", (), {
        "onepassLapackCreateOn": staticmethod(lambda pointer, name: made.append(name) or 0)}))
    for name, expected in (("reference", b"reference"), ("sim", b"cpu"), ("cuda", b"cpu")):
        monkeypatch.setenv("ONEPASS_BACKEND", name)
        onepass._lapack._create("host")
        assert made.pop() == expected
