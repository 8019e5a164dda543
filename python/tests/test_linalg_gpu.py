# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reductions of arrays of PyTorch, on the CPU and on a GPU, and of CuPy; and of a device that is none, without a GPU."""
import contextlib

import numpy
import pytest
from reductions import TYPES, adjoint, assert_factors, banded, hermitian, matrix

import onepass
from onepass._library import path

if not path("libonepass_lapack.so").exists():
    pytest.skip("this build has no libonepass_lapack.so", allow_module_level=True)
from onepass import _arrays, _lapack, lapack, linalg  # noqa: E402

GPU = onepass.backends()[0]["available"]
needs_gpu = pytest.mark.skipif(not GPU, reason="needs a GPU and a build with CUDA")


class Torch:
    """Its arrays on a device."""

    def __init__(self, device):
        self.torch = pytest.importorskip("torch")
        if device == "cuda" and not self.torch.cuda.is_available():
            pytest.skip("needs a PyTorch with CUDA")
        self.device = device

    def array(self, a):
        return self.torch.from_numpy(numpy.ascontiguousarray(a)).to(self.device)

    def host(self, a):
        return a.cpu().numpy()

    def stream(self):
        if self.device == "cpu":
            return contextlib.nullcontext()
        return self.torch.cuda.stream(self.torch.cuda.Stream())


class Cupy:
    def __init__(self):
        self.cupy = pytest.importorskip("cupy")

    def array(self, a):
        return self.cupy.asarray(a)

    def host(self, a):
        return self.cupy.asnumpy(a)

    def stream(self):
        return self.cupy.cuda.Stream(non_blocking=True)


@pytest.fixture(params=["torch on cpu", pytest.param("torch on cuda", marks=needs_gpu), pytest.param("cupy", marks=needs_gpu)])
def arrays(request):
    return Cupy() if request.param == "cupy" else Torch(request.param.rpartition(" ")[2])


@pytest.mark.parametrize("dtype", TYPES)
def test_reductions(arrays, dtype):
    """All on one stream that is not the default one."""
    symmetric, wide, square = hermitian((40, 40), dtype), matrix((30, 50), dtype), matrix((2, 40, 40), dtype)
    with arrays.stream():
        t = [arrays.host(x) for x in linalg.tridiagonalize(arrays.array(symmetric))]
        b = [arrays.host(x) for x in linalg.bidiagonalize(arrays.array(wide))]
        h = [arrays.host(x) for x in linalg.hessenberg(arrays.array(square))]
        f = [arrays.host(x) for x in linalg.qr(arrays.array(wide))]
    assert_factors(symmetric, t[2], banded(t[0], t[1], (1, -1)), adjoint(t[2]))
    assert_factors(wide, b[0], banded(b[1], b[2], (-1,)), b[3])
    assert_factors(square, h[1], h[0], adjoint(h[1]))
    assert_factors(wide, f[0], f[1], numpy.eye(50, dtype=dtype))


@pytest.mark.parametrize("dtype", TYPES)
def test_eigenvalues_and_eigenvectors(arrays, dtype):
    a = hermitian((2, 40, 40), dtype)
    with arrays.stream():
        w, v, info = (arrays.host(x) for x in lapack.syevd(arrays.array(a)))
        values = arrays.host(linalg.eigvalsh(arrays.array(a)))
    assert info.tolist() == [0, 0]
    for i in range(2):
        assert_factors(a[i], v[i], numpy.diag(w[i]), adjoint(v[i]))
    numpy.testing.assert_allclose(values, w, atol=30 * 40 * numpy.finfo(dtype).eps)


@pytest.mark.parametrize("shape", [(2, 40, 30), (30, 40), (100, 20), (3, 2, 16, 16), (4, 20, 130), (2, 200, 150)])
@pytest.mark.parametrize("dtype", TYPES)
def test_singular_values_and_vectors(arrays, dtype, shape):
    a = matrix(shape, dtype)
    with arrays.stream():
        u, s, vh = (arrays.host(x) for x in linalg.svd(arrays.array(a), full_matrices=False))
        values = arrays.host(linalg.svdvals(arrays.array(a)))
    assert_factors(a, u, s[..., None] * numpy.eye(s.shape[-1]), vh)
    numpy.testing.assert_allclose(values, s, atol=30 * max(shape) * numpy.finfo(dtype).eps)


