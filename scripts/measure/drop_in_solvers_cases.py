# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the documentations of torch.linalg and cupy.linalg promise of eigh, eigvalsh, svd and svdvals, as cases. A library is
an object with put, get and these four functions; results are checked by NumPy, in double precision."""
import numpy

TYPES = {"fp32": numpy.float32, "fp64": numpy.float64, "c64": numpy.complex64, "c128": numpy.complex128}
SIZES = (1, 2, 5, 31, 33, 100, 257)
SHAPES = ((1, 1), (5, 3), (3, 5), (64, 64), (100, 33), (33, 100), (257, 129))


def random(shape, type_, seed=1):
    """Standard normal numbers, with imaginary parts where the type has them."""
    generator = numpy.random.default_rng([seed, *shape])
    a = generator.standard_normal(shape)
    if numpy.issubdtype(TYPES[type_], numpy.complexfloating):
        a = a + 1j * generator.standard_normal(shape)
    return a.astype(TYPES[type_])


def adjoint(a):
    return numpy.conj(numpy.swapaxes(a, -1, -2))


def hermitian(shape, type_, seed=1):
    a = random(shape, type_, seed)
    return ((a + adjoint(a)) / 2).astype(a.dtype)


def tolerance(a, value_type):
    """10 n eps |A|, as LAPACK's testers have it with a norm that costs less."""
    eps, sizes = numpy.finfo(value_type).eps, numpy.abs(a.astype(numpy.complex128))
    largest = sizes.max((-1, -2), keepdims=True, initial=numpy.finfo(value_type).tiny)  # of which no square is taken
    return 10 * max(*a.shape[-2:], 1) * eps * largest * numpy.sqrt(((sizes / largest) ** 2).sum((-1, -2), keepdims=True) + eps)


def require(holds, what):
    """Of arrays, everywhere. A comparison with what is not a number does not hold."""
    if not numpy.all(holds):
        raise AssertionError(what)


def require_unitary(q, what):
    eye = numpy.eye(q.shape[-1])
    require(numpy.abs(adjoint(q) @ q - eye) <= 10 * max(q.shape[-2], 1) * numpy.finfo(q.dtype).eps, what)


def check_eigh(a, w, v):
    """A is the whole matrix, whichever triangle the library saw."""
    require(w.shape == a.shape[:-1] and v.shape == a.shape, "shapes")
    require(w.dtype == a.real.dtype and v.dtype == a.dtype, "types")
    require(w[..., 1:] >= w[..., :-1], "eigenvalues that do not ascend")
    wide_a, wide_v = a.astype(numpy.complex128), v.astype(numpy.complex128)
    require(numpy.abs(wide_a @ wide_v - wide_v * w[..., None, :]) <= tolerance(a, w.dtype), "A V is not V diag(w)")
    require_unitary(v, "V is not unitary")


def check_values(w, exact, a):
    require(w.shape == exact.shape and w.dtype == a.real.dtype, "shape or type of the values")
    require(numpy.abs(w - exact) <= tolerance(a, w.dtype)[..., 0], "values")


def check_svd(a, u, s, vh, full):
    m, n = a.shape[-2:]
    k = min(m, n)
    require(u.shape[-2:] == (m, m if full else k) and vh.shape[-2:] == (n if full else k, n) and s.shape[-1] == k, "shapes")
    require(s[..., 1:] <= s[..., :-1], "singular values that do not descend")
    require(s >= 0, "negative singular values")
    wide = u[..., :k].astype(numpy.complex128) * s[..., None, :] @ vh[..., :k, :].astype(numpy.complex128)
    require(numpy.abs(wide - a) <= tolerance(a, s.dtype), "U S V^H is not A")
    require_unitary(u, "U is not unitary")
    require_unitary(adjoint(vh), "V is not unitary")


def eigh(library, a, uplo):
    """The case of a matrix: the other triangle must not be looked at, and A not be written to."""
    seen = numpy.tril(a) if uplo == "L" else numpy.triu(a)
    seen = seen + 7 * (numpy.triu(numpy.ones_like(a), 1) if uplo == "L" else numpy.tril(numpy.ones_like(a), -1))
    given = library.put(seen.astype(a.dtype))
    w, v = (library.get(x) for x in library.eigh(given, uplo))
    require(numpy.array_equal(library.get(given), seen.astype(a.dtype)), "the argument was written to")
    check_eigh(a, w, v)
    check_values(library.get(library.eigvalsh(given, uplo)), w, a)


def svd(library, a, full, **options):
    given = library.put(a)
    u, s, vh = (library.get(x) for x in library.svd(given, full, **options))
    require(numpy.array_equal(library.get(given), a), "the argument was written to")
    check_svd(a, u, s, vh, full)
    check_values(library.get(library.svdvals(given)), s, a)


def special(type_, n=70):
    """Matrices whose eigenvalues are close, equal, far apart or nothing at all."""
    eye, x = numpy.eye(n), random((n, 1), type_)
    scale = 1e-3 / numpy.sqrt(numpy.finfo(TYPES[type_]).max)
    return {"zeros": 0 * eye, "the identity": eye, "of rank one": x @ adjoint(x),
            "tridiagonal": 2 * eye - numpy.eye(n, k=1) - numpy.eye(n, k=-1), "graded": numpy.diag(10.0 ** -(numpy.arange(n) % 8)),
            "tiny": scale * hermitian((n, n), type_), "large": 1 / scale / n * hermitian((n, n), type_),
            "two equal blocks": numpy.kron(numpy.eye(2), hermitian((n // 2, n // 2), type_))}


def refuses(call):
    try:
        call()
    except Exception:  # whichever the library has for it
        return
    raise AssertionError("it was not refused")


def cases(library, types):
    """Pairs of a name and a function without arguments, which raises an AssertionError with what is wrong."""
    for type_ in types:
        for n in SIZES:
            for uplo in ("L", "U"):
                yield f"eigh {type_} {n} {uplo}", lambda t=type_, n=n, u=uplo: eigh(library, hermitian((n, n), t), u)
        for name, a in special(type_).items():
            yield f"eigh {type_} {name}", lambda t=type_, a=a: eigh(library, a.astype(TYPES[t]), "L")
            yield f"svd {type_} {name}", lambda t=type_, a=a: svd(library, a.astype(TYPES[t]), True)
        for shape in ((3, 5, 5), (2, 2, 40, 40), (0, 0), (0, 3, 3), (2, 0, 0)):
            yield f"eigh {type_} {shape}", lambda t=type_, s=shape: eigh(library, hermitian(s, t), "U")
        for shape in (*SHAPES, (3, 5, 4), (2, 2, 20, 40)):
            for full in (True, False):
                for options in library.options_of_svd:
                    name = f"svd {type_} {shape} {'full' if full else 'reduced'} {options or ''}".rstrip()
                    yield name, lambda t=type_, s=shape, f=full, o=options: svd(library, random(s, t), f, **o)
    yield "eigh of a matrix that is not square", lambda: refuses(lambda: library.eigh(library.put(random((3, 4), "fp64")), "L"))
    yield "eigh with another UPLO", lambda: refuses(lambda: library.eigh(library.put(hermitian((3, 3), "fp64")), "X"))
    yield from library.own_cases()


def run(library, types=tuple(TYPES)):
    """How many cases passed, and what is wrong with the others."""
    passed, failed = 0, {}
    for name, case in cases(library, types):
        try:
            case()
            passed += 1
        except Exception as error:  # an answer, whatever it is
            failed[name] = f"{type(error).__name__}: {error}"[:200]
    return {"passed": passed, "failed": failed}
