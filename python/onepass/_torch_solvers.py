# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""torch.linalg.eigh, eigvalsh, svd and svdvals by Onepass: kernels for the operators of PyTorch that these are made of.

PyTorch's own functions stay where they are, with their checks, names, derivatives and out=; below them a kernel of a device is
exchanged. So is what else PyTorch makes of these operators: pinv, matrix_rank, norms, cond, torch.svd."""
from __future__ import annotations

import threading
import warnings

import torch
from torch import Tensor

_TYPES = frozenset((torch.float32, torch.float64, torch.complex64, torch.complex128))
# PyTorch has a kernel of its own for many matrices as small as these, and Onepass makes all vectors of matrices that are not
# square one after the other.
_MANY_SVD = 32

_lock = threading.Lock()
_installed: dict[str, torch.library.Library] = {}


def _is_ours(a: Tensor) -> bool:
    return a.dim() >= 2 and a.dtype in _TYPES and a.numel() > 0 and a.layout == torch.strided


def _waits(a: Tensor) -> bool:
    """PyTorch looks whether all went well, and waits for the device to see. While a graph is captured nothing can."""
    return not (a.is_cuda and torch.cuda.is_current_stream_capturing())


# The operators with out= are PyTorch's own: by them a call is passed on.
def _their_eigh(a: Tensor, uplo: str, compute_v: bool) -> tuple[Tensor, Tensor]:
    real = torch.empty(0, dtype=a.real.dtype if a.is_complex() else a.dtype, device=a.device)
    return torch.ops.aten._linalg_eigh.eigenvalues(a, uplo, compute_v, eigenvalues=real, eigenvectors=a.new_empty(0))


def _their_svd(a: Tensor, full_matrices: bool, compute_uv: bool, driver: str | None) -> tuple[Tensor, Tensor, Tensor]:
    real = torch.empty(0, dtype=a.real.dtype if a.is_complex() else a.dtype, device=a.device)
    return torch.ops.aten._linalg_svd.U(a, full_matrices, compute_uv, driver=driver, U=a.new_empty(0), S=real,
                                        Vh=a.new_empty(0))


def _eigh(a: Tensor, UPLO: str = "L", compute_v: bool = True) -> tuple[Tensor, Tensor]:
    from . import Error, lapack
    if not _is_ours(a) or a.shape[-1] != a.shape[-2] or UPLO.upper() not in ("L", "U"):
        return _their_eigh(a, UPLO, compute_v)
    try:
        solved = lapack.syevd(a.detach(), UPLO.upper() == "L", compute_v)
    except Error:  # a matrix too large, or no device of Onepass's
        return _their_eigh(a, UPLO, compute_v)
    if _waits(a) and bool(solved.info.any()):
        return _their_eigh(a, UPLO, compute_v)
    return solved.w, solved.v if compute_v else a.new_empty(0)


def _svd(a: Tensor, full_matrices: bool = False, compute_uv: bool = True, *, driver: str | None = None
         ) -> tuple[Tensor, Tensor, Tensor]:
    from . import Error, lapack
    one_by_one = a.dim() > 2 and full_matrices and compute_uv and a.shape[-2] != a.shape[-1]
    if not _is_ours(a) or driver is not None or (one_by_one and max(a.shape[-2:]) <= _MANY_SVD):
        return _their_svd(a, full_matrices, compute_uv, driver)
    try:
        made = lapack.gesvd(a.detach(), ("A" if full_matrices else "S") if compute_uv else "N")
    except Error:
        return _their_svd(a, full_matrices, compute_uv, driver)
    if _waits(a) and bool(made.info.any()):
        return _their_svd(a, full_matrices, compute_uv, driver)
    if not compute_uv:
        return a.new_empty(0), made.s, a.new_empty(0)
    # On a GPU PyTorch's V^H lies row by row, and compiled programs count on that.
    return made.u, made.s, made.vt.contiguous() if a.is_cuda else made.vt


def install(device: str = "cuda") -> None:
    """From now on torch.linalg.eigh, eigvalsh, svd and svdvals of tensors of this device, and what is made of them, are
    computed by Onepass: float32, float64, complex64 and complex128, of eigh up to 512 rows and of svd up to 256 whole batches at
    once.

    Results, derivatives and errors are PyTorch's, but for signs of vectors. PyTorch computes what Onepass does not: calls
    with out= or a driver, empty tensors, all singular vectors of batches of matrices of up to 32 x 32 that are not square,
    matrices that are too large or not finite.

    >>> import torch, onepass.torch
    >>> onepass.torch.install("cpu")
    >>> torch.linalg.eigvalsh(torch.tensor([[2., 1.], [1., 2.]])).round()
    tensor([1., 3.])
    >>> onepass.torch.uninstall("cpu")
    """
    if device not in ("cpu", "cuda"):
        raise ValueError(f"device = {device!r}: must be one of cpu, cuda")
    from . import lapack  # noqa: F401  says so where it cannot be loaded
    with _lock:
        if device in _installed:
            return
        library = torch.library.Library("aten", "IMPL")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that there is a kernel already
            library.impl("_linalg_eigh", _eigh, device.upper())
            library.impl("_linalg_svd", _svd, device.upper())
        _installed[device] = library


def uninstall(device: str = "cuda") -> None:
    """PyTorch's own kernels again; nothing, if they are there."""
    with _lock:
        library = _installed.pop(device, None)
        if library is not None:
            library._destroy()
