# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reductions of matrices: A = Q T Q^H, A = Q B P^H, A = Q H Q^H and A = Q R, with factors as matrices; eigenvalues and
singular values.

Arrays are of NumPy (on the CPU), PyTorch or CuPy (on either side; on a GPU the calls run on the current stream), float32,
float64, complex64 or complex128, with any strides; integers become float64. Leading dimensions are matrices of a batch:
eigenproblems of up to 512 rows are solved together, and so are svd and svdvals of up to 256 rows and columns; others one after
the other. The arrays of the caller stay as they are; overwrite_a=True allows to use the memory of a that lies column by column.
onepass.lapack has the factors as LAPACK stores them.

eigh, eigvalsh, svd and svdvals of PyTorch's tensors have gradients, with the formulas of torch.linalg; the others refuse
tensors that require them.
"""
from __future__ import annotations

import operator
import sys
from collections.abc import Sequence
from typing import NamedTuple

from . import lapack
from ._arrays import needs_gradient
from ._lapack import Array, Call

__all__ = ["Bidiagonal", "Eigh", "Hessenberg", "QR", "SVD", "Tridiagonal", "bidiagonalize", "eigh", "eigvalsh", "hessenberg",
           "qr", "svd", "svdvals", "tridiagonalize"]


class Tridiagonal(NamedTuple):
    """A = Q T Q^H: the diagonal d of T, of n real numbers, e beside it, and Q (None if it was not asked for)."""

    d: Array
    e: Array
    q: Array | None


class Bidiagonal(NamedTuple):
    """A = Q B P^H: the diagonal d of B, of min(m, n) real numbers, e above it (below it if A has more columns than rows)."""

    q: Array | None
    d: Array
    e: Array
    ph: Array | None


class Hessenberg(NamedTuple):
    """A = Q H Q^H: H, which is zero below its subdiagonal, and Q (None if it was not asked for)."""

    h: Array
    q: Array | None


class QR(NamedTuple):
    """A = Q R: Q, and R, which is zero below its diagonal."""

    q: Array
    r: Array


class Eigh(NamedTuple):
    """A = V diag(w) V^H: the eigenvalues, ascending, and V, whose columns belong to them."""

    eigenvalues: Array
    eigenvectors: Array


class SVD(NamedTuple):
    """A = U diag(S) Vh: the singular values, descending, U and Vh = V^H."""

    U: Array
    S: Array
    Vh: Array


def _solved(a: Array, uplo: str, vectors: bool, index, value, overwrite_a: bool) -> lapack.Syevd:
    """Of eigh and eigvalsh: all eigenvalues, or some as SciPy has them."""
    some, shape = {}, tuple(getattr(a, "shape", ()))  # of what is no array the call says so
    if index is not None and value is not None:
        raise ValueError("subset_by_index and subset_by_value are both there: must be one of them")
    if index is not None:
        first, last = (operator.index(i) for i in index)
        if shape and not 0 <= first <= last < shape[-1]:
            raise ValueError(f"subset_by_index = {(first, last)}: must be 0 <= first <= last < {shape[-1]}")
        some = {"il": first + 1, "iu": last + 1}
    if value is not None and len(shape) > 2:
        raise ValueError(f"a has the shape {shape}: with subset_by_value it must be one matrix")
    if needs_gradient(a):
        from . import _torch_gradients
        w, v = _torch_gradients.eigh(a, _is_lower(uplo))
        chosen = slice(None) if index is None else slice(first, last + 1)  # eigenvectors depend on all others
        solved = lapack.Syevd(w[..., chosen], v[..., chosen], None)
    else:
        solved = lapack.syevd(a, _is_lower(uplo), vectors, overwrite_a=overwrite_a, **some)
    if value is None:
        return solved
    above, most = value
    if not above < most:
        raise ValueError(f"subset_by_value = {(above, most)}: must be ascending")
    # They are neighbours: how many lie below either end says which.
    first, last = (int((solved.w <= end).sum()) for end in (above, most))
    return lapack.Syevd(solved.w[first:last], solved.v[:, first:last] if vectors else None, solved.info)


def eigh(a: Array, uplo: str = "L", *, subset_by_index: Sequence[int] | None = None,
         subset_by_value: Sequence[float] | None = None, overwrite_a: bool = False) -> Eigh:
    """Eigenvalues and eigenvectors of a symmetric or Hermitian matrix, of which only the triangle uplo is read, L or U.

    Some of them, as scipy.linalg.eigh has it: subset_by_index=(first, last), counted from 0, or subset_by_value=(low, high),
    those in (low, high]. By index fewer eigenvectors are multiplied by Q; by value all are, and the host waits to see how many
    there are.

    Those of a matrix that is not finite are NaN; onepass.lapack.syevd says so in info. No other call waits for a GPU.

    >>> import numpy, onepass
    >>> a = numpy.array([[4., 3., 4.], [3., 1., 2.], [4., 2., 5.]])
    >>> w, v = onepass.linalg.eigh(a)
    >>> bool(numpy.allclose(a @ v, v * w))
    True
    >>> onepass.linalg.eigh(a, subset_by_index=(1, 2)).eigenvectors.shape
    (3, 2)
    """
    solved = _solved(a, uplo, True, subset_by_index, subset_by_value, overwrite_a)
    return Eigh(solved.w, solved.v)


def eigvalsh(a: Array, uplo: str = "L", *, subset_by_index: Sequence[int] | None = None,
             subset_by_value: Sequence[float] | None = None, overwrite_a: bool = False) -> Array:
    """The eigenvalues alone, ascending; some of them as in eigh.

    >>> import numpy, onepass
    >>> onepass.linalg.eigvalsh(numpy.array([[2., 1.], [1., 2.]])).round(9)
    array([1., 3.])
    """
    return _solved(a, uplo, False, subset_by_index, subset_by_value, overwrite_a).w


def svd(a: Array, full_matrices: bool = True, compute_uv: bool = True, *, overwrite_a: bool = False) -> SVD | Array:
    """Singular values and vectors of an m x n matrix, as numpy.linalg.svd has them.

    With k = min(m, n), U is m x m and Vh n x n, or m x k and k x n for full_matrices=False; compute_uv=False gives S alone.
    Those of a matrix that is not finite are NaN; onepass.lapack.gesvd says so in info. No call waits for a GPU.

    >>> import numpy, onepass
    >>> a = numpy.arange(6.).reshape(3, 2)
    >>> u, s, vh = onepass.linalg.svd(a, full_matrices=False)
    >>> bool(numpy.allclose(u * s @ vh, a))
    True
    """
    if needs_gradient(a):
        from . import _torch_gradients
        made = SVD(*_torch_gradients.svd(a, full_matrices and compute_uv))
        return made if compute_uv else made.S
    made = lapack.gesvd(a, ("A" if full_matrices else "S") if compute_uv else "N", overwrite_a=overwrite_a)
    return SVD(made.u, made.s, made.vt) if compute_uv else made.s


def svdvals(a: Array, *, overwrite_a: bool = False) -> Array:
    """The singular values alone, descending.

    >>> import numpy, onepass
    >>> onepass.linalg.svdvals(numpy.array([[0., 3.], [4., 0.]])).round(9)
    array([4., 3.])
    """
    return svd(a, compute_uv=False, overwrite_a=overwrite_a)


def _is_lower(uplo: str) -> bool:
    if uplo not in ("L", "U"):
        raise ValueError(f"uplo = {uplo!r}: must be one of L, U")
    return uplo == "L"


def tridiagonalize(a: Array, lower: bool = True, q: bool = True, *, overwrite_a: bool = False) -> Tridiagonal:
    """A = Q T Q^H of a symmetric or Hermitian matrix, of which only the lower triangle is read, or the upper.

    >>> import numpy, onepass
    >>> a = numpy.array([[4., 3., 4.], [3., 1., 2.], [4., 2., 5.]])
    >>> d, e, q = onepass.linalg.tridiagonalize(a)
    >>> t = numpy.diag(d) + numpy.diag(e, 1) + numpy.diag(e, -1)
    >>> bool(numpy.allclose(q @ t @ q.T, a))
    True
    """
    factors = lapack.sytrd(a, lower, overwrite_a=overwrite_a)
    return Tridiagonal(factors.d, factors.e,
                       lapack.orgtr(factors.a, factors.tau, lower, overwrite_a=True) if q else None)


def _part(a: Array, rows: int, columns: int) -> Array:
    """A copy of rows and columns of a, or of all it has of them."""
    call = Call(a, "a")
    matrix = call.matrix(rows, columns).array
    with call.on_device():
        part = a[..., :rows, :columns]
        matrix[..., :part.shape[-2], :part.shape[-1]] = part
    return matrix


def _generated(vect: str, a: Array, tau: Array, rows: int, columns: int, k: int) -> Array:
    """Rows and columns of Q or P^H, from the reflectors in a."""
    return lapack.orgbr(_part(a, rows, columns), tau, k, vect, overwrite_a=True)


def bidiagonalize(a: Array, q: bool = True, *, full_matrices: bool = False, overwrite_a: bool = False) -> Bidiagonal:
    """A = Q B P^H of an m x n matrix, B upper bidiagonal for m >= n, else lower.

    With k = min(m, n), B is k x k, Q has k columns, and P^H k rows. full_matrices=True gives Q as m x m and P^H as n x n, as
    numpy.linalg.svd has them.

    >>> import numpy, onepass
    >>> a = numpy.arange(6.).reshape(3, 2)
    >>> q, d, e, ph = onepass.linalg.bidiagonalize(a)
    >>> bool(numpy.allclose(q @ (numpy.diag(d) + numpy.diag(e, 1)) @ ph, a))
    True
    """
    factors = lapack.gebrd(a, overwrite_a=overwrite_a)
    if not q:
        return Bidiagonal(None, factors.d, factors.e, None)
    m, n = factors.a.shape[-2:]
    k = min(m, n)
    return Bidiagonal(_generated("Q", factors.a, factors.tauq, m, m if full_matrices else k, n), factors.d, factors.e,
                      _generated("P", factors.a, factors.taup, n if full_matrices else k, n, m))


def _triangle(a: Array, diagonal: int) -> Array:
    """What is on and above a diagonal."""
    with Call(a, "a").on_device():
        return sys.modules[type(a).__module__.partition(".")[0]].triu(a, diagonal)


def hessenberg(a: Array, q: bool = True, *, overwrite_a: bool = False) -> Hessenberg:
    """A = Q H Q^H of a square matrix.

    >>> import numpy, onepass
    >>> a = numpy.array([[1., 2., 3.], [3., 4., 5.], [4., 6., 7.]])
    >>> h, q = onepass.linalg.hessenberg(a)
    >>> float(h[2, 0]), bool(numpy.allclose(q @ h @ q.T, a))
    (0.0, True)
    """
    factors = lapack.gehrd(a, overwrite_a=overwrite_a)
    return Hessenberg(_triangle(factors.a, -1), lapack.orghr(factors.a, factors.tau, overwrite_a=True) if q else None)


def qr(a: Array, mode: str = "reduced", *, overwrite_a: bool = False) -> QR | Array:
    """A = Q R of an m x n matrix, in the modes of numpy.linalg.qr: with k = min(m, n), "reduced" gives Q as m x k and R as
    k x n, "complete" as m x m and m x n, and "r" R alone, k x n.

    >>> import numpy, onepass
    >>> a = numpy.arange(6.).reshape(3, 2)
    >>> q, r = onepass.linalg.qr(a)
    >>> float(r[1, 0]), bool(numpy.allclose(q @ r, a)), bool(numpy.allclose(q.T @ q, numpy.eye(2)))
    (0.0, True, True)
    """
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"mode = {mode!r}: must be one of reduced, complete, r")
    factors = lapack.geqrf(a, overwrite_a=overwrite_a)
    m, n = factors.a.shape[-2:]
    k = min(m, n)
    r = _triangle(factors.a if mode == "complete" else factors.a[..., :k, :], 0)
    if mode == "r":
        return r
    return QR(lapack.orgqr(_part(factors.a, m, m if mode == "complete" else k), factors.tau, overwrite_a=True), r)
