# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Derivatives of onepass.linalg.eigh and svd of PyTorch's tensors. Backward steps are made of PyTorch's operators, so that they
have derivatives, too. What a loss makes of phases of complex vectors has none, and is not looked at."""
from __future__ import annotations

import torch
from torch import Tensor

from . import lapack


class _Eigh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a: Tensor, lower: bool) -> tuple[Tensor, Tensor]:
        solved = lapack.syevd(a.detach(), lower)
        ctx.save_for_backward(solved.w, solved.v)
        ctx.set_materialize_grads(False)
        return solved.w, solved.v

    @staticmethod
    def backward(ctx, of_w: Tensor | None, of_v: Tensor | None):
        """V (diag(gw) + (V^H gV) / E) V^H with E_ij = w_j - w_i, 1 on its diagonal, where nothing is added."""
        w, v = ctx.saved_tensors
        if of_v is None:
            return (None if of_w is None else (v * of_w.unsqueeze(-2)) @ v.mH), None
        gaps = _differences(w)
        inner = v.mH @ of_v / gaps
        inner = inner - torch.diag_embed(inner.diagonal(dim1=-2, dim2=-1))
        if of_w is not None:
            inner = inner + torch.diag_embed(of_w)
        return v @ inner @ v.mH, None


class _Svd(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a: Tensor, full_matrices: bool) -> tuple[Tensor, Tensor, Tensor]:
        made = lapack.gesvd(a.detach(), "A" if full_matrices else "S")
        ctx.save_for_backward(made.u, made.s, made.vt)
        ctx.set_materialize_grads(False)
        return made.u, made.s, made.vt

    @staticmethod
    def backward(ctx, of_u: Tensor | None, of_s: Tensor | None, of_vh: Tensor | None):
        """With X = U^H gU and Y = V^H gV less their adjoints, and E_ij = s_j^2 - s_i^2, 1 on its diagonal,
        U (X / E S + S Y / E + diag(gs)) V^H, and what gU and gV have outside of the spaces of U and V."""
        u, s, vh = ctx.saved_tensors
        k = s.shape[-1]
        # Of full matrices the other vectors belong to no singular value.
        u, vh = u[..., :k], vh[..., :k, :]
        of_u, of_vh = (None if of_u is None else of_u[..., :k]), (None if of_vh is None else of_vh[..., :k, :])
        if of_u is None and of_vh is None:
            return (None if of_s is None else (u * of_s.unsqueeze(-2)) @ vh), None
        gaps = _differences(s * s)
        inner = u.new_zeros(()) if of_s is None else torch.diag_embed(of_s).to(u.dtype)
        if of_u is not None:
            turned = _skew(u.mH @ of_u)
            inner = inner + turned / gaps * s.unsqueeze(-2)
            if u.is_complex():
                phases = turned.diagonal(dim1=-2, dim2=-1)
                inner = inner + torch.diag_embed(phases / (2 * s) - phases * s)
        if of_vh is not None:
            turned = _skew(vh @ of_vh.mH)
            inner = inner + s.unsqueeze(-1) * (turned / gaps)
            if u.is_complex():
                inner = inner - torch.diag_embed(turned.diagonal(dim1=-2, dim2=-1) * s)
        left = u @ inner
        if of_u is not None and u.shape[-2] > k:
            scaled = of_u / s.unsqueeze(-2)
            left = left + scaled - u @ (u.mH @ scaled)
        of_a = left @ vh
        if of_vh is not None and vh.shape[-1] > k:
            scaled = of_vh / s.unsqueeze(-1)
            of_a = of_a + u @ (scaled - scaled @ vh.mH @ vh)
        return of_a, None


def _skew(x: Tensor) -> Tensor:
    return x - x.mH


def _differences(x: Tensor) -> Tensor:
    """x_j - x_i, and 1 on the diagonal."""
    return x.unsqueeze(-2) - x.unsqueeze(-1) + torch.eye(x.shape[-1], dtype=x.dtype, device=x.device)


def eigh(a: Tensor, lower: bool) -> tuple[Tensor, Tensor]:
    return _Eigh.apply(a, lower)


def svd(a: Tensor, full_matrices: bool) -> tuple[Tensor, Tensor, Tensor]:
    return _Svd.apply(a, full_matrices)
