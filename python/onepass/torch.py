# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Operators of PyTorch: torch.ops.onepass.mv and .linear, as mv and linear here. They work in torch.compile and in CUDA
graphs, on CPU and CUDA tensors, and have gradients.

    onepass.torch.mv(A, x)                    # torch.mv
    onepass.torch.linear(x, weight, bias)     # torch.nn.functional.linear: one row by Onepass, more by PyTorch
    onepass.torch.rms_norm(x, weight, eps)    # torch.nn.functional.rms_norm over the last dimension, in one launch
    onepass.torch.swiglu(gate, up)            # silu(gate) * up, in one launch
    onepass.torch.rotary(q, k, cos, sin)      # rotary position embeddings of one token, in one launch
    onepass.torch.prefetch(weight)            # into the L2, on the current stream, ahead of its product
    onepass.torch.install()                   # torch.linalg.eigh, eigvalsh, svd and svdvals of CUDA tensors by Onepass
"""
from __future__ import annotations

import functools
import operator
from typing import Callable

import torch
from torch import Tensor
from torch.autograd import forward_ad

from . import _torch_rows
from ._arrays import TYPES
from ._calls import call
from ._prefetch import prefetch as _prefetch
from ._torch_solvers import install, uninstall

__all__ = ["install", "linear", "mv", "prefetch", "rms_norm", "rotary", "swiglu", "uninstall"]

_TYPES = frozenset(getattr(torch, name) for name in TYPES if hasattr(torch, name))

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
    torch._check(A.dtype == x.dtype, lambda: f"A and x must have the same dtype, but got {A.dtype} and {x.dtype}")
    return A.new_empty(A.shape[0])


def _mv_save(ctx, inputs, output) -> None:
    ctx.save_for_backward(*inputs)


# y = A x: the gradient of A is g x^H, that of x is A^H g.
def _mv_backward(ctx, gradient: Tensor):
    A, x = ctx.saved_tensors
    of_a = torch.outer(gradient, x.conj()) if ctx.needs_input_grad[0] else None
    of_x = mv(A.mH, gradient) if ctx.needs_input_grad[1] else None
    return of_a, of_x


def _is_one_row(input: Tensor, weight: Tensor, bias: Tensor | None) -> bool:
    """Whether Onepass computes a linear. All else, and what PyTorch refuses, is PyTorch's."""
    if weight.dim() != 2 or input.dim() == 0:
        return False
    (m, n), kind = weight.shape, weight.dtype
    if n == 0 or input.numel() != n or input.shape[-1] != n or input.dtype != kind or kind not in _TYPES:
        return False
    if bias is not None and (bias.dtype != kind or bias.shape != (m,) or bias.is_conj() or bias.is_neg()):
        return False
    return _expressible(weight)


def _linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    if not _is_one_row(input, weight, bias):
        return torch.nn.functional.linear(input, weight, bias)
    x = input if input.dim() == 1 else input.reshape(-1)
    y = None if bias is None else bias.detach().clone()
    result = call("gemv", "N", weight, _vector(x), y, 1, 0 if y is None else 1, y)
    return result if input.dim() == 1 else result.view(*input.shape[:-1], weight.shape[0])


