# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Matrices to reduce, and LAPACK's measures of a reduction: both must be below 30."""
import numpy

TYPES = ["float32", "float64", "complex64", "complex128"]
LIMIT = 30


def matrix(shape, dtype, seed=1):
    random = numpy.random.default_rng(seed)
    values = random.standard_normal(shape)
    return (values + 1j * random.standard_normal(shape) if dtype.startswith("complex") else values).astype(dtype)


def adjoint(a):
    return numpy.swapaxes(a, -1, -2).conj()


def hermitian(shape, dtype, seed=1):
    a = matrix(shape, dtype, seed)
    return (a + adjoint(a)) / 2


def banded(d, e, offsets):
    """The diagonal d and, at each of the offsets, e."""
    wide = numpy.zeros((*d.shape, d.shape[-1]), "float64")
    for index in numpy.ndindex(d.shape[:-1]):
        wide[index] = sum((numpy.diag(e[index], offset) for offset in offsets), numpy.diag(d[index]))
    return wide


def assert_factors(a, q, middle, right):
    """A = Q middle right, Q has orthonormal columns, and right orthonormal rows."""
    eps, size = numpy.finfo(a.dtype).eps, max(1, *a.shape[-2:])
    wide = [x.astype("complex128") for x in (a, q, middle, right)]
    error = numpy.abs(wide[0] - wide[1] @ wide[2] @ wide[3])
    scale = size * eps * max(numpy.abs(wide[0]).max(initial=0), 1e-30)
    assert error.max(initial=0) <= LIMIT * scale
    for x in (adjoint(wide[1]) @ wide[1], wide[3] @ adjoint(wide[3])):
        assert numpy.abs(x - numpy.eye(x.shape[-1])).max(initial=0) <= LIMIT * size * eps
