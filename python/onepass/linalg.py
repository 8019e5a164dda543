# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reductions of matrices: A = Q T Q^H, A = Q B P^H and A = Q H Q^H, with factors as matrices; and eigenvalues.

Arrays are of NumPy (on the CPU), PyTorch or CuPy (on either side; on a GPU the calls run on the current stream), float32,
float64, complex64 or complex128, with any strides; integers become float64. Leading dimensions are matrices of a batch:
eigenproblems of up to 512 rows are solved together, others one after the other. The arrays of the caller stay as they are;
overwrite_a=True allows to use the memory of a that lies column by column. onepass.lapack has the factors as LAPACK stores them.
"""
from __future__ import annotations

import sys
from typing import NamedTuple

from . import lapack
from ._lapack import Array, Call

__all__ = ["Bidiagonal", "Eigh", "Hessenberg", "Tridiagonal", "bidiagonalize", "eigh", "eigvalsh", "hessenberg",
           "tridiagonalize"]


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


class Eigh(NamedTuple):
    """A = V diag(w) V^H: the eigenvalues, ascending, and V, whose columns belong to them."""

    eigenvalues: Array
    eigenvectors: Array


def eigh(a: Array, uplo: str = "L", *, overwrite_a: bool = False) -> Eigh:
    """Eigenvalues and eigenvectors of a symmetric or Hermitian matrix, of which only the triangle uplo is read, L or U.

    Those of a matrix that is not finite are NaN; onepass.lapack.syevd says so in info. No call waits for a GPU.

    >>> import numpy, onepass
    >>> a = numpy.array([[4., 3., 4.], [3., 1., 2.], [4., 2., 5.]])
    >>> w, v = onepass.linalg.eigh(a)
    >>> bool(numpy.allclose(a @ v, v * w))
    True
    """
    solved = lapack.syevd(a, _is_lower(uplo), overwrite_a=overwrite_a)
    return Eigh(solved.w, solved.v)


def eigvalsh(a: Array, uplo: str = "L", *, overwrite_a: bool = False) -> Array:
    """The eigenvalues alone, ascending.

    >>> import numpy, onepass
    >>> onepass.linalg.eigvalsh(numpy.array([[2., 1.], [1., 2.]])).round(9)
    array([1., 3.])
    """
    return lapack.syevd(a, _is_lower(uplo), vectors=False, overwrite_a=overwrite_a).w


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


def _generated(vect: str, a: Array, tau: Array, rows: int, columns: int, k: int) -> Array:
    """Rows and columns of Q or P^H, from the reflectors in a."""
    call = Call(a, "a")
    matrix = call.matrix(rows, columns).array
    with call.on_device():
        part = a[..., :rows, :columns]
        matrix[..., :part.shape[-2], :part.shape[-1]] = part
    return lapack.orgbr(matrix, tau, k, vect, overwrite_a=True)


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


def hessenberg(a: Array, q: bool = True, *, overwrite_a: bool = False) -> Hessenberg:
    """A = Q H Q^H of a square matrix.

    >>> import numpy, onepass
    >>> a = numpy.array([[1., 2., 3.], [3., 4., 5.], [4., 6., 7.]])
    >>> h, q = onepass.linalg.hessenberg(a)
    >>> float(h[2, 0]), bool(numpy.allclose(q @ h @ q.T, a))
    (0.0, True)
    """
    factors = lapack.gehrd(a, overwrite_a=overwrite_a)
    with Call(factors.a, "a").on_device():
        h = sys.modules[type(factors.a).__module__.partition(".")[0]].triu(factors.a, -1)
    return Hessenberg(h, lapack.orghr(factors.a, factors.tau, overwrite_a=True) if q else None)