def _linear_fake(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    torch._check(input.dim() > 0 and weight.dim() == 2, lambda: "linear takes rows and a matrix")
    torch._check(input.shape[-1] == weight.shape[1],
                 lambda: f"input has {input.shape[-1]} elements in a row, and weight has {weight.shape[1]} columns")
    types = [t.dtype for t in (input, weight, bias) if t is not None]
    torch._check(len(set(types)) == 1, lambda: f"input, weight and bias must have the same dtype, but got {types}")
    result = input.new_empty((*input.shape[:-1], weight.shape[0]))
    if bias is not None:
        bias.expand_as(result)  # raises where it does not fit
    return result


def _linear_save(ctx, inputs, output) -> None:
    ctx.save_for_backward(*inputs[:2])
    ctx.bias_shape = None if inputs[2] is None else inputs[2].shape


# Y = X W^T + b, over the rows of X. A bias that was not passed is no input.
def _linear_backward(ctx, gradient: Tensor):
    input, weight = ctx.saved_tensors
    rows = gradient.reshape(-1, weight.shape[0])
    of_input = torch.matmul(gradient, weight.conj()) if ctx.needs_input_grad[0] else None
    of_weight = rows.t() @ input.reshape(-1, weight.shape[1]).conj() if ctx.needs_input_grad[1] else None
    of_bias = gradient.sum_to_size(ctx.bias_shape) if ctx.bias_shape is not None and ctx.needs_input_grad[2] else None
    return of_input, of_weight, of_bias


for _name, _run, _fake, _save, _backward in (("mv", _mv, _mv_fake, _mv_save, _mv_backward),
                                             ("linear", _linear, _linear_fake, _linear_save, _linear_backward)):
    for _device in ("CPU", "CUDA"):
        _library.impl(_name, _run, _device)
    torch.library.register_fake(f"onepass::{_name}", _fake)
    torch.library.register_autograd(f"onepass::{_name}", _backward, setup_context=_save)


def _is_cast(tensor: Tensor | None, device: str) -> bool:
    """Whether torch.autocast casts an operand of a product."""
    return (tensor is not None and tensor.is_floating_point() and tensor.device.type == device and
            tensor.dtype not in (torch.float64, torch.get_autocast_dtype(device)))


def _keys(*names: str) -> torch._C.DispatchKeySet:
    return functools.reduce(operator.or_, (torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, name)) for name in names))


_AUTOCAST = _keys("AutocastCPU", "AutocastCUDA")


def _add_autocast(name: str, device: str, matrix: int, native: Callable) -> None:
    """`matrix`: its place among the arguments. One that must be cast is PyTorch's, which keeps the result for later calls."""
    ours = getattr(torch.ops.onepass, name)

    def run(*tensors: Tensor | None) -> Tensor:
        if _is_cast(tensors[matrix], device):
            return native(*tensors)
        with torch._C._ExcludeDispatchKeyGuard(_AUTOCAST):
            return ours(*(t.to(torch.get_autocast_dtype(device)) if _is_cast(t, device) else t for t in tensors))

    _library.impl(name, run, f"Autocast{device.upper()}")


# As PyTorch, which on a CPU leaves mv as it is.
_add_autocast("mv", "cuda", 0, torch.mv)
_add_autocast("linear", "cuda", 1, torch.nn.functional.linear)
_add_autocast("linear", "cpu", 1, torch.nn.functional.linear)

# Two layers of Python lie between torch.ops and the functions above. A plain call that needs none of them goes straight.
# It has no derivatives, and PyTorch's dispatcher sees no keys but these: modes, traces and functorch each set their own.
_ORDINARY = _keys("BackendSelect", "ADInplaceOrView").raw_repr()
_TENSORS = (Tensor, torch.nn.Parameter)


def _plain(*tensors: Tensor | None) -> bool:
    if torch.compiler.is_compiling() or _has_tangents() or torch._C._len_torch_function_stack() > 0:
        return False
    if torch._C._dispatch_tls_local_include_set().raw_repr() & ~_ORDINARY or torch._C._is_any_autocast_enabled():
        return False
    has_gradients = torch.is_grad_enabled()
    for tensor in tensors:
        if tensor is not None and (type(tensor) not in _TENSORS or tensor.is_meta or
                                   (has_gradients and tensor.requires_grad)):
            return False
    return True


# A registered operator would lose the derivatives of forward-mode differentiation without a word.
def _has_tangents() -> bool:
    return forward_ad._current_level >= 0


