# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tensors of a GPU: bits of the canonical order, double-doubles, sums with twice the digits."""
import numpy
import onepass
import pytest
from onepass import double_double

torch = pytest.importorskip("torch")

RANDOM = numpy.random.default_rng(17)
TYPES = ("float32", "float64", "complex64", "complex128")
pytestmark = pytest.mark.skipif(not (torch.cuda.is_available() and onepass.backends()[0]["available"]),
                                reason="there is no GPU")


def array(type_, *shape):
    a = RANDOM.standard_normal(shape)
    return (a + 1j * RANDOM.standard_normal(shape) if type_.startswith("complex") else a).astype(type_)


def on_gpu(a):
    return torch.from_numpy(a).cuda()


def same(tensor, a):
    return tensor.cpu().numpy().tobytes() == a.tobytes()


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("shape", [(5, 7), (300, 40), (40, 300), (30, 1500), (1500, 30), (700, 900), (20, 9000), (9000, 20)])
def test_canonical_products_have_the_bits_of_the_cpu(type_, shape):
    a, x, y = array(type_, *shape), array(type_, shape[1]), array(type_, shape[0])
    for matrix in (a, numpy.asfortranarray(a)):
        wanted = onepass.gemv(matrix, x, y, alpha=2, beta=-0.5, order="canonical")
        assert same(onepass.gemv(on_gpu(matrix), on_gpu(x), on_gpu(y), alpha=2, beta=-0.5, order="canonical"), wanted)
        wanted = onepass.gemv(matrix, y, trans="C", order="canonical")
        assert same(onepass.gemv(on_gpu(matrix), on_gpu(y), trans="C", order="canonical"), wanted)


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("n", [3, 100, 256, 257, 900, 1025, 1500])
def test_canonical_triangles_have_the_bits_of_the_cpu(type_, n):
    a, x = array(type_, n, n), array(type_, n)
    for routine in (onepass.symv, onepass.hemv) if type_.startswith("complex") else (onepass.symv,):
        for uplo in "LU":
            wanted = routine(a, x, uplo=uplo, order="canonical")
            assert same(routine(on_gpu(a), on_gpu(x), uplo=uplo, order="canonical"), wanted)


@pytest.mark.parametrize("shape", [(3, 2), (70, 500), (500, 70)])
def test_double_doubles(shape):
    head = array("float64", *shape, 2)
    head[..., 1] *= 2.0**-54 * head[..., 0]
    x = array("float64", shape[1], 2)
    x[..., 1] *= 2.0**-54 * x[..., 0]
    result = onepass.gemv(double_double.Pairs(on_gpu(head)), double_double.Pairs(on_gpu(x)))
    wanted = onepass.gemv(double_double.Pairs(head), double_double.Pairs(x))
    off = (result.head.cpu().numpy() - wanted.head) + (result.tail.cpu().numpy() - wanted.tail)
    bound = (shape[1] + 8) * 2.0**-101 * (abs(head[..., 0]) @ abs(x[..., 0]))
    assert (abs(off) <= bound).all()


@pytest.mark.parametrize("type_", ("float64", "complex128"))
@pytest.mark.parametrize("n", [5, 130, 700])
def test_twice_the_digits_of_triangles(type_, n):
    a, x = array(type_, n, n), array(type_, n)
    for uplo in "LU":
        full = numpy.tril(a) + numpy.tril(a, -1).T if uplo == "L" else numpy.triu(a) + numpy.triu(a, 1).T
        y = -onepass.gemv(full, x)
        # What is left of y + A x is the rounding of y: everything else cancels.
        residual = onepass.symv(on_gpu(a), on_gpu(x), on_gpu(y), beta=1, uplo=uplo, accumulate="twice").cpu().numpy()
        wanted = onepass.gemv(full, x, y, beta=1, accumulate="twice")
        numpy.testing.assert_allclose(residual, wanted, rtol=1e-12, atol=1e-28 * n)
