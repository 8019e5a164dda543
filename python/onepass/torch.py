# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Operators of PyTorch: torch.ops.onepass.mv and .linear, as mv and linear here. They work in torch.compile and in CUDA
graphs, on CPU and CUDA tensors, and have gradients.

    onepass.torch.mv(A, x)                    # torch.mv
    onepass.torch.linear(x, weight, bias)     # torch.nn.functional.linear: one row by Onepass, more by PyTorch
"""
from __future__ import annotations

import torch
from torch import Tensor

from ._calls import call

__all__ = ["linear", "mv"]

_library = torch.library.Library("onepass", "DEF")
_library.define("mv(Tensor A, Tensor x) -> Tensor")
_library.define("linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor")


def _expressible(matrix: Tensor) -> bool:
    """Whether BLAS knows the strides of a matrix."""
    (m, n), (down, across) = matrix.shape, matrix.stride()
    return not (matrix.is_conj() or matrix.is_neg()) and ((down == 1 and across >= max(1, m)) or
                                                          (across == 1 and down >= max(1, n)))


def _vector(x: Tensor) -> Tensor:
    return x if x.stride(0) != 0 and not x.is_conj() and not x.is_neg() else x.resolve_conj().resolve_neg().contiguous()


def _mv(A: Tensor, x: Tensor) -> Tensor:
    matrix = A if _expressible(A) else A.resolve_conj().resolve_neg().contiguous()
    return call("gemv", "N", matrix, _vector(x), None, 1, 0, None)


def _mv_fake(A: Tensor, x: Tensor) -> Tensor:
    torch._check(A.dim() == 2 and x.dim() == 1, lambda: "mv takes a matrix and a vector")
    torch._check(A.shape[1] == x.shape[0], lambda: f"x has {x.shape[0]} elements, and A has {A.shape[1]} columns")
    return A.new_empty(A.shape[0])


def _mv_save(ctx, inputs, output) -> None:
    ctx.save_for_backward(*inputs)


# y = A x: the gradient of A is g x^H, that of x is A^H g.
def _mv_backward(ctx, gradient: Tensor):
    A, x = ctx.saved_tensors
    of_a = torch.outer(gradient, x.conj()) if ctx.needs_input_grad[0] else None
    of_x = mv(A.mH, gradient) if ctx.needs_input_grad[1] else None
    return of_a, of_x


def _linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    if input.numel() != weight.shape[1] or not _expressible(weight):
        return torch.nn.functional.linear(input, weight, bias)
    x = input if input.dim() == 1 else input.reshape(-1)
    y = None if bias is None else bias.detach().clone()
    result = call("gemv", "N", weight, _vector(x), y, 1, 0 if y is None else 1, y)
    return result if input.dim() == 1 else result.view(*input.shape[:-1], weight.shape[0])


def _linear_fake(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    torch._check(input.shape[-1] == weight.shape[1],
                 lambda: f"input has {input.shape[-1]} elements in a row, and weight has {weight.shape[1]} columns")
    return input.new_empty((*input.shape[:-1], weight.shape[0]))


def _linear_save(ctx, inputs, output) -> None:
    ctx.save_for_backward(*inputs[:2])


# Y = X W^T + b, over the rows of X.
def _linear_backward(ctx, gradient: Tensor):
    input, weight = ctx.saved_tensors
    rows = gradient.reshape(-1, weight.shape[0])
    of_input = torch.matmul(gradient, weight.conj()) if ctx.needs_input_grad[0] else None
    of_weight = rows.t() @ input.reshape(-1, weight.shape[1]).conj() if ctx.needs_input_grad[1] else None
    of_bias = rows.sum(0) if ctx.needs_input_grad[2] else None
    return of_input, of_weight, of_bias


for _name, _run, _fake, _save, _backward in (("mv", _mv, _mv_fake, _mv_save, _mv_backward),
                                             ("linear", _linear, _linear_fake, _linear_save, _linear_backward)):
    for _device in ("CPU", "CUDA"):
        _library.impl(_name, _run, _device)
    torch.library.register_fake(f"onepass::{_name}", _fake)
    torch.library.register_autograd(f"onepass::{_name}", _backward, setup_context=_save)


# Two layers of Python lie between torch.ops and the functions above. A plain call that needs none of them goes straight.
def _plain(*tensors: Tensor | None) -> bool:
    if torch.compiler.is_compiling() or not all(t is None or type(t) in (Tensor, torch.nn.Parameter) for t in tensors):
        return False
    return not torch.is_grad_enabled() or not any(t is not None and t.requires_grad for t in tensors)


def mv(A: Tensor, x: Tensor) -> Tensor:
    """A x, as torch.mv. A matrix whose strides BLAS cannot express is copied first, as torch.mv does.

    >>> import torch, onepass.torch
    >>> onepass.torch.mv(torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([1., 10.]))
    tensor([21., 43.])
    """
    return _mv(A, x) if _plain(A, x) else torch.ops.onepass.mv(A, x)


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input weight^T + bias, as torch.nn.functional.linear. One row is a product by Onepass; several go to PyTorch.

    >>> import torch, onepass.torch
    >>> onepass.torch.linear(torch.ones(1, 2), torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([1., 0.]))
    tensor([[4., 7.]])
    """
    return _linear(input, weight, bias) if _plain(input, weight, bias) else torch.ops.onepass.linear(input, weight, bias)
