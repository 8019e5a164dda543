# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""onepass.torch.install: torch.linalg.eigh and svd by Onepass, on the CPU and on a GPU, as PyTorch has them; and gradients of
onepass.linalg."""
import numpy
import pytest
from reductions import TYPES

import onepass
from onepass._library import path

torch = pytest.importorskip("torch")
if not path("libonepass_lapack.so").exists():
    pytest.skip("this build has no libonepass_lapack.so", allow_module_level=True)
import onepass.torch  # noqa: E402
from onepass import lapack, linalg  # noqa: E402

GPU = onepass.backends()[0]["available"] and torch.cuda.is_available()
needs_gpu = pytest.mark.skipif(not GPU, reason="needs a GPU, a build with CUDA and a PyTorch with CUDA")


class Installed:
    """A device on which Onepass serves PyTorch, and the calls that it served."""

    def __init__(self, device):
        self.device, self.calls = device, 0

    def served(self, run):
        """What a call gives, and how many calls of Onepass it took."""
        before = self.calls
        return run(), self.calls - before

    def original(self, run):
        """What PyTorch gives."""
        onepass.torch.uninstall(self.device)
        try:
            return run()
        finally:
            onepass.torch.install(self.device)

    def matrices(self, *shape, dtype="float64"):
        random = numpy.random.default_rng(3)
        a = random.standard_normal(shape)
        return torch.from_numpy((a + 1j * random.standard_normal(shape) if "complex" in dtype else a).astype(dtype)).to(self.device)

    def hermitian(self, *shape, dtype="float64"):
        a = self.matrices(*shape, shape[-1], dtype=dtype)
        return a + a.mH


@pytest.fixture(params=["cpu", pytest.param("cuda", marks=needs_gpu)])
def on(request, monkeypatch):
    installed = Installed(request.param)

    def counted(function):
        def run(*arguments, **more):
            installed.calls += 1
            return function(*arguments, **more)
        return run

    monkeypatch.setattr(lapack, "syevd", counted(lapack.syevd))
    monkeypatch.setattr(lapack, "gesvd", counted(lapack.gesvd))
    onepass.torch.install(request.param)
    yield installed
    onepass.torch.uninstall(request.param)


def tolerance(a):
    return 50 * max(a.shape[-2:]) * torch.finfo(a.dtype).eps


@pytest.mark.parametrize("uplo", ["L", "U", "l"])
@pytest.mark.parametrize("shape", [(1, 1), (7, 7), (3, 40, 40), (2, 3, 5, 5), (600, 600)])
@pytest.mark.parametrize("dtype", TYPES)
def test_eigenvalues_and_eigenvectors(on, dtype, shape, uplo):
    a = on.hermitian(*shape[:-1], dtype=dtype)
    one = torch.triu(a) if uplo == "U" else torch.tril(a)
    found, calls = on.served(lambda: torch.linalg.eigh(one, UPLO=uplo))
    assert calls == 1 and type(found).__name__ == "linalg_eigh"
    w, v = found
    theirs = on.original(lambda: torch.linalg.eigh(a))
    scale = theirs.eigenvalues.abs().max().item() + 1
    assert w.dtype == theirs.eigenvalues.dtype and v.dtype == a.dtype and v.stride() == theirs.eigenvectors.stride()
    assert (w - theirs.eigenvalues).abs().max().item() < tolerance(a) * scale
    assert (a @ v - v * w.unsqueeze(-2)).abs().max().item() < tolerance(a) * scale
    alone, calls = on.served(lambda: torch.linalg.eigvalsh(one, UPLO=uplo))
    assert calls == 1 and (alone - w).abs().max().item() < tolerance(a) * scale


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("shape", [(1, 1), (40, 40), (50, 20), (20, 50), (2, 60, 33), (2, 3, 33, 34)])
@pytest.mark.parametrize("dtype", TYPES)
def test_singular_values_and_vectors(on, dtype, shape, full):
    a = on.matrices(*shape, dtype=dtype)
    found, calls = on.served(lambda: torch.linalg.svd(a, full_matrices=full))
    assert calls == 1 and type(found).__name__ == "linalg_svd"
    theirs, k = on.original(lambda: torch.linalg.svd(a, full_matrices=full)), min(shape[-2:])
    for own, other in zip(found, theirs):
        assert own.shape == other.shape and own.dtype == other.dtype and own.stride() == other.stride()
    assert (found.S - theirs.S).abs().max().item() < tolerance(a) * 20
    assert (found.U[..., :k] * found.S.unsqueeze(-2) @ found.Vh[..., :k, :] - a).abs().max().item() < tolerance(a) * 20
    alone, calls = on.served(lambda: torch.linalg.svdvals(a))
    assert calls == 1 and (alone - theirs.S).abs().max().item() < tolerance(a) * 20


def test_what_is_made_of_them(on):
    a = on.matrices(40, 35)
    inverse, calls = on.served(lambda: torch.linalg.pinv(a))
    assert calls == 1 and (inverse @ a - torch.eye(35, device=a.device)).abs().max().item() < 1e-10
    rank, calls = on.served(lambda: torch.linalg.matrix_rank(a))
    assert calls == 1 and int(rank) == 35


def test_batches_of_small_matrices_are_one_call(on):
    a = on.matrices(5, 8, 8)
    for full in (False, True):
        (u, s, vh), calls = on.served(lambda: torch.linalg.svd(a, full_matrices=full))
        assert calls == 1 and ((u * s.unsqueeze(-2)) @ vh - a).abs().max().item() < 1e-12
    assert on.served(lambda: torch.linalg.svdvals(a[:, :3]))[1] == 1


def test_pytorch_has_what_onepass_has_not(on):
    small = on.matrices(5, 8, 7)
    a = on.hermitian(6)
    out = (a.new_empty(0), a.new_empty(0))
    for run in (lambda: torch.linalg.svd(small), lambda: torch.linalg.eigh(a[:0, :0]), lambda: torch.linalg.eigh(small[:0, :7]),
                lambda: torch.linalg.svd(small[0, :0]), lambda: torch.linalg.eigh(a, out=out)):
        found, _ = on.served(run)
        theirs = on.original(run)
        for own, other in zip(found, theirs):
            assert own.shape == other.shape
    assert on.served(lambda: torch.linalg.svd(small))[1] == 0
    assert (a @ out[1] - out[1] * out[0]).abs().max().item() < 1e-12


@pytest.mark.parametrize("run", [
    lambda a: torch.linalg.eigh(a[:2]), lambda a: torch.linalg.eigh(a.int()), lambda a: torch.linalg.eigh(a.half()),
    lambda a: torch.linalg.eigh(a, UPLO="X"), lambda a: torch.linalg.eigh(a[0]), lambda a: torch.linalg.svd(a[0]),
    lambda a: torch.linalg.svd(a, driver="none"), lambda a: torch.linalg.svd(a.bfloat16())])
def test_errors_are_pytorchs(on, run):
    a = on.hermitian(5)
    with pytest.raises(Exception) as found:
        run(a)
    with pytest.raises(Exception) as theirs:
        on.original(lambda: run(a))
    assert (type(found.value), str(found.value)) == (type(theirs.value), str(theirs.value))


def test_what_is_not_finite_is_pytorchs(on):
    a = on.matrices(40, 40)
    a[3, 4] = float("nan")

    def outcome():
        try:
            return torch.linalg.svd(a).S.isnan().any().item()
        except RuntimeError as error:
            return str(error)
    assert outcome() == on.original(outcome)


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_derivatives(on, dtype):
    a = on.matrices(2, 5, 5, dtype=dtype).requires_grad_()
    hermitian = (lambda x: x + x.mH)
    assert torch.autograd.gradcheck(lambda x: torch.linalg.eigvalsh(hermitian(x)), a)
    assert torch.autograd.gradcheck(lambda x: torch.linalg.eigh(hermitian(x)).eigenvectors.abs(), a)
    one = on.matrices(4, 3, dtype=dtype).requires_grad_()
    assert torch.autograd.gradcheck(lambda x: torch.linalg.svdvals(x), one)
    assert torch.autograd.gradcheck(lambda x: torch.linalg.svd(x, full_matrices=False).U.abs(), one)
    tangent = torch.func.jvp(torch.linalg.svdvals, (one.detach(),), (torch.ones_like(one),))[1]
    assert tangent.shape == (3,)
    mapped = torch.func.vmap(lambda x: torch.linalg.eigvalsh(hermitian(x)))(a.detach())
    assert torch.allclose(mapped, torch.linalg.eigvalsh(hermitian(a.detach())))


def test_uninstalled_nothing_is_served(on):
    a = on.hermitian(6)
    onepass.torch.install(on.device)  # twice is once
    onepass.torch.uninstall(on.device)
    onepass.torch.uninstall(on.device)
    assert on.served(lambda: torch.linalg.eigh(a))[1] == 0
    onepass.torch.install(on.device)
    assert on.served(lambda: torch.linalg.eigh(a))[1] == 1
    with pytest.raises(ValueError, match="device = 'xpu': must be one of cpu, cuda"):
        onepass.torch.install("xpu")


@needs_gpu
def test_of_the_gpu_leaves_the_cpu_alone():
    on = Installed("cuda")
    onepass.torch.install()
    try:
        assert torch.linalg.eigvalsh(torch.eye(3)).tolist() == [1, 1, 1]
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            a = on.hermitian(100)
            w = torch.linalg.eigvalsh(a)
        stream.synchronize()
        assert (w - torch.linalg.eigvalsh(a.cpu()).cuda()).abs().max().item() < 1e-11
    finally:
        onepass.torch.uninstall()


@pytest.fixture(params=["cpu", pytest.param("cuda", marks=needs_gpu)])
def device(request):
    return request.param


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_gradients_of_eigh_are_those_of_pytorch(device, dtype):
    a = Installed(device).matrices(2, 6, 6, dtype=dtype).requires_grad_()
    weight = Installed(device).matrices(6, 6, dtype="float64")

    def gradient(solve, last=6):
        w, v = solve(a + a.mH)
        return torch.autograd.grad((w[..., :last]**3).sum() + (v[..., :last].abs()**3 * weight[:, :last]).sum(), a)[0]
    assert torch.allclose(gradient(linalg.eigh), gradient(torch.linalg.eigh), atol=1e-10)
    assert torch.allclose(gradient(lambda x: linalg.eigh(x, subset_by_index=(0, 2)), 3), gradient(torch.linalg.eigh, 3), atol=1e-10)
    sums = [torch.autograd.grad(solve(a + a.mH).pow(3).sum(), a)[0] for solve in (linalg.eigvalsh, torch.linalg.eigvalsh)]
    assert torch.allclose(*sums, atol=1e-10)
    assert torch.autograd.gradgradcheck(lambda x: linalg.eigvalsh(x + x.mH), a[:1].detach()[:, :3, :3].requires_grad_())
    assert linalg.eigh(a.detach()).eigenvalues.grad_fn is None


@pytest.mark.parametrize("shape", [(5, 5), (6, 3), (3, 6), (2, 4, 3)])
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_gradients_of_svd_are_those_of_pytorch(device, dtype, shape):
    a = Installed(device).matrices(*shape, dtype=dtype).requires_grad_()
    weight = Installed(device).matrices(*shape, dtype=dtype)

    def gradient(decompose, full):
        u, s, vh = decompose(a, full_matrices=full)
        u, vh = u[..., :3], vh[..., :3, :]
        loss = (u.abs()**3).sum() + (s**3).sum() + (vh.abs()**3).sum() + (u[..., :2] @ vh[..., :2, :] * weight).real.sum()
        return torch.autograd.grad(loss, a)[0]
    for full in (False, True):
        assert torch.allclose(gradient(linalg.svd, full), gradient(torch.linalg.svd, full), atol=1e-9)
    sums = [torch.autograd.grad(values(a).pow(3).sum(), a)[0] for values in (linalg.svdvals, torch.linalg.svdvals)]
    assert torch.allclose(*sums, atol=1e-10)