@pytest.mark.parametrize("n", [5, 24, 40, 130])
@pytest.mark.parametrize("dtype", TYPES)
def test_eigenvalues_and_eigenvectors_of_many_matrices(arrays, dtype, n):
    a = hermitian((3, 4, n, n), dtype)
    a[1, 2, n - 1, 0] = numpy.nan
    with arrays.stream():
        w, v, info = (arrays.host(x) for x in lapack.syevd(arrays.array(a)))
        values = arrays.host(linalg.eigvalsh(arrays.array(a)))
    assert (info != 0).tolist() == [[i == 1 and j == 2 for j in range(4)] for i in range(3)]
    for i, j in numpy.ndindex(3, 4):
        if (i, j) == (1, 2):
            assert numpy.isnan(w[i, j]).all() and numpy.isnan(v[i, j]).all() and numpy.isnan(values[i, j]).all()
            continue
        assert_factors(a[i, j], v[i, j], numpy.diag(w[i, j]), adjoint(v[i, j]))
        numpy.testing.assert_allclose(values[i, j], w[i, j], atol=30 * n * numpy.finfo(dtype).eps * numpy.abs(w[i, j]).max())


def test_tridiagonal_form_alone(arrays):
    """Without Q."""
    a = hermitian((3, 50, 50), "complex128")
    with arrays.stream():
        d, e = (arrays.host(x) for x in linalg.tridiagonalize(arrays.array(a), q=False)[:2])
    for i in range(3):
        values = numpy.linalg.eigvalsh(banded(d, e, (1, -1))[i])
        numpy.testing.assert_allclose(values, numpy.linalg.eigvalsh(a[i]), atol=30 * 2.0**-52 * numpy.linalg.norm(a[i]))


def test_views_of_torch_are_taken_for_what_they_show():
    torch = pytest.importorskip("torch")
    a = torch.from_numpy(matrix((5, 5), "complex64"))
    for view, plain in ((a.mH, a.mH.resolve_conj()), (a.conj(), a.conj().resolve_conj()), (a.real.int(), a.real.int().double())):
        for ours, expected in zip(linalg.hessenberg(view, overwrite_a=True), linalg.hessenberg(plain)):
            assert torch.equal(ours, expected)
    tensor = torch.zeros((4, 4), dtype=torch.float64, requires_grad=True)
    with pytest.raises(ValueError, match="a requires grad: use a.detach"):
        linalg.hessenberg(tensor)
    with pytest.raises(TypeError, match="tau is an array of numpy, and a of torch: must be of one library"):
        lapack.orgtr(tensor.detach(), numpy.ones(3))
    with pytest.raises(TypeError, match="a has elements of type bfloat16"):
        linalg.hessenberg(tensor.detach().bfloat16())


def test_torch_is_told_of_what_is_overwritten():
    torch = pytest.importorskip("torch")
    a = torch.from_numpy(matrix((4, 4), "float64")).t()
    version = a._version
    assert lapack.gehrd(a, overwrite_a=True).a is a and a._version == version + 1
    many = torch.from_numpy(matrix((4, 4), "float64")).t().expand(3, 4, 4)  # one matrix seen three times
    expected = lapack.gehrd(many).a
    assert torch.equal(lapack.gehrd(many, overwrite_a=True).a, expected)


def test_what_cannot_be_made_is_refused():
    class Cuda:
        shape = (2, 2)
        __cuda_array_interface__ = {"data": (4096, False), "shape": (2, 2), "typestr": "<f8", "version": 3}

    with pytest.raises(TypeError, match="must be of NumPy, PyTorch or CuPy"):
        linalg.hessenberg(Cuda())


class _Device(_arrays._Numpy):
    """NumPy's memory as if it were that of GPU 3, on stream 7."""

    made: list = []

    @classmethod
    def view(cls, array, what, stream=0):
        address, layout, _ = super().view(array, what)
        return address, (*layout[:4], 3), 7

    @classmethod
    def empty(cls, array, shape, dtype=None):
        if dtype != "uint8":
            return numpy.empty(shape, dtype)
        memory = numpy.empty(shape[0] + 256, "uint8")
        memory = memory[-memory.ctypes.data % 256:][:shape[0]].view(_Memory)
        cls.made.append(memory)
        return memory


class _Memory(numpy.ndarray):
    def data_ptr(self):
        return self.ctypes.data


def test_a_device_gets_its_stream_and_a_workspace_of_the_arrays_library(monkeypatch):
    """Not the handle's: calls on two streams may overlap, and the library knows when memory of a stream is free again."""
    asked, given, run = [], [], _lapack._library.onepassLapackRun
    host, _Device.made = _lapack._handle("host"), []
    monkeypatch.setattr(_lapack, "library_of", lambda array, what: _Device)
    monkeypatch.setattr(_lapack, "_handle", lambda device, stream: asked.append((device, stream)) or host)
    monkeypatch.setattr(_lapack._library, "onepassLapackRun", lambda *a: given.append((a[3], a[4].value)) or run(*a))
    a = matrix((2, 80, 80), "float64")
    made = lapack.gehrd(a)
    assert asked == [(3, 7)] and given == [(_Device.made[0].ctypes.data, _Device.made[0].size)] * 2
    monkeypatch.undo()
    numpy.testing.assert_array_equal(made.a, lapack.gehrd(a).a)
