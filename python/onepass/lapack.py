# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The reductions and QR as LAPACK has them: factors as reflectors and tau, for code that goes on in LAPACK's storage; and
syevd and gesvd.

Names are those of the real types and serve complex ones too: sytrd is hetrd, orgtr ungtr, syevd heevd and so on. Arrays are
of NumPy (on the CPU), PyTorch or CuPy (on either side; on a GPU the calls run on the current stream), float32, float64,
complex64 or complex128; integers become float64. Results have matrices column by column. Any strides are taken: what does
not lie column by column is copied. overwrite_a=True allows to use the memory of a, where that is possible. Leading dimensions
are matrices of a batch: eigenproblems of up to 512 rows are solved together, matrices of up to 256 rows and columns decomposed
together by gesvd, others one after the other. onepass.linalg has Q as a matrix.
"""
from __future__ import annotations

from typing import NamedTuple

from ._arrays import library_of
from ._lapack import Array, Call

__all__ = ["Gebrd", "Gehrd", "Geqrf", "Gesvd", "Syevd", "Sytrd", "gebrd", "gehrd", "geqrf", "gesvd", "orgbr", "orghr", "orgqr",
           "orgtr", "ormbr", "ormhr", "ormqr", "ormtr", "syevd", "sytrd"]


class Sytrd(NamedTuple):
    """A = Q T Q^H: reflectors of Q in a, the diagonal d of T, e beside it."""

    a: Array
    d: Array
    e: Array
    tau: Array


class Gebrd(NamedTuple):
    """A = Q B P^H: reflectors of Q and P in a, the diagonal d of B, e above it (below it if A has more columns than rows)."""

    a: Array
    d: Array
    e: Array
    tauq: Array
    taup: Array


class Gehrd(NamedTuple):
    """A = Q H Q^H: H in a, and under its subdiagonal the reflectors of Q."""

    a: Array
    tau: Array


class Geqrf(NamedTuple):
    """A = Q R: R in the upper triangle of a, and under its diagonal the reflectors of Q."""

    a: Array
    tau: Array


class Syevd(NamedTuple):
    """A = V diag(w) V^H: eigenvalues w, ascending, V (None if it was not asked for), and LAPACK's info, an int for each matrix:
    not 0 where a is not finite (w and v are NaN then) or nothing converged."""

    w: Array
    v: Array | None
    info: Array


class Gesvd(NamedTuple):
    """A = U diag(s) V^H: singular values s, descending, U and vt = V^H (None if they were not asked for), and LAPACK's info, an
    int for each matrix: not 0 where a is not finite (the others are NaN then) or nothing converged."""

    s: Array
    u: Array | None
    vt: Array | None
    info: Array


_SIDES, _VECTS, _JOBS = {"L": 0, "R": 1}, {"Q": 0, "P": 1}, {"N": 0, "S": 1, "A": 2}
_MOST_TOGETHER, _MOST_SVD_TOGETHER = 512, 256  # rows of the matrices of a batch that a GPU solves in one call


def _one_of(what: str, value: str, values: dict) -> int:
    if value not in values:
        raise ValueError(f"{what} = {value!r}: must be one of {', '.join(values)}")
    return values[value]


def _square(call: Call, what: str = "a") -> int:
    if call.shape[0] != call.shape[1]:
        raise ValueError(f"{what} is {call.shape[0]}x{call.shape[1]}: must be square")
    return call.shape[0]


def _range(n: int, lo: int, hi: int | None) -> dict:
    hi = n - 1 if hi is None else hi
    if n > 0 and not 0 <= lo <= hi < n:
        raise ValueError(f"lo = {lo}, hi = {hi}: must be 0 <= lo <= hi < {n}")
    return {"ilo": lo + 1, "ihi": hi + 1}


def _length(tau: Array) -> int:
    library_of(tau, "tau")
    return int(tau.shape[-1])


def sytrd(a: Array, lower: bool = True, *, overwrite_a: bool = False) -> Sytrd:
    """Reduces a symmetric or Hermitian matrix to tridiagonal form. Only the lower triangle is read, or the upper.

    >>> import numpy, onepass.lapack
    >>> a = numpy.array([[4., 0., 0.], [3., 1., 0.], [4., 2., 5.]])
    >>> onepass.lapack.sytrd(a).e[:1].round(9)    # the column (3, 4) became (-5, 0)
    array([-5.])
    """
    call = Call(a, "a")
    n = _square(call)
    d, e, tau = call.vector(n, real=True), call.vector(n - 1, real=True), call.vector(n - 1)
    matrix = call.given(a, "a", written=True, overwrite=overwrite_a)
    call.run("sytrd", {"fill": int(not lower), "n": n}, a=matrix, d=d, e=e, tau=tau)
    return Sytrd(matrix.array, d.array, e.array, tau.array)


def syevd(a: Array, lower: bool = True, vectors: bool = True, *, il: int = 1, iu: int | None = None,
          overwrite_a: bool = False) -> Syevd:
    """Eigenvalues and, if wanted, eigenvectors of a symmetric or Hermitian matrix: those il to iu of the ascending ones, counted
    from 1. Only the lower triangle is read, or the upper.

    >>> import numpy, onepass.lapack
    >>> solved = onepass.lapack.syevd(numpy.array([[2., 0.], [1., 2.]]))
    >>> solved.w.round(9), int(solved.info)
    (array([1., 3.]), 0)
    """
    call = Call(a, "a")
    n = _square(call)
    last = n if iu is None else iu
    some = (il, last) != (1, n)
    if some and not 1 <= il <= last <= n:
        raise ValueError(f"il = {il} and iu = {last}: must be 1 <= il <= iu <= {n}")
    w, info = call.vector(n, real=True), call.info()
    matrix = call.given(a, "a", written=True, overwrite=overwrite_a)
    fields = {"fill": int(not lower), "n": n, "job": int(vectors), "range": int(some), "il": il, "iu": last}
    call.run("syevd", fields, together=n <= _MOST_TOGETHER and not some, a=matrix, w=w, info=info)
    count = last - il + 1
    return Syevd(w.array[..., :count], matrix.array[..., :count] if vectors else None, info.array)


def gesvd(a: Array, job: str = "S", *, overwrite_a: bool = False) -> Gesvd:
    """Singular values of an m x n matrix and, if wanted, its singular vectors: job="N" for none, "S" for the first min(m, n)
    columns of U and rows of V^H, "A" for all of them.

    >>> import numpy, onepass.lapack
    >>> made = onepass.lapack.gesvd(numpy.array([[0., 3.], [4., 0.], [0., 0.]]))
    >>> made.s.round(9), made.u.shape, made.vt.shape, int(made.info)
    (array([4., 3.]), (3, 2), (2, 2), 0)
    """
    call = Call(a, "a")
    (m, n), k, number = call.shape, min(call.shape), _one_of("job", job, _JOBS)
    if number == 2 and m == n:
        number = 1  # which is the same, and can be a batch
    together = bool(call.batch) and number < 2 and max(m, n) <= _MOST_SVD_TOGETHER
    s, info = call.vector(k, real=True), call.info()
    made = {"u": call.matrix(m, m if job == "A" else k), "vt": call.matrix(n if job == "A" else k, n)} if number else {}
    # A GPU leaves the matrices of a batch as they are.
    matrix = call.given(a, "a", written=not (together and call.on_gpu), overwrite=overwrite_a)
    call.run("gesvd", {"m": m, "n": n, "job": number}, together=together, a=matrix, w=s, info=info, **made)
    if k == 0:  # of which LAPACK writes nothing
        for each in made.values():
            diagonal = list(range(min(each.array.shape[-2:])))
            with call.on_device():
                each.array[...] = 0
                each.array[..., diagonal, diagonal] = 1
    return Gesvd(s.array, *(made[name].array if number else None for name in ("u", "vt")), info.array)


def gebrd(a: Array, *, overwrite_a: bool = False) -> Gebrd:
    """Reduces an m x n matrix to bidiagonal form: upper for m >= n, else lower.

    >>> import numpy, onepass.lapack
    >>> d = onepass.lapack.gebrd(numpy.array([[3., 0.], [4., 0.]])).d
    >>> abs(float(d[0].round(9)))
    5.0
    """
    call = Call(a, "a")
    (m, n), k = call.shape, min(call.shape)
    d, e = call.vector(k, real=True), call.vector(k - 1, real=True)
    tauq, taup = call.vector(k), call.vector(k)
    matrix = call.given(a, "a", written=True, overwrite=overwrite_a)
    call.run("gebrd", {"m": m, "n": n}, a=matrix, d=d, e=e, tau=tauq, taup=taup)
    return Gebrd(matrix.array, d.array, e.array, tauq.array, taup.array)


def gehrd(a: Array, lo: int = 0, hi: int | None = None, *, overwrite_a: bool = False) -> Gehrd:
    """Reduces a square matrix to Hessenberg form; rows and columns lo to hi alone, counted from 0, if it is triangular
    outside of them, as gebal of LAPACK leaves it.

    >>> import numpy, onepass.lapack
    >>> h = onepass.lapack.gehrd(numpy.array([[1., 2., 3.], [3., 4., 5.], [4., 6., 7.]])).a
    >>> float(h[1, 0].round(9))
    -5.0
    """
    call = Call(a, "a")
    n = _square(call)
    fields, tau = _range(n, lo, hi), call.vector(n - 1)
    matrix = call.given(a, "a", written=True, overwrite=overwrite_a)
    call.run("gehrd", {"m": n, "n": n, **fields}, a=matrix, tau=tau)
    return Gehrd(matrix.array, tau.array)


def geqrf(a: Array, *, overwrite_a: bool = False) -> Geqrf:
    """Factors an m x n matrix: a = Q R, R upper triangular or, for m < n, trapezoidal.

    >>> import numpy, onepass.lapack
    >>> r = onepass.lapack.geqrf(numpy.array([[3., 1.], [4., 2.]])).a
    >>> float(r[0, 0].round(9))
    -5.0
    """
    call = Call(a, "a")
    m, n = call.shape
    tau = call.vector(min(m, n))
    matrix = call.given(a, "a", written=True, overwrite=overwrite_a)
    call.run("geqrf", {"m": m, "n": n}, a=matrix, tau=tau)
    return Geqrf(matrix.array, tau.array)


def orgtr(a: Array, tau: Array, lower: bool = True, *, overwrite_a: bool = False) -> Array:
    """Q of sytrd, from its a and tau.

    >>> import numpy, onepass.lapack
    >>> a = numpy.array([[4., 3., 4.], [3., 1., 2.], [4., 2., 5.]])
    >>> t = onepass.lapack.sytrd(a)
    >>> q = onepass.lapack.orgtr(t.a, t.tau)
    >>> bool(numpy.allclose(q.T @ a @ q, numpy.diag(t.d) + numpy.diag(t.e, 1) + numpy.diag(t.e, -1)))
    True
    """
    call = Call(a, "a")
    n = _square(call)
    factors = call.tau(tau, n - 1)
    matrix = call.given(a, "a", written=True, overwrite=overwrite_a)
    call.run("orgtr", {"fill": int(not lower), "n": n}, a=matrix, tau=factors)
    return matrix.array


def orgbr(a: Array, tau: Array, k: int, vect: str = "Q", *, overwrite_a: bool = False) -> Array:
    """The first columns of Q (vect="Q", tau=tauq) or the first rows of P^H (vect="P", tau=taup) of gebrd, from its reflectors.

    As many as `a` has: of Q, a is m x n with m >= n >= min(m, k), where gebrd reduced a matrix of k columns; of P^H it is
    m x n with n >= m >= min(n, k), where that had k rows.

    >>> import numpy, onepass.lapack
    >>> a = numpy.arange(6.).reshape(3, 2)
    >>> b = onepass.lapack.gebrd(a)
    >>> q, ph = onepass.lapack.orgbr(b.a, b.tauq, 2), onepass.lapack.orgbr(b.a[:2], b.taup, 3, "P")
    >>> bool(numpy.allclose(q @ (numpy.diag(b.d) + numpy.diag(b.e, 1)) @ ph, a))
    True
    """
    call = Call(a, "a")
    (m, n), number = call.shape, _one_of("vect", vect, _VECTS)
    long, short = (m, n) if vect == "Q" else (n, m)
    if not long >= short >= min(long, k) >= 0:
        raise ValueError(f"a is {m}x{n} and k = {k}: must have from {min(long, max(0, k))} to {long} "
                         f"{'columns' if vect == 'Q' else 'rows'}, and k be at least 0")
    factors = call.tau(tau, min(long, k))
    matrix = call.given(a, "a", written=True, overwrite=overwrite_a)
    call.run("orgbr", {"vect": number, "m": m, "n": n, "k": k}, a=matrix, tau=factors)
    return matrix.array


def orghr(a: Array, tau: Array, lo: int = 0, hi: int | None = None, *, overwrite_a: bool = False) -> Array:
    """Q of gehrd, from its a and tau, with the same lo and hi."""
    call = Call(a, "a")
    n = _square(call)
    fields, factors = _range(n, lo, hi), call.tau(tau, n - 1)
    matrix = call.given(a, "a", written=True, overwrite=overwrite_a)
    call.run("orghr", {"m": n, "n": n, **fields}, a=matrix, tau=factors)
    return matrix.array


def orgqr(a: Array, tau: Array, *, overwrite_a: bool = False) -> Array:
    """The first columns of Q of geqrf, as many as `a` has: a is m x n with m >= n, and tau has the k <= n factors to use.

    >>> import numpy, onepass.lapack
    >>> a = numpy.arange(6.).reshape(3, 2)
    >>> f = onepass.lapack.geqrf(a)
    >>> bool(numpy.allclose(onepass.lapack.orgqr(f.a, f.tau) @ numpy.triu(f.a[:2]), a))
    True
    """
    call = Call(a, "a")
    (m, n), k = call.shape, _length(tau)
    if not m >= n >= k:
        raise ValueError(f"a is {m}x{n} and tau has {k} elements: must have m >= n >= {k}")
    factors = call.tau(tau, k)
    matrix = call.given(a, "a", written=True, overwrite=overwrite_a)
    call.run("orgqr", {"m": m, "n": n, "k": k}, a=matrix, tau=factors)
    return matrix.array


def _apply(routine: str, a: Array, tau: Array, c: Array, side: str, trans: str, overwrite_c: bool, reads, fields) -> Array:
    """C := op(Q) C or C op(Q). From the order of Q, `reads` makes the rows and columns of a that are read, or None for all of
    them, and the length of tau."""
    library_of(a, "a")
    call = Call(c, "c")
    is_complex = call.type.startswith("complex")
    if is_complex and trans == "T":
        raise ValueError("trans = 'T': must be one of N, C for a complex c")
    op = _one_of("trans", trans, {"N": 0, "T": 1, "C": 2 if is_complex else 1})
    (m, n), number = call.shape, _one_of("side", side, _SIDES)
    order = m if side == "L" else n
    rows, columns, length = reads(order)
    expected = (*call.batch, order if rows is None else rows, order if columns is None else columns)
    part = a[..., :rows, :columns]
    if tuple(part.shape) != expected:
        raise ValueError(f"a has the shape {tuple(a.shape)}: must be {expected} for this c of {m}x{n} and side = {side!r}")
    matrix, factors = call.given(part, "a", written=False), call.tau(tau, length)
    result = call.given(c, "c", written=True, overwrite=overwrite_c)
    call.run(routine, {"side": number, "op": op, "m": m, "n": n, **fields(order)}, a=matrix, tau=factors, c=result)
    return result.array


def ormtr(a: Array, tau: Array, c: Array, side: str = "L", trans: str = "N", lower: bool = True, *,
          overwrite_c: bool = False) -> Array:
    """op(Q) c (side="L") or c op(Q) (side="R") with Q of sytrd, op(Q) = Q ("N") or Q^H ("C"; "T" too if it is real).

    >>> import numpy, onepass.lapack
    >>> t = onepass.lapack.sytrd(numpy.array([[4., 3., 4.], [3., 1., 2.], [4., 2., 5.]]))
    >>> bool(numpy.allclose(onepass.lapack.ormtr(t.a, t.tau, numpy.eye(3)), onepass.lapack.orgtr(t.a, t.tau)))
    True
    """
    return _apply("ormtr", a, tau, c, side, trans, overwrite_c, lambda order: (None, None, order - 1),
                  lambda order: {"fill": int(not lower)})


def ormbr(a: Array, tau: Array, c: Array, k: int, vect: str = "Q", side: str = "L", trans: str = "N", *,
          overwrite_c: bool = False) -> Array:
    """Likewise with Q of gebrd, which reduced a matrix of k columns (vect="Q", tau=tauq), or P, of k rows ("P", tau=taup).

    Of a, the first min(order of Q, k) columns or, for P, rows are read.
    """
    number = _one_of("vect", vect, _VECTS)
    if k < 0:
        raise ValueError(f"k = {k}: must be at least 0")
    return _apply("ormbr", a, tau, c, side, trans, overwrite_c,
                  lambda order: (*((None, min(order, k)) if vect == "Q" else (min(order, k), None)), min(order, k)),
                  lambda order: {"vect": number, "k": k})


def ormhr(a: Array, tau: Array, c: Array, lo: int = 0, hi: int | None = None, side: str = "L", trans: str = "N", *,
          overwrite_c: bool = False) -> Array:
    """Likewise with Q of gehrd, with the same lo and hi."""
    return _apply("ormhr", a, tau, c, side, trans, overwrite_c, lambda order: (None, None, order - 1),
                  lambda order: _range(order, lo, hi))


def ormqr(a: Array, tau: Array, c: Array, side: str = "L", trans: str = "N", *, overwrite_c: bool = False) -> Array:
    """Likewise with Q of geqrf. Of a, as many columns are read as tau has elements.

    >>> import numpy, onepass.lapack
    >>> a = numpy.arange(6.).reshape(3, 2)
    >>> f = onepass.lapack.geqrf(a)
    >>> bool(numpy.allclose(onepass.lapack.ormqr(f.a, f.tau, a, "L", "C"), numpy.triu(f.a)))
    True
    """
    k = _length(tau)
    return _apply("ormqr", a, tau, c, side, trans, overwrite_c, lambda order: (None, k, k), lambda order: {"k": k})
