# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Solves A x = b with a symmetric positive definite A by conjugate gradients, on PyTorch's tensors. Each step is one pass over
half of the matrix: symv reads one triangle alone. On a GPU where there is one, else on the CPU."""
import argparse

import torch

import onepass


def solve(A, b, tolerance=1e-10, most=1000):
    """x, the number of steps, and the norm of b - A x that the recurrence ends with."""
    x, r = torch.zeros_like(b), b.clone()
    p, rr = r.clone(), torch.dot(r, r)
    Ap = torch.empty_like(b)
    goal = (tolerance * torch.linalg.vector_norm(b)) ** 2
    for step in range(1, most + 1):
        onepass.symv(A, p, out=Ap)
        alpha = rr / torch.dot(p, Ap)
        x += alpha * p
        r -= alpha * Ap
        before, rr = rr, torch.dot(r, r)
        if rr <= goal:
            break
        p = r + (rr / before) * p
    return x, step, rr.sqrt().item()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=1000, help="order of the matrix (default: %(default)s)")
    n = parser.parse_args().n
    has_gpu = torch.cuda.is_available() and onepass.backends()[0]["available"]
    device = "cuda" if has_gpu else "cpu"

    torch.manual_seed(1)
    Q = torch.randn(n, n, dtype=torch.float64, device=device)
    A = Q @ Q.T / n + torch.eye(n, dtype=torch.float64, device=device)
    b = torch.randn(n, dtype=torch.float64, device=device)
    x, steps, residual = solve(A, b)
    error = (torch.linalg.vector_norm(A @ x - b) / torch.linalg.vector_norm(b)).item()
    print(f"{device}: n = {n}, {steps} steps, residual of the recurrence {residual:.1e}, |A x - b| / |b| = {error:.1e}")
    if error > 1e-8:
        raise SystemExit("did not converge")


if __name__ == "__main__":
    main()
