# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a decoding step does between its products, on tensors: each in one launch. No gradients."""
from __future__ import annotations

from torch import Tensor

from ._arrays import library_of
from ._library import handle, library, require

_NAMES = ("torch.float32", "torch.float64", "torch.float16", "torch.bfloat16")


def _rows(tensor: Tensor) -> Tensor:
    """The tensor, or a copy if its rows are not one behind the other."""
    n = tensor.shape[-1]
    return tensor if tensor.is_contiguous() or (tensor.numel() == n and (n <= 1 or tensor.stride(-1) == 1)) else tensor.contiguous()


def fit(*tensors: Tensor | None) -> bool:
    """Whether tensors of one type and device are Onepass's; all else is PyTorch's."""
    first = tensors[0]
    return (first.dim() > 0 and str(first.dtype) in _NAMES and first.device.type in ("cpu", "cuda") and
            all(t is None or (t.dtype == first.dtype and t.device == first.device and not t.is_neg()) for t in tensors))


def _run(function, one: Tensor, *arguments) -> Tensor:
    n = one.shape[-1]
    y = one.new_empty(one.shape)
    if y.numel() == 0:
        return y
    kind = library_of(one, "input")
    address, (_, _, _, type_, device), stream = kind.view(one.detach(), "input")
    with kind.on(one, device):
        require(function(handle(device, stream), type_, y.numel() // n, n, address, n, *arguments, y.data_ptr(), n))
    return y


def rms_norm(input: Tensor, weight: Tensor | None, eps: float) -> Tensor:
    weight = None if weight is None else weight.contiguous()
    return _run(library.onepassRmsNorm, _rows(input), 0 if weight is None else weight.data_ptr(), eps)


def swiglu(gate: Tensor, up: Tensor) -> Tensor:
    up = _rows(up)
    return _run(library.onepassSwiglu, _rows(gate), up.data_ptr(), gate.shape[-1])


def rotary(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    angles, n = (cos.data_ptr(), sin.data_ptr()), q.shape[-1]
    if k.data_ptr() == q.data_ptr() + q.numel() * q.element_size() and q.is_contiguous() and k.is_contiguous():
        heads = q.numel() // n
        both = _run(library.onepassRotary, q.as_strided((heads + k.numel() // n, n), (n, 1)), *angles)
        return both[:heads].view(q.shape), both[heads:].view(k.shape)
    return _run(library.onepassRotary, q.contiguous(), *angles), _run(library.onepassRotary, k.contiguous(), *angles)