def mv(A: Tensor, x: Tensor) -> Tensor:
    """A x, as torch.mv. A matrix whose strides BLAS cannot express is copied first, as torch.mv does.

    >>> import torch, onepass.torch
    >>> onepass.torch.mv(torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([1., 10.]))
    tensor([21., 43.])
    """
    if _plain(A, x):
        return _mv(A, x)
    return torch.mv(A, x) if _has_tangents() else torch.ops.onepass.mv(A, x)


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input weight^T + bias, as torch.nn.functional.linear. One row is a product by Onepass; several go to PyTorch.

    >>> import torch, onepass.torch
    >>> onepass.torch.linear(torch.ones(1, 2), torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([1., 0.]))
    tensor([[4., 7.]])
    """
    if _plain(input, weight, bias):
        return _linear(input, weight, bias)
    use = torch.nn.functional.linear if _has_tangents() or weight.dim() != 2 else torch.ops.onepass.linear
    return use(input, weight, bias)


def rms_norm(input: Tensor, weight: Tensor | None = None, eps: float = 1e-6) -> Tensor:
    """weight input / sqrt(mean(input^2) + eps) over the last dimension, as torch.nn.functional.rms_norm, rounded once. In one launch,
    with which that of a product by Onepass behind it overlaps. With gradients or in torch.compile it is PyTorch's own.

    >>> import torch, onepass.torch
    >>> onepass.torch.rms_norm(torch.tensor([3., 4., 0., 0.]), torch.tensor([1., 1., 2., 2.]), 0.0)
    tensor([1.2000, 1.6000, 0.0000, 0.0000])
    """
    if _plain(input, weight) and _torch_rows.fit(input, weight) and (weight is None or weight.shape == input.shape[-1:]):
        return _torch_rows.rms_norm(input, weight, eps)
    return torch.nn.functional.rms_norm(input, input.shape[-1:], weight, eps)


def swiglu(gate: Tensor, up: Tensor) -> Tensor:
    """silu(gate) * up, rounded once, in one launch. The two may be halves of one product, `linear(x, both).chunk(2, -1)`.

    >>> import torch, onepass.torch
    >>> onepass.torch.swiglu(torch.tensor([0., 100.]), torch.tensor([7., 2.]))
    tensor([  0., 200.])
    """
    if _plain(gate, up) and _torch_rows.fit(gate, up) and gate.shape == up.shape:
        return _torch_rows.swiglu(gate, up)
    return torch.nn.functional.silu(gate) * up


def rotary(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    """Rotary position embeddings of queries and keys, (batch, heads, positions, n), as transformers' apply_rotary_pos_emb: x cos +
    (-second half of x, first half of x) sin, rounded once. One token is one launch, if its keys lie right behind its queries as
    those of one product do; else two. Several positions, gradients and torch.compile are PyTorch's.

    >>> import torch, onepass.torch
    >>> x, zero, one = torch.tensor([[[[1., 2.]]]]), torch.zeros(1, 1, 2), torch.ones(1, 1, 2)
    >>> onepass.torch.rotary(x, x, zero, one)[0]
    tensor([[[[-2.,  1.]]]])
    """
    n = q.shape[-1]
    if (_plain(q, k, cos, sin) and _torch_rows.fit(q, k, cos, sin) and n % 2 == 0 and n == k.shape[-1] == cos.numel() == sin.numel() and
            n > 0 and cos.is_contiguous() and sin.is_contiguous()):
        return _torch_rows.rotary(q, k, cos, sin)
    cos, sin = cos.unsqueeze(1), sin.unsqueeze(1)

    def turned(x):
        first, second = x.chunk(2, dim=-1)
        return x * cos + torch.cat((-second, first), dim=-1) * sin

    return turned(q), turned(k)


@torch.compiler.disable
def prefetch(tensor: Tensor, most_bytes: int = 0) -> None:
    """Asks a tensor into the L2 of its GPU, at most so many bytes of it (0: half of the L2), as onepass.prefetch. Right behind a
    product by Onepass it keeps the memory busy while a norm or an attention computes the input of the next one:

        y = onepass.torch.linear(x, layer.weight)
        onepass.torch.prefetch(after.weight)

    >>> import torch, onepass.torch
    >>> onepass.torch.prefetch(torch.ones(3, 4))
    """
    _prefetch(tensor.detach(), most_bytes)
